"""Looks after what is owed: takes rows from workers that went silent, and sends lost messages again.

Everything it does is a compare-and-swap, so that two sweepers at once would do no harm; `judge.submissions.turns` only
spares them the trouble.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import structlog
from django.apps import apps
from django.conf import settings
from django.db.models.functions import Now
from django.utils import timezone

from judge.blobs import compiled
from judge.config.celery import QUEUES
from judge.submissions import fit, hints, ledger
from judge.submissions.models import Owed, State, Worker
from judge.submissions.signals import swept as swept_signal

log = structlog.get_logger(__name__)

EVERY_SECONDS = 5
TURN = "sweeper"
"""Name of the turn that the one who acts has."""
TURN_SECONDS = EVERY_SECONDS + 5
LOST_AFTER = timedelta(seconds=15)
"""A row that waits and was not announced to the workers for so long may have lost its message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """What one round did, in rows."""

    returned: int
    """Taken from a silent worker and queued again."""
    ended: int
    """Taken from a silent worker after the last attempt."""
    sent_again: int
    """Announced again, because the message seems lost."""


def owed(queue: str | None = None) -> list[type[Owed]]:
    """Every kind of row that is owed, also those of rooms above; with `queue`, those that wait there."""
    models = [model for model in apps.get_models() if issubclass(model, Owed)]
    return [model for model in models if queue in (None, model.QUEUE)]


def sweep() -> Swept:
    """One round."""
    returned = ended = 0
    for model in owed():
        for row in ledger.expired(model):
            again = ledger.take_from_the_silent(row)
            returned += again
            ended += not again
            if again:
                hints.send(row, first=True)
            hints.announce(row)
    workers = fit.at_work()
    sent_again = sum(_send_lost_again(queue, workers) for queue in QUEUES)
    swept = Swept(returned=returned, ended=ended, sent_again=sent_again)
    swept_signal.send_robust(sender=None)
    _tidy()
    if returned or ended or swept.sent_again:
        log.info("swept", returned=returned, ended=ended, sent_again=swept.sent_again)
    return swept


def _send_lost_again(queue: str, workers: Sequence[Worker]) -> int:
    """Messages carry no news, so it is enough that there are as many as rows that wait: only what lacks is sent.

    What no worker can do waits without one until a worker has come that can.
    """
    in_queue = hints.waiting(queue)
    if in_queue is None:
        return 0
    undoable = fit.undoable(queue, owed(queue), workers)
    waiting = [model.objects.filter(state=State.QUEUED).exclude(needs__in=list(undoable)) for model in owed(queue)]
    lacking = sum(rows.count() for rows in waiting) - in_queue
    sent = 0
    for rows in waiting:
        lost = rows.filter(hinted__lt=Now() - LOST_AFTER).order_by("due", "pk")
        for row in lost[: max(lacking - sent, 0)]:
            if not hints.send(row, first=row.attempt > 0):
                return sent
            type(row).objects.filter(pk=row.pk).update(hinted=Now())
            sent += 1
    return sent


def _tidy() -> None:
    now = timezone.now()
    Worker.objects.filter(seen__lt=now - timedelta(days=1)).delete()
    old = now - timedelta(days=settings.TRIALS_KEPT_DAYS)
    for model in owed():
        model.passing().filter(state__in=(State.DONE, State.ABANDONED), finished__lt=old).delete()
    if now.timestamp() % compiled.TURN_SECONDS < EVERY_SECONDS:
        compiled.tidy()
