"""What the operations page shows beside the queue: figures, hours, workers with what each does, languages."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median, quantiles

from django.db.models import Count, DurationField, ExpressionWrapper, F
from django.db.models.functions import TruncHour
from django.utils import timezone

from judge.grading.verdict import Verdict
from judge.submissions.models import Judgement, Owed, State, Submission, Worker
from judge.submissions.queries import HEARD_OF
from judge.submissions.sweeper import owed
from judge.submissions.workers import STOPPED

LAST = 200
"""Of so many judgements times are told."""
SHOWN = timedelta(minutes=10)
"""A worker silent for longer is left out, unless it still holds work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """How the judging goes."""

    median_seconds: float | None
    """From sending to verdict, of the last `LAST` judgements of a day; None: there are too few."""
    late_seconds: float | None
    """Nineteen of twenty were quicker."""
    day: int
    """Submissions of the last 24 hours."""
    judge_errors: int
    """Of the last 24 hours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtWork:
    """A worker, and what its processes do."""

    worker: Worker
    alive: bool
    doing: Sequence[Owed]


def figures() -> Figures:
    day = timezone.now() - timedelta(days=1)
    judged = Judgement.objects.filter(finished__gt=day)
    took = ExpressionWrapper(F("finished") - F("queued"), output_field=DurationField())
    last = judged.order_by("-finished").values_list("state", took)[:LAST]  # by its index: no condition on the state
    seconds = [each.total_seconds() for state, each in last if state == State.DONE]
    return Figures(
        median_seconds=median(seconds) if seconds else None,
        late_seconds=quantiles(seconds, n=20, method="inclusive")[18] if len(seconds) > 1 else None,
        day=Submission.objects.filter(sent__gt=day).count(),
        judge_errors=judged.filter(verdict=Verdict.JUDGE_ERROR.value).count(),
    )


def hours() -> list[tuple[datetime, int]]:
    """Submissions in each of the last 24 hours, the oldest first."""
    now = timezone.now().replace(minute=0, second=0, microsecond=0)
    first = now - timedelta(hours=23)
    sent = Submission.objects.filter(sent__gte=first).order_by().annotate(hour=TruncHour("sent", tzinfo=now.tzinfo))
    found: Mapping[datetime, int] = dict(sent.values_list("hour").annotate(number=Count("pk")))
    return [(hour, found.get(hour, 0)) for hour in (first + timedelta(hours=number) for number in range(24))]


def at_work() -> list[AtWork]:
    """Every worker that lives, or was heard of not long ago, or still holds work."""
    doing: dict[str, list[Owed]] = defaultdict(list)
    for model in owed():
        for row in model.objects.filter(state=State.RUNNING).order_by("started")[:100]:
            doing[row.worker.rpartition("/")[0]].append(row)
    now = timezone.now()
    return [
        AtWork(worker=worker, alive=worker.seen > now - HEARD_OF, doing=doing[worker.name])
        for worker in Worker.objects.all()[:100]
        if doing[worker.name] or (worker.seen > now - SHOWN and worker.trouble != STOPPED)
    ]
