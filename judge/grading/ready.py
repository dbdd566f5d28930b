"""From a submission to who judges its cases: compiled where it is a program, looked through where it is answers."""

from collections.abc import Sequence

from judge.grading.answers import answers_of, answers_problem
from judge.grading.case import CaseJudge, Points, allowance_of
from judge.grading.check import checker_of
from judge.grading.compile import compile_source
from judge.grading.executable import Compilation
from judge.grading.job import ReadyCase, Source
from judge.grading.keys import Keys
from judge.grading.performance import HandedIn, performer_of
from judge.grading.verdict import Verdict
from judge.grading.workshop import Workshop
from problems.package.model import Package
from sandbox.contract import Sandbox


def compile_submission(
    package: Package, source: Source, cases: Sequence[ReadyCase], box: Sandbox, workshop: Workshop
) -> Compilation:
    """What compiling gives; for answers there is neither a program nor, if they can be judged, a verdict.

    Raises `SandboxFault`.
    """
    if not package.submit_answer:
        return compile_source(source, package, box, workshop)
    problem = answers_problem(source.files, cases, package.limits)
    return Compilation(
        executable=None,
        verdict=None if problem is None else Verdict.COMPILE_ERROR,
        log=(problem or "").encode(),
        note=problem or "",
        cpu_seconds=0.0,
        toolchain="",
    )


def judge_of(
    package: Package,
    source: Source,
    compiled: Compilation,
    cases: Sequence[ReadyCase],
    *,
    box: Sandbox,
    workshop: Workshop,
    points: Points,
    keys: Keys | None = None,
    time_factor: float = 1.0,
) -> CaseJudge:
    """Who judges the cases of a submission that `compiled`. Raises `CheckerBroken`, `SandboxFault`."""
    allowance = allowance_of(package.limits, time_factor=time_factor)
    if compiled.executable is None:
        handed_in = HandedIn(answers=answers_of(source.files, cases), checker=checker_of(package, box, workshop))
        return CaseJudge(executable=None, performer=handed_in, allowance=allowance, points=points, keys=keys)
    return CaseJudge(
        executable=compiled.executable,
        performer=performer_of(package, compiled.executable, box, allowance, workshop),
        allowance=allowance,
        points=points,
        keys=keys,
        interactive=package.interactive,
    )
