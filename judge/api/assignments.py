"""Assignments: as they are for the reader, as their instructors write them, and what is different for one student."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any

from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Router, Status
from pydantic import AwareDatetime, Field

from judge.api.access import COURSE_READ, COURSE_WRITE, READ, course_at, reader
from judge.api.courses import course_run
from judge.api.errors import ERRORS, Failure
from judge.api.lists import AfterName, Limit, Number, Text, cut, told
from judge.api.shape import Asked, Told
from judge.assignments import actions, queries
from judge.assignments.models import USUAL, Assignment, Counts, Extension, Kind, When
from judge.assignments.queries import Given
from judge.assignments.rules import Standing, rules_of
from judge.grading.languages import LANGUAGES
from judge.people.models import Course, CourseRole, Section, User
from judge.people.permissions import courses_staffed_by, may_assist
from judge.people.refusal import Refused

router = Router(tags=["assignments"], auth=READ)

FIRST, LAST = datetime(1990, 1, 1, tzinfo=UTC), datetime(2200, 12, 31, tzinfo=UTC)
Moment = Annotated[AwareDatetime, Field(ge=FIRST, le=LAST)]
"""With its time zone; the course's own says only how days late are counted."""
Factor = Annotated[Decimal, Field(ge=Decimal("0.1"), le=100, max_digits=8)]
Name = Annotated[Text, Field(max_length=150)]


class Entry(Told):
    """A problem of an assignment."""

    entry: int
    problem: str
    points: float


class AssignmentFacts(Told):
    """An assignment as it is for the reader: with their extension, if they have one."""

    id: int
    title: str
    published: bool
    opens: datetime
    deadline: datetime
    closes: datetime
    """Until when work is taken at all."""
    standing: Standing
    late_percent: float
    """Of what was reached, taken away for each day begun after the deadline."""
    attempts: int | None
    """Of each problem; None: without bound."""
    languages: list[str]
    """Empty: those of the problem."""
    exempt: bool
    problems: list[Entry]
    """For students once it is open."""


class AssignmentList(Told):
    items: list[AssignmentFacts]


class Asks(Asked):
    """A problem of an assignment, and what it gives."""

    problem: Annotated[Text, Field(max_length=64)]
    """Its short name."""
    points: Annotated[Decimal, Field(ge=0, max_digits=8, decimal_places=2)] = Decimal(100)


class Settings(Asked):
    """An assignment as its instructors write it. What is left out is as in a new one."""

    title: Annotated[Text, Field(min_length=1, max_length=200)]
    published: Moment | None = None
    """From when students see it; None: a draft that only the staff sees."""
    opens: Moment
    """From when programs can be sent."""
    deadline: Moment
    cutoff: Moment | None = None
    """Until when late work is taken; None: none is."""
    grace_minutes: Annotated[int, Field(ge=0, le=7 * 24 * 60)] = 0
    late_percent: Annotated[Decimal, Field(ge=0, le=100, max_digits=5, decimal_places=2)] = Decimal(0)
    """Taken off what was reached, for each day begun after the deadline."""
    attempts: Annotated[int, Field(ge=1, le=32_767)] | None = None
    """Of each problem; None: without bound."""
    counts: Counts = Counts.BEST
    languages: Annotated[list[Name], Field(max_length=100)] = []
    """Empty: all that the problem takes."""
    time_factors: Annotated[dict[str, Factor], Field(max_length=100)] = {}
    """Language -> by how much its time limit is multiplied."""
    feedback: dict[Kind, When] = {}
    """Part of the feedback -> when students see it."""
    grades_published: Moment | None = None
    """From when students see their points; None: not yet."""
    sections: Annotated[list[Name], Field(max_length=500)] = []
    """By their names; empty: for the whole course."""
    problems: Annotated[list[Asks], Field(max_length=actions.PROBLEMS)] = []
    """In the order in which they are shown."""


class Written(Told):
    """An assignment as it stands. `settings`, changed, may be sent back."""

    id: int
    settings: Settings


class Different(Asked):
    """What is different for one student, in place of whatever was before."""

    deadline: Moment | None = None
    """Later than the common one; a cut-off moves by as much."""
    extra_attempts: Annotated[int, Field(ge=0, le=1000)] = 0
    """Of each problem."""
    exempt: bool = False
    """Nothing is asked of them, and nothing counts."""
    reason: Annotated[Text, Field(min_length=1, max_length=500)]
    """For the staff."""


