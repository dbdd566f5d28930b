"""An errand as a page tells it: what it does now, what came of it; the part that moves while it runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from judge.authoring import actions, queries
from judge.authoring.drafts import working_copy
from judge.authoring.models import Errand, Kind
from judge.people.refusal import Refused
from judge.submissions.models import State
from judge.submissions.queries import lacks as lacked
from judge.web import words
from judge.web.instructor.findings import changes_of, strength_of, tried_of
from judge.web.instructor.frame import at_desk, reader
from judge.web.instructor.matrix import table_of
from judge.web.told import tell
from problems.models import Problem, Version

SHOWN: Mapping[str, tuple[str, str, Callable[[Errand], Any]]] = {
    Kind.MAKE: ("desk-problem", "instructor/parts/make.html", lambda _errand: None),
    Kind.VERIFY: ("desk-verify", "instructor/parts/verify.html", table_of),
    Kind.LIMIT: ("desk-problem", "instructor/parts/limit.html", lambda _errand: None),
    Kind.CHECKER: ("desk-checker", "instructor/parts/checker.html", changes_of),
    Kind.TRY_OUTPUT: ("desk-checker", "instructor/parts/tried.html", tried_of),
    Kind.STRENGTH: ("desk-strength", "instructor/parts/strength.html", strength_of),
    Kind.AGAIN: ("desk-cases", "instructor/parts/again.html", lambda _errand: None),
    Kind.PICTURES: ("desk-cases", "instructor/parts/pictures.html", lambda _errand: None),
}
"""Kind of errand -> the page it stands on, the template of what it came to, and what reads its result for that.
Whoever adds a kind adds a line here."""

WISHES = ("mutants", "budget", "solution", "case", "output")
"""What forms may say of how something is to be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What the fragment of an errand shows."""

    errand: Errand
    status: str
    """`queued`, `running`, `good`, `bad` (by the author's fault, or not as promised), `stopped` (by a person or us)."""
    line: str
    """What it does now, in a sentence."""
    part: str
    """Template of what it came to."""
    table: Any = None
    """Its result as that reads it."""

    @property
    def final(self) -> bool:
        return self.errand.over


def story(errand: Errand) -> Story:
    """How a page tells an errand."""
    return Story(
        errand=errand,
        status=_status(errand),
        line=_line(errand, queries.before(errand)),
        part=SHOWN[errand.kind][1],
        table=SHOWN[errand.kind][2](errand),
    )


def _status(errand: Errand) -> str:
    match errand.state:
        case State.DONE:
            return "good" if errand.succeeded else "bad"
        case State.ABANDONED:
            return "stopped"
        case _:
            return str(errand.state)


def _line(errand: Errand, before: int) -> str:
    if errand.state == State.QUEUED and (lacks := lacked(errand)) is not None:
        return words.waits_for(lacks)
    if errand.state == State.QUEUED:
        if not before:
            return _("Waiting for a worker.")
        told = ngettext(
            "Waiting; %(n)d other piece of work is before it.", "Waiting; %(n)d others are before it.", before
        )
        return told % {"n": before}
    if errand.state == State.RUNNING:
        if not errand.total:
            return _("It has begun.")
        return _("%(done)d of %(total)d done; now %(now)s") % {
            "done": errand.done, "total": errand.total, "now": tell(errand.now) or "…",
        }  # fmt: skip
    return ""


@login_required
@require_safe
@never_cache
def fragment(request: HttpRequest, pk: int) -> HttpResponse:
    """The moving part alone."""
    errand = queries.errand(request.user, pk)
    if errand is None:
        raise Http404
    return render(request, "instructor/errand_story.html", {"story": story(errand), "problem": errand.problem})


@at_desk
@require_POST
def ask(request: HttpRequest, shown: Problem, kind: str) -> HttpResponse:
    """Have something done: of the version that the form names, or of the working copy."""
    number = request.POST.get("version", "")
    version = shown.versions.filter(number=int(number)).first() if number.isdecimal() and len(number) < 10 else None
    try:
        if kind == Kind.MAKE:
            _must_read(shown)
        sent = {key: request.POST[key].replace("\r\n", "\n") for key in WISHES if key in request.POST}
        actions.ask(reader(request), shown, kind, version, sent)
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect(_page_of(shown, kind, version))


def _page_of(shown: Problem, kind: str, version: Version | None) -> str:
    page = reverse(SHOWN[kind][0] if kind in SHOWN else "desk-problem", args=[shown.slug])
    return f"{page}?version={version.number}" if version and kind != Kind.MAKE else page


def _must_read(shown: Problem) -> None:
    """Raises `Refused`: what cannot be read is not even begun."""
    if working_copy(shown).reading.package is None:
        raise Refused(_("The working copy has errors: mend them first, they are listed here."))


@login_required
@require_POST
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop an errand that waits or runs."""
    errand = queries.errand(request.user, pk)
    if errand is None:
        raise Http404
    try:
        actions.stop(reader(request), errand)
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect(_page_of(errand.problem, errand.kind, errand.version))
