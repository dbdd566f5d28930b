"""Who works on a regrade: shifts, each a worker's time on it. The items are the plan, so that nothing else is lost.

A shift takes the next items, judges them, and writes what came of them in one transaction under its fence. It ends
after a while, when somebody paused or stopped the regrade, or when live work waits; `advance` then sends the next ones.
A worker that dies is noticed by its lease, and its items are taken up again.
"""

import time
from datetime import timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Count, Sum
from django.db.models.functions import Now

from judge.blobs.versions import programs_of
from judge.grading.needs import authoring, judging, words
from judge.regrades import canary, planning, stages
from judge.regrades.judging import Done, Judging
from judge.regrades.models import Outcome, Regrade, RegradeItem, Shift, Stage
from judge.submissions import hints
from judge.submissions.fit import as_far_as_there
from judge.submissions.ledger import Claim
from judge.submissions.models import CaseResult, Judgement, State
from judge.submissions.tasks import workshop
from problems.say import say
from sandbox.contract import Sandbox

log = structlog.get_logger(__name__)

SHIFT_SECONDS = 15.0
PARALLEL = 8
"""Shifts of one regrade that wait or work at the same time; how many really work is what the workers are."""
CHUNK, CHUNK_SECONDS = 100, 1.0
"""Items that are written down together: so many, or of so much expected work."""
WAITED = timedelta(seconds=2)
"""Live work that has waited for longer goes first, also where one worker does both."""


def run(claim: Claim[Shift], box: Sandbox) -> None:
    """Do a claimed shift. Raises `SandboxFault`, and `FenceLost` once somebody else has it."""
    regrade = Regrade.objects.get(pk=claim.row.regrade_id)
    ends = time.monotonic() + SHIFT_SECONDS
    if regrade.stage == Stage.DRAFT:
        planning.go_on(regrade, SHIFT_SECONDS)
    elif _may_go_on(regrade):
        _work(claim, regrade, box, ends)
    with claim.finish():
        pass
    advance(regrade.pk)
    hints.announce_on(regrade.channel)


def advance(pk: int) -> None:
    """Send what shifts the regrade needs now, or end it when everything is judged. Harmless at any time."""
    with transaction.atomic():
        regrade = Regrade.objects.select_for_update().filter(pk=pk).first()
        if regrade is None:
            return
        active = regrade.shifts.filter(state__in=(State.QUEUED, State.RUNNING)).count()
        if regrade.stage == Stage.DRAFT:
            wanted = 1
        elif regrade.stage == Stage.RUNNING and not regrade.paused:
            wanted = _wanted(regrade, active)
        else:
            return
        if wanted > active:
            needs = "" if regrade.stage == Stage.DRAFT else needs_of(regrade)
            for _ in range(wanted - active):
                hints.send_on_commit(Shift.objects.create(regrade=regrade, needs=needs))


def needs_of(regrade: Regrade) -> str:
    """What a worker must offer to judge its submissions, whichever comes next, and the examples that go first."""
    languages = set(regrade.facts.get("languages", ()))
    for version in planning.targets(regrade).values():
        languages |= programs_of(version, judging)
        if regrade.tried is None:
            languages |= as_far_as_there(programs_of(version, authoring), Shift.QUEUE)
    return words(languages)


def _wanted(regrade: Regrade, active: int) -> int:
    _tidy(regrade)
    open_items = regrade.items.filter(outcome=Outcome.OPEN)
    if regrade.tried is None:
        if not regrade.items.filter(canary=True).exists() or _canary_is_over(regrade):
            Regrade.objects.filter(pk=regrade.pk, tried=None).update(tried=Now())
        else:
            return 1
    waiting = open_items.filter(shift=None).aggregate(items=Count("pk"), seconds=Sum("cost"))
    if waiting["items"]:
        chunks = max(waiting["items"] / CHUNK, waiting["seconds"] / CHUNK_SECONDS)
        return min(PARALLEL, 1 + int(chunks / 2))
    if not active and not open_items.exists():
        stages.move(regrade, (Stage.RUNNING,), Stage.READY, finished=Now())
    return 0


def _canary_is_over(regrade: Regrade) -> bool:
    return "examples" in regrade.facts and not regrade.items.filter(canary=True, outcome=Outcome.OPEN).exists()


def _tidy(regrade: Regrade) -> None:
    """Items of shifts that ended without a word."""
    held = regrade.items.filter(outcome=Outcome.OPEN)
    held.filter(shift__state=State.DONE).update(shift=None)
    note = {"kind": "fault", "note": say("said", "The judge failed three times on it.")}
    held.filter(shift__state=State.ABANDONED).update(outcome=Outcome.FAULT, chosen=False, cause=note)


