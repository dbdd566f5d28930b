"""A PostgreSQL of one's own in a temporary folder, from Debian's package; it can be killed and started again."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
"""Installed servers, the newest last."""


def can_run() -> bool:
    """Root may not run one, but may become the account of its package."""
    return bool(PROGRAMS) and os.geteuid() == 0


class Postgres:
    """The server; `url` is its address. Without `durable` it does not wait for the disk: where nothing is killed.

    `addresses`: other ones of ours under which it answers, to anybody in their networks.
    """

    def __init__(self, *, durable: bool = False, addresses: Sequence[str] = ()) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="palfrey-postgres-"))
        shutil.chown(self.folder, "postgres")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"
        self.process: subprocess.Popen[bytes] | None = None
        self._sync = ["-c", f"fsync={'on' if durable else 'off'}"]
        words = ["--auth=trust", "--encoding=UTF8", "--no-sync", "-D", str(self.folder / "data")]
        subprocess.run(
            [*self._account(), self._program("initdb"), *words], cwd=self.folder, check=True, capture_output=True
        )
        self._listens = ",".join(["127.0.0.1", *addresses])
        with (self.folder / "data/pg_hba.conf").open("a") as rules:
            rules.writelines(f"host all all {address}/24 trust\n" for address in addresses)

    def start(self) -> None:
        """Return as soon as it answers."""
        words = ["-D", str(self.folder / "data"), "-h", self._listens, "-p", str(self.port), "-k", str(self.folder)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*self._account(), str(PROGRAMS[-1]), *words, *self._sync], cwd=self.folder, stdout=log, stderr=log
            )
        until = time.monotonic() + 60
        while not self.answers():
            assert time.monotonic() < until, "PostgreSQL does not answer"
            time.sleep(0.1)

    def answers(self) -> bool:
        words = ["-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run([self._program("pg_isready"), *words], check=False).returncode == 0

    def crash(self) -> None:
        """As if its machine lost its power: every connection breaks, and the next start recovers from the log."""
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(30)

    def remove(self) -> None:
        """Stop it and delete everything."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)

    @staticmethod
    def _account() -> list[str]:
        return ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups", "--pdeathsig", "KILL"]

    @staticmethod
    def _program(name: str) -> str:
        return str(PROGRAMS[-1].with_name(name))
