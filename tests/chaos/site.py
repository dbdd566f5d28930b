"""The whole set, but for the pages, each part in its process: kept running as a supervisor would, and killed by us."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from judge.operations import broker
from tests.broker import tied
from tests.chaos.hosts import PORT, Host, hosts
from tests.postgres import Postgres

ROOT = Path(__file__).resolve().parents[2]
RESTART_SECONDS = 1.0
CACHE_BYTES = 384 << 20
RESERVE_BYTES = 64 << 20
LANGUAGES = "python3,cpp17"


@dataclass(slots=True, kw_only=True)
class Part:
    """A program that is started again when it dies."""

    name: str
    argv: Sequence[str]
    environment: dict[str, str]
    log: Path
    process: "subprocess.Popen[bytes] | None" = None
    starts: int = 0
    died: float = 0.0
    before: Callable[[], object] = field(default=lambda: None)
    host: Host | None = None
    """Where it runs; None: on ours."""

    def start(self) -> None:
        self.before()
        self.starts += 1
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*tied(), *(self.host.within if self.host else ()), *self.argv],
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


class Site:
    """Starts everything in a folder of its own; `environment` is what this process needs to be a part of it."""

    def __init__(self, *, workers: int, slots: int, lease: int, postgres: bool, namespaces: int = 0) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="palfrey-chaos-"))
        self.hosts = hosts(namespaces)
        addresses = [host.here for host in self.hosts]
        self.postgres = Postgres(durable=True, addresses=addresses) if postgres else None
        self.slots = slots
        socket = self.folder / "broker.sock"
        self.environment = {
            "PATH": os.environ["PATH"],
            "PYTHONUNBUFFERED": "1",
            "DJANGO_SETTINGS_MODULE": "judge.config.settings",
            "PALFREY_LOCAL": "1",
            "PALFREY_VAR": str(self.folder / "var"),
            "REDIS_URL": f"unix://{socket}",
            "PALFREY_LEASE_SECONDS": str(lease),
            "PALFREY_DISK_RESERVE_BYTES": str(RESERVE_BYTES),
            "PALFREY_UNFINISHED_SUBMISSIONS": "1000000",
            "PALFREY_SUBMISSIONS_A_MINUTE": "1000000",
        }
        if self.postgres:
            self.environment["DATABASE_URL"] = self.postgres.url
        network = ("--port", str(PORT), "--protected-mode", "no", "--bind", *addresses) if addresses else ()
        self.broker = self._part("broker", [*broker.command(socket, self.folder / "broker"), *network])
        self.broker.before = lambda: socket.unlink(missing_ok=True)
        self.sweepers = [self._part(f"sweeper-{number}", self._manage("sweeper")) for number in (1, 2)]
        self.workers = [self._worker(number) for number in range(1, workers + 1)]
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._keeper = threading.Thread(target=self._keep, daemon=True)

    @property
    def parts(self) -> list[Part]:
        return [self.broker, *self.sweepers, *self.workers]

    def prepare(self) -> None:
        """Database, tables and broker; the workers come with `start`."""
        (self.folder / "var").mkdir()
        if self.postgres:
            self.postgres.start()
        self.broker.start()
        broker.wait_for(self.environment["REDIS_URL"])
        subprocess.run(
            self._manage("migrate", "-v", "0"), cwd=ROOT, env=self.environment, check=True, stdin=subprocess.DEVNULL
        )

    def start(self) -> None:
        for part in (*self.sweepers, *self.workers):
            part.start()
        self._keeper.start()
        until = time.monotonic() + 120
        while not all(b"ready." in worker.log.read_bytes() for worker in self.workers):
            if time.monotonic() > until:
                raise SystemExit(f"The workers did not start; see {self.folder}.")
            time.sleep(0.2)

    def alive_slots(self) -> int:
        """How many programs could be judged now, by workers that run and are not held."""
        reached = [worker for worker in self.workers if worker.host is None or worker.host.reachable()]
        return self.slots * sum(self._runs(worker) for worker in reached)

    def cache_of(self, worker: Part) -> Path:
        return Path(worker.environment["PALFREY_CACHE"])

    def stop(self) -> list[str]:
        """Ask everything to end, as a supervisor does; says which parts had to be killed."""
        self._stop.set()
        self._keeper.join()
        for host in self.hosts:
            host.join()
        stubborn = []
        for part in reversed(self.parts):
            part.signal(signal.SIGCONT)
            part.signal(signal.SIGTERM)
        until = time.monotonic() + 20
        for part in self.parts:
            if part.process is None:
                continue
            try:
                part.process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                stubborn.append(part.name)
                os.killpg(part.process.pid, signal.SIGKILL)
                part.process.wait()
        for worker in self.workers:
            subprocess.run(["umount", "--lazy", str(self.cache_of(worker))], check=False)
        for host in self.hosts:
            host.holder.kill()
            host.holder.wait()
        return stubborn

    def remnants(self) -> list[str]:
        """What still runs from our folder a few seconds after everything has ended."""
        until = time.monotonic() + 5
        while (found := self._remnants()) and time.monotonic() < until:
            time.sleep(0.2)
        return found

    def _remnants(self) -> list[str]:
        found = []
        for process in psutil.process_iter():
            try:
                if str(self.folder) in " ".join(process.cmdline()) and process.pid != os.getpid():
                    found.append(" ".join(process.cmdline())[:200])
            except psutil.Error:
                continue
        return [line for line in found if "postgres" not in line]

    def logs(self) -> Iterator[tuple[str, str]]:
        for file in sorted(self.folder.glob("*.log")):
            yield file.stem, file.read_text(errors="replace")

    def _keep(self) -> None:
        while not self._stop.wait(0.1):
            now = time.monotonic()
            if self.postgres and self.postgres.process and self.postgres.process.poll() is not None:
                time.sleep(RESTART_SECONDS)
                self.postgres.start()
            for part in self.parts:
                if part.process is None or part.process.poll() is None:
                    continue
                if not part.died:
                    part.died = now
                elif now - part.died > RESTART_SECONDS:
                    part.died = 0.0
                    part.start()

    @staticmethod
    def _runs(worker: Part) -> bool:
        if worker.process is None or worker.process.poll() is not None:
            return False
        try:
            return psutil.Process(worker.process.pid).status() != psutil.STATUS_STOPPED
        except psutil.NoSuchProcess:
            return False

    def _worker(self, number: int) -> Part:
        words = ["worker", "--queues", "live", "--concurrency", str(self.slots), "--languages", LANGUAGES]
        worker = self._part(f"worker-{number}", self._manage(*words, "--name", f"worker-{number}"))
        cache = self.folder / f"cache-{number}"
        cache.mkdir()
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={CACHE_BYTES},mode=755", "palfrey-chaos", str(cache)], check=True
        )
        worker.environment = {**self.environment, "PALFREY_CACHE": str(cache)}
        if self.hosts:
            host = worker.host = self.hosts[number % len(self.hosts)]
            worker.environment["REDIS_URL"] = f"redis://{host.here}:{PORT}/0"
            if self.postgres:
                worker.environment["DATABASE_URL"] = self.postgres.url.replace("127.0.0.1", host.here)
        return worker

    def _part(self, name: str, argv: Sequence[str]) -> Part:
        return Part(name=name, argv=argv, environment=self.environment, log=self.folder / f"{name}.log")

    @staticmethod
    def _manage(*words: str) -> list[str]:
        return [sys.executable, "manage.py", *words]
