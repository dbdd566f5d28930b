"""The edge where Celery ends: an id comes in, the program is judged step by step, every step becomes rows at once.

A message is only a hint. Whether there is anything to do is what the claim says; whatever fails here is the judge's
fault and gives the row back.
"""

import os
import socket
import time
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import structlog
from celery import Task
from celery.exceptions import Reject
from celery.signals import worker_process_shutdown
from django.conf import settings
from django.db import Error, InterfaceError, OperationalError, connections
from django.db.models.functions import Now
from django.dispatch import Signal

from judge.blobs import compiled, store
from judge.blobs.versions import package_of, ready_cases
from judge.config.celery import app
from judge.grading.grade import grade
from judge.grading.job import CaseResult, Compiled, Job, Report, Source
from judge.grading.tryout import OwnRun, try_out
from judge.grading.verdict import Verdict
from judge.grading.workshop import Workshop
from judge.submissions import hints, ledger, order
from judge.submissions.fit import fits, lacked_by
from judge.submissions.leash import Heartbeat, Leash
from judge.submissions.ledger import Claim, FenceLost
from judge.submissions.models import Judgement, Owed, Submission, Trial
from judge.submissions.queries import SAMPLE
from judge.submissions.record import NOTE, basis_of, case_row, report_columns
from judge.submissions.signals import judged, tried_out
from judge.submissions.text import shown, storable
from judge.submissions.workers import cannot_work
from problems.models import Version
from sandbox.box import open_sandbox
from sandbox.contract import Sandbox

log = structlog.get_logger(__name__)

Row = TypeVar("Row", bound=Owed)
_Answer = TypeVar("_Answer")
Do = TypeVar("Do", bound=Callable[[Claim[Any], Sandbox], None])

_LIVE_WORK: dict[type[Owed], Callable[[Claim[Any], Sandbox], None]] = {}
"""Kind of row -> what does it."""

LOOK_SECONDS = 0.1
"""So often at most a worker looks, between two cases, whether another submission goes first."""
GIVE_WAY_SECONDS = 60.0
"""After this the resting submission has a case judged, whoever else waits."""
NO_WORK_SECONDS = 6.0
"""So long a process that can take no work holds a message before it puts it back: then its worker takes no more."""
LEAVE_SECONDS = 0.3
"""So long a process holds a message that is for others, who may all be at work."""
DATABASE_SECONDS = 600.0
"""So long a worker waits for a database that is away before it forgets the message at hand."""
TRIAL_OUTPUT_BYTES = 16 << 10
"""What a trial run shows of each stream."""


@app.task(name=Judgement.TASK, bind=True)
def judge_task(self: Task[[int], None], judgement_id: int) -> None:  # noqa: ARG001 - it says that there is something
    """Do what is next of the live work."""
    work_next(worker_name(self.request.hostname))


@app.task(name=Trial.TASK, bind=True)
def try_out_task(self: Task[[int], None], trial_id: int) -> None:  # noqa: ARG001
    """The same: whichever message comes, what is due first is done first."""
    work_next(worker_name(self.request.hostname))


def work_next(worker: str) -> bool:
    """Claim what is next of the live work and do it. False when there was nothing to do; raises as `work`."""
    _must_be_able()
    claim = _patiently(lambda: ledger.claim_next(_LIVE_WORK, worker, fits))
    if claim is None:
        if (left := _patiently(lambda: ledger.first_waiting(_LIVE_WORK))) is not None:
            _leave_to_others(left)
        log.info("nothing to do")
        return False
    _perform(claim, _LIVE_WORK[type(claim.row)])
    return True


def work(model: type[Row], pk: int, do: Callable[[Claim[Row], Sandbox], None], worker: str) -> bool:
    """Claim this very row, `do` it, and give it back if that fails. False when there was nothing to do.

    Raises `Reject`, which puts the message back, while this host takes no work, and when others must do it.
    """
    _must_be_able()
    row = _patiently(lambda: ledger.claimable(model, pk))
    if row is not None and not fits(row):
        _leave_to_others(row)
        return False
    claim = _patiently(lambda: ledger.claim(model, pk, worker))
    if claim is None:
        log.info("nothing to do", model=model.__name__, pk=pk)
        return False
    _perform(claim, do)
    return True


def _must_be_able() -> None:
    if trouble := _patiently(cannot_work):
        log.error("takes no work", reason=trouble)
        time.sleep(NO_WORK_SECONDS)
        raise Reject(trouble, requeue=True)


