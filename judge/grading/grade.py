"""Judges one program against one built version, step by step."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from judge.grading.answers import answers_of
from judge.grading.case import CaseJudge, allowance_of, not_run
from judge.grading.check import CheckerBroken, checker_of
from judge.grading.compile import source_problem
from judge.grading.executable import Compilation
from judge.grading.job import CaseResult, Compiled, Job, Report, StaticTest, Step
from judge.grading.keys import Keys, tools_of
from judge.grading.ready import compile_submission, judge_of
from judge.grading.reuse import Memory, Nobody, Past, Recalled, remember, result_of, unneeded
from judge.grading.score import Judged, Needless, ScoreFault, Scoring
from judge.grading.static import StaticJudge, kept, static_judge_of
from judge.grading.verdict import Verdict
from judge.grading.workshop import PLAIN, Workshop
from problems.package.model import Package
from problems.say import say
from sandbox.contract import Sandbox

_OURS = say(
    "said",
    "Your program could not be judged. This is not the fault of your program, and it costs you nothing; the course "
    "staff can see why.",
)


def grade(job: Job, box: Sandbox, workshop: Workshop = PLAIN, past: Past | None = None) -> Iterator[Step]:
    """Yield `Compiled`, then a `CaseResult` for each case in order, then the `Report`.

    With `past`, only that is done which an earlier judgement of the same source leaves open; what comes out is the
    same. Where answers are submitted and not programs, `Compiled` says only whether they can be looked at. A fault of
    the author's or of the installation becomes a judge_error that says whose it is. Raises `SandboxFault` when the
    sandbox itself failed (nothing is known of the program then, and the job may be tried again), and `OSError` when
    what was kept of an earlier output is lost.
    """
    scoring = Scoring(job.package, (case.group for case in job.cases))
    fault = _cannot_judge(job)
    if fault:
        yield Compiled(verdict=Verdict.JUDGE_ERROR, log=b"", cpu_seconds=0.0, toolchain="")
        yield _judge_error(scoring, fault)
        return
    tools = tools_of(job.source, box)
    keys = Keys(job.package, job.source, job.cases)
    memory = remember(job, past, keys, scoring) if past is not None and past.tools == tools else None
    compiled = _compiled(job, box, workshop, past, memory)
    yield replace(compiled.step, tools=tools)
    if compiled.verdict == Verdict.JUDGE_ERROR:
        yield _judge_error(scoring, compiled.note)
        return
    if compiled.verdict is not None:
        yield Report(verdict=compiled.verdict, points=Fraction(0), out_of=scoring.out_of(), note=compiled.note)
        return
    try:
        judge = _judge(job, compiled, box=box, workshop=workshop, scoring=scoring, keys=keys, memory=memory)
        checks = memory is not None and memory.forecast.check
        checker = checker_of(job.package, box, workshop) if checks else None
        static = _static_judge(job, compiled, box=box, workshop=workshop, scoring=scoring, keys=keys, memory=memory)
    except CheckerBroken as error:
        yield _judge_error(scoring, str(error))
        return
    unanswered = _samples_not_handed_in(job)
    needless = Needless(scoring, run_everything=job.run_everything)
    results: list[CaseResult] = []
    tests = job.tests
    for number, case in enumerate(tests, start=1):
        place = say("part", "Case %(number)d of %(all)d", number=number, all=len(tests))
        if case.name in unanswered:
            yield not_run(case, place, say("case", "is a sample and was not handed in, as it need not be."))
            continue
        reason = needless.reason(case.group)
        known = memory.recalled.get(case.name) if memory is not None else None
        if reason is not None:
            result = not_run(case, place, reason)
        elif isinstance(case, StaticTest):
            result = _static_result(case, known, static, scoring, place=place)
        elif known is not None and past is not None:
            result = result_of(judge, known, case, past, checker, place=place)
        else:
            result = judge.judge(case, place=place)
        needless.saw(case.group, result.verdict)
        results.append(result)
        yield result
    yield report(job.package, scoring, results)


def _compiled(job: Job, box: Sandbox, workshop: Workshop, past: Past | None, memory: Memory | None) -> Compilation:
    """What compiling gives; nothing is compiled where nothing will be run."""
    if past is None or memory is None or memory.forecast.run or past.compiled.verdict is not None:
        return compile_submission(job.package, job.source, job.cases, box, workshop)
    if not job.package.submit_answer and source_problem(job.package, job.source) is not None:
        return compile_submission(job.package, job.source, job.cases, box, workshop)
    return unneeded(past.compiled, job)


def _judge(
    job: Job,
    compiled: Compilation,
    *,
    box: Sandbox,
    workshop: Workshop,
    scoring: Scoring,
    keys: Keys,
    memory: Memory | None,
) -> CaseJudge:
    """Who judges the cases. Raises `CheckerBroken`, `SandboxFault`."""
    if memory is not None and not memory.forecast.run:
        return CaseJudge(
            executable=compiled.executable,
            performer=Nobody(),
            allowance=allowance_of(job.package.limits, time_factor=job.time_factor),
            points=scoring.case_points,
            keys=keys,
            interactive=job.package.interactive,
        )
    return judge_of(
        job.package,
        job.source,
        compiled,
        job.cases,
        box=box,
        workshop=workshop,
        points=scoring.case_points,
        keys=keys,
        time_factor=job.time_factor,
    )


def _static_judge(
    job: Job,
    compiled: Compilation,
    *,
    box: Sandbox,
    workshop: Workshop,
    scoring: Scoring,
    keys: Keys,
    memory: Memory | None,
) -> StaticJudge | None:
    """Who looks at the submission itself, where that is to be done. Raises `CheckerBroken`, `SandboxFault`."""
    if memory is not None and not memory.forecast.run:
        return None
    return static_judge_of(
        job.package,
        job.source,
        compiled.executable,
        box=box,
        workshop=workshop,
        points=scoring.static_points,
        keys=keys,
    )


def _static_result(
    test: StaticTest, known: Recalled | None, judge: StaticJudge | None, scoring: Scoring, *, place: str
) -> CaseResult:
    """Raises `SandboxFault`."""
    if known is not None:
        return replace(kept(known.result, test, scoring.static_points, place=place), past=known.index)
    assert judge is not None  # where a group asks for it, there is a validator
    return judge.judge(test, place=place)


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
        note = say("said", "The only case is right.")
        if len(results) > 1:
            note = say("said", "All %(number)d cases are right.", number=len(results))
        if package.scoring and points < out_of:
            note = say(
                "said",
                "%(points)s of %(of)s points: every case was accepted, but not each with all its points.",
                points=f"{float(points):g}",
                of=f"{float(out_of):g}",
            )
        return Report(verdict=Verdict.ACCEPTED, points=points, out_of=out_of, note=note)
    first = failures[0]
    assert first.verdict is not None
    return Report(verdict=first.verdict, points=points, out_of=out_of, note=first.note, judge_note=first.judge_note)


def _cannot_judge(job: Job) -> str:
    if not any(case.group != "sample" for case in job.cases):
        return "The problem has no secret test case, so nothing can be said of any program."
    return ""


def _samples_not_handed_in(job: Job) -> frozenset[str]:
    """Where answers are submitted, nobody need hand in those of the samples, which are printed in the statement."""
    if not job.package.submit_answer:
        return frozenset()
    answers = answers_of(job.source.files, job.cases)
    return frozenset(case.name for case in job.cases if case.group == "sample" and case.name not in answers)


def _judge_error(scoring: Scoring, judge_note: str, *, note: str = "") -> Report:
    return Report(
        verdict=Verdict.JUDGE_ERROR,
        points=Fraction(0),
        out_of=scoring.out_of(),
        note=note or _OURS,
        judge_note=judge_note,
    )
