"""The plan: which submissions exactly, in which order, and what each takes at most. Nothing is run for it."""

import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from judge.blobs.store import BlobMissing
from judge.blobs.versions import package_of, ready_cases
from judge.grading.case import allowance_of
from judge.grading.job import Job, ReadyCase
from judge.grading.keys import Keys
from judge.grading.reuse import Forecast, remember
from judge.grading.score import Scoring
from judge.regrades.models import Plan, Regrade, RegradeItem, Stage
from judge.regrades.stages import move
from judge.submissions.actions import time_factor
from judge.submissions.models import CaseResult, Judgement, State, Submission
from judge.submissions.queries import toolchains
from judge.submissions.record import past_of
from judge.submissions.tasks import source_of
from problems.models import Version
from problems.package.model import Package

CHUNK = 100
CANARY_PART, CANARY_LEAST = 0.02, 10
"""So much of what is to be run goes first, chosen by lot, and at least so many."""
RUN_SECONDS = 0.03
"""What a run takes beside the program's own time; likewise a check."""
CHECK_SECONDS = 0.01
BATCH = 500


@dataclass(slots=True)
class Shelf:
    """Versions ready to be judged against, each opened once."""

    opened: dict[int, tuple[Package, tuple[ReadyCase, ...]]] = field(default_factory=dict)

    def of(self, version: Version) -> tuple[Package, tuple[ReadyCase, ...]]:
        """Raises what `package_of` raises."""
        if version.pk not in self.opened:
            self.opened[version.pk] = package_of(version), ready_cases(version)
        return self.opened[version.pk]


def freeze(regrade: Regrade, chosen: QuerySet[Submission, Submission]) -> int:
    """Write down the submissions, those first by which a student's standing is told; gives how many they are.

    Those that are still being judged have no result to compare with, and are left out; so are those of archived
    courses, which are only read.
    """
    read_only = chosen.filter(assignment__course__archived__isnull=False).count()
    chosen = chosen.filter(assignment__course__archived=None)
    over = chosen.filter(effective__judgement__state__in=(State.DONE, State.ABANDONED)).order_by("-sent", "-pk")
    columns = ("pk", "author", "problem", "effective__judgement", "effective__judgement__points", "language")
    rows = list(over.values_list(*columns))
    regrade.facts = {**regrade.facts, "languages": sorted({row[-1] for row in rows}), "archived": read_only}
    regrade.save(update_fields=["facts"])
    best: dict[tuple[int, int], tuple[Any, int]] = {}
    for pk, author, problem, _, points, _ in rows:
        if points is not None and points > best.get((author, problem), (-1, 0))[0]:
            best[author, problem] = points, pk
    telling = {pk for _, pk in best.values()}
    seen: set[tuple[int, int]] = set()
    for pk, author, problem, *_ in rows:
        if (author, problem) not in seen:
            seen.add((author, problem))
            telling.add(pk)
    ordered = sorted(rows, key=lambda row: row[0] not in telling)
    RegradeItem.objects.bulk_create(
        (
            RegradeItem(regrade=regrade, submission_id=pk, number=pk, base_id=base, position=position)
            for position, (pk, _, _, base, *_) in enumerate(ordered)
        ),
        batch_size=BATCH,
    )
    return len(rows)


def go_on(regrade: Regrade, seconds: float) -> bool:
    """Look up what the next items take, for about so many seconds; True when the plan is whole.

    Raises what `package_of` raises.
    """
    ends = time.monotonic() + seconds
    versions = targets(regrade)
    shelf = Shelf()
    languages = toolchains()
    while True:
        unknown = regrade.items.filter(plan="").order_by("position")
        items = list(unknown.select_related("submission__assignment", "base", "regrade")[:CHUNK])
        if not items:
            return _whole(regrade)
        results = results_of([item.base_id for item in items])
        for item in items:
            submission, base = item.submission, item.base
            item.plan = Plan.EVERYTHING
            if submission is not None and base is not None:
                opened = shelf.of(versions[submission.problem_id])
                known = _same_tools(base, submission, languages)
                _look_up(item, results.get(base.pk, []), opened, known_tools=known)
        keep(items, "plan", "runs", "checks", "kept", "cost")
        if time.monotonic() > ends:
            return not regrade.items.filter(plan="").exists() and _whole(regrade)


