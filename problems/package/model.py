"""A problem package as data: what `read` gives and everybody else works on.

The words are those of the problem package format 2025-09; sizes here are bytes and times seconds, whatever unit the
format writes them in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from problems.package.lesson import Lesson


class ProblemType(StrEnum):
    PASS_FAIL = "pass-fail"  # noqa: S105
    SCORING = "scoring"
    MULTI_PASS = "multi-pass"  # noqa: S105
    INTERACTIVE = "interactive"
    SUBMIT_ANSWER = "submit-answer"


Content = bytes | Path
"""Bytes, or a file on this host that holds them."""


class Aggregation(StrEnum):
    """How the scores of a test group's cases make the group's score."""

    PASS_FAIL = "pass-fail"  # noqa: S105
    SUM = "sum"
    MIN = "min"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of a package, exactly as it states them. `time_seconds` is CPU time of one test case."""

    time_seconds: float
    time_stated: bool = True
    """False: the package leaves the limit to be measured from its examples, and `time_seconds` is only what these may
    use meanwhile."""
    time_resolution: float = 1.0
    ac_to_time_limit: float = 2.0
    time_limit_to_tle: float = 1.5
    memory_bytes: int = 2048 << 20
    output_bytes: int = 8 << 20
    code_bytes: int = 128 << 10
    compile_seconds: float = 60.0
    compile_memory_bytes: int = 2048 << 20
    validation_seconds: float = 60.0
    validation_memory_bytes: int = 2048 << 20
    validation_output_bytes: int = 8 << 20
    validation_passes: int = 2
    file_writing: bool = False
    """Whether submissions may write into their working folder (`allow_file_writing`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """An author's program: a file or a folder of the package, with its files read."""

    name: str
    """Path below the package, without a trailing slash: `output_validator/walk.py`, `submissions/accepted/bfs.cpp`."""
    files: Mapping[str, bytes]
    """Path below the program's folder -> bytes; one entry for a program that is one file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSettings:
    """The `.yaml` of a test case, with what its test group says filled in."""

    args: tuple[str, ...] = ()
    input_validator_args: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """`Program.name` of a validator -> arguments; the key `""` holds for every validator not named."""
    output_validator_args: tuple[str, ...] = ()
    input_visualizer_args: tuple[str, ...] = ()
    output_visualizer_args: tuple[str, ...] = ()
    full_feedback: bool = False
    hint: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a generated case came from; enough to make it again to the byte."""

    generator: str
    """Name of the generator program below `generators/`: a key of `Package.generators`."""
    arguments: tuple[str, ...]
    seed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TestCase:
    """One test case. Its input is a file of the package (`input`), or was written into `generators.yaml`
    (`input_text`), or is to be generated: then only `provenance` is set. With `input` and `provenance` both, the file
    must be what the generator gives: that is seen when a version is made."""

    __test__ = False

    name: str
    """Path below `data/` without extension: `secret/07-all`."""
    group: str
    """Name of its test group: `sample`, `secret`, `secret/2-large`."""
    input: Path | None = None
    input_text: bytes | None = None
    provenance: Provenance | None = None
    answer: Path | None = None
    answer_text: bytes | None = None
    """When this and `answer` are both None, the model solution makes the answer, at build time."""
    files: Mapping[str, Path] = field(default_factory=dict)
    """Path below the working folder of the run -> file to put there."""
    settings: CaseSettings = CaseSettings()
    extras: Mapping[str, Content] = field(default_factory=dict)
    """The case's other files by extension without first dot: `out`, `interaction`, `in.statement`, `png`, …"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticCase:
    """The static validation test case of a group: the submission itself is looked at, and nothing is run."""

    max_score: int | None
    """The most points for it. None: it must be passed, and is worth nothing by itself."""
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TestGroup:
    """`sample`, `secret`, or one folder of `secret`."""

    __test__ = False

    name: str
    aggregation: Aggregation
    max_score: int | None = None
    """None: unbounded, or a pass-fail problem, where nothing is scored."""
    require_pass: tuple[str, ...] = ()
    static: StaticCase | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What the cases that `within` names must and may get, beside what holds for the whole submission."""

    within: str
    """Pattern for names of groups and cases (`sample`, `secret/*-easy`); `*` stands for every case."""
    permitted: frozenset[str]
    required: frozenset[str]
    message: str = ""
    score: tuple[float, float] | None = None
    """Lowest and highest score of the group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """An example submission and what it must and may get."""

    program: Program
    folder: str
    """`accepted`, `wrong_answer`, …"""
    language: str | None
    """Language code of the format (`cpp`, `python3`, …) when the package says it, else None (guess by file ending)."""
    permitted: frozenset[str]
    """Subset of AC WA TLE RTE: every case of the submission must get one of these. CE, which only our own folder can
    say: it may be refused by its compiler."""
    required: frozenset[str]
    """When not empty: at least one case must get one of these."""
    model_solution: bool = False
    message: str = ""
    """When not empty: must stand in the judge's message of at least one case."""
    score: tuple[float, float] | None = None
    """Lowest and highest score of the submission."""
    expectations: tuple[Expectation, ...] = ()
    """Further conditions, each on a part of the cases; all must hold."""
    entrypoint: str | None = None
    authors: tuple[str, ...] = ()
    bounds_time_from_below: bool = False
    """Whether its slowest case gives the lower bound of the time limit."""
    bounds_time_from_above: bool = False
    """Whether its slowest case gives the upper bound of the time limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """The reference with one mistake in it, from `palfrey/mutants/<name>/`: a folder of ours, unknown to the format."""

    name: str
    """Says the mistake: `row-and-column-swapped`."""
    program: Program
    hints: Mapping[str, Path]
    """Language code -> Markdown file for a student whose program behaves like this one."""


class SizeOf(StrEnum):
    """What the size of an input is, where a package names it."""

    LINES = "lines"
    BYTES = "bytes"
    NUMBERS = "numbers"
    """How many numbers stand in it."""
    FIRST_NUMBER = "first number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Small:
    """Small inputs, smallest first, among which a counterexample is looked for."""

    inputs: tuple[bytes, ...] = ()
    """Written in place."""
    program: Program | None = None
    """Prints them, each as a JSON string on a line of its own."""
    arguments: tuple[str, ...] = ()
    joined: bool = False
    """Each is a line, and its answer is one. Put one after the other they are an input too, with their answers so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """What the size of an input is, and how its cost should grow with it."""

    of: SizeOf
    generate: tuple[str, ...] = ()
    """A generator and its arguments, of which `{n}` is to be the size, or grows with it; empty: only cases are looked
    at."""
    smallest: int = 1
    largest: int = 1
    expected: str = ""
    """Of a good solution, as people write it: `n`, `n log n`, `n^2`."""


