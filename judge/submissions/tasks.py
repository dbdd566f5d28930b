"""The edge where Celery ends: an id comes in, the program is judged step by step, every step becomes rows at once.

A message is only a hint. Whether there is anything to do is what the claim says; whatever fails here is the judge's
fault and gives the row back.
"""

import os
import socket
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import structlog
from celery import Task
from celery.signals import worker_process_shutdown
from django.conf import settings
from django.db import Error, connections
from django.dispatch import Signal

from judge.blobs import compiled, store
from judge.blobs.versions import package_of, ready_cases
from judge.config.celery import app
from judge.grading.grade import grade
from judge.grading.job import CaseResult, Compiled, Job, Report, Source
from judge.grading.tryout import OwnRun, try_out
from judge.grading.verdict import Verdict
from judge.grading.workshop import Workshop
from judge.submissions import hints, ledger
from judge.submissions.leash import Heartbeat, Leash
from judge.submissions.ledger import Claim, FenceLost
from judge.submissions.models import Judgement, Owed, Submission, Trial
from judge.submissions.queries import SAMPLE
from judge.submissions.record import NOTE, basis_of, case_row, report_columns
from judge.submissions.signals import judged, tried_out
from judge.submissions.text import shown, storable
from problems.models import Version
from sandbox.box import open_sandbox
from sandbox.contract import Sandbox

log = structlog.get_logger(__name__)

Row = TypeVar("Row", bound=Owed)

TRIAL_OUTPUT_BYTES = 16 << 10
"""What a trial run shows of each stream."""


@app.task(name=Judgement.TASK, bind=True)
def judge_task(self: Task[[int], None], judgement_id: int) -> None:
    """Judge what is owed under this id, if it still is."""
    work(Judgement, judgement_id, judge, worker_name(self.request.hostname))


@app.task(name=Trial.TASK, bind=True)
def try_out_task(self: Task[[int], None], trial_id: int) -> None:
    """Do the trial run that is owed under this id, if it still is."""
    work(Trial, trial_id, run_trial, worker_name(self.request.hostname))


def work(model: type[Row], pk: int, do: Callable[[Claim[Row], Sandbox], None], worker: str) -> bool:
    """Claim the row, `do` it, and give it back if that fails. False when there was nothing to do."""
    claim = ledger.claim(model, pk, worker)
    if claim is None:
        log.info("nothing to do", model=model.__name__, pk=pk)
        return False
    hints.announce(claim.row)
    try:
        leash = Leash(open_box())
        with Heartbeat(claim, leash):
            do(claim, leash)
    except FenceLost as lost:
        log.warning("fence lost; somebody else has it", row=str(claim.row), reason=str(lost))
    except Exception as error:
        log.warning("judging failed", row=str(claim.row), attempt=claim.row.attempt, exc_info=error)
        close_box()
        _give_back(claim, error)
    return True


def judge(claim: Claim[Judgement], box: Sandbox) -> None:
    """Judge a claimed judgement; every step is there for the pages as soon as it is known."""
    judgement = claim.row
    with claim.write(progress="compiling"):
        submission = Submission.objects.get(pk=judgement.submission_id)
        version = Version.objects.select_related("problem").get(pk=judgement.version_id)
    hints.announce(judgement)
    job = Job(
        package=package_of(version),
        cases=ready_cases(version),
        source=source_of(submission),
        time_factor=judgement.time_factor,
    )
    position = 0
    for step in grade(job, box, workshop()):
        match step:
            case Compiled():
                with claim.write(
                    compiled=step.verdict is None,
                    compile_log=step.log,
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
        raise RuntimeError("the grading ended without a report")
    log.info("judged", row=str(judgement), verdict=judgement.verdict, attempt=judgement.attempt)
    _tell(judged, judgement=judgement)


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
    try:
        again = claim.give_back(f"{type(error).__name__}: {error}"[:500])
    except Error as broken:
        log.warning("could not give back; the sweeper will", row=str(claim.row), error=str(broken))
        connections.close_all()
        return
    if again and claim.row.attempt == 1:  # a second fault may last: then the sweeper's pace is right
        hints.send(claim.row, first=True)
    hints.announce(claim.row)


def _tell(signal: Signal, **facts: Any) -> None:
    for receiver, answer in signal.send_robust(sender=None, **facts):
        if isinstance(answer, Exception):
            log.error("a receiver failed", receiver=repr(receiver), exc_info=answer)
