"""Problems: those that the reader may open, what they ask, and their samples."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from django.http import Http404, HttpRequest
from ninja import Router
from pydantic import Field

from judge.api.access import READ, reader
from judge.api.errors import ERRORS, Failure
from judge.api.lists import AfterName, Limit, cut, told
from judge.api.shape import Told
from judge.assignments import queries as assignments
from judge.assignments.rules import Standing
from judge.blobs.versions import downloads_of, package_of
from judge.people.models import User
from judge.submissions.queries import allowed_languages, problem_states, wants_answers
from judge.submissions.targets import Target, targets
from judge.submissions.text import shown
from judge.submissions.upload import limit_of
from problems.models import Problem, Version

router = Router(tags=["problems"], auth=READ)
SAMPLE_BYTES = 64 << 10
"""What is beyond this of a file of the samples is cut off."""

COMMENTS = {"md": re.compile(r"<!--.*?-->", re.DOTALL), "tex": re.compile(r"(?<!\\)%.*")}


class ProblemLine(Told):
    """A problem in a list."""

    slug: str
    titles: dict[str, str]
    """Language of the statement -> title."""
    version: int
    keywords: list[str]
    state: str
    """`solved`, `tried` or `none`: how far the reader is."""
    time_seconds: float | None
    memory_bytes: int | None


class ProblemList(Told):
    """By short name."""

    items: list[ProblemLine]
    next: str | None


class Offer(Told):
    """An assignment for which a program can be sent now."""

    assignment: int
    title: str
    course: str
    deadline: str
    standing: Standing
    attempts_left: int | None
    """None: without bound."""


class ProblemFacts(ProblemLine):
    """A problem, and what can be sent to it."""

    scoring: bool
    answers: bool
    """Answers are sent to it, and no programs."""
    languages: list[str]
    bytes: int
    """How big a submission may be, all its files together."""
    statements: list[str]
    """Languages in which there is a statement."""
    assignments: list[Offer]
    sent_for: int | None
    """The assignment for which a submission counts that does not say any; None: it is practice."""


class Statement(Told):
    """The statement as its author wrote it, without comments."""

    language: str
    format: str
    """`md`, `tex` or `pdf`; `text` of a PDF is empty."""
    text: str
    constants: dict[str, str]
    """What stands in the text for `{{name}}`."""


class SampleFile(Told):
    name: str
    text: str
    cut_off: bool


class SampleFiles(Told):
    """Inputs (`1.in`), answers (`1.ans`) and conversations (`1.interaction`)."""

    items: list[SampleFile]


@router.get("", response={200: ProblemList, ERRORS: Failure})
def problems(
    request: HttpRequest, limit: Limit = 50, after: AfterName = "", q: Annotated[str, Field(max_length=100)] = ""
) -> Any:
    """The problems that you may open, by short name. `q`: only those whose short name has it in it. Scope: `read`."""
    found = assignments.problems(reader(request))
    if q.strip():
        found = found.filter(slug__icontains=q.strip().replace("\0", ""))
    rows, following = cut(found, "slug", after, limit)
    states = problem_states(reader(request))
    return told(rows, following, lambda one: _line(one, states))


@router.get("/{slug:slug}", response={200: ProblemFacts, ERRORS: Failure})
def problem(request: HttpRequest, slug: str) -> Any:
    """One problem, its bounds, and for which of your assignments you can send programs to it. Scope: `read`."""
    shown_problem, version = open_problem(reader(request), slug)
    found = targets(reader(request), shown_problem)
    chosen = found.assignment(found.chosen)
    return {
        **_line(shown_problem, problem_states(reader(request))),
        "scoring": bool(version.facts.get("scoring")),
        "answers": wants_answers(version),
        "languages": [] if wants_answers(version) else allowed_languages(version),
        "bytes": limit_of(version),
        "statements": sorted(package_of(version).statements),
        "assignments": [_offer(one) for one in found.offered],
        "sent_for": chosen.pk if chosen else None,
    }


@router.get("/{slug:slug}/statement", response={200: Statement, ERRORS: Failure})
def statement(request: HttpRequest, slug: str, language: Annotated[str, Field(max_length=10)] = "en") -> Any:
    """Its statement in this language, or in another if there is none. Scope: `read`."""
    _problem, version = open_problem(reader(request), slug)
    package = package_of(version)
    chosen = next((one for one in (language, "en", *package.statements) if one in package.statements), None)
    if chosen is None:
        raise Http404
    path = package.statements[chosen]
    ending = path.suffix.removeprefix(".")
    # Neither what an author noted for themselves nor a constant that only programs use is on the page.
    text = COMMENTS[ending].sub("", shown(path.read_bytes())) if ending in COMMENTS else ""
    named = {name for name in package.constants if re.search(rf"\{{\{{\s*{re.escape(name)}\s*\}}\}}", text)}
    return {
        "language": chosen,
        "format": ending,
        "text": text,
        "constants": {name: str(package.constants[name]) for name in sorted(named)},
    }


@router.get("/{slug:slug}/samples", response={200: SampleFiles, ERRORS: Failure})
def samples(request: HttpRequest, slug: str) -> Any:
    """The samples as files, as the page offers them for download. Scope: `read`."""
    _problem, version = open_problem(reader(request), slug)
    return {"items": [_sample(name, content) for name, content in downloads_of(version).items()]}


def open_problem(viewer: User, slug: str) -> tuple[Problem, Version]:
    """The problem and its live version, for who may open it; 404 for others."""
    found = assignments.problems(viewer).filter(slug=slug).first()
    if found is None or found.live is None:
        raise Http404
    return found, found.live


def _line(shown_problem: Problem, states: Mapping[int, str]) -> dict[str, Any]:
    version = shown_problem.live
    assert version is not None
    facts = version.facts
    return {
        "slug": shown_problem.slug,
        "titles": version.titles,
        "version": version.number,
        "keywords": list(facts.get("keywords", ())),
        "state": states.get(shown_problem.pk, "none"),
        "time_seconds": facts.get("time_seconds"),
        "memory_bytes": facts.get("memory_bytes"),
    }


def _offer(target: Target) -> dict[str, Any]:
    assignment = target.given.assignment
    return {
        "assignment": assignment.pk,
        "title": assignment.title,
        "course": assignment.course.slug,
        "deadline": target.given.rules.deadline.isoformat(),
        "standing": target.standing,
        "attempts_left": target.left,
    }


def _sample(name: str, content: bytes | Path) -> dict[str, Any]:
    if isinstance(content, Path):
        with content.open("rb") as file:
            content = file.read(SAMPLE_BYTES + 1)
    return {"name": name, "text": shown(content[:SAMPLE_BYTES]), "cut_off": len(content) > SAMPLE_BYTES}
