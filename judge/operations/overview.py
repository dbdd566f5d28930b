"""What the operations page shows beside the queue: figures, hours, workers with what each does, languages."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median, quantiles

from django.db.models import Count, DurationField, ExpressionWrapper, F
from django.db.models.functions import TruncHour
from django.utils import timezone

from judge.grading.languages import LANGUAGES
from judge.grading.verdict import Verdict
from judge.people.permissions import Viewer, is_admin
from judge.submissions.fit import HEARD_OF
from judge.submissions.models import Judgement, Owed, State, Submission, Worker
from judge.submissions.queries import workers_that_judge
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
    busy: int
    """How many rows its processes work on."""
    doing: Sequence[Owed]
    """Those rows, for whoever may see all work."""
    without: Sequence[str]
    """Labels of languages that it lacks and another worker has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A language that can be judged now."""

    name: str
    versions: Sequence[str]
    """Of compiler or interpreter, each different one once."""
    workers: int
    """How many of those that judge have it."""
    of: int
    alike: bool
    """Whether compiler, libraries and sandbox are the same to the byte on all of them."""


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


def at_work(viewer: Viewer) -> list[AtWork]:
    """Every worker that lives, or was heard of not long ago, or still holds work."""
    doing: dict[str, list[Owed]] = defaultdict(list)
    for model in owed():
        for row in model.objects.filter(state=State.RUNNING).order_by("started")[:100]:
            doing[row.worker.rpartition("/")[0]].append(row)
    now = timezone.now()
    workers = [
        worker
        for worker in Worker.objects.all()[:100]
        if doing[worker.name] or (worker.seen > now - SHOWN and worker.trouble != STOPPED)
    ]
    languages = [name for name in LANGUAGES if any(name in worker.languages for worker in workers)]
    everything = is_admin(viewer)
    return [
        AtWork(
            worker=worker,
            alive=worker.seen > now - HEARD_OF,
            busy=len(doing[worker.name]),
            doing=doing[worker.name] if everything else (),
            without=[LANGUAGES[name].label for name in languages if name not in worker.languages],
        )
        for worker in workers
    ]


def languages() -> list[Offered]:
    """What the workers that judge have, in the order of the table of languages."""
    judging = workers_that_judge()
    found = []
    for name in LANGUAGES:
        having = [worker for worker in judging if name in worker.languages]
        if having:
            versions = dict.fromkeys(str(worker.toolchains.get(name, "")) for worker in having)
            alike = len({worker.tools.get(name, "") for worker in having}) == 1
            found.append(
                Offered(name=name, versions=tuple(versions), workers=len(having), of=len(judging), alike=alike)
            )
    return found
