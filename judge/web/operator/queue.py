"""The queue for staff: what runs where, what waits and for how long, who works, what needs a look."""

from datetime import timedelta
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
from judge.people.models import User
from judge.people.permissions import may_have_judged_again
from judge.people.refusal import Refused
from judge.submissions import actions, queries

ALIVE = timedelta(seconds=90)
"""A worker not heard of for longer than this is shown as silent."""
GONE = timedelta(minutes=10)
"""After this it is left out, unless it still holds work."""


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
    holders = {one.worker.rpartition("/")[0] for one in overview["running"]}
    return {
        "here": "queue",
        "overview": overview,
        "errands": authoring.unfinished(),
        "now": now,
        "oldest": (now - waiting[0].queued).total_seconds() if waiting else None,
        "workers": [
            (worker, worker.seen > now - ALIVE)
            for worker in overview["workers"]
            if worker.seen > now - GONE or worker.name in holders
        ],
    }