class Way(StrEnum):
    """Which way all wrong outputs of a program differ from the right ones."""

    LARGER = "larger"
    """One number is too large."""
    SMALLER = "smaller"
    SAYS = "says"
    """The program says the same everywhere."""
    MISSES = "misses"
    """The same is right everywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """`palfrey/feedback.yaml`: what helps to find out what is wrong with a student's program."""

    small: Small | None = None
    size: Size | None = None
    replay: tuple[str, ...] = ()
    """A tracer (a key of `Package.tracers`) and its arguments, that shows what should happen on any input."""
    one_right: bool = False
    """Only one output is right, though a validator of the package's own looks at it."""
    none: str = ""
    """The line that says that there is none of what is asked for: `NO PATH`."""
    meanings: Mapping[Way, Mapping[str, Path]] = field(default_factory=dict)
    """What it means when a program is wrong this way: language code -> Markdown file."""

    def meaning(self, way: Way, line: str) -> Mapping[str, Path]:
        """For who is wrong this way; `line`: what is said, or right, everywhere, which must be that of `none`."""
        return self.meanings.get(way, {}) if line.lower() in ("", self.none.lower()) else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A problem package that was read without an error."""

    root: Path
    slug: str
    names: Mapping[str, str]
    """Language code -> title."""
    uuid: str
    types: frozenset[ProblemType]
    limits: Limits
    statements: Mapping[str, Path]
    """Language code -> `.md`, `.tex` or `.pdf` file."""
    groups: tuple[TestGroup, ...]
    """`sample` first (when there are samples), then `secret`, then its groups in order."""
    cases: tuple[TestCase, ...]
    """In the order in which they are judged: samples, then secret, each lexicographic by name."""
    examples: tuple[Example, ...]
    input_validators: tuple[Program, ...]
    output_validator: Program | None
    """None: the format's default output validator."""
    generators: Mapping[str, Program]
    """Name below `generators/`, as `Provenance.generator` says it -> program."""
    static_validator: Program | None = None
    """Looks at the submissions themselves, for each group with a static validation test case."""
    input_visualizer: Program | None = None
    output_visualizer: Program | None = None
    probes: tuple[TestCase, ...] = ()
    """Cases that test the validators, never a submission; their group is `invalid_input`, `invalid_output` or
    `valid_output` (the output stands in `extras["out"]`)."""
    shown: Mapping[str, Mapping[str, Content]] = field(default_factory=dict)
    """Samples that are shown and not run, for want of an input: name -> extension without first dot -> content."""
    include: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)
    """`default` or a language code -> file name -> bytes, copied over a submission before it is compiled."""
    languages: frozenset[str] | None = None
    """Language codes of the format that may be submitted; None: all."""
    keywords: tuple[str, ...] = ()
    license: str = "unknown"
    credits: tuple[str, ...] = ()
    source: str = ""
    constants: Mapping[str, str] = field(default_factory=dict)
    """`name` and `name.variant` -> what stands for `{{name}}`, `{{name.variant}}`. Programs are read with it done."""
    attachments: Mapping[str, Path] = field(default_factory=dict)
    """Path below `attachments/` -> file that every student may have."""
    mutants: tuple[Mutant, ...] = ()
    feedback: Feedback = Feedback()
    lessons: Mapping[str, Lesson] = field(default_factory=dict)
    """Language code -> lesson."""
    tracers: Mapping[str, Program] = field(default_factory=dict)
    """Name below `palfrey/traces/` -> program that prints a trace."""
    code: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)
    """Name -> ending with its dot -> a piece of code that lessons show, from `palfrey/code/`."""
    messages: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Language code -> what programs of the package say in English, with `{name}` for a value -> the same in it."""
    version: str = ""
    rights_owner: str = ""
    embargo_until: str = ""

    @property
    def checker_is_tried(self) -> bool:
        """Whether something in the package must be rejected by its own checker; also when it has no checker."""
        return (
            self.output_validator is None
            or any(probe.group == "invalid_output" for probe in self.probes)
            or any("WA" in example.required for example in self.examples)
        )

    @property
    def one_right(self) -> bool:
        """Whether for each input only one output is right."""
        return self.output_validator is None or self.feedback.one_right

    @property
    def model_solution(self) -> Example:
        """The accepted example that makes the answers: the one marked so, else the first."""
        accepted = [one for one in self.examples if one.folder == "accepted"]
        return next((one for one in accepted if one.model_solution), accepted[0])

    @property
    def scoring(self) -> bool:
        return ProblemType.SCORING in self.types

    @property
    def interactive(self) -> bool:
        return ProblemType.INTERACTIVE in self.types

    @property
    def multi_pass(self) -> bool:
        return ProblemType.MULTI_PASS in self.types

    @property
    def submit_answer(self) -> bool:
        return ProblemType.SUBMIT_ANSWER in self.types


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something to tell the author of a package: where, which rule, and what to do."""

    severity: Severity
    where: str
    """File below the package, with `:line` where known; `""` for the package as a whole."""
    rule: str
    """Short stable name of the rule, such as `unknown-key`."""
    message: str
    """A sentence that says what is wrong and how to mend it."""
