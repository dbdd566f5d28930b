"""The gradebook of a course, for its staff; points given by hand; and one's own grades."""

from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Router
from pydantic import Field

from judge.api.access import COURSE_READ, COURSE_WRITE, READ, course_at, reader
from judge.api.courses import course_run
from judge.api.errors import ERRORS, Failure
from judge.api.lists import AfterName, Limit, Number, Text, cut
from judge.api.shape import Asked, Told
from judge.assignments.models import AssignmentProblem
from judge.assignments.queries import given_to
from judge.assignments.rules import Standing
from judge.grades import sheets
from judge.grades.actions import adjust
from judge.grades.gradebook import Cell, Line, gradebook
from judge.grades.score import rounded
from judge.grades.standing import Part, Row, standings
from judge.people.models import Course, CourseRole
from judge.people.permissions import courses_staffed_by

router = Router(tags=["grades"], auth=COURSE_READ)


class Column(Told):
    """A problem of an assignment."""

    entry: int
    assignment: int
    title: str
    problem: str
    points: Decimal


class Grade(Told):
    """What one student has for one problem. Points are exact until they are shown: two digits, halves up."""

    entry: int
    points: Decimal
    computed: Decimal
    """Without the correction by hand."""
    by_hand: bool
    counts: bool
    """Whether it is part of the sum: it was asked of them, and they are not exempt."""
    attempts: int
    days_late: int
    submission: int | None
    """Which gives the points."""
    verdict: str
    pending: bool
    """Something is not judged yet."""


class Student(Told):
    """One line of the gradebook."""

    username: str
    name: str
    section: str
    total: Decimal
    of: Decimal
    percent: Decimal | None
    grades: list[Grade]


class Gradebook(Told):
    """Students by username, problems by assignment."""

    columns: list[Column]
    items: list[Student]
    next: str | None


class OwnGrade(Told):
    """How far you are with a problem of an assignment."""

    entry: int
    problem: str
    state: str
    """`solved`, `tried` or `none`."""
    attempts: int
    attempts_left: int | None
    """None: without bound."""
    days_late: int
    missing: bool
    """The time is over, and nothing was sent."""
    pending: bool
    """Something is not judged yet."""
    of: Decimal
    points: Decimal | None
    """None: not published."""
    by_hand: bool
    submission: int | None
    """Which gives the points."""


class OwnAssignment(Told):
    """An assignment, and what you have in it."""

    assignment: int
    title: str
    standing: Standing
    exempt: bool
    """Nothing is asked of you, and nothing counts."""
    of: Decimal
    points: Decimal | None
    """None: not published."""
    grades: list[OwnGrade]
    """Once it is open."""


class OwnGrades(Told):
    """By deadline, and the sum of what is published."""

    items: list[OwnAssignment]
    total: Decimal
    of: Decimal
    percent: Decimal | None


class ByHand(Asked):
    """Points for one student and one problem, whatever is computed."""

    entry: Number
    """As in `columns`."""
    student: Annotated[Text, Field(max_length=150)]
    """Their username."""
    points: Annotated[Decimal, Field(ge=0, le=100_000, max_digits=8, decimal_places=2)] | None
    """None: what is computed holds again."""
    reason: Annotated[Text, Field(min_length=1, max_length=500)]


Assignment = Annotated[int | None, Field(ge=1, le=(1 << 60), description="Of this one only; else all that are open.")]


@router.get("/{slug:slug}/grades", response={200: Gradebook, ERRORS: Failure})
def grades(
    request: HttpRequest, slug: str, assignment: Assignment = None, limit: Limit = 100, after: AfterName = ""
) -> Any:
    """What every student has for every problem; for the staff of the course. Scope: `course:read`."""
    found = course_at(request, slug, courses_staffed_by)
    students = found.memberships.filter(role=CourseRole.STUDENT, active=True).select_related("user")
    rows, following = cut(students, "user__username", after, limit)
    book = gradebook(found, assignments=_chosen(assignment), students=[one.user_id for one in rows])
    lines = sorted(book.lines, key=lambda line: line.membership.user.username)
    columns = [
        {
            "entry": one.pk,
            "assignment": one.assignment_id,
            "title": one.assignment.title,
            "problem": one.problem.slug,
            "points": one.points,
        }
        for one in book.entries
    ]
    return {"columns": columns, "items": [_student(line) for line in lines], "next": following}


