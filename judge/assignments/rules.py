"""What the times and the late rule of an assignment mean. Pure: everything follows from a `Rules` and a moment.

A day late is a day of the course's own clock, so that a change of the clocks makes it neither longer nor shorter: who
sends at the hour of the deadline, one calendar day later, is one day late.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from fractions import Fraction
from zoneinfo import ZoneInfo

from judge.assignments.models import Assignment, Counts, Extension

WHOLE = Fraction(1)


class Standing(StrEnum):
    """Where an assignment stands at a moment, for one student."""

    BEFORE = "before"
    OPEN = "open"
    LATE = "late"
    """The deadline is over; work is still taken, for fewer points."""
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of an assignment as they hold for one student: their extension is already in them."""

    opens: datetime
    deadline: datetime
    grace: timedelta
    cutoff: datetime | None
    late_percent: Fraction
    attempts: int | None
    """Of each problem; None: without bound."""
    counts: Counts
    zone: ZoneInfo
    exempt: bool = False
    extended: bool = False

    @property
    def in_time_until(self) -> datetime:
        return self.deadline + self.grace

    @property
    def closes(self) -> datetime:
        """Until when work is taken at all."""
        return self.in_time_until if self.cutoff is None else max(self.cutoff, self.in_time_until)

    def standing(self, now: datetime) -> Standing:
        if now < self.opens:
            return Standing.BEFORE
        if now <= self.in_time_until:
            return Standing.OPEN
        return Standing.LATE if now <= self.closes else Standing.CLOSED

    def days_late(self, sent: datetime) -> int:
        """Days begun since the deadline; 0 up to the end of the grace."""
        if sent <= self.in_time_until:
            return 0
        days = max((sent - self.deadline).days - 1, 1)
        while sent > later_by(self.deadline, days, self.zone):
            days += 1
        return days

    def share(self, sent: datetime) -> Fraction:
        """How much of what was reached is kept: 1 in time, 0 at the least."""
        days = self.days_late(sent)
        return max(Fraction(0), 1 - self.late_percent / 100 * days) if days else WHOLE


def rules_of(assignment: Assignment, extension: Extension | None = None) -> Rules:
    """The rules for everybody, or for the student whose extension is given. `assignment.course` should be at hand."""
    rules = Rules(
        opens=assignment.opens,
        deadline=assignment.deadline,
        grace=timedelta(minutes=assignment.grace_minutes),
        cutoff=assignment.cutoff,
        late_percent=Fraction(assignment.late_percent),
        attempts=assignment.attempts,
        counts=Counts(assignment.counts),
        zone=assignment.course.zone,
    )
    return rules if extension is None else extended(rules, extension)


def extended(rules: Rules, extension: Extension) -> Rules:
    """`rules` with what is different for one student. The cut-off moves by as much as the deadline."""
    deadline = extension.deadline or rules.deadline
    return replace(
        rules,
        deadline=deadline,
        cutoff=None if rules.cutoff is None else rules.cutoff + (deadline - rules.deadline),
        attempts=None if rules.attempts is None else rules.attempts + extension.extra_attempts,
        exempt=extension.exempt,
        extended=True,
    )


def later_by(moment: datetime, days: int, zone: ZoneInfo) -> datetime:
    """The same hour on the clock of `zone`, so many calendar days later; of one that comes twice the second. In UTC."""
    clock = moment.astimezone(zone).replace(tzinfo=None) + timedelta(days=days)
    return max(clock.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
