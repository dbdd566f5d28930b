"""An ordinary user of this host, for tests that may themselves run as root."""

import os
import pickle
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sandbox import build
from sandbox.box import LinuxSandbox
from sandbox.contract import Outcome, Run

NUMBER = os.geteuid() or 64321
"""The user's; nobody on the host has the second."""
PYTHON = "/usr/bin/python3"
"""The one that every user may run; the sandbox needs nothing but the standard library."""


@contextmanager
def home() -> Iterator[Path]:
    """A folder of that user's with the sandbox and the keeper in it."""
    folder = Path(tempfile.mkdtemp(prefix="palfrey-ordinary-"))
    try:
        shutil.copytree(build.SOURCES.parent, folder / "sandbox", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(Path(__file__).with_name("keeper.py"), folder)
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NUMBER, NUMBER)
        yield folder
    finally:
        shutil.rmtree(folder)


def start(folder: Path, *words: str, **more: Any) -> subprocess.Popen[bytes]:
    """The user's Python with these words, in that folder."""
    if os.geteuid() == 0:
        more |= {"user": NUMBER, "group": NUMBER, "extra_groups": []}
    environment = {"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder)}
    return subprocess.Popen([PYTHON, *words], cwd=folder, env=environment, stdout=subprocess.PIPE, **more)


class OrdinarySandbox:
    """Asks the keeper for runs, as if it were a `LinuxSandbox`."""

    def __init__(self, folder: Path, mode: str) -> None:
        self.process = start(folder, "keeper.py", str(folder / "state"), mode, stdin=subprocess.PIPE)
        self.slot_pid = self._heard()

    def run(self, run: Run) -> Outcome:
        outcome = self.ask(run)
        assert isinstance(outcome, Outcome)
        return outcome

    def ask(self, what: object) -> Any:
        assert self.process.stdin
        pickle.dump(what, self.process.stdin)
        self.process.stdin.flush()
        return self._heard()

    def _heard(self) -> Any:
        assert self.process.stdout
        heard = pickle.load(self.process.stdout)
        if isinstance(heard, Exception):
            raise heard
        return heard

    def close(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()


@contextmanager
def ordinary_sandbox(mode: str = "laptop") -> Iterator[LinuxSandbox]:
    """A sandbox of that user's."""
    with home() as folder:
        sandbox = OrdinarySandbox(folder, mode)
        try:
            yield sandbox  # type: ignore[misc]
        finally:
            sandbox.close()
