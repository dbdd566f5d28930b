"""The supervisor with real processes: order, restarts, stubborn and talkative children, and a death by kill -9."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from judge.operations.supervisor import LOG_BYTES, LOG_FILES

ROOT = Path(__file__).resolve().parents[2]
POLITE = """
import signal, sys, time
def stop(*_):
    print("stopped", flush=True)
    sys.exit()
signal.signal(signal.SIGTERM, stop)
print("started", flush=True)
while True:
    time.sleep(1)
"""
STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("started", flush=True)
while True:
    time.sleep(1)
"""


class Keeper:
    """A supervisor in a process of its own, and what it has said so far."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.output = folder / "output"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *children: tuple[str, str], grace: float = 5) -> None:
        told = [{"name": name, "argv": [sys.executable, "-c", code], "grace": grace} for name, code in children]
        with self.output.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.operations.keeper", json.dumps(told), str(self.folder / "log")],
                cwd=ROOT,
                stdout=file,
                stderr=subprocess.STDOUT,
            )

    def said(self, pattern: str) -> list[Any]:
        return re.findall(pattern, self.output.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)

    def children(self) -> list[psutil.Process]:
        assert self.process is not None
        return psutil.Process(self.process.pid).children(recursive=True)

    def stop(self, number: int = signal.SIGTERM) -> int:
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(timeout=20)


def until(true: Callable[[], object], seconds: float = 15) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[Keeper]:
    keeper = Keeper(tmp_path)
    yield keeper
    if keeper.process is not None and keeper.process.poll() is None:
        keeper.process.kill()
        keeper.process.wait()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_children_stop_last_first(keeper: Keeper, number: int) -> None:
    keeper.start(("broker", POLITE), ("worker", POLITE), ("web", POLITE))
    until(lambda: len(keeper.said("started")) == 3)
    children = keeper.children()
    assert len(children) == 3
    assert {os.getsid(child.pid) for child in children} == {child.pid for child in children}
    assert keeper.stop(number) == 0
    assert keeper.said(r"^(\w+) *\| stopped") == ["web", "worker", "broker"]
    assert not any(child.is_running() for child in children)


def test_a_child_that_dies_is_started_again_ever_later(keeper: Keeper) -> None:
    keeper.start(("calm", POLITE), ("hasty", "import os; print('here', flush=True); os._exit(3)"))
    until(lambda: len(keeper.said("here")) >= 3)
    assert keeper.said(r"^hasty *\| ended \((.*)\); it is started again in (\S+) s")[:2] == [
        ("exit code 3", "0.5"),
        ("exit code 3", "1"),
    ]
    assert len(keeper.said(r"^calm *\| started")) == 1
    assert keeper.stop() == 0


def test_a_killed_child_is_started_again(keeper: Keeper) -> None:
    keeper.start(("web", POLITE))
    until(lambda: keeper.said("started"))
    keeper.children()[0].kill()
    until(lambda: len(keeper.said("started")) == 2)
    assert keeper.said(r"ended \((.*)\)") == ["killed by SIGKILL"]


def test_a_stubborn_child_is_killed_after_its_grace(keeper: Keeper) -> None:
    keeper.start(("web", STUBBORN), grace=0.5)
    until(lambda: keeper.said("started"))
    began = time.monotonic()
    assert keeper.stop() == 0
    assert 0.4 < time.monotonic() - began < 5


def test_a_second_signal_waits_for_nobody(keeper: Keeper) -> None:
    keeper.start(("one", STUBBORN), ("two", STUBBORN), grace=60)
    until(lambda: len(keeper.said("started")) == 2)
    assert keeper.process is not None
    keeper.process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert keeper.process.poll() is None
    assert keeper.stop(signal.SIGINT) == 0


def test_when_the_supervisor_is_killed_its_children_die(keeper: Keeper) -> None:
    keeper.start(("polite", POLITE), ("stubborn", STUBBORN))
    until(lambda: len(keeper.said("started")) == 2)
    children = keeper.children()
    assert keeper.stop(signal.SIGKILL) == -signal.SIGKILL
    until(lambda: not any(child.is_running() for child in children), seconds=2)


def test_what_a_child_leaves_behind_goes_with_it(keeper: Keeper) -> None:
    leaves = (
        "import os, subprocess, time; subprocess.Popen(['sleep', '1000']); print('started', flush=True); time.sleep(99)"
    )
    keeper.start(("web", leaves))
    until(lambda: keeper.said("started"))
    children = keeper.children()
    assert len(children) == 2
    assert keeper.stop() == 0
    until(lambda: not any(child.is_running() for child in children), seconds=2)


def test_every_line_is_shown_and_kept_whatever_it_is(keeper: Keeper) -> None:
    code = (
        "import sys; w = sys.stdout.buffer.write\n"
        r"w(b'bad \xff\n'); w(b'x' * 200_000 + b'\n'); w('grün\n'.encode()); w(b'no newline at the end')"
    )
    keeper.start(("web", code))
    until(lambda: keeper.said("no newline at the end"))
    assert keeper.said(r"^web +\| bad \\xff$")
    assert keeper.said(r"^web +\| grün$")
    assert sum(map(len, keeper.said(r"^web +\| (x+)$"))) % 200_000 == 0
    kept = (keeper.folder / "log/web.log").read_text(encoding="utf-8")
    assert "grün" in kept
    assert r"bad \xff" in kept


def test_log_files_are_bounded(keeper: Keeper) -> None:
    code = (
        "import time\nfor _ in range(300): print('y' * 50_000, flush=True)\nprint('finis', flush=True); time.sleep(99)"
    )
    keeper.start(("web", code))
    until(lambda: keeper.said("finis"))
    assert keeper.stop() == 0
    files = list((keeper.folder / "log").iterdir())
    assert len(files) == LOG_FILES
    assert all(file.stat().st_size <= LOG_BYTES for file in files)


def test_nobody_looking_is_no_reason_to_stop(tmp_path: Path) -> None:
    told = [{"name": "web", "argv": [sys.executable, "-c", POLITE], "grace": 5}]
    keeper = subprocess.Popen(
        [sys.executable, "-m", "tests.operations.keeper", json.dumps(told), str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
    )
    assert keeper.stdout is not None
    keeper.stdout.close()
    log = tmp_path / "web.log"
    until(lambda: log.exists() and "started" in log.read_text())
    time.sleep(0.3)
    assert keeper.poll() is None
    keeper.terminate()
    keeper.wait(timeout=20)
    assert "stopped" in log.read_text()
