"""What an earlier judgement of the same source spares: which cases must run, which outputs only be checked.

Everything goes by content (`judge.grading.keys`). A result holds as it is where the run and the check have the same
names and the limits mean the same for its figures; only its points are counted anew. Another answer or checker: its
output is checked, or it is run again where the output was too long to be kept. Other limits: run again is only what
they may touch, with the margins of the rule for limits (`judge.grading.run`). A judge error is never used, and what
time said is not used on a host of another class.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from judge.grading.case import CaseJudge, allowance_of
from judge.grading.check import Checked, Checker
from judge.grading.executable import Compilation, Executable
from judge.grading.job import CaseResult, Compiled, Job, ReadyCase, StaticTest, Work
from judge.grading.keys import Keys
from judge.grading.languages import LANGUAGES
from judge.grading.performance import Performance, may_have_been_right
from judge.grading.run import LEEWAY, NEAR, Allowance, Measured, verdict_of
from judge.grading.score import Needless, Scoring
from judge.grading.verdict import Verdict
from sandbox.contract import Ending, Outcome

SURELY = 1.5
"""A program that used this many times a limit would be over it each time it is measured."""
ELSEWHERE = 0.5
"""On a host of another class only what used less than this part of its limit is taken to be in time there too."""
_MEMORY_NEAR = 0.9
_WALL_NEAR = 0.5
_STOPPED = (Ending.CPU_TIME, Ending.WALL_TIME)


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """An earlier judgement of the same source, whatever version it was against."""

    tools: str
    """As in `Compiled`; with others nothing of it is of use."""
    same_host: bool
    """It was judged on a host of the same class."""
    allowance: Allowance
    compiled: Compiled
    results: Sequence[CaseResult]
    """Without output and standard error."""
    output: Callable[[int], bytes]
    """Index of a result -> what was kept of its output; likewise of its standard error. May raise `OSError`."""
    stderr: Callable[[int], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """An earlier result that stands for a case, as it is or once its output was checked."""

    index: int
    result: CaseResult
    work: Work
    """KEEP or CHECK."""
    verdict: Verdict | None
    """What the case will get, where that is known already."""
    retold: bool
    """Kept, but what is said of it depends on limits that have changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What judging a job takes at most, given a past: names of cases. What a failure makes needless is in none."""

    run: tuple[str, ...]
    check: tuple[str, ...]
    keep: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """For one job: what is recalled of each case, and what that leaves to do."""

    recalled: Mapping[str, Recalled] = field(default_factory=dict)
    forecast: Forecast


def remember(job: Job, past: Past, keys: Keys, scoring: Scoring) -> Memory:
    """Look `past` through for what `job` can use. Pure: nothing is run, no output is read."""
    by_run: dict[str, list[int]] = {}
    for index, result in enumerate(past.results):
        if result.origin is not None and result.verdict not in (None, Verdict.JUDGE_ERROR):
            by_run.setdefault(result.origin.run, []).append(index)
    allowance = allowance_of(job.package.limits, time_factor=job.time_factor)
    recalled: dict[str, Recalled] = {}
    for case in job.tests:
        if isinstance(case, StaticTest):
            if found := by_run.get(keys.static(case), []):
                result = past.results[found[0]]
                recalled[case.name] = Recalled(
                    index=found[0], result=result, work=Work.KEEP, verdict=result.verdict, retold=False
                )
            continue
        found = by_run.get(keys.run(case), [])
        if found:
            index = next((at for at in found if past.results[at].name == case.name), found[0])
            one = _recall(index, past, job, keys.check(case), allowance)
            if one is not None:
                recalled[case.name] = one
    return Memory(recalled=recalled, forecast=_forecast(job, scoring, recalled))


def unneeded(compiled: Compiled, job: Job) -> Compilation:
    """Stands for a compilation where nothing will be run: it can only tell its language."""
    language = LANGUAGES.get(job.source.language)
    stand_in = Executable(language=language, entry="", files={}, lines={}) if language else None
    return Compilation(
        executable=stand_in,
        verdict=None,
        log=compiled.log,
        note="",
        cpu_seconds=compiled.cpu_seconds,
        toolchain=compiled.toolchain,
        reused=True,
    )


def result_of(
    judge: CaseJudge, one: Recalled, case: ReadyCase, past: Past, checker: Checker | None, *, place: str
) -> CaseResult:
    """The result for `case` by what is recalled. `checker` is needed for CHECK. Raises `SandboxFault`."""
    known = one.result
    if one.work is Work.KEEP and not one.retold:
        return replace(judge.keep(known, case, place=place), past=one.index)
    again = replace(judge, performer=_Again(one=one, past=past, judge=judge, checker=checker))
    return replace(again.judge(case, place=place), work=one.work, past=one.index, output=b"", stderr=b"")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Again:
    """A performer that has done it before."""

    one: Recalled
    past: Past
    judge: CaseJudge
    checker: Checker | None

    def perform(self, case: ReadyCase) -> Performance:
        known, index = self.one.result, self.one.index
        origin = known.origin
        assert origin is not None
        checks = self.one.work is Work.CHECK
        outcome = Outcome(
            ending=origin.ending,
            exit_code=origin.exit_code,
            signal=origin.signal,
            cpu_seconds=known.cpu_seconds,
            wall_seconds=known.wall_seconds,
            memory_bytes=known.memory_bytes,
            stdout=self.past.output(index) if checks else b"",
            stderr=self.past.stderr(index) if checks else b"",
        )
        executable = self.judge.executable
        verdict = None if executable is None else verdict_of(outcome, executable, self.judge.allowance)
        run = Measured(verdict=verdict, outcome=outcome, cpu_range=known.cpu_range)
        checked: Checked | None = None
        if checks and (verdict is None or may_have_been_right(run)):
            assert self.checker is not None
            checked = self.checker.check(case, outcome.stdout)
        return Performance(measured=run, checked=checked, shown=outcome.stdout)


def _forecast(job: Job, scoring: Scoring, recalled: Mapping[str, Recalled]) -> Forecast:
    """As if everything unknown went well: a failure only ever spares work."""
    needless = Needless(scoring, run_everything=job.run_everything)
    work: dict[Work, list[str]] = {each: [] for each in Work}
    for case in job.tests:
        if needless.reason(case.group) is not None:
            continue
        one = recalled.get(case.name)
        work[one.work if one else Work.RUN].append(case.name)
        needless.saw(case.group, (one.verdict if one else None) or Verdict.ACCEPTED)
    return Forecast(run=tuple(work[Work.RUN]), check=tuple(work[Work.CHECK]), keep=tuple(work[Work.KEEP]))


def _recall(index: int, past: Past, job: Job, check: str, allowance: Allowance) -> Recalled | None:
    """How the result of a run with the same name can be used; None: not at all."""
    result = past.results[index]
    origin = result.origin
    assert origin is not None
    work = _under(allowance, past, result, job)
    if work is Work.KEEP and origin.check != check and result.verdict in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER):
        work = Work.CHECK
    if work is Work.RUN or (work is Work.CHECK and (origin.cut or _talks(job))):
        return None
    other_time = past.allowance.cpu_seconds != allowance.cpu_seconds
    over = result.cpu_seconds > allowance.cpu_seconds or result.verdict == Verdict.TIME_LIMIT_EXCEEDED
    other_memory = past.allowance.memory_bytes != allowance.memory_bytes
    full = result.verdict == Verdict.MEMORY_LIMIT_EXCEEDED
    retold = work is Work.KEEP and ((other_time and over) or (other_memory and full))
    known = None if work is Work.CHECK else Verdict.TIME_LIMIT_EXCEEDED if retold and over else result.verdict
    return Recalled(index=index, result=result, work=work, verdict=known, retold=retold)


def _talks(job: Job) -> bool:
    return job.package.interactive or job.package.multi_pass


def _under(new: Allowance, past: Past, result: CaseResult, job: Job) -> Work:
    """What limits make of a result, whatever its check."""
    old = past.allowance
    if job.package.submit_answer or (old == new and past.same_host):
        return Work.KEEP
    if _talks(job):
        return Work.RUN
    most = result.cpu_range[1] if result.cpu_range else result.cpu_seconds
    if not past.same_host and (result.verdict == Verdict.TIME_LIMIT_EXCEEDED or most >= ELSEWHERE * new.cpu_seconds):
        return Work.RUN
    if _output_matters(new, old, result) or _memory_matters(new, old, result, job):
        return Work.RUN
    return Work.KEEP if new.cpu_seconds == old.cpu_seconds else _time(new, old, result)


def _output_matters(new: Allowance, old: Allowance, result: CaseResult) -> bool:
    """Files count as output too and nobody knows how much they were, so a lower limit may touch everything."""
    if new.output_bytes > old.output_bytes:
        return result.verdict in (Verdict.OUTPUT_LIMIT_EXCEEDED, Verdict.RUN_TIME_ERROR)
    return new.output_bytes < old.output_bytes


def _memory_matters(new: Allowance, old: Allowance, result: CaseResult, job: Job) -> bool:
    if new.memory_bytes == old.memory_bytes:
        return False
    language = LANGUAGES.get(job.source.language)
    if language is None:
        return False

    def started(allowance: Allowance) -> object:
        memory = allowance.memory_bytes
        return language.command(entry="", memory_bytes=memory), language.environment(memory_bytes=memory)

    if started(new) != started(old):  # its interpreter is told of the limit
        return True
    if new.memory_bytes > old.memory_bytes:
        refused = result.verdict in (Verdict.MEMORY_LIMIT_EXCEEDED, Verdict.RUN_TIME_ERROR)
        return refused or result.memory_bytes >= _MEMORY_NEAR * old.memory_bytes
    assert result.origin is not None
    if result.origin.ending == Ending.MEMORY:
        return False
    return result.verdict == Verdict.MEMORY_LIMIT_EXCEEDED or result.memory_bytes >= _MEMORY_NEAR * new.memory_bytes


def _time(new: Allowance, old: Allowance, result: CaseResult) -> Work:
    least, most = result.cpu_range or (result.cpu_seconds, result.cpu_seconds)
    assert result.origin is not None
    stopped = result.origin.ending in _STOPPED
    if new.cpu_seconds > old.cpu_seconds:
        if stopped or most >= NEAR * new.cpu_seconds:
            return Work.RUN
        return Work.CHECK if result.verdict == Verdict.TIME_LIMIT_EXCEEDED else Work.KEEP
    if stopped or least >= SURELY * new.cpu_seconds:
        return Work.KEEP
    slow = result.wall_seconds >= _WALL_NEAR * (2 * LEEWAY * new.cpu_seconds + 3)
    return Work.RUN if slow or most >= NEAR * new.cpu_seconds else Work.KEEP


class Nobody:
    """A performer for jobs in which nothing is to be run."""

    def perform(self, case: ReadyCase) -> Performance:
        """Never called."""
        raise AssertionError(f"{case.name} was to be recalled")
