"""The page of a problem: statement beside editor, and what is done there: try the program out, send it."""

import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from judge.assignments.queries import problems
from judge.blobs import store
from judge.blobs.versions import package_of
from judge.people.models import User
from judge.people.permissions import may_edit
from judge.people.refusal import Refused
from judge.submissions import actions, queries
from judge.submissions.models import Submission, Trial
from judge.web.highlight import as_text
from judge.web.statement import Sample
from judge.web.statement import render as render_statement
from judge.web.student.forms import ProgramForm
from judge.web.student.targets import targets
from judge.web.student.tryout import tryout
from judge.web.words import title_of
from problems.models import Case, Problem, Version
from problems.package.model import Content

IMAGES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg"})
SAMPLE_BYTES = 64 << 10
"""What is beyond this of a sample is not printed beside the statement."""
PAGE = 50


def problem(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: the page; `?from=` puts an earlier submission into the editor, `?trial=` a trial run; `?assignment=` chooses
    for what it is sent. POST: see `_act`."""
    shown, version = _published(request, slug)
    if request.method == "POST":
        return _act(request, shown, version)
    found = targets(request.user, shown, request.GET.get("assignment", ""))
    form, run = ProgramForm(version, targets=found), None
    if request.user.is_authenticated:
        earlier = _asked(request, "from", queries.submission)
        run = _asked(request, "trial", queries.trial)
        if run is not None and run.version.problem_id != shown.pk:
            run = None
        prefill = run or earlier
        if prefill is not None:
            form = ProgramForm(version, targets=found, initial=_again(request, prefill))
    return _page(request, shown, version, form, run=run)


@require_safe
def image(request: HttpRequest, slug: str, number: int, name: str) -> HttpResponse:
    """An image of the statement. It cannot run anything: an SVG is shut in by its own policy."""
    version = get_object_or_404(Version.objects.select_related("problem"), problem__slug=slug, number=number)
    current = version.problem.live_id == version.pk and problems(request.user).filter(pk=version.problem_id).exists()
    if not current and not may_edit(request.user, version.problem):
        raise Http404
    folders = {path.parent for path in package_of(version).statements.values()}
    for folder in folders:
        file = _image(folder, name)
        if file is not None:
            response = HttpResponse(file.read_bytes(), content_type=mimetypes.guess_type(file.name)[0])
            response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
            response["Cache-Control"] = (
                "public, max-age=604800, immutable" if version.problem.listed else "private, no-store"
            )
            return response
    raise Http404


def _image(folder: Path, name: str) -> Path | None:
    """The image `name`, which may be anything, in `folder`; None when there is none."""
    try:
        file = (folder / name).resolve()
        shown = file.suffix.lower() in IMAGES and file.is_relative_to(folder.resolve()) and file.is_file()
    except (OSError, ValueError):  # a name that no file can have: too long, or with a NUL
        return None
    return file if shown else None


@require_safe
def attempts(request: HttpRequest, slug: str) -> HttpResponse:
    """The reader's own submissions to a problem, and those of the courses whose work they see."""
    shown, version = _published(request, slug)
    found = queries.submissions(request.user, problem=shown)
    return render(
        request,
        "student/attempts.html",
        {
            **_frame(request, shown, version),
            "tab": "attempts",
            "page": Paginator(found, PAGE).get_page(request.GET.get("page")),
        },
    )


def _published(request: HttpRequest, slug: str) -> tuple[Problem, Version]:
    shown = get_object_or_404(problems(request.user), slug=slug)
    version = shown.live
    assert version is not None
    return shown, version


def _act(request: HttpRequest, shown: Problem, version: Version) -> HttpResponse:
    """Send the program (`do=submit`), or try it on the samples or on an own input. Errors keep what was typed."""
    what = request.POST.get("do", "submit")
    found = targets(request.user, shown, request.POST.get("assignment", ""))
    form = ProgramForm(version, request.POST, request.FILES, targets=found)
    started: Trial | None = None
    sound = form.is_valid()
    if not isinstance(request.user, User):
        form.add_error(
            None,
            _(
                "You are signed out. Sign in in another tab, then reload this page: a program in the editor is kept in "
                "this browser."
            ),
        )
    elif sound:
        program, language = form.program, form.chosen_language
        try:
            if what == "submit":
                sent = actions.submit(
                    request.user,
                    shown,
                    language,
                    program,
                    form.token_of_content(),
                    assignment=form.chosen_assignment,
                )
                return redirect("submission", pk=sent.pk)
            own = form.own_input_bytes() if what == "own" else None
            started = actions.start_trial(
                request.user, version, language, program, own, assignment=form.chosen_assignment
            )
        except Refused as refusal:
            form.add_error(None, refusal.message)
    if request.headers.get("X-Fragment"):
        if started is not None:
            return trial_fragment(request, started)
        return render(request, "student/refused.html", {"form": form}, status=422)
    if started is not None:
        chosen = request.POST.get("assignment", "")
        kept = f"&assignment={chosen}" if chosen.isalnum() else ""
        return redirect(f"{reverse('problem', args=[shown.slug])}?trial={started.pk}{kept}#desk")
    return _page(request, shown, version, form, status=422)


def trial_fragment(request: HttpRequest, run: Trial) -> HttpResponse:
    """What a trial run came to so far, for the drawer below the editor."""
    return render(request, "student/trial.html", {"run": tryout(request.user, run)})


def _page(
    request: HttpRequest,
    shown: Problem,
    version: Version,
    form: ProgramForm,
    *,
    run: Trial | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        **_frame(request, shown, version),
        "tab": "statement",
        "statement": _statement(shown, version),
        "form": form,
        "run": tryout(request.user, run) if run is not None else None,
    }
    return render(request, "student/problem.html", context, status=status)


def _frame(request: HttpRequest, shown: Problem, version: Version) -> dict[str, Any]:
    """What stands around every tab of a problem."""
    return {
        "here": "problems",
        "problem": shown,
        "version": version,
        "title": title_of(shown.slug, version),
        "facts": version.facts,
        "attempts": queries.submissions(request.user, problem=shown).count(),
    }


def _statement(shown: Problem, version: Version) -> SafeString | None:
    """The statement in the reader's language or in English; None when it is not one that a page can show."""
    package = package_of(version)
    texts = {language: path for language, path in package.statements.items() if path.suffix == ".md"}
    path = texts.get(get_language() or "en") or texts.get("en") or next(iter(texts.values()), None)
    if path is None:
        return None
    folder = path.parent

    def address(name: str) -> str | None:
        return reverse("statement-image", args=[shown.slug, version.number, name]) if _image(folder, name) else None

    return render_statement(
        as_text(path.read_bytes()),
        constants=package.constants,
        samples=_samples(version),
        image_address=address,
    )


def _samples(version: Version) -> list[Sample]:
    """The samples as their author wants them printed, which may differ from what is run."""
    extras = {case.name: case.extras for case in package_of(version).cases}
    return [
        _sample(number, case, extras.get(case.name, {}))
        for number, case in enumerate(version.cases.filter(group="sample"), 1)
    ]


def _sample(number: int, case: Case, extras: Mapping[str, Content]) -> Sample:
    if "interaction" in extras:
        return Sample(number=number, interaction=_printed(_bytes(extras["interaction"])))
    given = extras.get("in.statement")
    answer = extras.get("ans.statement", extras.get("out"))
    return Sample(
        number=number,
        input=_printed(store.get(case.input) if given is None else _bytes(given)),
        output=_printed(store.get(case.answer) if answer is None else _bytes(answer)),
    )


def _bytes(content: Content) -> bytes:
    return content if isinstance(content, bytes) else content.read_bytes()


def _printed(content: bytes) -> str:
    return as_text(content[:SAMPLE_BYTES]) + ("…" if len(content) > SAMPLE_BYTES else "")


def _asked(request: HttpRequest, key: str, find: Any) -> Any:
    """The row that the address names, if the reader may see it."""
    number = request.GET.get(key, "")
    return find(request.user, int(number)) if number.isdecimal() and len(number) < 18 else None


def _again(request: HttpRequest, sent: Submission | Trial) -> Mapping[str, str]:
    """What an earlier program puts into the form: its text when it is one file."""
    files = queries.sources(request.user, sent)
    name, content = next(iter(files.items()), ("", b""))
    own = store.get(sent.own_input) if isinstance(sent, Trial) and sent.own_input else b""
    return {
        "language": sent.language,
        "text": as_text(content) if len(files) == 1 else "",
        "filename": name if len(files) == 1 else "",
        "own_input": as_text(own),
    }
