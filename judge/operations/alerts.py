"""What whoever runs the site must look at now, in sentences. Found in the rows, so that every process sees the same."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django.utils import timezone

from judge.config.celery import LIVE_QUEUE, QUEUES
from judge.grading.verdict import Verdict
from judge.submissions import fit
from judge.submissions.fit import HEARD_OF
from judge.submissions.models import Judgement, State, Turn, Worker
from judge.submissions.queries import language_label
from judge.submissions.sweeper import TURN, owed
from judge.submissions.workers import STOPPED

log = structlog.get_logger(__name__)

GONE = timedelta(hours=1)
"""A worker silent for longer is taken to be no part of the site any more."""
UNHURRIED = 12
"""What nobody watches may wait so many times longer than a submission."""
LEASE_GRACE = timedelta(seconds=60)
NO_WORKER = "no worker"
STARTING_SECONDS = 600
"""So long after a start nobody is told that there is no worker: the first one tries its compilers and its sandbox."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """One thing to look at."""

    key: str
    """The same for as long as it lasts: whoever was told of it once is not told again."""
    text: str
    about: str = ""
    """The row it is about, for whoever may see everything."""
    since: datetime | None = None


def alerts() -> list[Alert]:
    """All there are now, the worst first; a fixed number of queries for each kind of work."""
    now = timezone.now()
    return [*_workers(now), *_sweeper(now), *_undoable(), *_waiting(now), *_held(now), *_judge_errors(now)]


def _workers(now: datetime) -> Iterator[Alert]:
    heard = list(Worker.objects.filter(seen__gt=now - GONE).exclude(trouble=STOPPED))
    lively = [worker for worker in heard if worker.seen > now - HEARD_OF]
    if not any(worker.judges and not worker.trouble for worker in lively):
        yield Alert(key=NO_WORKER, text="No worker takes submissions: they wait until one is started.")
    for worker in heard:
        if worker.seen <= now - HEARD_OF:
            text = f"{worker.name} has not been heard of. What it worked on goes back to the queue by itself."
            yield Alert(key=f"silent {worker.name}", text=text, since=worker.seen)
        elif worker.trouble:
            yield Alert(key=f"trouble {worker.name}", text=f"{worker.name} takes no work. {worker.trouble}")


def _sweeper(now: datetime) -> Iterator[Alert]:
    turn = Turn.objects.filter(name=TURN).first()
    if turn is None or turn.until is None or turn.until < now:
        text = "No sweeper is at work: what dead workers held, and lost messages, wait until one is started."
        yield Alert(key="no sweeper", text=text, since=turn.until if turn else None)


def _undoable() -> Iterator[Alert]:
    """What waits for a worker that is not there, by what is lacking."""
    workers = fit.at_work()
    for queue in QUEUES:
        for needs, lacks in sorted(fit.undoable(queue, owed(queue), workers).items()):
            number = 0
            since: list[datetime] = []
            for model in owed(queue):
                rows = model.objects.filter(state=State.QUEUED, needs=needs)
                number += rows.count()
                since += rows.order_by("queued").values_list("queued", flat=True)[:1]
            with_what = " and ".join(map(language_label, lacks)) or "newer code"
            wait = "1 row waits" if number == 1 else f"{number} rows wait"
            text = f"In the queue {queue}, {wait} for a worker with {with_what}; none that is at work there has it."
            yield Alert(key=f"undoable {queue} {with_what}", text=text, since=min(since, default=None))


def _waiting(now: datetime) -> Iterator[Alert]:
    for queue in QUEUES:
        allowed = timedelta(seconds=settings.ALERT_SECONDS * (1 if queue == LIVE_QUEUE else UNHURRIED))
        late = [
            row
            for model in owed(queue)
            # What is due later is not late: its turn has not come.
            if (row := model.objects.filter(state=State.QUEUED, due__lte=now).order_by("queued").first()) is not None
            and row.queued < now - allowed
        ]
        if late:
            oldest = min(late, key=lambda row: row.queued)
            yield Alert(
                key=f"waiting {queue}",
                text=f"In the queue {queue}, something has waited for longer than it may (PALFREY_ALERT_SECONDS).",
                about=str(oldest),
                since=oldest.queued,
            )


def _held(now: datetime) -> Iterator[Alert]:
    for model in owed():
        lost = model.objects.filter(state=State.RUNNING, lease_until__lt=now - LEASE_GRACE).first()
        if lost is not None:
            text = "Something belongs to a worker that is gone, and nobody has taken it back."
            yield Alert(key=f"held {model.__name__}", text=text, about=str(lost), since=lost.lease_until)


def _judge_errors(now: datetime) -> Iterator[Alert]:
    failed = Judgement.objects.filter(
        finished__gt=now - timedelta(days=1), verdict=Verdict.JUDGE_ERROR.value, effective__isnull=False
    )
    number = failed.count()
    if number:
        was = "submission of the last day ended" if number == 1 else "submissions of the last day ended"
        yield Alert(key=f"judge errors {number}", text=f"{number} {was} in a judge error and can be judged again.")


class Watch:
    """Tells of each alert once: a line in the log, and a letter to PALFREY_ALERT_MAIL."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._since = time.monotonic()

    def look(self) -> None:
        """To be called now and then. A letter that cannot be sent is a line in the log."""
        starting = time.monotonic() - self._since < STARTING_SECONDS
        found = [alert for alert in alerts() if not (starting and alert.key == NO_WORKER)]
        new = [alert for alert in found if alert.key not in self._known]
        self._known = {alert.key for alert in found}
        for alert in new:
            log.error("alert", about=alert.key, text=alert.text, row=alert.about)
        if new and settings.ALERT_MAIL:
            text = "\n".join(f"{alert.text} ({alert.about})" if alert.about else alert.text for alert in new)
            try:
                send_mail("Palfrey needs a look", text, None, settings.ALERT_MAIL)
            except OSError as error:
                log.warning("the letter could not be sent", error=str(error))
