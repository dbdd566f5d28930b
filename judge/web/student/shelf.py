"""The list of problems: search, tags, one's own state on each."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString

from judge.assignments import queries as assignments
from judge.submissions.queries import problem_states
from judge.web.student.standing import shown
from judge.web.thumbnails import thumbnail
from judge.web.words import title_of
from problems.models import Problem

PAGE = 25
TAGS_SHOWN = 12
DUES = 6
"""Deadlines that stand above the problems; all are in My work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the list."""

    slug: str
    title: str
    keywords: tuple[str, ...]
    facts: dict[str, Any]
    state: str
    picture: SafeString


def problems(request: HttpRequest) -> HttpResponse:
    """The shelf, filtered by `?q=` and `?tag=`."""
    states = problem_states(request.user)
    given = [] if not request.user.is_authenticated else assignments.given_to(request.user)
    now = timezone.now()
    dues = [one for one in given if one.rules.closes >= now and not one.rules.exempt][:DUES]
    published = assignments.problems(request.user).order_by("slug")
    rows = sorted((_row(problem, states) for problem in published), key=lambda row: row.title.casefold())
    tags = Counter(word for row in rows for word in row.keywords)
    asked, tag = request.GET.get("q", "").strip()[:100], request.GET.get("tag", "")[:100]
    found = [row for row in rows if _fits(row, asked) and (not tag or tag in row.keywords)]
    shown_tags = [name for name, _count in tags.most_common(TAGS_SHOWN)]
    return render(
        request,
        "student/problems.html",
        {
            "here": "problems",
            "page": Paginator(found, PAGE).get_page(request.GET.get("page")),
            "q": asked,
            "tag": tag,
            "tags": [(name, tags[name]) for name in shown_tags + [tag] * (tag in tags and tag not in shown_tags)],
            "all": len(rows),
            "dues": shown(request.user, dues) if dues else [],
        },
    )


def _row(problem: Problem, states: dict[int, str]) -> Row:
    version = problem.live
    assert version is not None
    keywords = tuple(version.facts.get("keywords", ()))
    return Row(
        slug=problem.slug,
        title=title_of(problem.slug, version),
        keywords=keywords,
        facts=version.facts,
        state=states.get(problem.pk, "none"),
        picture=thumbnail(problem.slug, keywords),
    )


def _fits(row: Row, asked: str) -> bool:
    """Every word asked for is in the title, the short name or a keyword."""
    text = " ".join((row.title, row.slug, *row.keywords)).casefold()
    return all(word in text for word in asked.casefold().split())
