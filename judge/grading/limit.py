"""The time limit of a package that states none, from what its example submissions need: the rule of the format."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from judge.grading.verdict import Verdict
from judge.grading.verify import Verified
from problems.package.model import Limits
from problems.say import say

_TOO_LONG = frozenset({Verdict.TIME_LIMIT_EXCEEDED})


class NoTimeLimit(Exception):
    """No time limit keeps the examples apart; the text says why. The author's fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedLimit:
    """A time limit, and the two times it lies between. Seconds."""

    seconds: Decimal
    slowest_right: float
    """Of the slowest example that must be fast enough."""
    fastest_slow: float | None
    """Of the fastest example that must be too slow; None: there is none, or none came to its end."""


def propose(limits: Limits, verified: Iterable[Verified]) -> ProposedLimit:
    """The smallest multiple of the resolution that leaves the format's margins. Raises `NoTimeLimit`."""
    below: list[float] = []
    above: list[tuple[float, str]] = []
    for one in verified:
        used = max((result.cpu_seconds for result in one.results), default=0.0)
        stopped = any(result.verdict in _TOO_LONG for result in one.results)
        if one.example.bounds_time_from_below and one.results:
            if stopped:
                raise NoTimeLimit(
                    say(
                        "said",
                        "%(program)s took more than %(limit)s s, so no time limit can be measured by it: "
                        "state `limits.time_limit`.",
                        program=one.example.program.name,
                        limit=f"{limits.time_seconds:g}",
                    )
                )
            below.append(used)
        elif one.example.bounds_time_from_above and one.results and not stopped:
            above.append((used, one.example.program.name))
    if not below:
        raise NoTimeLimit(
            say("said", "No example submission could be run that says how long a right one takes: state a time limit.")
        )
    resolution = Decimal(f"{limits.time_resolution:g}")
    least = Decimal(max(below)) * Decimal(str(limits.ac_to_time_limit))
    seconds = max(1, math.ceil(least / resolution)) * resolution
    fastest, name = min(above, default=(None, ""))
    if fastest is not None and float(seconds) * limits.time_limit_to_tle > fastest:
        raise NoTimeLimit(
            say(
                "said",
                "By the slowest right example the time limit is %(limit)s s, and %(program)s, which must be too slow, "
                "takes %(used)s s: that is too near. Make the cases larger, or state `limits.time_limit`.",
                limit=seconds,
                program=name,
                used=f"{fastest:.2f}",
            )
        )
    return ProposedLimit(seconds=seconds, slowest_right=max(below), fastest_slow=fastest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """An example and the case on which it took most CPU time."""

    program: str
    case: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """How far the examples are from the time limit under which they were judged."""

    limit_seconds: float
    slowest_right: Timed | None
    """Of the examples that must be fast enough, which wrong ones may as well, the slowest; None: none was run."""
    fastest_slow: Timed | None
    """Of the examples that must be too slow the fastest. One that was stopped would have taken more."""
    proposed: Decimal | None
    """What `propose` says, whether or not the package states a limit; None: no limit keeps the examples apart."""

    @property
    def spare(self) -> float | None:
        """How often the slowest right example goes into the limit."""
        if self.slowest_right is None or not self.slowest_right.seconds:
            return None
        return self.limit_seconds / self.slowest_right.seconds


def margins(limits: Limits, verified: Sequence[Verified]) -> Margins:
    """What the time limit leaves to the examples on either side."""
    below = [_timed(one) for one in verified if one.example.bounds_time_from_below]
    above = [_timed(one) for one in verified if one.example.bounds_time_from_above]
    busy = [one for one in above if one is not None and one.seconds > limits.time_seconds]  # the others only waited
    try:
        proposed = propose(limits, verified).seconds
    except NoTimeLimit:
        proposed = None
    return Margins(
        limit_seconds=limits.time_seconds,
        slowest_right=max(filter(None, below), key=lambda one: one.seconds, default=None),
        fastest_slow=min(busy, key=lambda one: one.seconds, default=None),
        proposed=proposed,
    )


def _timed(one: Verified) -> Timed | None:
    if one.slowest is None:
        return None
    return Timed(program=one.example.program.name, case=one.slowest.name, seconds=one.slowest.cpu_seconds)