def _may_go_on(regrade: Regrade) -> bool:
    regrade.refresh_from_db()
    return regrade.stage == Stage.RUNNING and not regrade.paused


def _work(claim: Claim[Shift], regrade: Regrade, box: Sandbox, ends: float) -> None:
    judging = Judging(regrade=regrade, versions=planning.targets(regrade), box=box, workshop=workshop())
    if not _try_examples(claim, regrade, judging, box, ends):
        return
    while items := _take(claim, regrade):
        results = planning.results_of([item.base_id for item in items])
        done: list[Done] = []
        written = time.monotonic() + 2 * CHUNK_SECONDS
        for item in items:
            done.append(judging.judge(item, results.get(item.base_id or 0, [])))
            if time.monotonic() > written:
                break
        _write(claim, done)
        hints.announce_on(regrade.channel)
        objection = canary.faults(regrade)
        if objection:
            stages.fail(regrade, objection)
            return
        if _is_over(regrade, ends):
            return


def _try_examples(claim: Claim[Shift], regrade: Regrade, judging: Judging, box: Sandbox, ends: float) -> bool:
    """Judge the examples, each written down when it is done: the next shift goes on where this one ends.

    True: nothing is left of them, and the regrade may go on to submissions.
    """
    if regrade.tried is not None or "examples" in regrade.facts or not regrade.items.filter(canary=True).exists():
        return True
    told: list[dict[str, Any]] = regrade.facts.get("trying", [])
    left = canary.examples(regrade, judging.versions.values(), judging.shelf, box, known=len(told))
    for one in left:
        told.append(one)
        with claim.write(progress="canary"):
            regrade.refresh_from_db()
            regrade.facts["trying"] = told
            Regrade.objects.filter(pk=regrade.pk).update(facts=regrade.facts)
        hints.announce_on(regrade.channel)
        if objection := canary.objection([one]):
            stages.fail(regrade, objection)
            return False
        if _is_over(regrade, ends):
            return False
    with claim.write(progress="canary"):
        regrade.refresh_from_db()
        regrade.facts["examples"] = regrade.facts.pop("trying", [])
        Regrade.objects.filter(pk=regrade.pk).update(facts=regrade.facts)
    return True


def _is_over(regrade: Regrade, ends: float) -> bool:
    """Its time is up, somebody paused or stopped the regrade, or live work waits."""
    return time.monotonic() > ends or not _may_go_on(regrade) or _live_work_waits()


def _take(claim: Claim[Shift], regrade: Regrade) -> list[RegradeItem]:
    """The next items, ours from now on; the canary's alone until it has passed. First what is left of those before."""
    with claim.write():
        mine = RegradeItem.objects.filter(shift=claim.row, outcome=Outcome.OPEN)
        mine = mine.select_related("submission__assignment", "base").order_by("position")
        if left := list(mine.all()):
            return left
        free = regrade.items.filter(outcome=Outcome.OPEN, shift=None)
        if regrade.tried is None and regrade.items.filter(canary=True).exists():
            free = free.filter(canary=True)
        chunk: list[int] = []
        cost = 0.0
        for pk, seconds in free.order_by("position").values_list("pk", "cost")[:CHUNK]:
            if chunk and cost + seconds > CHUNK_SECONDS:
                break
            chunk.append(pk)
            cost += seconds
        RegradeItem.objects.filter(pk__in=chunk, outcome=Outcome.OPEN, shift=None).update(shift=claim.row)
        return list(mine.all())


def _write(claim: Claim[Shift], done: list[Done]) -> None:
    """Everything of a chunk in one transaction, if the shift is still ours."""
    columns = ["outcome", "gain", "cause", "chosen", "runs", "checks", "kept", "new"]
    with claim.write(progress=str(len(done))):
        there = set(
            RegradeItem.objects.filter(pk__in=[one.item.pk for one in done], submission__isnull=False).values_list(
                "pk", flat=True
            )
        )
        for one in done:
            if one.item.pk not in there:
                one.item.outcome, one.judgement, one.rows = Outcome.GONE, None, []
        judged = [one for one in done if one.judgement is not None]
        Judgement.objects.bulk_create([one.judgement for one in judged if one.judgement is not None])
        for one in judged:
            one.item.new = one.judgement
        CaseResult.objects.bulk_create((row for one in judged for row in one.rows), batch_size=500)
        planning.keep([one.item for one in done], *columns)


def _live_work_waits() -> bool:
    return Judgement.objects.filter(state=State.QUEUED, queued__lt=Now() - WAITED).exists()
