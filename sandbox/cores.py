"""Which processor a worker's programs run on: one each, so that times are steady and never two runs share one.

Workers that share the folder of their sandboxes (all of a host, as a rule) share the cores by locks on files in it,
which end with the process that holds them.
"""

import fcntl
import os
import threading
import time
from pathlib import Path

PATIENCE_SECONDS = 10.0
"""Who holds a core for longer may be hung or stopped: better an unsteady time than none."""


class Core:
    """One processor of this host. While any run of its sandbox goes on, no other sandbox runs anything on it."""

    def __init__(self, folder: Path) -> None:
        """Choose a core that nobody has chosen yet, or share one when all are, and move the calling thread onto it.

        Handing a run over within one core is ten times faster than waking another one.
        """
        self.allowed = sorted(os.sched_getaffinity(0))
        """Numbers of the cores that this process had before."""
        folder.mkdir(parents=True, exist_ok=True)
        self.number, self._chosen = self._choose(folder)
        self.others = [number for number in self.allowed if number != self.number] or self.allowed
        """Where what is not measured may run."""
        self._turn = _open(folder / f"{self.number}-turn")
        self._lock = threading.Lock()
        self._runs = 0
        self._patience = PATIENCE_SECONDS
        os.sched_setaffinity(0, {self.number})

    def _choose(self, folder: Path) -> tuple[int, int]:
        for number in self.allowed:
            fd = _open(folder / f"{number}-chosen")
            if _locked(fd):
                return number, fd
            os.close(fd)
        number = self.allowed[os.getpid() % len(self.allowed)]
        return number, _open(folder / f"{number}-chosen")

    def take(self) -> None:
        """A run begins. Waits while another sandbox runs something on this core, though never without end."""
        with self._lock:
            if self._runs == 0:
                self._patience = PATIENCE_SECONDS if self._waited(self._patience) else 0.0
            self._runs += 1

    def _waited(self, seconds: float) -> bool:
        """Whether the turn came within that time."""
        end = time.monotonic() + seconds
        while not _locked(self._turn):
            if time.monotonic() >= end:
                return False
            time.sleep(0.001)
        return True

    def leave(self) -> None:
        """A run has ended."""
        with self._lock:
            self._runs -= 1
            if self._runs == 0 and self._turn >= 0:
                fcntl.flock(self._turn, fcntl.LOCK_UN)

    def close(self) -> None:
        """Give the core up; the calling thread may run anywhere again."""
        with self._lock:
            for fd in (self._turn, self._chosen):
                os.close(fd)
            self._turn = self._chosen = -1
        os.sched_setaffinity(0, self.allowed)


def _locked(fd: int) -> bool:
    """Whether the lock could be had at once."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
