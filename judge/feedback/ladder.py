"""Hints as a ladder: which rungs are open for a student now, by what the instructor has set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum


class Rung(StrEnum):
    """From little help to much."""

    VERDICT = "verdict"
    KIND = "kind"
    """What kind of mistake it is: a crash, an index, a sentence that differs."""
    PROPERTY = "property"
    """Which property of a right answer is violated, and the line of a crash."""
    HINT = "hint"
    """Of the known mistake that the program behaves like."""
    COUNTEREXAMPLE = "counterexample"
    REPLAY = "replay"


LADDER: Sequence[Rung] = tuple(Rung)


class When(StrEnum):
    """When a rung is open at all."""

    NEVER = "never"
    ON_FAILURE = "on_failure"
    AFTER_DEADLINE = "after_deadline"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackSettings:
    """What an instructor sets for an assignment. As it stands, everything is shown on a failure."""

    when: Mapping[Rung, When] = field(default_factory=dict)
    """Not in it: on a failure. The verdict is always shown."""
    after_attempts: Mapping[Rung, int] = field(default_factory=dict)
    """So many failed attempts open it; not in it: the first."""
    after: Mapping[Rung, timedelta] = field(default_factory=dict)
    """So long after the first failed attempt it opens, however many there were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a student stands with a problem."""

    failed: bool
    """The submission that is looked at is judged and not accepted."""
    failures: int
    """Failed attempts up to and with it. One that does not compile, or that the judge failed on, is none."""
    first_failure: datetime | None
    now: datetime
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """What is open, and how the next rung will open."""

    open: frozenset[Rung]
    next: Rung | None = None
    """The lowest closed one that attempts, time or the deadline will open."""
    attempts: int | None = None
    """So many more failed attempts open it."""
    opens: datetime | None = None
    """At this time it opens by itself."""

    def __contains__(self, rung: Rung) -> bool:
        return rung in self.open


def ladder(settings: FeedbackSettings, standing: Standing) -> Ladder:
    """Which rungs are open. A rung may be open while a lower one is not: each has its own setting."""
    open_now = {Rung.VERDICT, *(rung for rung in LADDER if _is_open(rung, settings, standing))}
    closed = [rung for rung in LADDER if rung not in open_now and standing.failed]
    for rung in closed:
        when = settings.when.get(rung, When.ON_FAILURE)
        if when == When.NEVER or (when == When.AFTER_DEADLINE and standing.deadline is None):
            continue
        if when == When.AFTER_DEADLINE:
            return Ladder(open=frozenset(open_now), next=rung, opens=standing.deadline)
        opens = _opens(rung, settings, standing)
        left = settings.after_attempts.get(rung, 1) - standing.failures
        return Ladder(open=frozenset(open_now), next=rung, attempts=max(left, 1), opens=opens)
    return Ladder(open=frozenset(open_now))


def _is_open(rung: Rung, settings: FeedbackSettings, standing: Standing) -> bool:
    match settings.when.get(rung, When.ON_FAILURE):
        case When.NEVER:
            return False
        case When.ALWAYS:
            return True
        case When.AFTER_DEADLINE:
            return standing.deadline is not None and standing.now > standing.deadline
        case When.ON_FAILURE:
            if not standing.failed:
                return False
            opens = _opens(rung, settings, standing)
            waited = opens is not None and standing.now >= opens
            return waited or standing.failures >= settings.after_attempts.get(rung, 1)


def _opens(rung: Rung, settings: FeedbackSettings, standing: Standing) -> datetime | None:
    after = settings.after.get(rung)
    return standing.first_failure + after if after is not None and standing.first_failure is not None else None
