"""A site of one's own in a temporary folder: broker, database, and each part in a process as in production."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from judge.operations import broker
from tests.broker import tied
from tests.postgres import Postgres

ROOT = Path(__file__).resolve().parents[1]
START_SECONDS, END_SECONDS = 120.0, 20.0


@dataclass(slots=True, kw_only=True)
class Part:
    """A program of the site; it dies with this process."""

    name: str
    argv: Sequence[str]
    environment: dict[str, str]
    log: Path
    process: "subprocess.Popen[bytes] | None" = None
    starts: int = 0
    before: Callable[[], object] = field(default=lambda: None)

    def start(self) -> None:
        self.before()
        self.starts += 1
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*tied(), *self.argv],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def everything(self) -> list[psutil.Process]:
        """Its process and all below it."""
        if self.process is None:
            return []
        try:
            main = psutil.Process(self.process.pid)
            return [main, *main.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def signal(self, number: int) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)


class OwnSite:
    """Makes and ends the parts; `environment` is what this process needs to be a part of it. Nobody is held back."""

    def __init__(self, name: str, *, postgres: Postgres | None = None, **settings: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"palfrey-{name}-"))
        self.postgres = postgres
        socket = self.folder / "broker.sock"
        self.environment = {
            "PATH": os.environ["PATH"],
            "PYTHONUNBUFFERED": "1",
            "DJANGO_SETTINGS_MODULE": "judge.config.settings",
            "PALFREY_LOCAL": "1",
            "PALFREY_VAR": str(self.folder / "var"),
            "REDIS_URL": f"unix://{socket}",
            "PALFREY_UNFINISHED_SUBMISSIONS": "1000000",
            "PALFREY_SUBMISSIONS_A_MINUTE": "1000000",
            **settings,
        }
        if postgres:
            self.environment["DATABASE_URL"] = postgres.url
        self.broker = self.part("broker", broker.command(socket, self.folder / "broker"))
        self.broker.before = lambda: socket.unlink(missing_ok=True)

    def prepare(self) -> None:
        """Database, tables and broker."""
        (self.folder / "var").mkdir()
        if self.postgres:
            self.postgres.start()
        self.broker.start()
        broker.wait_for(self.environment["REDIS_URL"])
        migrate = self.manage("migrate", "-v", "0")
        subprocess.run(migrate, cwd=ROOT, env=self.environment, check=True, stdin=subprocess.DEVNULL)

    def part(self, name: str, argv: Sequence[str]) -> Part:
        return Part(name=name, argv=argv, environment=self.environment, log=self.folder / f"{name}.log")

    def wait_for(self, workers: Iterable[Part]) -> None:
        """Return as soon as these, which were started for the first time, take work."""
        until = time.monotonic() + START_SECONDS
        while not all(b"ready." in worker.log.read_bytes() for worker in workers):
            if time.monotonic() > until:
                raise SystemExit(f"The workers did not start; see {self.folder}.")
            time.sleep(0.2)

    def end(self, parts: Sequence[Part]) -> list[str]:
        """Ask them to end, the last first, as a supervisor does; says which had to be killed."""
        stubborn = []
        for part in reversed(parts):
            part.signal(signal.SIGCONT)
            part.signal(signal.SIGTERM)
        until = time.monotonic() + END_SECONDS
        for part in parts:
            if part.process is None:
                continue
            try:
                part.process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                stubborn.append(part.name)
                os.killpg(part.process.pid, signal.SIGKILL)
                part.process.wait()
        return stubborn

    def remnants(self) -> list[str]:
        """What still runs from our folder a few seconds after everything has ended."""
        until = time.monotonic() + 5
        while (found := self._remnants()) and time.monotonic() < until:
            time.sleep(0.2)
        return found

    def logs(self) -> Iterator[tuple[str, str]]:
        for file in sorted(self.folder.glob("*.log")):
            yield file.stem, file.read_text(errors="replace")

    @staticmethod
    def manage(*words: str) -> list[str]:
        return [sys.executable, "manage.py", *words]

    def _remnants(self) -> list[str]:
        found = []
        for process in psutil.process_iter():
            try:
                if str(self.folder) in " ".join(process.cmdline()) and process.pid != os.getpid():
                    found.append(" ".join(process.cmdline())[:200])
            except psutil.Error:
                continue
        return [line for line in found if "postgres" not in line]
