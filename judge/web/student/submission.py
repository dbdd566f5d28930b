"""The page of a submission, and its moving part, which the page reads again whenever it is told of a change."""

import io
import zipfile
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.text import get_valid_filename
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judge.assignments.queries import rules_for
from judge.blobs import store
from judge.blobs.store import BlobMissing
from judge.feedback.actions import note_shown
from judge.feedback.ladder import Rung
from judge.feedback.queries import class_seconds
from judge.grading.draw import HEADERS
from judge.grading.languages import LANGUAGES
from judge.people.permissions import may_have_judged_again
from judge.submissions import queries
from judge.submissions.models import Submission
from judge.web.highlight import source_lines
from judge.web.student.feedback import feedback, replay
from judge.web.student.problem import trial_fragment
from judge.web.student.story import story
from judge.web.words import title_of


@login_required
@require_safe
@never_cache
def submission(request: HttpRequest, pk: int) -> HttpResponse:
    """The whole page; what moves in it is also what `fragment` gives."""
    shown = _own(request, pk)
    return render(
        request,
        "student/submission.html",
        {
            **_told(request, shown),
            "title": title_of(shown.problem.slug, shown.problem.live or shown.effective.judgement.version),
            "attempt": _attempt(shown),
            "sources": _sources(request, shown),
        },
    )


@login_required
@require_safe
@never_cache
def fragment(request: HttpRequest, pk: int) -> HttpResponse:
    """The moving part alone."""
    return render(request, "student/story.html", _told(request, _own(request, pk)))


@login_required
@require_safe
@never_cache
def trial(request: HttpRequest, pk: int) -> HttpResponse:
    """The moving part of a trial run."""
    run = queries.trial(request.user, pk)
    if run is None:
        raise Http404
    return trial_fragment(request, run)


@login_required
@require_safe
@never_cache
def replayed(request: HttpRequest, pk: int) -> HttpResponse:
    """What should happen on the counterexample, played, with what the program said beside it."""
    shown = _own(request, pk)
    found = replay(request.user, shown)
    if found is None:
        raise Http404
    note_shown(request.user, shown, Rung.REPLAY)
    context = {
        "here": "problems",
        "submission": shown,
        "problem": shown.problem,
        "title": title_of(shown.problem.slug, shown.effective.judgement.version),
        "feedback": found[0],
        "figure": found[1],
    }
    return render(request, "student/replay.html", context)


@login_required
@require_safe
def picture(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """A picture of the counterexample, for who is shown it on the page."""
    shown = _own(request, pk)
    found = next((one for one in feedback(request.user, shown).pictures if one.number == number), None)
    try:
        content = store.get(found.digest) if found is not None else None
    except BlobMissing:
        content = None
    if found is None or content is None:
        raise Http404
    return HttpResponse(content, content_type=found.media_type, headers=dict(HEADERS))


@login_required
@require_safe
def download(request: HttpRequest, pk: int) -> HttpResponse:
    """The files as they were sent: the one file itself, or several in a zip. Never shown by the browser."""
    shown = _own(request, pk)
    files = queries.sources(request.user, shown)
    if len(files) == 1:
        name, content = next(iter(files.items()))
    else:
        name, content = f"submission-{shown.pk}.zip", _zipped(files)
    response = HttpResponse(content, content_type="application/octet-stream")
    response["Content-Disposition"] = f'attachment; filename="{_safe_name(name)}"'
    return response


@login_required
@require_safe
def output(request: HttpRequest, pk: int, position: int, stream: str) -> HttpResponse:
    """What the program printed on a case, as plain text: samples for its author, everything for staff."""
    if stream not in {"stdout", "stderr"}:
        raise Http404
    shown = _own(request, pk)
    content = queries.case_output(request.user, shown.effective.judgement_id, position, stderr=stream == "stderr")
    if content is None:
        raise Http404
    return HttpResponse(content.decode("utf-8", "replace"), content_type="text/plain; charset=utf-8")


def _own(request: HttpRequest, pk: int) -> Submission:
    shown = queries.submission(request.user, pk)
    if shown is None:
        raise Http404
    return shown


def _told(request: HttpRequest, shown: Submission) -> dict[str, Any]:
    told = story(request.user, shown)
    if told is None:
        raise Http404
    helps = feedback(request.user, shown)
    note_shown(request.user, shown, helps.rung)
    others = class_seconds(request.user, shown, shown.effective.judgement) if told.final else {}
    for case in told.facts["cases"]:
        case["class_range"] = others.get(case["position"])
    return {
        "here": "problems",
        "submission": shown,
        "story": told,
        "feedback": helps,
        "compared": bool(others),
        "days_late": _days_late(shown),
        "staff": may_have_judged_again(request.user, queries.course_of(shown)),
    }


def _days_late(shown: Submission) -> int:
    if shown.assignment is None:
        return 0
    return rules_for(shown.assignment, shown.author_id).days_late(shown.sent)


def _attempt(shown: Submission) -> int:
    """Which of its author's submissions to the problem this is."""
    earlier = Submission.objects.filter(author=shown.author_id, problem=shown.problem_id, pk__lte=shown.pk)
    return earlier.count()


def _sources(request: HttpRequest, shown: Submission) -> list[tuple[str, SafeString | None]]:
    """Name and coloured lines of every file; None for the lines when the store has lost its bytes."""
    code = LANGUAGES[shown.language].code if shown.language in LANGUAGES else ""
    try:
        files = queries.sources(request.user, shown)
    except BlobMissing:
        return [(file["name"], None) for file in shown.files]
    return [(name, source_lines(content, code, f"s{number}")) for number, (name, content) in enumerate(files.items())]


def _zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _safe_name(name: str) -> str:
    """A name that fits into a header, whatever the student's file was called."""
    return get_valid_filename(
        name.rsplit("/", 1)[-1].encode("ascii", "replace").decode().replace("?", "_") or "program"
    )
