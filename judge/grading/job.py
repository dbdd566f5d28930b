"""The door of the grading core: what is asked (`Job`) and the steps that come out, one by one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

from judge.grading.verdict import Verdict
from problems.package.model import CaseSettings, Package, Provenance, StaticCase
from sandbox.contract import Ending

ANSWERS = "answers"
"""Stands for a language where answers are submitted and no program is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A program as it was sent: one or several files in one language of `judge.grading.languages`; or answers."""

    language: str
    files: Mapping[str, bytes]
    """File name (may have folders) -> bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyCase:
    """A test case of a built version: input and answer are there, as files on this host."""

    name: str
    group: str
    input: Path
    answer: Path
    files: Mapping[str, Path] = field(default_factory=dict)
    settings: CaseSettings = field(default_factory=CaseSettings)
    provenance: Provenance | None = None
    input_digest: str = ""
    """SHA-256 of the input's bytes, where it is known without reading them; likewise of the answer's."""
    answer_digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticTest:
    """The static validation test case of a group, which stands before the group's cases."""

    group: str
    asked: StaticCase

    @property
    def name(self) -> str:
        return f"{self.group}/static_validation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One program to be judged against one built version of a package."""

    package: Package
    cases: tuple[ReadyCase, ...]
    """In the order in which they are judged."""
    source: Source
    time_factor: float = 1.0
    run_everything: bool = False
    """Run also what a first failure would leave out (verifying an author's examples)."""

    @property
    def tests(self) -> tuple[ReadyCase | StaticTest, ...]:
        """What is judged, in order."""
        return tests_of(self.package, self.cases)


def tests_of(package: Package, cases: Iterable[ReadyCase]) -> tuple[ReadyCase | StaticTest, ...]:
    """What each program is judged by, in order: the cases, and before those of a group its static validation."""
    place = {group.name: number for number, group in enumerate(package.groups)}
    static = [StaticTest(group=one.name, asked=one.static) for one in package.groups if one.static]
    tests: list[ReadyCase | StaticTest] = []
    for case in cases:
        while static and place[static[0].group] <= place.get(case.group, -1):
            tests.append(static.pop(0))
        tests.append(case)
    return (*tests, *static)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """First step. When `verdict` is not None (compile_error or judge_error) only a `Report` follows."""

    verdict: Verdict | None
    log: bytes
    """What the compiler said, at most 64 KiB."""
    cpu_seconds: float
    toolchain: str
    """Compiler or interpreter with its version, and the flags."""
    reused: bool = False
    """The same had been compiled before and was kept; `cpu_seconds` are those of that time."""
    tools: str = ""
    """Names compiler, its files and the sandbox: what was judged with others says nothing for these."""


class Work(StrEnum):
    """What was done for the result of a case."""

    RUN = "run"
    CHECK = "check"
    """The output of an earlier run was checked."""
    KEEP = "keep"
    """Nothing: an earlier result holds, at most its points or its words are others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """How a result came about: with it and the output, much can be said of another version without a run."""

    run: str
    """Names all that had a part in the run, but limits and tools."""
    check: str
    """Names all that had a part in the check."""
    ending: Ending
    exit_code: int | None
    signal: int | None
    checked: Verdict | None
    """What the checker said; None: nobody looked."""
    score: Fraction | None
    multiplier: Fraction | None
    cut: bool
    """The kept output is not the whole one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """One case judged; `verdict` None means that it was not run (`note` says why)."""

    name: str
    group: str
    verdict: Verdict | None
    cpu_seconds: float
    cpu_range: tuple[float, float] | None
    """Lowest and highest of several measurements, when it was measured again near the limit."""
    wall_seconds: float
    memory_bytes: int
    points: Fraction
    """Points of the case; 0 where the problem does not score by case."""
    note: str
    """What happened, in a sentence for a student; tells nothing of secret data."""
    judge_note: str
    """What the validator or the sandbox said, for staff only."""
    team_note: str = ""
    """What the validator says to the student (`teammessage.txt`)."""
    output: bytes = b""
    """The program's standard output, clipped for keeping."""
    stderr: bytes = b""
    origin: Origin | None = None
    """None: it was not run, or could not be judged."""
    work: Work = Work.RUN
    past: int | None = None
    """Which of the results of an earlier judgement (see `judge.grading.reuse`) this one was made of. Its output and
    standard error are those of that one, and not given again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Last step: the whole submission."""

    verdict: Verdict
    points: Fraction
    out_of: Fraction
    note: str
    """The verdict in a sentence a beginner understands, with the case, the limit and the figure."""
    judge_note: str = ""


Step = Compiled | CaseResult | Report