class ExtensionFacts(Told):
    """What is different for one student."""

    student: str
    deadline: datetime | None
    extra_attempts: int
    exempt: bool
    reason: str
    given: datetime
    given_by: str


class ExtensionList(Told):
    """By username."""

    items: list[ExtensionFacts]
    next: str | None


@router.get("/{slug:slug}/assignments", response={200: AssignmentList, ERRORS: Failure})
def assignments(request: HttpRequest, slug: str) -> Any:
    """The assignments of a course: all for its staff, for students what is published and theirs. Scope: `read`."""
    given, staff = _given(request, course_at(request, slug))
    return {"items": [_assignment(one, staff=staff) for one in given]}


@router.get("/{slug:slug}/assignments/{pk}", response={200: AssignmentFacts, ERRORS: Failure})
def assignment(request: HttpRequest, slug: str, pk: Number) -> Any:
    """One assignment. Scope: `read`."""
    given, staff = _given(request, course_at(request, slug))
    found = next((one for one in given if one.assignment.pk == pk), None)
    if found is None:
        raise Http404
    return _assignment(found, staff=staff)


@router.post("/{slug:slug}/assignments", response={201: Written, ERRORS: Failure}, auth=COURSE_WRITE)
def create_assignment(request: HttpRequest, slug: str, body: Settings) -> Any:
    """Make an assignment; for instructors. Scope: `course:write`."""
    return Status(201, _save(request, Assignment(course=course_run(request, slug)), body))


@router.get("/{slug:slug}/assignments/{pk}/settings", response={200: Written, ERRORS: Failure}, auth=COURSE_READ)
def settings(request: HttpRequest, slug: str, pk: Number) -> Any:
    """An assignment as its instructors write it; for the staff of the course. Scope: `course:read`."""
    return _written(_found(request, course_at(request, slug, courses_staffed_by), pk))


@router.put("/{slug:slug}/assignments/{pk}/settings", response={200: Written, ERRORS: Failure}, auth=COURSE_WRITE)
def change_assignment(request: HttpRequest, slug: str, pk: Number, body: Settings) -> Any:
    """Write an assignment anew, with all of its problems; for instructors.

    A problem for which programs were sent stays in it. Scope: `course:write`.
    """
    return _save(request, _found(request, course_run(request, slug), pk), body)


@router.delete("/{slug:slug}/assignments/{pk}", response={204: None, ERRORS: Failure}, auth=COURSE_WRITE)
def delete_assignment(request: HttpRequest, slug: str, pk: Number) -> Any:
    """Delete an assignment for which nothing was sent; for instructors. Scope: `course:write`."""
    actions.remove(reader(request), _found(request, course_run(request, slug), pk))
    return Status(204, None)


@router.get(
    "/{slug:slug}/assignments/{pk}/extensions", response={200: ExtensionList, ERRORS: Failure}, auth=COURSE_READ
)
def extensions(request: HttpRequest, slug: str, pk: Number, limit: Limit = 50, after: AfterName = "") -> Any:
    """What is different for single students; for the staff of the course. Scope: `course:read`."""
    assignment = _found(request, course_at(request, slug, courses_staffed_by), pk)
    rows, following = cut(
        assignment.extensions.select_related("student", "given_by"), "student__username", after, limit
    )
    return told(rows, following, _extension)


@router.put(
    "/{slug:slug}/assignments/{pk}/extensions/{student}",
    response={200: ExtensionFacts, ERRORS: Failure},
    auth=COURSE_WRITE,
)
def extend(request: HttpRequest, slug: str, pk: Number, student: Name, body: Different) -> Any:
    """Give a student more time or attempts, or ask nothing of them; for instructors. Scope: `course:write`."""
    course = course_run(request, slug)
    assignment = _found(request, course, pk)
    members = course.memberships.filter(role=CourseRole.STUDENT).select_related("user")
    member = members.filter(user__username=student).first()
    if member is None:
        raise Http404
    return _extension(actions.extend(reader(request), assignment, member.user, **body.model_dump()))


