"""Where somebody stands in an assignment, in words: for the cards of the shelf, My work, and the course's pages."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judge.assignments.models import Counts
from judge.assignments.queries import Given
from judge.assignments.rules import Standing
from judge.grades import standing
from judge.people.models import User
from judge.people.permissions import Viewer

SQUARES = 14
"""A deadline farther away is told in words only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(standing.Row):
    """An assignment as one person has it."""

    when: str
    """`Due in 4 days`, `Closed`, …"""
    squares: Sequence[int]
    """One for each day to the deadline, by its layer; none when it is far away or over."""


def shown(viewer: Viewer, given: Sequence[Given], *, staff: bool = False) -> list[Row]:
    """The assignments with the viewer's own work; two queries."""
    assert isinstance(viewer, User)
    now = timezone.now()
    return [_row(one, now) for one in standing.standings(viewer, given, staff=staff)]


def _row(row: standing.Row, now: datetime) -> Row:
    days = (row.given.rules.deadline - now).days + 1
    return Row(
        **{one.name: getattr(row, one.name) for one in fields(row)},
        when=_when(row.given, row.standing, now),
        squares=[min(1 + day, 6) for day in range(days)] if row.standing is Standing.OPEN and days <= SQUARES else [],
    )


def _when(given: Given, at: Standing, now: datetime) -> str:
    rules = given.rules
    if rules.exempt:
        return _("You are exempt")
    match at:
        case Standing.BEFORE:
            return _("Opens in %(span)s") % {"span": _span(rules.opens, now)}
        case Standing.OPEN if now <= rules.deadline:
            return _("Due in %(span)s") % {"span": _span(rules.deadline, now)}
        case Standing.OPEN:
            return _("Due now: the minutes of grace run")
        case Standing.LATE if rules.counts == Counts.LAST_BEFORE_DEADLINE:
            return _("Late: taken for %(span)s more, and counts for nothing") % {"span": _span(rules.closes, now)}
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
