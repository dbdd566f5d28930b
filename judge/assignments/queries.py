"""What is read of assignments. Every function takes the viewer first and gives only what they may see."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Prefetch, Q, QuerySet
from django.utils import timezone

from judge.assignments.feedback import Setting, of_practice, setting_of
from judge.assignments.models import Assignment, AssignmentProblem, Extension
from judge.assignments.rules import Rules, Standing, rules_of
from judge.people.models import Course, CourseRole, Membership, User
from judge.people.permissions import Viewer, courses_staffed_by, is_admin, person
from problems.models import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """An assignment as it is for one student."""

    assignment: Assignment
    rules: Rules
    entries: tuple[AssignmentProblem, ...]

    def standing(self, now: datetime) -> Standing:
        return self.rules.standing(now)


def course_assignments(viewer: Viewer, course: Course) -> QuerySet[Assignment, Assignment]:
    """All of the course for its staff; for its students what is published and theirs."""
    found = Assignment.objects.filter(course=course).select_related("course").prefetch_related(entries())
    if courses_staffed_by(viewer).filter(pk=course.pk).exists():
        return found
    return found.filter(_published_to(viewer)).distinct()


def assignment(viewer: Viewer, course: Course, pk: int) -> Assignment | None:
    return course_assignments(viewer, course).filter(pk=pk).first()


def given_to(
    student: Viewer, course: Course | None = None, problem: Problem | None = None, *, archived: bool = False
) -> list[Given]:
    """What the student has been given, by deadline, with the rules as they hold for them; three queries."""
    if person(student) is None:
        return []
    found = Assignment.objects.filter(_published_to(student)).select_related("course")
    if course is not None:
        found = found.filter(course=course)
    if not archived:
        found = found.filter(course__archived=None)
    if problem is not None:
        found = found.filter(entries__problem=problem)
    assignments = list(found.distinct().prefetch_related(entries()))
    extensions = {one.assignment_id: one for one in Extension.objects.filter(student=student.pk)}
    given = [
        Given(
            assignment=one,
            rules=rules_of(one, extensions.get(one.pk)),
            entries=tuple(one.entries.all()),
        )
        for one in assignments
    ]
    return sorted(given, key=lambda one: (one.rules.deadline, one.assignment.pk))


def rules_for(assignment: Assignment, student_id: int) -> Rules:
    """The rules as they hold for one student."""
    return rules_of(assignment, Extension.objects.filter(assignment=assignment, student=student_id).first())


def feedback_setting(author: User, problem_id: int, assignment: Assignment | None) -> Setting | None:
    """What `author` is shown of the feedback on a program that they sent for the assignment; None for `assignment`:
    as practice, for which the assignments hold that they have open with the problem. None: nothing is set.
    """
    if assignment is not None:
        return setting_of(assignment, rules_for(assignment, author.pk))
    now = timezone.now()
    found = Assignment.objects.filter(_published_to(author), entries__problem=problem_id, opens__lte=now)
    keeps_back = list(found.exclude(feedback={}).filter(course__archived=None).select_related("course").distinct())
    rules = {one.pk: rules_for(one, author.pk) for one in keeps_back}
    return of_practice(
        [
            setting_of(one, rules[one.pk])
            for one in keeps_back
            if rules[one.pk].standing(now) is not Standing.CLOSED and not rules[one.pk].exempt
        ]
    )


def problems(viewer: Viewer) -> QuerySet[Problem, Problem]:
    """The live problems that the viewer may open: those on the shelf, those given to them, those of their courses."""
    found = Problem.objects.filter(live__isnull=False).select_related("live")
    if is_admin(viewer):
        return found
    may = Q(listed=True)
    if person(viewer) is not None:
        given = Assignment.objects.filter(_published_to(viewer), opens__lte=timezone.now()).order_by().values("pk")
        staffed = courses_staffed_by(viewer).order_by().values("pk")
        may |= Q(pk__in=AssignmentProblem.objects.filter(assignment__in=given).order_by().values("problem"))
        may |= Q(pk__in=AssignmentProblem.objects.filter(assignment__course__in=staffed).order_by().values("problem"))
        may |= Q(pk__in=Problem.objects.filter(owners=viewer.pk).order_by().values("pk"))
    return found.filter(may)


def for_the_choice(viewer: User, course: Course) -> QuerySet[Problem, Problem]:
    """The problems that may be put into an assignment of the course: what the viewer may open anyway."""
    return problems(viewer).filter(Q(listed=True) | Q(owners=viewer) | Q(entries__assignment__course=course)).distinct()


def students_of(assignment: Assignment) -> QuerySet[Membership, Membership]:
    """For whom it is, by name."""
    found = Membership.objects.filter(course=assignment.course_id, role=CourseRole.STUDENT, active=True)
    sections = [section.pk for section in assignment.sections.all()]
    if sections:
        found = found.filter(section__in=sections)
    return found.select_related("user", "section").order_by("user__last_name", "user__first_name", "user__username")


def extensions_of(assignments: Iterable[Assignment]) -> dict[tuple[int, int], Extension]:
    """(assignment, student) -> what is different for them."""
    found = Extension.objects.filter(assignment__in=list(assignments))
    return {(one.assignment_id, one.student_id): one for one in found}


def entries() -> "Prefetch[str]":
    """To prefetch the entries of assignments, with the problem and its live version."""
    return Prefetch("entries", AssignmentProblem.objects.select_related("problem__live").order_by("position", "pk"))


def _published_to(viewer: Viewer) -> Q:
    """Of assignments: those that the viewer sees as a student."""
    if person(viewer) is None:
        return Q(pk__in=())
    mine = Q(
        course__memberships__user=viewer.pk,
        course__memberships__active=True,
        course__memberships__role=CourseRole.STUDENT,
    )
    theirs = Q(sections=None) | Q(sections=F("course__memberships__section"))
    return mine & theirs & Q(published__lte=timezone.now())
