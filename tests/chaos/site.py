"""The whole set, but for the pages, each part in its process: kept running as a supervisor would, and killed by us."""

import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.chaos.hosts import PORT, Host, hosts
from tests.postgres import Postgres
from tests.site import OwnSite, Part

RESTART_SECONDS = 1.0
CACHE_BYTES = 384 << 20
RESERVE_BYTES = 64 << 20
LANGUAGES = "python3,cpp17"


@dataclass(slots=True, kw_only=True)
class Worker(Part):
    """One that runs on `host`; None: on ours."""

    host: Host | None = None


class Site(OwnSite):
    """Starts everything in a folder of its own, and what dies again."""

    def __init__(self, *, workers: int, slots: int, lease: int, postgres: bool, namespaces: int = 0) -> None:
        self.hosts = hosts(namespaces)
        addresses = [host.here for host in self.hosts]
        super().__init__(
            "chaos",
            postgres=Postgres(durable=True, addresses=addresses) if postgres else None,
            PALFREY_LEASE_SECONDS=str(lease),
            PALFREY_DISK_RESERVE_BYTES=str(RESERVE_BYTES),
        )
        self.slots = slots
        network = ("--port", str(PORT), "--protected-mode", "no", "--bind", *addresses) if addresses else ()
        self.broker.argv = [*self.broker.argv, *network]
        self.sweepers = [self.part(f"sweeper-{number}", self.manage("sweeper")) for number in (1, 2)]
        self.workers = [self._worker(number) for number in range(1, workers + 1)]
        self._died: dict[str, float] = {}
        self._stop = threading.Event()
        self._keeper = threading.Thread(target=self._keep, daemon=True)

    @property
    def parts(self) -> list[Part]:
        return [self.broker, *self.sweepers, *self.workers]

    def start(self) -> None:
        for part in (*self.sweepers, *self.workers):
            part.start()
        self._keeper.start()
        self.wait_for(self.workers)

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
        stubborn = self.end(self.parts)
        for worker in self.workers:
            subprocess.run(["umount", "--lazy", str(self.cache_of(worker))], check=False)
        for host in self.hosts:
            host.holder.kill()
            host.holder.wait()
        return stubborn

    def _keep(self) -> None:
        while not self._stop.wait(0.1):
            now = time.monotonic()
            if self.postgres and self.postgres.process and self.postgres.process.poll() is not None:
                time.sleep(RESTART_SECONDS)
                self.postgres.start()
            for part in self.parts:
                if part.process is None or part.process.poll() is None:
                    continue
                if now - self._died.setdefault(part.name, now) > RESTART_SECONDS:
                    del self._died[part.name]
                    part.start()

    @staticmethod
    def _runs(worker: Part) -> bool:
        if worker.process is None or worker.process.poll() is not None:
            return False
        try:
            return psutil.Process(worker.process.pid).status() != psutil.STATUS_STOPPED
        except psutil.NoSuchProcess:
            return False

    def _worker(self, number: int) -> Worker:
        name, cache = f"worker-{number}", self.folder / f"cache-{number}"
        cache.mkdir()
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={CACHE_BYTES},mode=755", "palfrey-chaos", str(cache)], check=True
        )
        words = ["--queues", "live", "--concurrency", str(self.slots), "--languages", LANGUAGES, "--name", name]
        environment = {**self.environment, "PALFREY_CACHE": str(cache)}
        argv = self.manage("worker", *words)
        host = self.hosts[number % len(self.hosts)] if self.hosts else None
        if host:
            argv = [*host.within, *argv]
            environment["REDIS_URL"] = f"redis://{host.here}:{PORT}/0"
            if self.postgres:
                environment["DATABASE_URL"] = self.postgres.url.replace("127.0.0.1", host.here)
        return Worker(name=name, argv=argv, environment=environment, log=self.folder / f"{name}.log", host=host)
