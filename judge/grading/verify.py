"""Whether a package's own example submissions get what the package says they must get."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from judge.grading.compile import language_of
from judge.grading.grade import grade
from judge.grading.job import ANSWERS, CaseResult, Compiled, Job, ReadyCase, Report, Source
from judge.grading.score import Judged, ScoreFault, Scoring
from judge.grading.verdict import Verdict
from judge.grading.workshop import PLAIN, Workshop
from problems.package.model import Example, Package
from problems.package.submissions import matches
from problems.say import say
from sandbox.contract import Sandbox

_LETTERS = {
    Verdict.ACCEPTED: ("AC",),
    Verdict.WRONG_ANSWER: ("WA",),
    Verdict.OUTPUT_LIMIT_EXCEEDED: ("WA", "TLE", "RTE"),
    Verdict.TIME_LIMIT_EXCEEDED: ("TLE",),
    Verdict.RUN_TIME_ERROR: ("RTE",),
    Verdict.MEMORY_LIMIT_EXCEEDED: ("RTE",),
    Verdict.COMPILE_ERROR: ("CE",),
    Verdict.JUDGE_ERROR: ("JE",),
}
"""What the format calls our verdicts; it has no letters for memory and output, nor for the last two. Who prints without
end is called wrong by some judges, too slow by others, and crashed by the rest: authors mean any of these."""


def letters(verdict: Verdict | None, *wanted: frozenset[str]) -> str:
    """What the format calls `verdict`: where it leaves a choice, what is in the first of `wanted` that has one of them.

    Nothing for None.
    """
    names = _LETTERS[verdict] if verdict is not None else ("",)
    return next((name for those in wanted for name in names if name in those), names[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One example on one case: what it got there, and what it may and must."""

    case: str
    group: str
    verdict: Verdict | None
    """None: it was not run there."""
    letters: str
    """The verdict as the format has it: AC, WA, TLE, RTE; JE for a judge error; nothing where it was not run."""
    cpu_seconds: float
    permitted: frozenset[str]
    """It may get these here."""
    required: frozenset[str]
    """It must get one of these here or on another case that asks for the same. Empty: nothing is asked."""

    @property
    def allowed(self) -> bool:
        return not self.letters or self.letters in self.permitted

    @property
    def telling(self) -> bool:
        """Whether it got here what it must get somewhere."""
        return self.letters in self.required


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What one example got."""

    example: Example
    report: Report
    results: tuple[CaseResult, ...]
    complaints: tuple[str, ...]
    """Sentences about what it got and must not, or did not get and must. Empty: all is as the package says."""
    of_all: bool = False
    """Some complaint is about no single case: about points, or a verdict or message that no case gave."""
    judged: bool = True
    """False: it is in a language that is not judged here, and nothing is known of it."""

    @property
    def given_away_by(self) -> str:
        """The first case that is not right, by which one knows it from a right program; empty: there is none."""
        wrong = (result.name for result in self.results if result.verdict not in (None, Verdict.ACCEPTED))
        return next(wrong, "")

    @property
    def slowest(self) -> CaseResult | None:
        """The case on which it took most CPU time."""
        return max(self.results, key=lambda result: result.cpu_seconds, default=None)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """A row of the matrix of examples and cases."""
        return tuple(_cell(self.example, result) for result in self.results)


def verify(
    package: Package,
    cases: Sequence[ReadyCase],
    box: Sandbox,
    *,
    run_everything: bool = True,
    workshop: Workshop = PLAIN,
) -> Iterator[Verified]:
    """Judge every example, in order. Raises `SandboxFault`."""
    for example in package.examples:
        yield verify_one(package, cases, box, example, run_everything=run_everything, workshop=workshop)


def verify_one(
    package: Package,
    cases: Sequence[ReadyCase],
    box: Sandbox,
    example: Example,
    *,
    run_everything: bool = True,
    workshop: Workshop = PLAIN,
) -> Verified:
    """As `verify_steps`, all at once."""
    steps = verify_steps(package, cases, box, example, run_everything=run_everything, workshop=workshop)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            verified: Verified = end.value
            return verified


def verify_steps(
    package: Package,
    cases: Sequence[ReadyCase],
    box: Sandbox,
    example: Example,
    *,
    run_everything: bool = True,
    workshop: Workshop = PLAIN,
) -> Generator[CaseResult, None, Verified]:
    """Judge one example, yielding what it gets on each case, and compare with what it must and may get.

    Without `run_everything` what a failure by time makes needless is left out, as for a student. Raises `SandboxFault`.
    """
    language = None if package.submit_answer else language_of(example.program, code=example.language)
    if language is None and not package.submit_answer:
        note = say("said", "It is in no language that is judged here.")
        report = Report(verdict=Verdict.JUDGE_ERROR, points=Fraction(0), out_of=Fraction(0), note=note)
        return Verified(example=example, report=report, results=(), complaints=(), judged=False)
    job = Job(
        package=package,
        cases=tuple(cases),
        source=Source(language=language.id if language else ANSWERS, files=example.program.files),
        run_everything=run_everything,
    )
    results: list[CaseResult] = []
    log = b""
    for step in grade(job, box, workshop):
        match step:
            case Compiled():
                log = step.log
            case CaseResult():
                results.append(step)
                yield step
            case Report():
                report = step
    complaints = list(_complaints(example, results, report, log))
    if results and package.scoring:
        complaints += _misscored(package, example, results)
    return Verified(
        example=example,
        report=report,
        results=tuple(results),
        complaints=tuple(
            say("said", "%(where)s: %(fault)s", where=example.program.name, fault=one.fault) for one in complaints
        ),
        of_all=any(one.of_all for one in complaints),
    )


class _Complaint(NamedTuple):
    fault: str
    of_all: bool = True
    """It is about no single case."""


def _cell(example: Example, result: CaseResult) -> Cell:
    parts = [part for part in example.expectations if matches(part.within, result.name)]
    permitted = example.permitted.intersection(*(part.permitted for part in parts))
    required = example.required.union(*(part.required for part in parts))
    return Cell(
        case=result.name,
        group=result.group,
        verdict=result.verdict,
        letters=letters(result.verdict, permitted & required, permitted),
        cpu_seconds=result.cpu_seconds,
        permitted=permitted,
        required=required,
    )


def _complaints(example: Example, results: Sequence[CaseResult], report: Report, log: bytes) -> Iterator[_Complaint]:
    if report.verdict == Verdict.COMPILE_ERROR and "CE" in example.permitted:
        return
    if not results:
        yield _Complaint(f"{report.note} {report.judge_note}\n{log[:2000].decode('utf-8', 'replace')}".strip())
        return
    yield from _compare(results, example.permitted, example.required, example.message, "")
    if example.score is not None and not example.score[0] <= report.points <= example.score[1]:
        yield _Complaint(_scores("", report.points, *example.score))
    for part in example.expectations:
        chosen = [result for result in results if matches(part.within, result.name)]
        if chosen:
            yield from _compare(chosen, part.permitted, part.required, part.message, part.within.strip("*"))


def _misscored(package: Package, example: Example, results: Sequence[CaseResult]) -> Iterator[_Complaint]:
    """What is said of the scores of single groups."""
    scoring = Scoring(package, (result.group for result in results))
    try:
        scores = scoring.by_group(
            Judged(group=result.group, verdict=result.verdict, points=result.points) for result in results
        )
    except ScoreFault:  # the report says so
        return
    for part in example.expectations:
        for group, points in scores.items():
            if part.score is not None and group.startswith("secret/") and matches(part.within, group):
                low, high = part.score
                if not low <= points <= high:
                    yield _Complaint(_scores(group, points, low, high))


def _scores(group: str, points: Fraction, low: float, high: float) -> str:
    told = {"points": f"{float(points):g}", "low": f"{low:g}", "high": f"{high:g}", "group": group}
    match bool(group), low == high:
        case False, False:
            return say("part", "it scores %(points)s, where %(low)s to %(high)s is expected.", **told)
        case False, True:
            return say("part", "it scores %(points)s, where %(low)s is expected.", **told)
        case True, False:
            return say("part", "in %(group)s it scores %(points)s, where %(low)s to %(high)s is expected.", **told)
        case _:
            return say("part", "in %(group)s it scores %(points)s, where %(low)s is expected.", **told)


def _compare(
    results: Sequence[CaseResult], permitted: frozenset[str], required: frozenset[str], message: str, within: str
) -> Iterator[_Complaint]:
    run = [result for result in results if result.verdict is not None]
    for result in run:
        got = letters(result.verdict, permitted)
        if got not in permitted:
            may = ", ".join(sorted(permitted))
            what = say(
                "part", "on %(case)s it gets %(got)s, which is not among %(list)s.", case=result.name, got=got, list=may
            )
            yield _Complaint(f"{what} {result.judge_note}", of_all=False)
            break
    if required and not any(letters(result.verdict, required) in required for result in run):
        wanted = " or ".join(sorted(required))
        yield _Complaint(
            say("part", "no case within %(part)s gets %(wanted)s, and one must.", part=within, wanted=wanted)
            if within
            else say("part", "no case gets %(wanted)s, and one must.", wanted=wanted)
        )
    if message and not any(message in result.judge_note for result in run):
        yield _Complaint(
            say("part", "no message to the judge within %(part)s says “%(text)s”.", part=within, text=message)
            if within
            else say("part", "no message to the judge says “%(text)s”.", text=message)
        )
