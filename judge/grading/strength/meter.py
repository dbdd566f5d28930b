"""A sandbox that counts what is spent in it."""

from collections.abc import Callable

from sandbox.contract import Outcome, Run, Running, Sandbox


class Metered:
    """Passes everything on to `box`; `cpu_seconds` is what all runs that have ended took together."""

    def __init__(self, box: Sandbox) -> None:
        self._box = box
        self.cpu_seconds = 0.0

    def run(self, run: Run) -> Outcome:
        """Start and wait."""
        outcome = self._box.run(run)
        self._count(outcome)
        return outcome

    def start(self, run: Run) -> Running:
        """Start and return at once."""
        return _Counted(self._box.start(run), self._count)

    def close(self) -> None:
        """Nothing: the box is its owner's."""

    def _count(self, outcome: Outcome) -> None:
        self.cpu_seconds += outcome.cpu_seconds


class _Counted:
    def __init__(self, running: Running, count: Callable[[Outcome], None]) -> None:
        self._running = running
        self._count = count

    def wait(self) -> Outcome:
        outcome = self._running.wait()
        self._count(outcome)
        return outcome

    def kill(self) -> None:
        self._running.kill()
