"""The queue for staff: what runs where, what waits and for how long, who works, what needs a look."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from judge.authoring import queries as authoring
from judge.operations.alerts import alerts
from judge.operations.overview import at_work, figures, hours, languages
from judge.people.models import User
from judge.people.permissions import is_admin, may_have_judged_again
from judge.people.refusal import Refused
from judge.submissions import actions, queries


@login_required
@require_safe
@never_cache
def queue(request: HttpRequest) -> HttpResponse:
    return render(request, "operator/queue.html", _told(request))


@login_required
@require_safe
@never_cache
def fragment(request: HttpRequest) -> HttpResponse:
    """The moving part alone."""
    return render(request, "operator/queue_story.html", _told(request))


@login_required
@require_POST
def judge_again(request: HttpRequest, pk: int) -> HttpResponse:
    """The one click after a judge error."""
    assert isinstance(request.user, User)
    submission = queries.submission(request.user, pk)
    if submission is None:
        raise Http404
    if not may_have_judged_again(request.user, queries.course_of(submission)):
        raise PermissionDenied
    try:
        actions.judge_again(request.user, submission)
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect("submission", pk=pk)


def _told(request: HttpRequest) -> dict[str, Any]:
    overview = queries.queue_overview(request.user)
    if overview is None:
        raise PermissionDenied
    now = timezone.now()
    waiting = overview["waiting"]
    oldest = min((row.queued for row in waiting), default=None)
    return {
        "here": "queue",
        "overview": overview,
        "errands": authoring.unfinished(),
        "now": now,
        "oldest": (now - oldest).total_seconds() if oldest else None,
        "alerts": alerts(),
        "figures": figures(),
        "bars": _bars(hours()),
        "workers": [
            {"one": one, "heard": max(0.0, (now - one.worker.seen).total_seconds())} for one in at_work(request.user)
        ],
        "everything": is_admin(request.user),
        "languages": languages(),
    }


def _bars(counted: list[tuple[datetime, int]]) -> dict[str, Any]:
    """A bar an hour, as high as its submissions are many."""
    most = max((number for _, number in counted), default=0)
    heights = [max(2, round(76 * number / most)) if number else 1 for _, number in counted] if most else []
    bars = [{"x": 40 * place, "y": 80 - height, "height": height} for place, height in enumerate(heights)]
    busiest = max(counted, key=lambda one: one[1])
    return {"bars": bars, "most": most, "when": busiest[0]}
