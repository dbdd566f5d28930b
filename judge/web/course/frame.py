"""What stands around every page of a course: who may see it, its name, its tabs."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from judge.people.models import Course, User
from judge.people.permissions import Viewer, courses_of, may_archive, may_assist, may_run
from judge.people.permissions import may_see_course as member

Rest = ParamSpec("Rest")
View = Callable[Concatenate[HttpRequest, Course, Rest], HttpResponse]

TABS = (
    ("assignments", _("Assignments"), "course"),
    ("people", _("People"), "course-people"),
    ("grades", _("Gradebook"), "gradebook"),
    ("log", _("Log"), "course-log"),
    ("settings", _("Settings"), "course-settings"),
)
FOR_INSTRUCTORS = {"settings"}

staff = may_assist
"""Assistants, instructors and admins."""
instructor = may_archive
"""Instructors and admins, also when the course is archived; what they do is then refused with a reason."""


def at_course(allowed: Callable[[Viewer, Course], bool]) -> Callable[[View[Rest]], Callable[..., HttpResponse]]:
    """For those who are `allowed` in the course that the address names; for others there is no such page."""

    def decorate(view: View[Rest]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def wrapped(request: HttpRequest, slug: str, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
            # Who is not in it is told the same by the same query, whether it is there or not.
            course = courses_of(request.user).filter(slug=slug).first()
            if course is None or not allowed(request.user, course):
                raise Http404
            return view(request, course, *args, **kwargs)

        return never_cache(login_required(wrapped))

    return decorate


def reader(request: HttpRequest) -> User:
    """Whoever asks; pages of courses are for people with an account."""
    assert isinstance(request.user, User)
    return request.user


def frame(request: HttpRequest, course: Course, tab: str) -> dict[str, Any]:
    """What the template `course/layout.html` needs."""
    sees = may_assist(request.user, course)
    runs = may_archive(request.user, course)
    return {
        "here": "courses",
        "course": course,
        "tab": tab,
        "tabs": [one for one in TABS if sees and (runs or one[0] not in FOR_INSTRUCTORS)],
        "sees": sees,
        "runs": may_run(request.user, course),
    }


__all__ = ["at_course", "frame", "instructor", "member", "reader", "staff"]
