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
from sandbox.contract import Outcome, Run, Running

NUMBER = os.geteuid() or 64321
"""The user's; nobody on the host has the second."""
PYTHON = "/usr/bin/python3"
"""The one that every user may run; the sandbox needs nothing but the standard library."""


Edits = tuple[tuple[str, str, str], ...]


@contextmanager
def home(edits: Edits = ()) -> Iterator[Path]:
    """A folder of that user's with the sandbox, its launcher changed by `edits`, and the keeper in it."""
    folder = Path(tempfile.mkdtemp(prefix="palfrey-ordinary-"))
    try:
        shutil.copytree(build.SOURCES.parent, folder / "sandbox", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(Path(__file__).with_name("keeper.py"), folder)
        for name, old, new in edits:
            source = folder / "sandbox" / "launcher" / name
            text = source.read_text()
            assert old in text, f"{name} has changed: {old!r} is not in it any more"
            source.write_text(text.replace(old, new))
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
    """Asks the keeper for one run after another."""

    def __init__(self, folder: Path, mode: str) -> None:
        self.process = start(folder, "keeper.py", str(folder / "state"), mode, stdin=subprocess.PIPE)
        self.slot_pid = self._heard()

    def start(self, run: Run) -> Running:
        raise NotImplementedError

    def run(self, run: Run) -> Outcome:
        """Start and wait."""
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
def ordinary_sandbox(mode: str = "laptop", edits: Edits = ()) -> Iterator["OrdinarySandbox"]:
    """A sandbox of that user's."""
    with home(edits) as folder:
        sandbox = OrdinarySandbox(folder, mode)
        try:
            yield sandbox
        finally:
            sandbox.close()
