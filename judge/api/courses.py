"""Courses, and the list of their people, to read and to change."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router
from ninja.errors import HttpError
from pydantic import Field

from judge.api.access import COURSE_READ, COURSE_WRITE, READ, course_at, reader
from judge.api.errors import ERRORS, Failure
from judge.api.lists import After, AfterName, Limit, Text, cut, told
from judge.api.shape import Asked, Told
from judge.people import roster
from judge.people.models import Course, CourseRole, Membership, User
from judge.people.permissions import courses_of, courses_staffed_by, may_archive
from judge.people.roster import Plan
from judge.people.roster_file import BYTES

router = Router(tags=["courses"], auth=READ)


class CourseLine(Told):
    """A course."""

    id: int
    slug: str
    name: str
    code: str
    time_zone: str
    archived: bool
    role: str
    """`student`, `assistant` or `instructor`; empty for an admin who is not in it."""


class CourseList(Told):
    """Newest first."""

    items: list[CourseLine]
    next: int | None


class Person(Told):
    """Somebody in a course."""

    username: str
    first_name: str
    last_name: str
    email: str
    section: str
    role: CourseRole
    active: bool


class PersonList(Told):
    """By username."""

    items: list[Person]
    next: str | None


class Roster(Asked):
    """A list of people as CSV: `username` or `email`, `name`, `section`, `role`."""

    csv: Annotated[Text, Field(max_length=BYTES)]
    remove: bool = False
    """Students who are not in the list leave the course."""


class SealedRoster(Roster):
    """The list that was previewed, and the seal of its preview."""

    seal: Annotated[str, Field(max_length=64)]


class RosterChange(Told):
    """What becomes of one person."""

    fate: str
    """`add`, `join`, `back`, `update` or `remove`."""
    line: int
    username: str
    name: str
    details: list[str]


class RosterFault(Told):
    line: int
    """0: the list as a whole."""
    message: str


class RosterPlan(Told):
    """What a list would do, or did."""

    seal: str
    """Send it with the same list to have exactly this done. Empty: the list has faults."""
    counts: dict[str, int]
    changes: list[RosterChange]
    faults: list[RosterFault]
    ignored: list[str]
    """Columns that mean nothing here."""
    notes: list[str]
    new_sections: list[str]


@router.get("", response={200: CourseList, ERRORS: Failure})
def courses(request: HttpRequest, limit: Limit = 50, after: After = None) -> Any:
    """The courses in which you are anything. Scope: `read`."""
    rows, following = cut(courses_of(reader(request)), "pk", after, limit, newest_first=True)
    roles = _roles(reader(request), rows)
    return told(rows, following, lambda one: _course(one, roles.get(one.pk, "")))


@router.get("/{slug:slug}", response={200: CourseLine, ERRORS: Failure})
def course(request: HttpRequest, slug: str) -> Any:
    """One course. Scope: `read`."""
    found = course_at(request, slug)
    return _course(found, _roles(reader(request), [found]).get(found.pk, ""))


@router.get("/{slug:slug}/people", response={200: PersonList, ERRORS: Failure}, auth=COURSE_READ)
def people(
    request: HttpRequest, slug: str, limit: Limit = 50, after: AfterName = "", role: CourseRole | None = None
) -> Any:
    """Who is in the course, and who has left it; for its staff. Scope: `course:read`."""
    found = course_at(request, slug, courses_staffed_by).memberships.select_related("user", "section")
    if role is not None:
        found = found.filter(role=role)
    rows, following = cut(found, "user__username", after, limit)
    return told(rows, following, _person)


@router.post("/{slug:slug}/people/preview", response={200: RosterPlan, ERRORS: Failure}, auth=COURSE_WRITE)
def preview_people(request: HttpRequest, slug: str, body: Roster) -> Any:
    """What a list would do, without doing it; for instructors. Scope: `course:write`."""
    found = course_run(request, slug)
    return _plan(roster.plan(reader(request), found, body.csv, remove=body.remove))


@router.post("/{slug:slug}/people/apply", response={200: RosterPlan, ERRORS: Failure}, auth=COURSE_WRITE)
def apply_people(request: HttpRequest, slug: str, body: SealedRoster) -> Any:
    """Do what the preview with this seal said: all of it, or, if anything was changed since, nothing (409).

    For instructors. Scope: `course:write`.
    """
    found = course_run(request, slug)
    return _plan(roster.apply(reader(request), found, body.csv, body.seal, remove=body.remove))


def course_run(request: HttpRequest, slug: str) -> Course:
    """A course that the reader may change, were it not archived; 404, or 403 for who sees its work."""
    found = course_at(request, slug, courses_staffed_by)
    if not may_archive(reader(request), found):
        raise HttpError(403, "Only instructors of this course can do this.")
    return found


def _roles(viewer: User, courses_shown: Any) -> dict[int, str]:
    return dict(viewer.memberships.filter(course__in=list(courses_shown)).values_list("course", "role"))


def _course(one: Course, role: str) -> dict[str, Any]:
    return {
        "id": one.pk,
        "slug": one.slug,
        "name": one.name,
        "code": one.code,
        "time_zone": one.time_zone,
        "archived": one.archived is not None,
        "role": role,
    }


def _person(one: Membership) -> dict[str, Any]:
    return {
        "username": one.user.username,
        "first_name": one.user.first_name,
        "last_name": one.user.last_name,
        "email": one.user.email,
        "section": one.section.name if one.section else "",
        "role": one.role,
        "active": one.active,
    }


def _plan(made: Plan) -> dict[str, Any]:
    return {
        "seal": "" if made.faults else made.seal,
        "counts": made.counts,
        "changes": [
            {
                "fate": one.fate.value,
                "line": one.line,
                "username": one.username,
                "name": one.name,
                "details": list(one.details),
            }
            for one in made.moving
        ],
        "faults": [{"line": one.line, "message": one.text} for one in made.faults],
        "ignored": list(made.ignored),
        "notes": list(made.notes),
        "new_sections": list(made.new_sections),
    }
