"""Judges one program against one built version, step by step."""

from collections.abc import Iterator
from fractions import Fraction

from judge.grading.case import CaseJudge, allowance_of, not_run
from judge.grading.check import CheckerBroken, checker_of
from judge.grading.compile import compile_source
from judge.grading.job import CaseResult, Compiled, Job, Report, Step
from judge.grading.score import Judged, Needless, ScoreFault, Scoring
from judge.grading.verdict import Verdict
from judge.grading.workshop import PLAIN, Workshop
from problems.package.model import Package, ProblemType
from sandbox.contract import Sandbox

_OURS = "This is not the fault of your program, and it costs you nothing; the course staff can see why."


def grade(job: Job, box: Sandbox, workshop: Workshop = PLAIN) -> Iterator[Step]:
    """Yield `Compiled`, then a `CaseResult` for each case in order, then the `Report`.

    A fault of the author's or of the installation becomes a judge_error that says whose it is. Raises `SandboxFault`
    when the sandbox itself failed: nothing is known of the program then, and the job may be tried again.
    """
    scoring = Scoring(job.package, (case.group for case in job.cases))
    fault = _cannot_judge(job)
    if fault:
        yield Compiled(verdict=Verdict.JUDGE_ERROR, log=b"", cpu_seconds=0.0, toolchain="")
        yield _judge_error(scoring, fault)
        return
    compiled = compile_source(job.source, job.package, box, workshop)
    yield compiled.step
    if compiled.executable is None:
        if compiled.verdict == Verdict.JUDGE_ERROR:
            yield _judge_error(scoring, compiled.note)
        else:
            yield Report(verdict=Verdict.COMPILE_ERROR, points=Fraction(0), out_of=scoring.out_of(), note=compiled.note)
        return
    try:
        checker = checker_of(job.package, box, workshop)
    except CheckerBroken as error:
        yield _judge_error(scoring, str(error))
        return
    judge = CaseJudge(
        executable=compiled.executable,
        checker=checker,
        box=box,
        allowance=allowance_of(job.package.limits, time_factor=job.time_factor),
        points=scoring.case_points,
    )
    needless = Needless(scoring, run_everything=job.run_everything)
    results: list[CaseResult] = []
    for number, case in enumerate(job.cases, start=1):
        place = f"Case {number} of {len(job.cases)}"
        reason = needless.reason(case.group)
        result = judge.judge(case, place=place) if reason is None else not_run(case, place, reason)
        needless.saw(case.group, result.verdict)
        results.append(result)
        yield result
    yield report(job.package, scoring, results)


def report(package: Package, scoring: Scoring, results: list[CaseResult]) -> Report:
    """The verdict of the whole: the first case in order that is not accepted gives it."""
    faults = [result for result in results if result.verdict == Verdict.JUDGE_ERROR]
    failures = [result for result in results if result.verdict not in (None, Verdict.ACCEPTED)]
    try:
        points = scoring.points(Judged(group=case.group, verdict=case.verdict, points=case.points) for case in results)
    except ScoreFault as error:
        return _judge_error(scoring, str(error))
    # Where a pass-fail problem has already failed, a later fault of ours changes nothing; points it would.
    if faults and (package.scoring or failures[0] is faults[0]):
        return _judge_error(scoring, faults[0].judge_note, note=faults[0].note)
    out_of = scoring.out_of()
    if not failures:
        note = f"All {len(results)} cases are right." if len(results) > 1 else "The only case is right."
        return Report(verdict=Verdict.ACCEPTED, points=points, out_of=out_of, note=note)
    first = failures[0]
    assert first.verdict is not None
    return Report(verdict=first.verdict, points=points, out_of=out_of, note=first.note, judge_note=first.judge_note)


def _cannot_judge(job: Job) -> str:
    unknown = job.package.types & {ProblemType.INTERACTIVE, ProblemType.MULTI_PASS, ProblemType.SUBMIT_ANSWER}
    if unknown:
        return f"Problems of type {', '.join(sorted(unknown))} cannot be judged here yet."
    if not any(case.group != "sample" for case in job.cases):
        return "The problem has no secret test case, so nothing can be said of any program."
    return ""


def _judge_error(scoring: Scoring, judge_note: str, *, note: str = "") -> Report:
    return Report(
        verdict=Verdict.JUDGE_ERROR,
        points=Fraction(0),
        out_of=scoring.out_of(),
        note=note or f"Your program could not be judged. {_OURS}",
        judge_note=judge_note,
    )