@router.get("/{slug:slug}/grades/own", response={200: OwnGrades, ERRORS: Failure}, auth=READ)
def own_grades(request: HttpRequest, slug: str) -> Any:
    """Your own grades in a course that you study, where they are published; nothing for who does not. Scope: `read`."""
    given = given_to(reader(request), course_at(request, slug), archived=True)
    rows = standings(reader(request), given)
    shown = [row for row in rows if row.shows_points and row.opens_problems]
    total, worth = sum(row.points for row in shown), sum(row.worth for row in shown)
    return {
        "items": [_own(row) for row in rows],
        "total": rounded(Fraction(total)),
        "of": rounded(Fraction(worth)),
        "percent": rounded(Fraction(100 * total, worth)) if worth else None,
    }


@router.get(
    "/{slug:slug}/grades.csv",
    response={ERRORS: Failure},
    openapi_extra={"responses": {200: {"description": "The gradebook", "content": {"text/csv": {}}}}},
)
def grades_csv(request: HttpRequest, slug: str, assignment: Assignment = None) -> HttpResponse:
    """The gradebook as the page gives it: CSV in UTF-8, all students. Scope: `course:read`."""
    book = gradebook(course_at(request, slug, courses_staffed_by), assignments=_chosen(assignment))
    return HttpResponse(sheets.csv_of(book), content_type="text/csv; charset=utf-8")


@router.post("/{slug:slug}/grades", response={200: Grade, ERRORS: Failure}, auth=COURSE_WRITE)
def give_points(request: HttpRequest, slug: str, body: ByHand) -> Any:
    """Say what somebody has for a problem; for instructors. The newest holds, nothing is overwritten.

    Scope: `course:write`.
    """
    course = course_run(request, slug)
    entries = AssignmentProblem.objects.select_related("assignment__course", "problem")
    entry = entries.filter(assignment__course=course, pk=body.entry).first()
    member = course.memberships.select_related("user").filter(user__username=body.student, active=True).first()
    if entry is None or member is None:
        raise Http404
    adjust(reader(request), entry, member.user, body.points, body.reason)
    return _grade(_cell(course, entry, member.user_id))


def _chosen(assignment: int | None) -> list[int] | None:
    return None if assignment is None else [assignment]


def _cell(course: Course, entry: AssignmentProblem, student: int) -> Cell:
    book = gradebook(course, assignments=[entry.assignment_id], students=[student])
    for line in book.lines:
        for cell in line.cells:
            if cell.entry == entry:
                return cell
    raise Http404


def _student(line: Line) -> dict[str, Any]:
    member = line.membership
    return {
        "username": member.user.username,
        "name": str(member.user),
        "section": member.section.name if member.section else "",
        "total": rounded(line.total),
        "of": rounded(line.worth),
        "percent": None if line.percent is None else rounded(line.percent),
        "grades": [_grade(cell) for cell in line.cells if cell.asked],
    }


def _own(row: Row) -> dict[str, Any]:
    published = row.shows_points and row.opens_problems
    return {
        "assignment": row.given.assignment.pk,
        "title": row.given.assignment.title,
        "standing": row.standing,
        "exempt": row.given.rules.exempt,
        "of": rounded(row.worth),
        "points": rounded(row.points) if published else None,
        "grades": [_own_grade(part, published=published) for part in row.parts if row.opens_problems],
    }


def _own_grade(part: Part, *, published: bool) -> dict[str, Any]:
    return {
        "entry": part.entry.pk,
        "problem": part.entry.problem.slug,
        "state": part.state,
        "attempts": part.score.attempts,
        "attempts_left": part.left,
        "days_late": part.score.days_late,
        "missing": part.missing,
        "pending": part.score.pending,
        "of": rounded(part.score.worth),
        "points": rounded(part.points) if published else None,
        "by_hand": published and part.adjusted is not None,
        "submission": part.score.counted if published else None,
    }


def _grade(cell: Cell) -> dict[str, Any]:
    score = cell.score
    return {
        "entry": cell.entry.pk,
        "points": rounded(cell.points),
        "computed": rounded(score.points),
        "by_hand": cell.adjusted,
        "counts": cell.counts,
        "attempts": score.attempts,
        "days_late": score.days_late,
        "submission": score.counted,
        "verdict": score.verdict,
        "pending": score.pending,
    }
