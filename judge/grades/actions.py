"""Corrections by hand, which stand beside what is computed; and asking for a report of similarity."""

from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext as _

from judge.assignments.models import AssignmentProblem
from judge.grades.models import Adjustment, Comparison
from judge.people.actions import because, must_run, note
from judge.people.models import CourseRole, Membership, User
from judge.people.refusal import Refused
from judge.submissions import hints
from judge.submissions.models import State
from problems.say import say

GIVEN = 64 << 10
"""Characters of code that everybody had."""


def adjust(by: User, entry: AssignmentProblem, student: User, points: Decimal | None, reason: str) -> Adjustment:
    """Say what somebody has for a problem, whatever is computed; None: what is computed holds again.

    Nothing is overwritten: the newest holds. Raises `Refused`.
    """
    course = entry.assignment.course
    must_run(by, course)
    if not Membership.objects.filter(course=course, user=student, role=CourseRole.STUDENT).exists():
        raise Refused(_("Choose a student of this course."))
    if not reason.strip():
        raise Refused(_("Say why: whoever looks at the grades later will ask."))
    if points is not None and not 0 <= points <= 100_000:
        raise Refused(_("Give points from 0 to 100,000."))
    with transaction.atomic():
        made = Adjustment.objects.create(
            entry=entry, student=student, points=points, reason=reason.strip()[:500], made_by=by
        )
        what = say("part", "what is computed holds again")
        if points is not None:
            what = say("part", "%(points)s points by hand", points=points)
        note(by, course, because(f"{entry.assignment}, {entry.problem}", what, reason), student)
    return made


def compare(by: User, entry: AssignmentProblem, given: str) -> Comparison:
    """Have a report made of which programs are alike, leaving out `given`. While one is owed, there is no second.
    Raises `Refused`."""
    course = entry.assignment.course
    must_run(by, course)
    if len(given) > GIVEN:
        raise Refused(_("The code that was given is too long: at most %(most)s characters.") % {"most": f"{GIVEN:,}"})
    with transaction.atomic():
        AssignmentProblem.objects.select_for_update().get(pk=entry.pk)
        waiting = Comparison.objects.filter(entry=entry, state__in=(State.QUEUED, State.RUNNING)).first()
        if waiting is not None:
            return waiting
        made = Comparison.objects.create(entry=entry, asked_by=by, given=given.replace("\0", ""))
        note(by, course, say("said", "%(name)s: had programs compared", name=f"{entry.assignment}, {entry.problem}"))
        hints.send_on_commit(made)
    return made