@router.delete(
    "/{slug:slug}/assignments/{pk}/extensions/{student}", response={204: None, ERRORS: Failure}, auth=COURSE_WRITE
)
def take_back(request: HttpRequest, slug: str, pk: Number, student: Name) -> Any:
    """What holds for everybody holds for them again; for instructors. Scope: `course:write`."""
    given = _found(request, course_run(request, slug), pk).extensions.select_related("assignment__course", "student")
    found = given.filter(student__username=student).first()
    if found is None:
        raise Http404
    actions.take_back(reader(request), found)
    return Status(204, None)


def _found(request: HttpRequest, course: Course, pk: int) -> Assignment:
    found = queries.assignment(reader(request), course, pk)
    if found is None:
        raise Http404
    return found


def _save(request: HttpRequest, assignment: Assignment, body: Settings) -> dict[str, Any]:
    by, course = reader(request), assignment.course
    for name in (*body.languages, *body.time_factors):
        if name not in LANGUAGES:
            raise Refused(f"There is no language called {name[:40]!r} here.")
    plain = body.model_dump(exclude={"problems", "sections", "feedback", "time_factors"})
    for name, value in plain.items():
        setattr(assignment, name, value)
    assignment.feedback = {kind.value: when.value for kind, when in body.feedback.items() if when != USUAL[kind]}
    assignment.time_factors = {
        name: f"{factor.normalize():f}" for name, factor in body.time_factors.items() if factor != 1
    }
    sections, entries = _sections(course, body.sections), _entries(by, course, body.problems)
    return _written(actions.save(by, assignment, entries, sections))


def _sections(course: Course, names: Sequence[str]) -> list[Section]:
    found = list(course.sections.filter(name__in=names))
    missing = set(names) - {one.name for one in found}
    if missing:
        raise Refused(f"This course has no section called {min(missing)!r}.")
    return found


def _entries(by: User, course: Course, asked: Sequence[Asks]) -> list[actions.Entry]:
    """What is not there and what is not theirs to give is refused in the same words."""
    named = {one.problem for one in asked}
    found = {one.slug: one for one in queries.for_the_choice(by, course).filter(slug__in=named)}
    for one in asked:
        if one.problem not in found:
            raise Refused(
                _("%(slug)s is not there for you to give: it is not live, or not yours.") % {"slug": one.problem}
            )
    return [actions.Entry(problem=found[one.problem], points=one.points) for one in asked]


def _written(one: Assignment) -> dict[str, Any]:
    one.refresh_from_db()
    columns = set(Settings.model_fields) - {"problems", "sections", "feedback"}
    entries: Mapping[str, Decimal] = dict(one.entries.order_by("position", "pk").values_list("problem__slug", "points"))
    return {
        "id": one.pk,
        "settings": {
            **{name: getattr(one, name) for name in columns},
            "feedback": USUAL | one.feedback,
            "sections": sorted(one.sections.values_list("name", flat=True)),
            "problems": [{"problem": slug, "points": points} for slug, points in entries.items()],
        },
    }


def _extension(one: Extension) -> dict[str, Any]:
    return {
        "student": one.student.username,
        "deadline": one.deadline,
        "extra_attempts": one.extra_attempts,
        "exempt": one.exempt,
        "reason": one.reason,
        "given": one.given,
        "given_by": one.given_by.username if one.given_by else "",
    }


def _given(request: HttpRequest, found: Course) -> tuple[list[Given], bool]:
    """The assignments as the reader has them, and whether they are of the staff."""
    if not may_assist(reader(request), found):
        return queries.given_to(reader(request), found, archived=True), False
    shown = queries.course_assignments(reader(request), found)
    return [Given(assignment=one, rules=rules_of(one), entries=tuple(one.entries.all())) for one in shown], True


def _assignment(given: Given, *, staff: bool) -> dict[str, Any]:
    one, rules = given.assignment, given.rules
    now = timezone.now()
    standing = given.standing(now)
    return {
        "id": one.pk,
        "title": one.title,
        "published": one.published is not None and one.published <= now,
        "opens": rules.opens,
        "deadline": rules.deadline,
        "closes": rules.closes,
        "standing": standing,
        "late_percent": rules.late_percent,
        "attempts": rules.attempts,
        "languages": one.languages,
        "exempt": rules.exempt,
        "problems": [
            {"entry": entry.pk, "problem": entry.problem.slug, "points": entry.points}
            for entry in given.entries
            if staff or standing is not Standing.BEFORE
        ],
    }
