"""The streams of the pages: see `judge.submissions.live`."""

from collections.abc import Callable

from asgiref.sync import sync_to_async
from django.db import connections
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from judge.authoring import queries as authoring
from judge.authoring.models import Errand
from judge.feedback.queries import unfinished
from judge.people.permissions import Viewer
from judge.regrades import queries as regrades
from judge.regrades.models import Regrade, Stage
from judge.submissions import hints, queries
from judge.submissions.live import stream
from judge.submissions.models import Judgement, Trial


async def submission(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The stream of a submission, for whoever may see it."""
    await _must_see(request, lambda viewer: queries.submission(viewer, pk) is not None)
    return stream(hints.submission_channel(pk), submission_over, pk)


async def trial(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The stream of a trial run, for whoever may see it."""
    await _must_see(request, lambda viewer: queries.trial(viewer, pk) is not None)
    return stream(hints.trial_channel(pk), trial_over, pk)


async def errand(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The stream of long work of the problem desk, for whoever may see its problem."""
    await _must_see(request, lambda viewer: authoring.errand(viewer, pk) is not None)
    return stream(Errand(pk=pk).channel, errand_over, pk)


async def regrade(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The stream of a regrade, for whoever may see it."""
    await _must_see(request, lambda viewer: regrades.regrade(viewer, pk) is not None)
    return stream(Regrade(pk=pk).channel, regrade_over, pk)


def submission_over(pk: int) -> bool:
    """Whether it is judged, and what comes after that is there as well."""
    judgement = Judgement.objects.select_related("submission").filter(effective__submission=pk).first()
    return judgement is None or (judgement.over and not unfinished(judgement.submission, judgement))


def trial_over(pk: int) -> bool:
    run = Trial.objects.filter(pk=pk).first()
    return run is None or run.over


def errand_over(pk: int) -> bool:
    row = Errand.objects.filter(pk=pk).first()
    return row is None or row.over


def regrade_over(pk: int) -> bool:
    row = Regrade.objects.filter(pk=pk).first()
    return row is None or row.stage not in (Stage.DRAFT, Stage.RUNNING)


async def _must_see(request: HttpRequest, allowed: Callable[[Viewer], bool]) -> None:
    viewer = await request.auser()
    seen = await sync_to_async(allowed)(viewer)
    await sync_to_async(connections.close_all)()
    if not seen:
        raise Http404
