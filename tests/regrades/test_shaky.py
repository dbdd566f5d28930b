"""Which verdicts are looked at again because only time or memory made them others; and what is told of a change."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from judge.grading.job import CaseResult, Compiled, Job, Report, Source, Work
from judge.grading.verdict import Verdict
from judge.regrades.causes import Result, cause, gain
from judge.regrades.judging import Steps, shaky
from judge.submissions import models
from problems.package.model import Limits, Package

MIB = 1 << 20
TLE, MLE, WA, AC = "time_limit_exceeded", "memory_limit_exceeded", "wrong_answer", "accepted"


def job() -> Job:
    package = Package(
        root=Path("/nonexistent"),
        slug="paper",
        names={},
        uuid="",
        types=frozenset(),
        limits=Limits(time_seconds=2.0, memory_bytes=100 * MIB),
        statements={},
        groups=(),
        cases=(),
        examples=(),
        input_validators=(),
        output_validator=None,
        generators={},
    )
    return Job(package=package, cases=(), source=Source(language="python3", files={}))


def steps(verdict: str, *, seconds: float = 0.1, mib: int = 10, work: Work = Work.RUN) -> Steps:
    result = CaseResult(
        name="secret/1",
        group="secret",
        verdict=Verdict(verdict),
        cpu_seconds=seconds,
        cpu_range=None,
        wall_seconds=seconds,
        memory_bytes=mib * MIB,
        points=Fraction(0),
        note="",
        judge_note="",
        work=work,
    )
    compiled = Compiled(verdict=None, log=b"", cpu_seconds=0, toolchain="")
    report = Report(verdict=Verdict(verdict), points=Fraction(0), out_of=Fraction(1), note="")
    return Steps(compiled=compiled, cases=(result,), report=report)


def row(verdict: str, name: str = "secret/1", position: int = 1, **columns: Any) -> models.CaseResult:
    return models.CaseResult(name=name, position=position, verdict=verdict, **columns)


@pytest.mark.parametrize(
    ("was", "now", "same_limits", "again"),
    [
        (AC, steps(TLE, seconds=2.1), False, True),
        (TLE, steps(AC, seconds=1.8), False, True),
        (TLE, steps(AC, seconds=0.5), False, False),
        (TLE, steps(AC, seconds=0.5), True, True),
        (AC, steps(MLE, mib=95), False, True),
        (MLE, steps(AC, mib=50), False, False),
        (AC, steps(WA, seconds=1.9), True, False),
        (TLE, steps(TLE, seconds=2.1), True, False),
        (AC, steps(TLE, seconds=2.1, work=Work.KEEP), False, False),
    ],
)
def test_what_is_judged_again(was: str, now: Steps, *, same_limits: bool, again: bool) -> None:
    assert bool(shaky(job(), [row(was)], now, same_limits=same_limits)) is again


def test_gain() -> None:
    def result(points: int, verdict: str) -> Result:
        return Result(verdict=verdict, points=points, out_of=100)  # type: ignore[arg-type]

    assert gain(result(10, WA), result(20, WA)) == 1
    assert gain(result(100, AC), result(0, WA)) == -1
    assert gain(result(0, WA), result(0, TLE)) == 0
    assert gain(result(0, WA), result(0, AC)) == 1, "right is more than not right"


OLD = {"a": ("in", "out"), "b": ("in", "out")}


@pytest.mark.parametrize(
    ("before", "after", "new", "same_check", "expected"),
    [
        ([row(AC, "a")], [row(WA, "a", output="x")], {"a": ("in", "mended")}, True, ("answer", "a", "x")),
        ([row(AC, "a")], [row(WA, "a", output="x")], {"a": ("other", "out")}, True, ("input", "a", "x")),
        ([row(AC, "a")], [row(WA, "a", output="x")], OLD, False, ("checker", "a", "x")),
        ([row(AC, "a")], [row(TLE, "a")], OLD, True, ("time", "a", "")),
        ([row(AC, "a")], [row(AC, "a"), row(WA, "c", output="x")], OLD, True, ("added", "c", "x")),
        ([row(AC, "a"), row(WA, "b")], [row(AC, "a")], {"a": OLD["a"]}, True, ("removed", "b", "")),
        ([row(AC, "a")], [row(AC, "a")], OLD, True, ("points", "", "")),
        ([], [row(WA, "a")], OLD, True, ("compile", "", "")),
    ],
)
def test_why(before: Any, after: Any, new: Any, *, same_check: bool, expected: tuple[str, str, str]) -> None:
    found = cause(before, after, OLD, new, same_check=same_check)
    assert (found["kind"], found.get("case", ""), found.get("output", "")) == expected
