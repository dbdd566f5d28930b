"""What instructors do with assignments. One verb, one transaction."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from judge.assignments import changes
from judge.assignments.models import Assignment, AssignmentProblem, Extension
from judge.assignments.queries import for_the_choice
from judge.people.actions import because, must_run, note
from judge.people.models import CourseRole, Membership, Section, User
from judge.people.refusal import Refused
from problems.models import Problem
from problems.say import say

PROBLEMS = 100
ASSIGNMENTS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A problem as it shall stand in an assignment; their order is that of the list."""

    problem: Problem
    points: Decimal


def save(by: User, assignment: Assignment, entries: Sequence[Entry], sections: Iterable[Section]) -> Assignment:
    """Keep an assignment, new or changed, with its problems and sections as given. Raises `Refused`."""
    course = assignment.course
    must_run(by, course)
    _check(assignment)
    if len({entry.problem.pk for entry in entries}) != len(entries):
        raise Refused(_("A problem stands in an assignment once."))
    if len(entries) > PROBLEMS:
        raise Refused(_("An assignment has at most %(problems)s problems.") % {"problems": PROBLEMS})
    new = assignment.pk is None
    with transaction.atomic():
        if new and course.assignments.count() >= ASSIGNMENTS:
            raise Refused(_("A course has at most %(assignments)s assignments.") % {"assignments": ASSIGNMENTS})
        may = set(
            for_the_choice(by, course).filter(pk__in=[one.problem.pk for one in entries]).values_list("pk", flat=True)
        )
        for entry in entries:
            if entry.problem.pk not in may:
                raise Refused(
                    _("%(slug)s is not there for you to give: it is not live, or not yours.")
                    % {"slug": entry.problem.slug}
                )
        before = None if new else changes.facts_of(assignment)
        assignment.save()
        assignment.sections.set([section for section in sections if section.course_id == course.pk])
        kept = {one.problem_id: one for one in assignment.entries.all()}
        for position, entry in enumerate(entries, start=1):
            row = kept.pop(entry.problem.pk, None) or AssignmentProblem(assignment=assignment, problem=entry.problem)
            row.points, row.position = entry.points, position
            row.save()
        for row in kept.values():
            if assignment.submissions.filter(problem=row.problem_id).exists():
                raise Refused(
                    _("%(slug)s stays: programs were sent to it for this assignment. Give it 0 points instead.")
                    % {"slug": row.problem.slug}
                )
            row.delete()
        what = say("said", "made the assignment %(name)s", name=assignment.title)
        if before is not None:
            told = changes.told(before, changes.facts_of(assignment))
            what = say("said", "changed the assignment %(name)s: %(what)s", name=before["title"], what=told)
        if before is None or told:
            note(by, course, what)
    return assignment


def remove(by: User, assignment: Assignment) -> None:
    """Delete an assignment for which nothing was sent. Raises `Refused`."""
    must_run(by, assignment.course)
    try:
        with transaction.atomic():
            note(by, assignment.course, say("said", "deleted the assignment %(name)s", name=assignment.title))
            assignment.delete()
    except ProtectedError:
        raise Refused(
            _("Programs were sent for this assignment, so it stays. Take its publishing back to hide it.")
        ) from None


def extend(
    by: User,
    assignment: Assignment,
    student: User,
    *,
    deadline: datetime | None,
    exempt: bool,
    extra_attempts: int,
    reason: str,
) -> Extension:
    """Make it different for one student, in place of what was different before. Raises `Refused`."""
    must_run(by, assignment.course)
    members = Membership.objects.filter(course=assignment.course, user=student, role=CourseRole.STUDENT)
    if not members.exists():
        raise Refused(_("Choose a student of this course."))
    if not reason.strip():
        raise Refused(_("Say why: whoever looks at the grades later will ask."))
    if deadline is not None and deadline <= assignment.deadline:
        raise Refused(_("This is not after the common deadline. Choose a later time."))
    if deadline is None and not exempt and not extra_attempts:
        raise Refused(_("Give a later deadline, more attempts, or an exemption."))
    if extra_attempts and assignment.attempts is None:
        raise Refused(_("This assignment does not bound the attempts, so more of them mean nothing."))
    with transaction.atomic():
        extension, _new = Extension.objects.update_or_create(
            assignment=assignment,
            student=student,
            defaults={
                "deadline": deadline,
                "exempt": exempt,
                "extra_attempts": extra_attempts,
                "reason": reason.strip(),
                "given_by": by,
            },
        )
        told = []
        if deadline:
            when = f"{deadline.astimezone(assignment.course.zone):%Y-%m-%d %H:%M %Z}"
            told.append(say("part", "deadline %(when)s", when=when))
        told += [say("part", "exempt")] if exempt else []
        if extra_attempts:
            several = extra_attempts > 1
            told.append(
                say("part", "%(n)d more attempts", n=extra_attempts) if several else say("part", "one more attempt")
            )
        note(by, assignment.course, because(assignment, ", ".join(told), reason), student)
    return extension


def take_back(by: User, extension: Extension) -> None:
    """What holds for everybody holds for them again. Raises `Refused`."""
    must_run(by, extension.assignment.course)
    with transaction.atomic():
        what = say("said", "%(name)s: took the extension back", name=extension.assignment)
        note(by, extension.assignment.course, what, extension.student)
        extension.delete()


def _check(assignment: Assignment) -> None:
    if not assignment.title.strip() or not assignment.title.isprintable():
        raise Refused(_("Give the assignment a title."))
    if assignment.deadline <= assignment.opens:
        raise Refused(_("The deadline is not after the opening."))
    if assignment.cutoff is not None and assignment.cutoff < assignment.deadline:
        raise Refused(_("The cut-off is before the deadline. Leave it empty to take no late work."))
    if assignment.late_percent and assignment.cutoff is None:
        raise Refused(
            _("The late rule means nothing while no late work is taken. Say until when it is, or set the rule to 0.")
        )