def _leave_to_others(row: Owed) -> None:
    """Put the message back for a worker that can do `row`. When there is none, it is lost: the sweeper sends another
    as soon as there is one."""
    if lacked_by(row) is None:
        time.sleep(LEAVE_SECONDS)
        raise Reject(f"{row} needs another worker: {row.needs}", requeue=True)
    log.warning("no worker can do this", row=str(row), needs=row.needs)


def _perform(claim: Claim[Row], do: Callable[[Claim[Row], Sandbox], None], *, within: bool = False) -> None:
    """Do what was claimed; `within`: while other work of this process rests, whose box must stay open."""
    row = claim.row
    with structlog.contextvars.bound_contextvars(row=str(row), **({"request": row.request} if row.request else {})):
        hints.announce(row)
        try:
            leash = Leash(open_box())
            with Heartbeat(claim, leash):
                do(claim, leash)
        except FenceLost as lost:
            log.warning("fence lost; somebody else has it", reason=str(lost))
        except Exception as error:
            log.warning("judging failed", attempt=row.attempt, exc_info=error)
            if not within:
                close_box()
            _give_back(claim, error)


def _patiently(ask: Callable[[], _Answer]) -> _Answer:
    """Ask the database, and wait while it is away: the message at hand is not thrown away meanwhile."""
    ends = time.monotonic() + DATABASE_SECONDS
    while True:
        try:
            return ask()
        except (OperationalError, InterfaceError) as error:
            log.warning("the database cannot be reached; waiting", error=str(error))
            connections.close_all()
            if time.monotonic() > ends:
                raise
            time.sleep(1)


class Courtesy:
    """Between two cases of a submission, lets another go first that `order` puts before it."""

    _resting = False
    """Whether this process does other work already while a submission rests: one at a time is enough."""

    def __init__(self, row: Judgement) -> None:
        self._row = row
        self._look_at = time.monotonic() + LOOK_SECONDS

    def give_way(self) -> None:
        """Do, here and now, what goes before; the lease of the resting row is renewed meanwhile."""
        if Courtesy._resting or time.monotonic() < self._look_at:
            return
        Courtesy._resting = True
        try:
            ends = time.monotonic() + GIVE_WAY_SECONDS
            while time.monotonic() < ends and self._one():
                pass
        finally:
            Courtesy._resting = False
            self._look_at = time.monotonic() + LOOK_SECONDS

    def _one(self) -> bool:
        waiting = ledger.first_waiting(_LIVE_WORK, fits)
        if waiting is None or not order.goes_before(waiting, self._row):
            return False
        claim = ledger.claim(type(waiting), waiting.pk, self._row.worker)
        if claim is None:
            return False
        log.info("rests while another goes first", other=str(waiting))
        _perform(claim, _LIVE_WORK[type(waiting)], within=True)
        return True


def live_work(model: type[Row]) -> Callable[[Do], Do]:
    """Marks what does rows of this kind, which wait in the live queue: they are done in one order with all others."""

    def mark(do: Do) -> Do:
        _LIVE_WORK[model] = do
        return do

    return mark


@live_work(Judgement)
def judge(claim: Claim[Judgement], box: Sandbox) -> None:
    """Judge a claimed judgement; every step is there for the pages as soon as it is known."""
    judgement = claim.row
    with claim.write(progress="compiling"):
        judgement.submission = submission = Submission.objects.get(pk=judgement.submission_id)
        version = Version.objects.select_related("problem").get(pk=judgement.version_id)
    hints.announce(judgement)
    job = Job(
        package=package_of(version),
        cases=ready_cases(version),
        source=source_of(submission),
        time_factor=judgement.time_factor,
    )
    position = 0
    courtesy = Courtesy(judgement)
    for step in grade(job, box, workshop()):
        match step:
            case Compiled():
                with claim.write(
                    compiled=step.verdict is None,
                    compile_log=step.log,
                    compiled_at=Now(),
                    toolchain=storable(step.toolchain, 255),
                    basis=basis_of(job, step),
                    progress="1",
                ):
                    pass
            case CaseResult():
                position += 1
                result = case_row(judgement, position, step)
                with claim.write(progress=str(min(position + 1, len(job.tests)))):
                    result.save(force_insert=True)
            case Report():
                with claim.finish(**report_columns(step)):
                    pass
        hints.announce(judgement)
        if not judgement.over:
            courtesy.give_way()
    if not judgement.over:
        raise RuntimeError("the grading ended without a report")
    log.info("judged", verdict=judgement.verdict, attempt=judgement.attempt)
    _tell(judged, judgement=judgement)


