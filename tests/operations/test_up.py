"""`up` for real, from nothing: it comes up, refuses a second one beside it, outlives kills, leaves nothing behind."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from judge.management.by_hand import CATALOG
from tests.operations.conftest import ROOT
from tests.together import cache

UP_SECONDS = 240
"""The first start builds a problem; on a busy machine that takes its time."""


class Site:
    """One `up` on a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.output = folder.parent / "output"
        self.cache = cache(folder.parent / "cache")
        self.catalog = folder.parent / "catalog"
        shutil.copytree(CATALOG / "knightmoves", self.catalog / "knightmoves")
        self.process: subprocess.Popen[bytes] | None = None

    def command(self, *words: str) -> list[str]:
        """With two languages and one problem: to try all, or make all, takes long, and is what other tests do."""
        words = ("--port", "0", "--workers", "1", "--languages", "python3,cpp17", *words)
        return [sys.executable, "-m", "tests.operations.small", str(self.catalog), "up", *words]

    @property
    def environment(self) -> dict[str, str]:
        """It finds the cases of problems that are built for other tests, or builds them for these."""
        own = {name: value for name, value in os.environ.items() if not name.startswith(("PALFREY", "DJANGO", "REDIS"))}
        return {
            **own,
            "PYTHONPATH": str(ROOT),
            "PALFREY_LOCAL": "1",
            "PALFREY_VAR": str(self.folder),
            "PALFREY_CACHE": str(self.cache),
        }

    def up(self) -> str:
        """Start it and return its address when it says that it is up."""
        with self.output.open("wb") as file:
            self.process = subprocess.Popen(self.command(), env=self.environment, stdout=file, stderr=subprocess.STDOUT)
        self.until(lambda: "Palfrey is up at" in self.said() or self.ended(), UP_SECONDS)
        found = re.search(r"Palfrey is up at (http://127\.0\.0\.1:\d+/)", self.said())
        assert found, self.said()
        return found[1]

    def said(self) -> str:
        return self.output.read_text(encoding="utf-8", errors="replace")

    def ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def family(self) -> list[psutil.Process]:
        assert self.process is not None
        return psutil.Process(self.process.pid).children(recursive=True)

    def until(self, true: Callable[[], object], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < deadline, f"it did not happen in {seconds} s:\n{self.said()}"
            time.sleep(0.05)

    def worker_is_ready(self) -> bool:
        """Whether the worker has started the process in which it judges."""
        workers = [process for process in self.family() if "worker" in arguments(process)]
        return any(parent in workers for worker in workers for parent in worker.parents())


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path / "var")
    yield site
    if site.process is not None and site.process.poll() is None:
        site.process.kill()
        site.process.wait()


def get(address: str) -> tuple[int, str]:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return answer.status, answer.read().decode()


def arguments(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:  # just ending
        return []


def gone(processes: list[psutil.Process]) -> bool:
    return not any(map(arguments, processes))


def test_up_from_nothing_to_nothing(site: Site) -> None:
    address = site.up()
    assert get(f"{address}health/ready") == (200, '{"database": "ok", "queue": "ok", "blobs": "ok"}')
    assert "knightmoves: version 1 is live" in site.said()
    accounts = (site.folder / "accounts.txt").read_text()
    assert all(password in site.said() for password in accounts.split())
    for name in ("accounts.txt", "secret-key"):
        assert (site.folder / name).stat().st_mode & 0o777 == 0o600

    second = subprocess.run(
        site.command(), env=site.environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert site.process is not None
    assert (second.returncode, second.stdout) == (1, "")
    assert second.stderr.startswith(f"palfrey: Palfrey is already up here, as process {site.process.pid}.")
    assert len(second.stderr.splitlines()) == 1

    # A server that dies comes back on the same socket.
    (web,) = [process for process in site.family() if "web" in arguments(process)]
    web.kill()
    assert get(f"{address}health/live") == (200, "alive\n")
    assert "ended (killed by SIGKILL)" in site.said()

    # Killed without a chance to tidy up, it leaves no process: no broker, and no worker's child either.
    site.until(site.worker_is_ready, 120)
    assert "judges 2 languages" in site.said()
    family = site.family()
    assert len(family) >= 5
    site.process.kill()
    site.process.wait()
    site.until(lambda: gone(family), 5)

    # What it kept is there again, and asked to stop it stops.
    site.up()
    assert (site.folder / "accounts.txt").read_text() == accounts
    family = site.family()
    site.process.send_signal(signal.SIGINT)
    assert site.process.wait(timeout=60) == 0
    assert gone(family)
    assert "Traceback" not in site.said()


def test_a_port_that_is_taken_is_said(site: Site) -> None:
    site.folder.mkdir()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        words = [sys.executable, str(ROOT / "manage.py"), "up", "--port", str(port)]
        done = subprocess.run(words, env=site.environment, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"palfrey: Port {port} cannot be had (Address already in use). "
        f"Choose another one: ./palfrey up --port {port + 1}\n"
    )
