"""The page of a problem: statement beside editor, and what is done there: try the program out, send it."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from judge.assignments.queries import problems
from judge.blobs import store
from judge.feedback.queries import mistakes
from judge.people.models import User
from judge.people.permissions import may_edit
from judge.people.refusal import Refused
from judge.submissions import actions, queries
from judge.submissions.models import Submission, Trial
from judge.submissions.targets import targets
from judge.web.highlight import as_text
from judge.web.pages import LongList
from judge.web.student.forms import ProgramForm, form_for
from judge.web.student.reading import page_of, reading_of, solution_of
from judge.web.student.tryout import tryout
from judge.web.student.worth import worth_of
from judge.web.words import title_of
from problems.models import Problem, Version

PAGE = 50


def problem(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: the page; `?from=` puts an earlier submission into the editor, `?trial=` a trial run; `?assignment=` chooses
    for what it is sent. POST: see `_act`."""
    shown, version = published(request, slug)
    if request.method == "POST":
        return _act(request, shown, version)
    found = targets(request.user, shown, request.GET.get("assignment", ""))
    form, run = form_for(version, targets=found), None
    if request.user.is_authenticated:
        earlier = _asked(request, "from", queries.submission)
        run = _asked(request, "trial", queries.trial)
        if run is not None and run.version.problem_id != shown.pk:
            run = None
        prefill = run or earlier
        if prefill is not None:
            form = form_for(version, targets=found, initial=_again(request, prefill))
    return _page(request, shown, version, form, run=run)


@require_safe
def attempts(request: HttpRequest, slug: str) -> HttpResponse:
    """The reader's own submissions to a problem, and those of the courses whose work they see."""
    shown, version = published(request, slug)
    found = queries.submissions(request.user, problem=shown)
    return render(
        request,
        "student/attempts.html",
        {
            **frame(request, shown, version),
            "tab": "attempts",
            "mistakes": mistakes(request.user, shown),
            "page": LongList(found, PAGE).get_page(request.GET.get("page")),
        },
    )


def published(request: HttpRequest, slug: str) -> tuple[Problem, Version]:
    """The problem and its live version, if the reader may see it, or 404."""
    shown = get_object_or_404(problems(request.user), slug=slug)
    version = shown.live
    assert version is not None
    return shown, version


def _act(request: HttpRequest, shown: Problem, version: Version) -> HttpResponse:
    """Send the program (`do=submit`), or try it on the samples or on an own input. Errors keep what was typed."""
    what = request.POST.get("do", "submit")
    found = targets(request.user, shown, request.POST.get("assignment", ""))
    form = form_for(version, request.POST, request.FILES, targets=found)
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
            if what == "submit" or form.answers:
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
    statement = reading_of(version, request.GET.get("lang", ""), staff=may_edit(request.user, shown))
    context = {
        **frame(request, shown, version),
        "tab": "statement",
        "title": title_of(shown.slug, version, statement.language if statement else ""),
        "statement": statement,
        "form": form,
        "run": tryout(request.user, run) if run is not None else None,
    }
    return page_of(statement, lambda: render(request, "student/problem.html", context, status=status))


@require_safe
def solution(request: HttpRequest, slug: str) -> HttpResponse:
    """How the problem is solved, as its author describes it: for who may edit it only."""
    shown, version = published(request, slug)
    if not may_edit(request.user, shown):
        raise Http404
    described = solution_of(version, request.GET.get("lang", ""))
    context = {**frame(request, shown, version), "tab": "solution", "statement": described}
    return page_of(described, lambda: render(request, "student/solution.html", context))


def frame(request: HttpRequest, shown: Problem, version: Version) -> dict[str, Any]:
    """What stands around every tab of a problem."""
    return {
        "here": "problems",
        "problem": shown,
        "version": version,
        "title": title_of(shown.slug, version),
        "facts": version.facts,
        "worth": worth_of(version),
        "edits": may_edit(request.user, shown),
        "attempts": LongList(queries.submissions(request.user, problem=shown), PAGE).count,
    }


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
