"""Between the steps of grading and rows: how results are written down, and read again for a later judgement."""

import platform
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from judge.blobs import store
from judge.grading import job
from judge.grading.case import allowance_of
from judge.grading.job import Compiled, Job, Origin, Report, Work
from judge.grading.reuse import Past
from judge.grading.run import Allowance
from judge.grading.verdict import Verdict
from judge.submissions.models import CaseResult, Judgement
from judge.submissions.text import storable
from sandbox.contract import Ending

NOTE, JUDGE_NOTE = 4_000, 16_000
"""Characters that are kept of what a student, and of what staff is told about one case."""
_LONGEST_FRACTION = 250


@cache
def host_class() -> str:
    """What this host is like; times measured on hosts of one class may be compared."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return f"{model or platform.machine()}{', laptop mode' if settings.LAPTOP else ''}"[:200]


def decimal(points: Fraction) -> Decimal:
    """Points as the columns hold them: twelve digits after the point, which shows thirds and sevenths truly enough."""
    return (Decimal(points.numerator) / Decimal(points.denominator)).quantize(Decimal("1e-12"))


def basis_of(work: Job, compiled: Compiled) -> dict[str, Any]:
    """`Judgement.basis`: by what and under which limits it is judged, here and now."""
    allowed = allowance_of(work.package.limits, time_factor=work.time_factor)
    return {
        "tools": compiled.tools,
        "host": host_class(),
        "limits": [allowed.cpu_seconds, allowed.memory_bytes, allowed.output_bytes, allowed.file_writing],
    }


def case_row(judgement: Judgement, position: int, step: job.CaseResult, past: Sequence[CaseResult] = ()) -> CaseResult:
    """The row of a result. `past`: the rows of the judgement that it may have been made of."""
    low, high = step.cpu_range or (None, None)
    if step.past is None:
        output, stderr = (store.put(content) if content else "" for content in (step.output, step.stderr))
    else:
        output, stderr = past[step.past].output, past[step.past].stderr
    return CaseResult(
        judgement=judgement,
        position=position,
        name=step.name,
        group=step.group,
        verdict=step.verdict or "",
        cpu_seconds=step.cpu_seconds,
        cpu_low=low,
        cpu_high=high,
        wall_seconds=step.wall_seconds,
        memory_bytes=step.memory_bytes,
        points=decimal(step.points),
        note=storable(step.note, NOTE),
        team_note=storable(step.team_note, NOTE),
        judge_note=storable(step.judge_note, JUDGE_NOTE),
        output=output,
        stderr=stderr,
        origin=_packed(step.origin),
    )


def report_columns(step: Report) -> dict[str, Any]:
    """The columns of a judgement that a report fills."""
    return {
        "verdict": step.verdict.value,
        "points": decimal(step.points),
        "out_of": decimal(step.out_of),
        "note": storable(step.note, NOTE),
        "judge_note": storable(step.judge_note, JUDGE_NOTE),
    }


def past_of(judgement: Judgement, rows: Sequence[CaseResult], *, host: str | None = None) -> Past | None:
    """What `judgement` with its results is to a later one on a host of class `host` (None: of the same).

    None: it was not written down well enough, and is of no use.
    """
    basis = judgement.basis
    if not basis or not judgement.compiled:
        return None
    cpu_seconds, memory_bytes, output_bytes, file_writing = basis["limits"]
    return Past(
        tools=basis["tools"],
        same_host=host is None or basis["host"] == host,
        allowance=Allowance(
            cpu_seconds=cpu_seconds, memory_bytes=memory_bytes, output_bytes=output_bytes, file_writing=file_writing
        ),
        compiled=Compiled(
            verdict=None, log=bytes(judgement.compile_log), cpu_seconds=0.0, toolchain=judgement.toolchain
        ),
        results=[_result(row) for row in rows],
        output=lambda index: _bytes(rows[index].output),
        stderr=lambda index: _bytes(rows[index].stderr),
    )


def _result(row: CaseResult) -> job.CaseResult:
    measured = row.cpu_low is not None and row.cpu_high is not None
    return job.CaseResult(
        name=row.name,
        group=row.group,
        verdict=Verdict(row.verdict) if row.verdict else None,
        cpu_seconds=row.cpu_seconds,
        cpu_range=(row.cpu_low, row.cpu_high) if measured else None,  # type: ignore[arg-type]
        wall_seconds=row.wall_seconds,
        memory_bytes=row.memory_bytes,
        points=Fraction(row.points),
        note=row.note,
        judge_note=row.judge_note,
        team_note=row.team_note,
        origin=_unpacked(row.origin),
        work=Work.KEEP,
    )


def _bytes(digest: str) -> bytes:
    try:
        return store.get(digest) if digest else b""
    except store.BlobMissing as error:
        raise OSError(str(error)) from error


def _packed(origin: Origin | None) -> dict[str, Any]:
    if origin is None:
        return {}
    scores = [None if one is None else str(one) for one in (origin.score, origin.multiplier)]
    if any(one and len(one) > _LONGEST_FRACTION for one in scores):
        return {}
    return {
        "run": origin.run,
        "check": origin.check,
        "ending": origin.ending,
        "exit": origin.exit_code,
        "signal": origin.signal,
        "checked": origin.checked,
        "scores": scores,
        "cut": origin.cut,
    }


def _unpacked(kept: dict[str, Any]) -> Origin | None:
    if not kept:
        return None
    score, multiplier = (None if one is None else Fraction(one) for one in kept["scores"])
    return Origin(
        run=kept["run"],
        check=kept["check"],
        ending=Ending(kept["ending"]),
        exit_code=kept["exit"],
        signal=kept["signal"],
        checked=Verdict(kept["checked"]) if kept["checked"] else None,
        score=score,
        multiplier=multiplier,
        cut=kept["cut"],
    )
