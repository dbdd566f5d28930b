"""A sandbox that may be used for so many seconds of CPU and no more."""

from dataclasses import replace

from judge.grading.run import SHARE
from sandbox.contract import Outcome, Run, Running, Sandbox

_LEAST = 0.05


class Spent(Exception):
    """The budget is used up."""


class Metered:
    """A box whose runs are counted. What one run may use is never more than what is left."""

    def __init__(self, box: Sandbox, cpu_seconds: float) -> None:
        self._box = box
        self.left = cpu_seconds
        self.used = 0.0

    def run(self, run: Run) -> Outcome:
        """Raises `Spent` before it starts when nothing is left, and `SandboxFault`."""
        if self.left < _LEAST:
            raise Spent
        quota = run.quota
        most = min(quota.cpu_seconds, self.left + _LEAST)
        outcome = self._box.run(replace(run, quota=replace(quota, cpu_seconds=most)))
        cost = outcome.cpu_seconds
        if cost < SHARE * outcome.wall_seconds:
            cost = outcome.wall_seconds / 4  # one that sleeps takes a worker's time as well
        self.left -= cost
        self.used += cost
        return outcome

    def start(self, run: Run) -> Running:
        """Not counted: two runs that talk belong to problems in which nothing is searched for."""
        return self._box.start(run)

    def close(self) -> None:
        """The box below is not ours to close."""
