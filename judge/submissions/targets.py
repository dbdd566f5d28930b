"""For what a program is sent: the assignments that a person has open with a problem, or practice."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from judge.assignments.models import Assignment
from judge.assignments.queries import Given, entries, given_to
from judge.assignments.rules import Standing, rules_of
from judge.people.permissions import Viewer, courses_staffed_by
from judge.submissions.admission import Used, closed_to_practice, used_up
from judge.submissions.queries import language_label
from problems.models import Problem

PRACTICE = "practice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """An assignment for which a program can be sent now."""

    given: Given
    used: int
    """Attempts."""
    standing: Standing
    trying: bool = False
    """The reader is of the staff of the course: nothing of theirs counts."""

    @property
    def pk(self) -> str:
        return str(self.given.assignment.pk)

    @property
    def left(self) -> int | None:
        """None: without bound."""
        allowed = self.given.rules.attempts
        return None if allowed is None else max(allowed - self.used, 0)

    @property
    def languages(self) -> str:
        return ", ".join(language_label(name) for name in self.given.assignment.languages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """What the form offers, which of it is chosen (`PRACTICE`, or the id of an assignment), and what must be said."""

    offered: Sequence[Target] = ()
    chosen: str = PRACTICE
    note: str = ""
    closed: str = ""
    """Why the problem cannot be practised now; empty: it can be."""

    @property
    def choices(self) -> list[tuple[str, str]]:
        offered = [(one.pk, str(one.given.assignment)) for one in self.offered]
        if offered and self.closed:
            return offered
        return [*offered, (PRACTICE, _("practice: counts for nothing"))]

    def assignment(self, key: str) -> Assignment | None:
        """The assignment of this id, when it is offered."""
        return next((one.given.assignment for one in self.offered if one.pk == key), None)


def targets(viewer: Viewer, problem: Problem, asked: str = "") -> Targets:
    """What the viewer can send a program to `problem` for. `asked`: by the address, or by the form.

    By default it is the only assignment that is open; of several the one with the nearest deadline that is not over.
    """
    if not viewer.is_authenticated:
        return Targets()
    now = timezone.now()
    given = given_to(viewer, problem=problem)
    usable = [one for one in given if one.standing(now) in (Standing.OPEN, Standing.LATE)]
    used = used_up(viewer, problem, given)
    closed = closed_to_practice(given, used)
    offered = [
        Target(given=one, used=used.get(one.assignment.pk, Used()).sent, standing=one.standing(now)) for one in usable
    ]
    note = ""
    if asked.isdecimal() and len(asked) < 18 and all(one.pk != asked for one in offered):
        missed = next((one for one in given if str(one.assignment.pk) == asked), None)
        tried = None if missed else _of_staff(viewer, problem, int(asked))
        if missed is not None:
            note = closed or _not_now(missed, missed.standing(now))
        elif tried is not None:
            offered.append(Target(given=tried, used=0, standing=Standing.OPEN, trying=True))
    offered.sort(key=lambda one: one.standing is Standing.LATE)
    keys = [one.pk for one in offered]
    if not keys or (not closed and (asked == PRACTICE or note)):
        return Targets(offered=offered, note=note or ("" if keys else closed), closed=closed)
    return Targets(offered=offered, chosen=asked if asked in keys else keys[0], closed=closed)


def _of_staff(viewer: Viewer, problem: Problem, pk: int) -> Given | None:
    """An assignment of a course whose staff the viewer is."""
    found = (
        Assignment.objects.select_related("course").prefetch_related(entries()).filter(pk=pk, entries__problem=problem)
    )
    one = found.filter(course__in=courses_staffed_by(viewer), course__archived=None).first()
    return None if one is None else Given(assignment=one, rules=rules_of(one), entries=tuple(one.entries.all()))


def _not_now(given: Given, standing: Standing) -> str:
    title = given.assignment.title
    if standing is Standing.BEFORE:
        return _("%(title)s is not open yet: what you send now is practice.") % {"title": title}
    return _("%(title)s is closed: what you send now is practice.") % {"title": title}
