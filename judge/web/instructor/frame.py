"""What stands around every page of a problem's desk: who may see it, its facts, its tabs."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from judge.authoring import queries
from judge.authoring.drafts import WorkingCopy, working_copy
from judge.people.models import User
from judge.people.refusal import Refused
from judge.web.words import title_among, title_of
from problems.models import Problem, Version

Rest = ParamSpec("Rest")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """One page of a problem's desk; `address` is the name of its URL, which takes the slug."""

    name: str
    label: str | Promise
    address: str


TABS = (
    Tab(name="draft", label=_("Draft"), address="desk-problem"),
    Tab(name="statement", label=_("Statement"), address="desk-statement"),
    Tab(name="files", label=_("Files"), address="desk-files"),
    Tab(name="limits", label=_("Limits"), address="desk-limits"),
    Tab(name="cases", label=_("Cases"), address="desk-cases"),
    Tab(name="verify", label=_("Verify"), address="desk-verify"),
    Tab(name="checker", label=_("Checker"), address="desk-checker"),
    Tab(name="strength", label=_("Strength"), address="desk-strength"),
    Tab(name="versions", label=_("Versions"), address="desk-versions"),
    Tab(name="people", label=_("People"), address="desk-people"),
)
"""Whoever adds a page to the desk adds a line here and an address in `urls`."""


def at_desk(
    view: Callable[Concatenate[HttpRequest, Problem, Rest], HttpResponse],
) -> Callable[..., HttpResponse]:
    """A page for staff and the owners of the problem that the address names; for others there is no such page."""

    @wraps(view)
    def wrapped(request: HttpRequest, slug: str, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
        problem = queries.problem(request.user, slug)
        if problem is None:
            raise Http404
        return view(request, problem, *args, **kwargs)

    return never_cache(login_required(wrapped))


def reader(request: HttpRequest) -> User:
    """Whoever asks; pages of the desk are for people with an account."""
    assert isinstance(request.user, User)
    return request.user


def copy_of(problem: Problem) -> WorkingCopy | None:
    """The working copy, or None when there is nothing yet."""
    try:
        return working_copy(problem)
    except Refused:
        return None


def chosen(request: HttpRequest, problem: Problem, key: str = "version") -> Version | None:
    """The version that the address names, or the newest; None when there is none. Raises `Http404`."""
    asked = request.GET.get(key, "")
    versions = problem.versions.select_related("problem", "made_by").order_by("-number")
    if not asked:
        return versions.first()
    if not asked.isdecimal() or len(asked) > 9:
        raise Http404
    found = versions.filter(number=int(asked)).first()
    if found is None:
        raise Http404
    return found


def frame(problem: Problem, tab: str) -> dict[str, Any]:
    """What the template `instructor/layout.html` needs."""
    newest = problem.versions.order_by("-number").first()
    copy = copy_of(problem)
    return {
        "here": "desk",
        "problem": problem,
        "title": title_of_draft(problem, newest, copy),
        "tab": tab,
        "tabs": TABS,
        "copy": copy,
        "newest": newest,
        "newest_standing": queries.standing(newest) if newest else queries.NOT_VERIFIED,
        "verifying": queries.verifying(newest) if newest else None,
        "unmade": copy is not None and (newest is None or copy.archive != newest.archive),
    }


def title_of_draft(problem: Problem, newest: Version | None, copy: WorkingCopy | None) -> str:
    """As the working copy calls itself; while that cannot be read, as the live or newest version does."""
    package = copy.reading.package if copy else None
    if package is not None and package.names:
        return title_among(package.names, problem.slug)
    return title_of(problem.slug, problem.live or newest)
