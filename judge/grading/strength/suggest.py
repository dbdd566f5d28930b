"""A new case for each mutant that all cases let through: an input on which it is wrong, the right solution not."""

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from judge.grading.build import BuildFailed, CaseMaker
from judge.grading.executable import Executable
from judge.grading.job import ReadyCase
from judge.grading.strength.inputs import Candidate, candidates
from judge.grading.strength.meter import Metered
from judge.grading.strength.trial import Seen, Trials
from judge.grading.verdict import Verdict
from judge.grading.workshop import Workshop
from problems.package.model import Package
from sandbox.contract import Sandbox

_VALIDATION_SECONDS = 5.0
"""A generator or validator that takes longer than this makes no suggestion."""
_CANDIDATES = 2_000
SHOWN_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A case that the package lacks: on this input the mutant is found out."""

    mutant: str
    """Its id."""
    verdict: Verdict
    """What the mutant gets on it."""
    command: str
    """A line for generators.yaml, with the seed in it; empty when no generator made the input."""
    like: str
    """Name of the case it was made after: the same command with other arguments, or the same input changed."""
    input: bytes
    shown: str
    """The input as text, its first `SHOWN_CHARACTERS`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """An input on which a solution that its author calls right is not accepted; that weighs more than any mutant."""

    command: str
    like: str
    shown: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """How far the search has come."""

    valid: int
    """Inputs that the validators took."""
    cpu_seconds: float


def suggest(
    package: Package,
    cases: Sequence[ReadyCase],
    box: Sandbox,
    workshop: Workshop,
    *,
    solution: Executable,
    survivors: Mapping[str, Executable],
    seed: int,
    cpu_seconds: float,
    until: float,
) -> Iterator[Suggestion | Disagreement | Searched]:
    """Yield a `Suggestion` for each of `survivors` (id -> program) that is found wrong before `cpu_seconds` are spent
    and the monotonic clock shows `until`; a `Searched` after each valid input and at the end; and the first
    `Disagreement`, which ends the search.

    Raises `CheckerBroken`, `SandboxFault`.
    """
    limits = package.limits
    brisk = replace(
        package, limits=replace(limits, validation_seconds=min(limits.validation_seconds, _VALIDATION_SECONDS))
    )
    meter = Metered(box)
    trials = Trials(package=brisk, box=meter, workshop=workshop)
    left = dict(survivors)
    tried: set[bytes] = {sha256(case.input.read_bytes()).digest() for case in cases}
    valid = 0
    with tempfile.TemporaryDirectory(prefix="suggesting-") as folder:
        maker = CaseMaker(brisk, meter, Path(folder), workshop)
        for number, candidate in enumerate(candidates(cases, seed)):
            if not left or number >= _CANDIDATES or meter.cpu_seconds >= cpu_seconds or time.monotonic() > until:
                break
            made = _made(maker, candidate, tried, Path(folder))
            if made is None:
                continue
            valid += 1
            right = trials.run(solution, made)
            if right.verdict != Verdict.ACCEPTED:
                yield _disagreement(candidate, made, right)
                break
            for name, executable in list(left.items()):
                verdict = _found_out(trials, executable, made, right)
                if verdict is not None:
                    del left[name]
                    yield _suggestion(name, candidate, made, verdict)
                if meter.cpu_seconds >= cpu_seconds:
                    break
            yield Searched(valid=valid, cpu_seconds=meter.cpu_seconds)
    yield Searched(valid=valid, cpu_seconds=meter.cpu_seconds)


def _made(maker: CaseMaker, candidate: Candidate, tried: set[bytes], folder: Path) -> ReadyCase | None:
    """The candidate as a case; None when it is not valid, or nothing new."""
    for old in folder.rglob("*.ans"):
        old.unlink()
    try:
        made = maker.make(candidate.case)
    except BuildFailed:
        return None
    digest = sha256(made.input.read_bytes()).digest()
    if digest in tried:
        return None
    tried.add(digest)
    return made


def _found_out(trials: Trials, executable: Executable, made: ReadyCase, right: Seen) -> Verdict | None:
    """What a mutant gets, if that is not for being accepted; slowness counts only by the package's own limit."""
    seen = trials.run(executable, made, within=right)
    if seen.verdict in (Verdict.TIME_LIMIT_EXCEEDED, Verdict.MEMORY_LIMIT_EXCEEDED):
        seen = trials.run(executable, made)
    return None if seen.verdict in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR) else seen.verdict


def _suggestion(mutant: str, candidate: Candidate, made: ReadyCase, verdict: Verdict) -> Suggestion:
    return Suggestion(
        mutant=mutant,
        verdict=verdict,
        command=candidate.command,
        like=candidate.like,
        input=made.input.read_bytes(),
        shown=_shown(made),
    )


def _disagreement(candidate: Candidate, made: ReadyCase, seen: Seen) -> Disagreement:
    return Disagreement(
        command=candidate.command, like=candidate.like, shown=_shown(made), note=f"{seen.verdict}: {seen.note}"
    )


def _shown(made: ReadyCase) -> str:
    return made.input.read_bytes()[: 4 * SHOWN_CHARACTERS].decode("utf-8", "replace")[:SHOWN_CHARACTERS]
