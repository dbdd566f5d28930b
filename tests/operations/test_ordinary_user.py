"""`grade` and `up` as an ordinary user in the laptop mode, from a fresh copy. By name only: it builds every problem."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.operations.conftest import ROOT
from tests.sandbox.ordinary.user import NUMBER

pytestmark = pytest.mark.byname


@pytest.fixture
def clone() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="palfrey-clone-"))
    names = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    for path in (folder, *folder.rglob("*")):
        os.chown(path, NUMBER, NUMBER)
    yield folder
    shutil.rmtree(folder)


def manage(clone: Path, *words: str, sandbox: str = "laptop", **more: Any) -> "subprocess.Popen[str]":
    if os.geteuid() == 0:
        more |= {"user": NUMBER, "group": NUMBER, "extra_groups": []}
    environment = {"PATH": "/usr/bin:/bin", "PALFREY_LOCAL": "1", "PALFREY_SANDBOX": sandbox, "HOME": str(clone)}
    command = [sys.executable, "manage.py", *words]
    return subprocess.Popen(command, cwd=clone, env=environment, text=True, stdout=subprocess.PIPE, **more)


def test_grade(clone: Path) -> None:
    program = "problems/catalog/knightmoves/submissions/accepted/bfs.cpp"
    said, _ = manage(clone, "grade", "knightmoves", program, "--json").communicate(timeout=120)
    assert json.loads(said)["verdict"] == "accepted", said


def test_grade_tells_the_ways_without_it(clone: Path) -> None:
    program = "problems/catalog/knightmoves/submissions/accepted/bfs.cpp"
    said, _ = manage(clone, "grade", "knightmoves", program, "--json", sandbox="").communicate(timeout=120)
    assert "PALFREY_SANDBOX=laptop" in json.loads(said)["note"], said


def test_up(clone: Path) -> None:
    site = manage(clone, "up", "--port", "0", "--workers", "1", stderr=subprocess.STDOUT)
    assert site.stdout
    said, end = [], time.monotonic() + 240
    try:
        for line in site.stdout:
            said.append(line)
            if "judges" in line or time.monotonic() > end:
                break
    finally:
        site.send_signal(signal.SIGINT)
        rest, _ = site.communicate(timeout=60)
    assert said[0].startswith("Laptop mode"), said
    assert any("Palfrey is up at" in line for line in said)
    assert "judges" in said[-1]
    assert rest.rstrip().endswith("Stopped.")
    assert site.returncode == 0