def keep(items: Sequence[RegradeItem], *columns: str) -> None:
    """Write these columns of rows that are there (an upsert, which is several times quicker than `bulk_update`)."""
    RegradeItem.objects.bulk_create(items, BATCH, update_conflicts=True, unique_fields=["pk"], update_fields=columns)


def targets(regrade: Regrade) -> dict[int, Version]:
    """Id of a problem -> version against which its submissions are judged."""
    return {one.problem_id: one.version for one in regrade.targets.select_related("version__problem")}


def results_of(judgements: Sequence[int | None]) -> dict[int, list[CaseResult]]:
    """Id of a judgement -> its results, in order."""
    found: dict[int, list[CaseResult]] = {}
    rows = CaseResult.objects.filter(judgement__in=[pk for pk in judgements if pk])
    for row in rows.order_by("judgement", "position"):
        found.setdefault(row.judgement_id, []).append(row)
    return found


def _look_up(
    item: RegradeItem, rows: list[CaseResult], opened: tuple[Package, tuple[ReadyCase, ...]], *, known_tools: bool
) -> None:
    submission, base = item.submission, item.base
    assert submission is not None
    assert base is not None
    anew = item.regrade.anew
    package, cases = opened
    try:
        factor = time_factor(submission.assignment, submission.language)
        job = Job(package=package, cases=cases, source=source_of(submission), time_factor=factor)
    except BlobMissing:  # it is told of when its turn comes
        item.runs = 1
        return
    known = past_of(base, rows) if known_tools and not anew else None
    names = tuple(test.name for test in job.tests)
    forecast = Forecast(run=names, check=(), keep=())
    if known is not None:
        keys = Keys(package, job.source, cases)
        forecast = remember(job, known, keys, Scoring(package, (case.group for case in cases))).forecast
    elif base.verdict == "compile_error" and not anew:
        forecast = Forecast(run=(), check=(), keep=())  # what its compiler said is kept, or found out again
    item.runs, item.checks, item.kept = len(forecast.run), len(forecast.check), len(forecast.keep)
    seconds = {row.name: row.cpu_seconds for row in rows if row.verdict}
    usual = sorted(seconds.values())[len(seconds) // 2] if seconds else 0.1
    limit = allowance_of(package.limits, time_factor=job.time_factor).cpu_seconds
    item.cost = sum(min(seconds.get(name, usual), limit) + RUN_SECONDS for name in forecast.run)
    item.cost += CHECK_SECONDS * len(forecast.check)
    item.plan = _plan(forecast)


def _plan(forecast: Forecast) -> Plan:
    if forecast.run:
        return Plan.SOME if forecast.check or forecast.keep else Plan.EVERYTHING
    return Plan.RECHECK if forecast.check else Plan.RESCORE


def _same_tools(base: Judgement, submission: Submission, languages: Any) -> bool:
    """Whether the workers of now judge with what it was judged with, as far as they say."""
    now = languages.get(submission.language, ())
    return not now or base.toolchain in now


def _whole(regrade: Regrade) -> bool:
    """Draw the canary and say what the plan comes to."""
    active = regrade.items.filter(Q(runs__gt=0) | Q(checks__gt=0)).order_by("position")
    numbers = list(active.values_list("pk", flat=True))
    wanted = min(max(CANARY_LEAST, round(CANARY_PART * len(numbers))), len(numbers))
    drawn = random.Random(regrade.pk).sample(numbers, wanted)  # noqa: S311 - which go first is no secret
    for start in range(0, len(drawn), BATCH):
        RegradeItem.objects.filter(pk__in=drawn[start : start + BATCH]).update(canary=True)
    sums = regrade.items.aggregate(
        submissions=Count("pk"),
        students=Count("submission__author", distinct=True),
        runs=Sum("runs"),
        checks=Sum("checks"),
        kept=Sum("kept"),
        seconds=Sum("cost"),
    )
    plans = Counter(regrade.items.values_list("plan", flat=True))
    facts = {**regrade.facts, "plan": {**{name: value or 0 for name, value in sums.items()}, "plans": dict(plans)}}
    move(regrade, (Stage.DRAFT,), Stage.PLANNED, facts=facts)
    return True


def versions_before(regrade: Regrade) -> dict[int, list[Version]]:
    """Id of a problem -> the versions by which its submissions were judged before, newest first."""
    found: dict[int, list[Version]] = {}
    bases = regrade.items.filter(base__isnull=False).values("base__version").distinct()
    for version in Version.objects.filter(pk__in=bases).order_by("-number"):
        found.setdefault(version.problem_id, []).append(version)
    return found
