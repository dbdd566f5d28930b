"""Where somebody stands in an assignment, in words: for the cards of the shelf, My work, and the course's pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judge.assignments.models import AssignmentProblem
from judge.assignments.queries import Given
from judge.assignments.rules import Standing
from judge.grades.gradebook import scores_of
from judge.grades.models import Adjustment
from judge.grades.score import Score
from judge.grading.verdict import Verdict
from judge.people.models import User
from judge.people.permissions import Viewer
from judge.web.words import title_of

SQUARES = 14
"""A deadline farther away is told in words only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One problem of an assignment, and how far the student is with it."""

    entry: AssignmentProblem
    title: str
    score: Score
    left: int | None
    """Attempts; None: without bound."""
    adjusted: Fraction | None
    missing: bool
    """The time is over and nothing was sent."""

    @property
    def state(self) -> str:
        """`solved`, `tried` or `none`, as on the shelf."""
        if self.score.verdict == Verdict.ACCEPTED:
            return "solved"
        return "tried" if self.score.attempts else "none"

    @property
    def points(self) -> Fraction:
        return self.score.points if self.adjusted is None else self.adjusted


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An assignment as one person has it."""

    given: Given
    standing: Standing
    parts: Sequence[Part]
    when: str
    """`Due in 4 days`, `Closed`, …"""
    squares: Sequence[int]
    """One for each day to the deadline, by its layer; none when it is far away or over."""
    shows_points: bool
    staff: bool = False

    @property
    def solved(self) -> int:
        return sum(part.state == "solved" for part in self.parts)

    @property
    def worth(self) -> Fraction:
        return sum((part.score.worth for part in self.parts), Fraction(0))

    @property
    def points(self) -> Fraction:
        return sum((part.points for part in self.parts), Fraction(0))

    @property
    def missing(self) -> int:
        return sum(part.missing for part in self.parts)

    @property
    def late(self) -> int:
        return sum(part.score.days_late > 0 for part in self.parts)

    @property
    def opens_problems(self) -> bool:
        """Whether the reader may go to the problems."""
        return self.staff or self.standing is not Standing.BEFORE


def shown(viewer: Viewer, given: Sequence[Given], *, staff: bool = False) -> list[Row]:
    """The assignments with the viewer's own work; two queries."""
    assert isinstance(viewer, User)
    now = timezone.now()
    scores = scores_of(viewer, given)
    entries = [entry.pk for one in given for entry in one.entries]
    by_hand = {
        one.entry_id: None if one.points is None else Fraction(one.points)
        for one in Adjustment.objects.filter(entry__in=entries, student=viewer).order_by("pk")
    }
    return [_row(one, now, scores, by_hand, staff=staff) for one in given]


def _row(
    given: Given,
    now: datetime,
    scores: dict[tuple[int, int], Score],
    by_hand: dict[int, Fraction | None],
    *,
    staff: bool,
) -> Row:
    standing = given.standing(now)
    published = given.assignment.grades_published
    over = now > given.rules.in_time_until
    parts = []
    for entry in given.entries:
        score = scores[given.assignment.pk, entry.problem_id]
        allowed = given.rules.attempts
        parts.append(
            Part(
                entry=entry,
                title=title_of(entry.problem.slug, entry.problem.live),
                score=score,
                left=None if allowed is None else max(allowed - score.attempts, 0),
                adjusted=by_hand.get(entry.pk),
                missing=over and not score.attempts and not given.rules.exempt and not staff,
            )
        )
    days = (given.rules.deadline - now).days + 1
    return Row(
        given=given,
        standing=standing,
        parts=parts,
        when=_when(given, standing, now),
        squares=[min(1 + day, 6) for day in range(days)] if standing is Standing.OPEN and days <= SQUARES else [],
        shows_points=published is not None and published <= now,
        staff=staff,
    )


def _when(given: Given, standing: Standing, now: datetime) -> str:
    rules = given.rules
    if rules.exempt:
        return _("You are exempt")
    match standing:
        case Standing.BEFORE:
            return _("Opens in %(span)s") % {"span": _span(rules.opens, now)}
        case Standing.OPEN if now <= rules.deadline:
            return _("Due in %(span)s") % {"span": _span(rules.deadline, now)}
        case Standing.OPEN:
            return _("Due now: the minutes of grace run")
        case Standing.LATE:
            return _("Late: taken for %(span)s more") % {"span": _span(rules.closes, now)}
        case Standing.CLOSED:
            return _("Closed")


def _span(until: datetime, now: datetime) -> str:
    """`4 days`, `3 hours`, `20 minutes`."""
    seconds = max((until - now).total_seconds(), 0)
    if seconds >= 48 * 3600:
        return ngettext("%(n)d day", "%(n)d days", int(seconds // 86400)) % {"n": seconds // 86400}
    if seconds >= 2 * 3600:
        return ngettext("%(n)d hour", "%(n)d hours", int(seconds // 3600)) % {"n": seconds // 3600}
    minutes = int(seconds // 60) + 1
    return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