@live_work(Trial)
def run_trial(claim: Claim[Trial], box: Sandbox) -> None:
    """Do a claimed trial run. Its results stand in one JSON column, because nobody asks for them one by one."""
    trial = claim.row
    with claim.write(progress="compiling"):
        version = Version.objects.select_related("problem").get(pk=trial.version_id)
    hints.announce(trial)
    own_input = store.get(trial.own_input) if trial.own_input else None
    cases = [case for case in ready_cases(version) if case.group == SAMPLE] if own_input is None else []
    runs: list[dict[str, Any]] = []
    results: dict[str, Any] = {"total": len(cases) or 1, "runs": runs}
    steps = try_out(
        package_of(version),
        source_of(trial),
        box,
        workshop(),
        cases=cases,
        own_input=own_input,
        time_factor=trial.time_factor,
    )
    for step in steps:
        match step:
            case Compiled():
                results |= {
                    "compiled": step.verdict is None,
                    "compile_log": shown(step.log),
                    "toolchain": storable(step.toolchain, 255),
                    "verdict": step.verdict or "",
                }
            case CaseResult() | OwnRun():
                runs.append(_trial_run(step))
                results["verdict"] = next((run["verdict"] for run in runs if run["verdict"] != Verdict.ACCEPTED), "")
        with claim.write(results=results, progress=str(min(len(runs) + 1, results["total"]))):
            pass
        hints.announce(trial)
    if runs and not results["verdict"] and own_input is None:
        results["verdict"] = Verdict.ACCEPTED.value
    with claim.finish(results=results):
        pass
    hints.announce(trial)
    _tell(tried_out, trial=trial)


@cache
def open_box() -> Sandbox:
    """The sandbox of this process, opened for the first program (a forked worker must not share its parent's)."""
    stands_back = os.nice(0) > 0  # it takes no processor from who judges
    return open_sandbox(settings.PALFREY_CACHE / "sandbox", pinned=not stands_back, laptop=settings.LAPTOP)


@cache
def workshop() -> Workshop:
    """What this process compiles with."""
    return compiled.workshop()


def close_box() -> None:
    """Close it; the next program gets a new one."""
    if open_box.cache_info().currsize:
        box = open_box()
        open_box.cache_clear()
        box.close()


@worker_process_shutdown.connect
def _at_the_end(**_: Any) -> None:
    close_box()


def worker_name(node: str | None) -> str:
    """What stands in a row that a process works on: the worker's name and the process."""
    return f"{node or socket.gethostname()}/{os.getpid()}"


def source_of(sent: Submission | Trial) -> Source:
    """The program as it was sent. Raises `BlobMissing`."""
    return Source(language=sent.language, files={file["name"]: store.get(file["digest"]) for file in sent.files})


def _trial_run(step: CaseResult | OwnRun) -> dict[str, Any]:
    clipped = isinstance(step, OwnRun) and step.clipped
    run = {
        "name": step.name if isinstance(step, CaseResult) else "",
        "verdict": step.verdict or "",
        "note": storable(step.note, NOTE),
        "team_note": storable(step.team_note, NOTE) if isinstance(step, CaseResult) else "",
        "cpu_seconds": step.cpu_seconds,
        "wall_seconds": step.wall_seconds,
        "memory_bytes": step.memory_bytes,
    }
    for name in ("output", "stderr"):
        content: bytes = getattr(step, name)
        run[name] = shown(content[:TRIAL_OUTPUT_BYTES])
        clipped = clipped or len(content) > TRIAL_OUTPUT_BYTES
    return run | {"clipped": clipped}


def _give_back(claim: Claim[Any], error: Exception) -> None:
    """At once when the database is there; while it is away, as long as the row is ours; then the sweeper will."""
    ends = time.monotonic() + settings.LEASE_SECONDS
    while True:
        try:
            again = claim.give_back(f"{type(error).__name__}: {error}"[:500])
            break
        except Error as broken:
            log.warning("could not give back yet", error=str(broken))
            connections.close_all()
            if time.monotonic() > ends:
                return
            time.sleep(1)
    if again and claim.row.attempt == 1:  # a second fault may last: then the sweeper's pace is right
        hints.send(claim.row)
    hints.announce(claim.row)


def _tell(signal: Signal, **facts: Any) -> None:
    for receiver, answer in signal.send_robust(sender=None, **facts):
        if isinstance(answer, Exception):
            log.error("a receiver failed", receiver=repr(receiver), exc_info=answer)
