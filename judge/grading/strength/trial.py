"""Whether a mutant is found out by a case: run, checked, and compared with what the right solution does there."""

from dataclasses import dataclass, replace
from fractions import Fraction

from judge.grading.case import allowance_of
from judge.grading.check import Checked
from judge.grading.executable import Executable
from judge.grading.job import ReadyCase
from judge.grading.performance import Performance, performer_of
from judge.grading.run import Allowance
from judge.grading.verdict import Verdict
from judge.grading.workshop import Workshop
from problems.package.model import Package
from sandbox.contract import Sandbox

_TIMES, _MORE_SECONDS = 10, 0.2
_MEMORY_TIMES, _MORE_BYTES = 4, 256 << 20
LIMITS = frozenset({Verdict.TIME_LIMIT_EXCEEDED, Verdict.MEMORY_LIMIT_EXCEEDED, Verdict.OUTPUT_LIMIT_EXCEEDED})
"""Whoever ran into one of these on a case is not run on further ones: each would take as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a program did on one case. `note`: what the checker said, for staff."""

    verdict: Verdict
    score: Fraction | None
    cpu_seconds: float
    memory_bytes: int
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trials:
    """Runs programs on cases of one package."""

    package: Package
    box: Sandbox
    workshop: Workshop

    def run(self, executable: Executable, case: ReadyCase, *, within: Seen | None = None) -> Seen:
        """What `executable` does on `case`: under the package's limits, or (far less) a few times `within`.

        A case that is right for fewer points than `within` counts as wrong. Raises `CheckerBroken`, `SandboxFault`.
        """
        allowance = allowance_of(self.package.limits)
        if within is not None:
            allowance = _tight(allowance, within)
        try:
            done = performer_of(self.package, executable, self.box, allowance, self.workshop).perform(case)
        except OSError as error:
            return _nothing(f"The files of {case.name} cannot be read: {error}")
        return _seen(done, within)


def _tight(allowance: Allowance, within: Seen) -> Allowance:
    return replace(
        allowance,
        cpu_seconds=min(allowance.cpu_seconds, _TIMES * within.cpu_seconds + _MORE_SECONDS),
        memory_bytes=min(allowance.memory_bytes, _MEMORY_TIMES * within.memory_bytes + _MORE_BYTES),
    )


def _seen(done: Performance, within: Seen | None) -> Seen:
    outcome, checked = done.measured.outcome, done.checked
    score = _score(checked)
    verdict = done.verdict
    if verdict == Verdict.ACCEPTED and within is not None and score is not None and within.score is not None:
        verdict = Verdict.ACCEPTED if score >= within.score else Verdict.WRONG_ANSWER
    return Seen(
        verdict=verdict,
        score=score,
        cpu_seconds=outcome.cpu_seconds,
        memory_bytes=outcome.memory_bytes,
        note=checked.judge_note if checked is not None else outcome.stderr.decode("utf-8", "replace")[-500:],
    )


def _score(checked: Checked | None) -> Fraction | None:
    if checked is None:
        return None
    return checked.score if checked.score is not None else checked.multiplier


def _nothing(note: str) -> Seen:
    return Seen(verdict=Verdict.JUDGE_ERROR, score=None, cpu_seconds=0.0, memory_bytes=0, note=note)
