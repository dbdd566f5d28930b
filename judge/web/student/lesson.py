"""The lesson of a problem: text, figures that play a trace, questions. For everybody; new figures for who signed in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from judge.blobs.versions import package_of
from judge.lessons import actions
from judge.people.models import User
from judge.people.refusal import Refused
from judge.web.lesson.figure import Figure, figure
from judge.web.statement import render as render_markdown
from judge.web.statement import render_inline
from judge.web.student.problem import frame, published
from judge.web.tongue import best, instead
from problems.models import Version
from problems.package.lesson import Lesson, Prose, Quiz, TraceBlock
from problems.package.model import Package

HEADING = re.compile(r"<h2>(.*?)</h2>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A quiz, ready to be shown."""

    number: int
    ask: SafeString
    choices: tuple[SafeString, ...]
    right: int
    because: SafeString


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of the page: exactly one of these."""

    prose: SafeString | None = None
    figure: Figure | None = None
    question: Question | None = None


@require_safe
def lesson(request: HttpRequest, slug: str) -> HttpResponse:
    """The page. `?figure=2&from=a1` shows the second figure with these values."""
    shown, version = published(request, slug)
    package = package_of(version)
    code, chosen = _lesson(package)
    asked = request.GET.get("figure", "")
    pieces, chapters = _pieces(
        request, version, package, chosen, int(asked) if asked.isdecimal() and len(asked) < 4 else 0
    )
    waits = any(piece.figure is not None and piece.figure.waiting for piece in pieces)
    context = {
        **frame(request, shown, version),
        "tab": "lesson",
        "language": code,
        "instead": instead(code),
        "pieces": pieces,
        "chapters": chapters,
        "waits": waits,
    }
    return render(request, "student/lesson.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def one_figure(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """GET: a figure alone, with the values of the address. POST: have it made with the values of the form."""
    shown, version = published(request, slug)
    package = package_of(version)
    blocks = _lesson(package)[1].blocks
    if not 1 <= number <= len(blocks):
        raise Http404
    block, note = blocks[number - 1], ""
    given = request.POST if request.method == "POST" else request.GET
    values = block.values(_texts(given))
    if values is None:
        values, note = block.values({}) or {}, _("There is no such value. Choose one of those in the list.")
    elif request.method == "POST":
        note = _asked(request, version, block, values)
    if request.method == "POST" and not request.headers.get("X-Fragment"):
        query = QueryDict(mutable=True)
        query.update({"figure": str(number), **values})
        if note:
            messages.warning(request, note)
        return redirect(f"{reverse('lesson', args=[slug])}?{query.urlencode()}#figure-{number}")
    context = {
        "figure": figure(request.user, version, package, block=block, number=number, values=values),
        "problem": shown,
        "note": note,
    }
    return render(request, "student/figure.html", context)


def _asked(request: HttpRequest, version: Version, block: TraceBlock, values: Mapping[str, str]) -> str:
    """Ask for the figure; what stands in the way, if anything does."""
    if not isinstance(request.user, User):
        return _("Sign in to choose values of your own.")
    try:
        actions.ask(request.user, version, block.commands(values))
    except Refused as refusal:
        return refusal.message
    return ""


def _lesson(package: Package) -> tuple[str, Lesson]:
    """In the reader's language, else in English, else in whatever there is; and in which."""
    code = best(package.lessons)
    if code is None:
        raise Http404
    return code, package.lessons[code]


def _pieces(
    request: HttpRequest, version: Version, package: Package, chosen: Lesson, asked: int
) -> tuple[list[Piece], list[tuple[str, str]]]:
    """The parts of the page, and its chapters as anchor and title."""
    pieces: list[Piece] = []
    chapters: list[tuple[str, str]] = []
    figures = questions = 0

    def anchored(found: re.Match[str]) -> str:
        chapters.append((f"chapter-{len(chapters) + 1}", TAG.sub("", found[1])))
        return f'<h2 id="{chapters[-1][0]}">{found[1]}</h2>'

    for part in chosen.parts:
        match part:
            case Prose():
                html = render_markdown(
                    part.text, constants=package.constants, samples=[], image_address=lambda _name: None
                )
                pieces.append(Piece(prose=mark_safe(HEADING.sub(anchored, html))))  # noqa: S308 - cleaned
            case TraceBlock():
                figures += 1
                values = part.values(_texts(request.GET)) if figures == asked else None
                values = values or part.values({}) or {}
                pieces.append(
                    Piece(figure=figure(request.user, version, package, block=part, number=figures, values=values))
                )
            case Quiz():
                questions += 1
                pieces.append(Piece(question=_question(part, questions)))
    return pieces, chapters


def _question(quiz: Quiz, number: int) -> Question:
    return Question(
        number=number,
        ask=render_inline(quiz.ask),
        choices=tuple(map(render_inline, quiz.choices)),
        right=quiz.choices.index(quiz.right),
        because=render_inline(quiz.because),
    )


def _texts(given: QueryDict) -> dict[str, str]:
    return {key: str(given.get(key, ""))[:40] for key in given}
