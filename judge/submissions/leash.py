"""Keeps a claim alive while its program is judged, and stops the judging when the claim is lost."""

import threading
import time
from contextvars import copy_context
from types import TracebackType
from typing import Any, Self

import structlog
from django.conf import settings
from django.db import Error, connections

from judge.submissions.ledger import Claim, FenceLost
from sandbox.contract import Outcome, Run, Running, Sandbox

log = structlog.get_logger(__name__)


class Leash:
    """A sandbox that can be stopped from another thread: what runs is killed, and what starts later is refused."""

    def __init__(self, box: Sandbox) -> None:
        self._box = box
        self._lock = threading.Lock()
        self._running: set[Running] = set()
        self._cut = False

    def start(self, run: Run) -> Running:
        """As the sandbox does. Raises `FenceLost` after `cut`."""
        with self._lock:
            self.check()
            running = _Held(self._box.start(run), self)
            self._running.add(running)
        return running

    def run(self, run: Run) -> Outcome:
        return self.start(run).wait()

    def close(self) -> None:
        """The sandbox belongs to the process, not to one claim: it stays open."""

    def cut(self) -> None:
        """Kill what runs and let nothing start any more."""
        with self._lock:
            self._cut = True
            running = list(self._running)
        for each in running:
            each.kill()

    def check(self) -> None:
        """Raises `FenceLost` after `cut`."""
        if self._cut:
            raise FenceLost("the lease was lost while the program ran")

    def let_go(self, running: Running) -> None:
        with self._lock:
            self._running.discard(running)


class _Held:
    def __init__(self, running: Running, leash: Leash) -> None:
        self._running = running
        self._leash = leash

    def wait(self) -> Outcome:
        try:
            return self._running.wait()
        finally:
            self._leash.let_go(self)
            self._leash.check()  # whatever came of a run that was killed, it says nothing of the program

    def kill(self) -> None:
        self._running.kill()


class Heartbeat:
    """Renews a lease from a thread of its own for as long as the `with` lasts; cuts the leash when that fails.

    A database that cannot be reached is borne until the lease must have run out.
    """

    def __init__(self, claim: Claim[Any], leash: Leash) -> None:
        self._claim = claim
        self._leash = leash
        self._stop = threading.Event()
        # In a copy of the context, so that its log lines carry the same numbers.
        self._thread = threading.Thread(
            target=copy_context().run, args=(self._beat,), name=f"lease of {claim.row}", daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _beat(self) -> None:
        renewed = time.monotonic()
        try:
            while not self._stop.wait(settings.LEASE_SECONDS / 3):
                begin = time.monotonic()
                try:
                    ours = self._claim.renew()
                except Error as error:
                    log.warning("lease not renewed", row=str(self._claim.row), error=str(error))
                    connections.close_all()
                    ours = begin - renewed < settings.LEASE_SECONDS
                else:
                    renewed = begin
                if not ours:
                    self._leash.cut()
                    return
        finally:
            connections.close_all()
