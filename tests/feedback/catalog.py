"""The wrong programs of `programs/`, what must be found out about each, and how they are judged and searched."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from judge.grading.build import Built, build
from judge.grading.compile import compile_source
from judge.grading.executable import Executable
from judge.grading.feedback.behaves_like import Likeness
from judge.grading.feedback.bench import digest_of
from judge.grading.feedback.ground import Grounds
from judge.grading.feedback.search import Counterexample, Failure, Step, search
from judge.grading.grade import grade
from judge.grading.job import CaseResult, Job, ReadyCase, Report, Source
from judge.grading.languages import guess_of
from judge.grading.verdict import Verdict
from judge.grading.workshop import PLAIN
from problems.package.model import Package
from problems.package.read import read
from sandbox.contract import Sandbox
from tests import together

PROGRAMS = Path(__file__).with_name("programs")
CATALOG = Path(__file__).parents[2] / "problems" / "catalog"

LIKE: Mapping[str, str] = {
    "knightmoves/seven_moves.py": "one-move-missing",
    "knightmoves/first_line_only.c": "first-line-only",
    "knightmoves/target_swapped.cpp": "row-and-column-swapped",
    "knightmoves/equal_is_two.py": "equal-squares-not-zero",
    "knightmoves/formula.py": "corner-forgotten",
    "knightmoves/visited_kept.cpp": "visited-not-reset",
    "knightmoves/stack_for_queue.cpp": "depth-first",
    "knightstour/from_zero.py": "numbers-from-zero",
    "knightstour/greedy.cpp": "no-backtracking",
    "knightstour/swapped_start.java": "row-and-column-swapped",
    "knightstour/parity_for_all.py": "parity-of-every-board",
    "knightstour/one_based_start.cpp": "start-from-zero",
    "knightstour/last_square.py": "last-square-left-out",
    "maze/dfs_path.py": "depth-first",
    "maze/east_west_bits.py": "wrong-wall-bit",
    "maze/reversed_path.cpp": "backwards",
    "maze/only_capitals.c": "capitals-only",
    "maze/row_column_swapped.java": "x-and-y-swapped",
    "maze/same_cell_no_path.py": "entry-is-exit",
    "maze/empty_for_no_path.cpp": "no-path-missing",
    "maze/square_grid.py": "square-only",
    "maze/north_is_down.py": "upside-down",
    "maze/one_short.py": "one-step-short",
    "maze/marks_late.cpp": "visited-on-leaving",
}
"""Programs whose mistake is of a mutant's kind. No other may be told to be like one."""


def programs(slug: str) -> list[Path]:
    return sorted((PROGRAMS / slug).iterdir())


@dataclass(frozen=True, kw_only=True)
class Searched:
    """What came of one program."""

    verdict: Verdict
    counterexample: Counterexample
    like: str
    seconds: float
    """Until the counterexample was there."""
    steps: tuple[Step, ...]


class Shelf:
    """A built-in problem, built and ready."""

    def __init__(self, slug: str, box: Sandbox, folder: Path) -> None:
        package = read(CATALOG / slug).package
        assert package is not None
        self.package: Package = package
        self.box = box
        *_, built = build(self.package, box, together.built())
        assert isinstance(built, Built)
        self.cases: tuple[ReadyCase, ...] = built.cases
        kept = folder / f"ground-{built.digest}"
        self.grounds = Grounds(
            self.package,
            self.cases,
            box,
            PLAIN,
            kept=lambda: kept.read_bytes() if kept.exists() else None,
            keep=lambda content: void(kept.write_bytes(content)),
        )
        public = {digest_of(case.input.read_bytes()) for case in self.cases if case.group == "sample"}
        self.secret = {digest_of(case.input.read_bytes()) for case in self.cases} - public

    def source(self, program: Path) -> Source:
        language = guess_of([program.name])
        assert language is not None
        return Source(language=language.id, files={program.name: program.read_bytes()})

    def executable(self, program: Path) -> Executable:
        executable = compile_source(self.source(program), self.package, self.box).executable
        assert executable is not None
        return executable

    def searched(self, program: Path, *, judged: bool = True) -> Searched:
        """Judge and search. Not `judged`: the program is taken to have a wrong answer."""
        source = self.source(program)
        failure = self._judged(source) if judged else Failure(verdict=Verdict.WRONG_ANSWER)
        steps: list[Step] = []
        began, seconds = time.monotonic(), 0.0
        for step in search(
            self.package, source, failure, self.box, PLAIN, grounds=self.grounds, secret=self.secret, budget=5.0
        ):
            steps.append(step)
            if isinstance(step, Counterexample):
                seconds = time.monotonic() - began
        counterexample = next(step for step in steps if isinstance(step, Counterexample))
        like = next((step.mutant for step in steps if isinstance(step, Likeness)), "")
        return Searched(
            verdict=failure.verdict, counterexample=counterexample, like=like, seconds=seconds, steps=tuple(steps)
        )

    def _judged(self, source: Source) -> Failure:
        cases, verdict = [], Verdict.JUDGE_ERROR
        for step in grade(Job(package=self.package, cases=self.cases, source=source), self.box):
            if isinstance(step, CaseResult):
                cases.append(step)
            elif isinstance(step, Report):
                verdict = step.verdict
        failed = next((one for one in cases if one.verdict not in (None, Verdict.ACCEPTED)), None)
        case = next((one for one in self.cases if failed is not None and one.name == failed.name), None)
        return Failure(verdict=verdict, case=case)


def void(_: object) -> None:
    """For callbacks whose result nobody wants."""


_shelves: dict[str, Shelf] = {}


def shelf(slug: str, box: Sandbox, folder: Path) -> Shelf:
    """The problem; built once for all tests of a process."""
    if slug not in _shelves:
        _shelves[slug] = Shelf(slug, box, folder)
    return _shelves[slug]
