"""Real worker processes for tests: the command that runs in production, on the test's own database and broker."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection

from judge.people.models import User
from judge.submissions import actions
from judge.submissions.models import Judgement, State, Submission
from problems.models import Problem
from tests.broker import tied

LEASE_SECONDS = 3


def environment() -> dict[str, str]:
    """What a process of the real system needs to work on this test's rows."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        url = f"sqlite:///{database['NAME']}"
    else:
        account = f"{database['USER']}:{database['PASSWORD']}@{database['HOST']}:{database['PORT']}"
        url = f"postgres://{account}/{database['NAME']}"
    return {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "judge.config.settings",
        "PALFREY_LOCAL": "1",
        "PALFREY_VAR": str(settings.VAR),
        "REDIS_URL": settings.REDIS_URL,
        "DATABASE_URL": url,
        "PALFREY_LEASE_SECONDS": str(LEASE_SECONDS),
    }


class Process:
    """A command of `manage.py` with everything it starts, in a process group of its own."""

    number = 0

    def __init__(self, *arguments: str, user: int | None = None, **settings_: str) -> None:
        Process.number += 1
        self.log = Path(settings.VAR) / f"{arguments[0]}-{Process.number}.log"
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*tied(), sys.executable, "manage.py", *arguments],
                cwd=settings.BASE_DIR,
                env=environment() | settings_,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                user=user,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        """kill -9 of the whole group, in the middle of whatever it does."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def freeze(self) -> None:
        """As a machine that is suspended, with its clock."""
        os.killpg(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.killpg(self._process.pid, signal.SIGCONT)

    def stop(self) -> None:
        """As a supervisor does: ask, and insist after a while."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()

    def wait(self, seconds: float = 30) -> int:
        """Its exit code."""
        return self._process.wait(seconds)

    def wait_for_log(self, text: str, seconds: float = 30) -> None:
        until = time.monotonic() + seconds
        while text not in self.log.read_text(errors="replace"):
            assert self._process.poll() is None, f"ended early:\n{self.log.read_text(errors='replace')}"
            assert time.monotonic() < until, f"{text!r} never came:\n{self.log.read_text(errors='replace')}"
            time.sleep(0.05)


@contextmanager
def worker(concurrency: int = 1, languages: str = "python3") -> Iterator[Process]:
    """A worker that judges Python, or the languages that are named, ready for work."""
    process = Process("worker", "--concurrency", str(concurrency), "--languages", languages)
    try:
        process.wait_for_log("ready.", 30 if languages == "python3" else 120)
        yield process
    finally:
        process.stop()
        print(process.log.read_text(errors="replace"))  # noqa: T201 - pytest shows it when the test fails
        process.log.unlink()


def eventually(condition: Callable[[], bool], seconds: float = 30) -> None:
    """Wait until `condition` holds; fail after `seconds`."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it never came true"
        time.sleep(0.05)


def send(author: User, problem: Problem, program: bytes, token: str) -> Submission:
    """Submit a Python program."""
    return actions.submit(author, problem, "python3", {"main.py": program}, token)


def all_over() -> bool:
    """Whether nothing waits to be judged or is being judged."""
    return not Judgement.objects.filter(state__in=(State.QUEUED, State.RUNNING)).exists()
