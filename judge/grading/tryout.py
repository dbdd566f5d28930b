"""Trial runs: on cases that are open to the student, judged; or on an input of the student's own, only run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.grading.case import KEEP_BYTES, allowance_of, not_judged
from judge.grading.check import CheckerBroken
from judge.grading.explain import happened, seconds
from judge.grading.job import CaseResult, Compiled, ReadyCase, Source
from judge.grading.ready import compile_submission, judge_of
from judge.grading.run import measure
from judge.grading.score import Scoring
from judge.grading.verdict import Verdict
from judge.grading.workshop import PLAIN, Workshop
from problems.package.model import Package
from problems.say import say
from sandbox.contract import Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRun:
    """A run on the student's own input: nobody says whether the output is right."""

    verdict: Verdict | None
    """None: it ran to its end."""
    note: str
    cpu_seconds: float
    wall_seconds: float
    memory_bytes: int
    output: bytes
    """Standard output, clipped."""
    stderr: bytes
    """Standard error, clipped."""
    clipped: bool
    """Whether there was more of either than is kept."""


def try_out(
    package: Package,
    source: Source,
    box: Sandbox,
    workshop: Workshop = PLAIN,
    *,
    cases: Sequence[ReadyCase] = (),
    own_input: bytes | None = None,
    time_factor: float = 1.0,
) -> Iterator[Compiled | CaseResult | OwnRun]:
    """Yield `Compiled`, then a `CaseResult` for each of `cases` and an `OwnRun` for `own_input`.

    Of an interactive problem an own input is what the judge's side says, all of it at once. After a compile error
    nothing follows. A validator that is broken makes every case a judge_error. Raises
    `SandboxFault`.
    """
    compiled = compile_submission(package, source, cases, box, workshop)
    yield compiled.step
    if compiled.verdict is not None:
        return
    if own_input is not None and compiled.executable is not None:
        allowance = allowance_of(package.limits, time_factor=time_factor)
        measured = measure(compiled.executable, box, allowance, stdin=own_input)
        outcome = measured.outcome
        note = say("said", "Your program ran to its end in %(cpu)s of CPU.", cpu=seconds(outcome.cpu_seconds))
        if measured.verdict is not None:
            said = happened(measured, measured.verdict, compiled.executable, allowance, output_right=False, shown=True)
            note = say("part", "Your program") + " " + said
        yield OwnRun(
            verdict=measured.verdict,
            note=note,
            cpu_seconds=outcome.cpu_seconds,
            wall_seconds=outcome.wall_seconds,
            memory_bytes=outcome.memory_bytes,
            output=outcome.stdout[:KEEP_BYTES],
            stderr=outcome.stderr[:KEEP_BYTES],
            clipped=max(len(outcome.stdout), len(outcome.stderr)) > KEEP_BYTES,
        )
    if not cases:
        return
    places = [
        say("part", "Sample %(number)d of %(all)d", number=number, all=len(cases))
        for number in range(1, len(cases) + 1)
    ]
    points = Scoring(package, (case.group for case in cases)).case_points
    try:
        judge = judge_of(
            package, source, compiled, cases, box=box, workshop=workshop, points=points, time_factor=time_factor
        )
    except CheckerBroken as error:
        for case, place in zip(cases, places, strict=True):
            yield not_judged(case, place, judge_note=str(error))
        return
    for case, place in zip(cases, places, strict=True):
        yield judge.judge(case, place=place)
