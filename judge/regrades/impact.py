"""What a regrade means for grades: computed as the gradebook does it, once with what counted, once with what is new."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from judge.assignments.models import Assignment
from judge.grades.gradebook import Cell, Judged, gradebook
from judge.grades.score import rounded
from judge.people.models import Course, User
from judge.people.permissions import Viewer, courses_staffed_by
from judge.regrades.models import Outcome, Regrade


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The points of a student for an assignment, exactly; corrections by hand are among them."""

    student: User
    assignment: Assignment
    before: Fraction
    after: Fraction
    worth: Fraction

    @property
    def gain(self) -> Fraction:
        return self.after - self.before

    @property
    def facts(self) -> dict[str, str]:
        """As exports and programs have it, with points rounded as everywhere."""
        return {
            "student": self.student.username,
            "course": self.assignment.course.slug,
            "assignment": str(self.assignment),
            "before": str(rounded(self.before)),
            "after": str(rounded(self.after)),
            "of": str(rounded(self.worth)),
        }


@dataclass(slots=True)
class _Touched:
    assignments: set[int] = field(default_factory=set)
    students: set[int] = field(default_factory=set)
    before: dict[int, Judged] = field(default_factory=dict)
    after: dict[int, Judged] = field(default_factory=dict)


def grades(viewer: Viewer | None, shown: Regrade) -> Sequence[Change]:
    """Whose points for an assignment are others if everything that changed counts; who loses most comes first.

    Of a regrade that is or was applied: by what was. All else is as the gradebook of now has it: other submissions,
    extensions, points by hand. Of the courses whose staff the viewer is; None, the command line, sees all. Practice is
    no part of any grade.
    """
    items = shown.items.filter(base__isnull=False, new__isnull=False).exclude(outcome=Outcome.SAME)
    items = items.filter(moved__isnull=False) if shown.applied else items.filter(outcome=Outcome.CHANGED)
    items = items.filter(submission__assignment__isnull=False)
    if viewer is not None:
        items = items.filter(submission__assignment__course__in=courses_staffed_by(viewer).order_by().values("pk"))
    touched: dict[int, _Touched] = defaultdict(_Touched)
    for item in items.select_related("submission__assignment", "base", "new"):
        assert item.submission is not None
        assert item.submission.assignment is not None
        assert item.base is not None
        assert item.new is not None
        one = touched[item.submission.assignment.course_id]
        one.assignments.add(item.submission.assignment.pk)
        one.students.add(item.submission.author_id)
        for said, judgement in ((one.before, item.base), (one.after, item.new)):
            said[item.submission.pk] = Judged(
                verdict=judgement.verdict, points=judgement.points, out_of=judgement.out_of
            )
    found = [
        change for course in Course.objects.filter(pk__in=touched) for change in _in_course(course, touched[course.pk])
    ]
    return sorted(found, key=lambda one: (one.gain, one.student.username, one.assignment.pk))


def _in_course(course: Course, one: _Touched) -> list[Change]:
    before, after = (
        gradebook(course, assignments=one.assignments, students=one.students, instead=said)
        for said in (one.before, one.after)
    )
    changes = []
    for old, new in zip(before.lines, after.lines, strict=True):
        for assignment in {entry.assignment for entry in before.entries}:
            was, worth = _sum(old.cells, assignment)
            now, _ = _sum(new.cells, assignment)
            if was != now:
                changes.append(
                    Change(student=old.membership.user, assignment=assignment, before=was, after=now, worth=worth)
                )
    return changes


def _sum(cells: Sequence[Cell], assignment: Assignment) -> tuple[Fraction, Fraction]:
    """Points, and what they are out of."""
    counted = [cell for cell in cells if cell.entry.assignment_id == assignment.pk and cell.counts]
    return (
        sum((cell.points for cell in counted), Fraction(0)),
        sum((cell.score.worth for cell in counted), Fraction(0)),
    )
