"""For what a program is sent: the assignments that a person has open with a problem, or practice."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _

from judge.assignments.models import Assignment
from judge.assignments.queries import Given, entries, given_to
from judge.assignments.rules import Standing, rules_of
from judge.people.permissions import Viewer, courses_staffed_by
from judge.submissions.admission import FREE
from judge.submissions.models import Submission
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
    def counts(self) -> bool:
        """Attempts are counted and some are left, so that the problem cannot be practised now."""
        return not self.trying and not self.given.rules.exempt and bool(self.left)

    @property
    def languages(self) -> str:
        return ", ".join(language_label(name) for name in self.given.assignment.languages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """What the form offers, which of it is chosen (`PRACTICE`, or the id of an assignment), and what must be said."""

    offered: Sequence[Target] = ()
    chosen: str = PRACTICE
    note: str = ""

    @property
    def choices(self) -> list[tuple[str, str]]:
        offered = [(one.pk, str(one.given.assignment)) for one in self.offered]
        if any(one.counts for one in self.offered):
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
    used = _used(viewer, problem, [one.assignment.pk for one in usable])
    offered = [Target(given=one, used=used.get(one.assignment.pk, 0), standing=one.standing(now)) for one in usable]
    note = ""
    if asked.isdecimal() and len(asked) < 18 and all(one.pk != asked for one in offered):
        missed = next((one for one in given if str(one.assignment.pk) == asked), None)
        tried = None if missed else _of_staff(viewer, problem, int(asked))
        if missed is not None:
            note = _not_now(missed, missed.standing(now))
        elif tried is not None:
            offered.append(Target(given=tried, used=0, standing=Standing.OPEN, trying=True))
    offered.sort(key=lambda one: one.standing is Standing.LATE)
    keys = [one.pk for one in offered]
    to_practise = not any(one.counts for one in offered) and (asked == PRACTICE or note)
    if to_practise or not keys:
        return Targets(offered=offered, note=note)
    return Targets(offered=offered, chosen=asked if asked in keys else keys[0])


def _used(viewer: Viewer, problem: Problem, assignments: Sequence[int]) -> dict[int, int]:
    sent = Submission.objects.filter(author=viewer.pk, problem=problem, assignment__in=assignments)
    rows = sent.exclude(effective__judgement__verdict__in=FREE).order_by().values_list("assignment")
    return {pk: number for pk, number in rows.annotate(number=Count("pk")) if pk is not None}


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
