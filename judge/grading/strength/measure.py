"""How many programs with a mistake the cases of a package find out, step by step; and cases it should have besides."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice

from judge.grading.compile import compile_program
from judge.grading.executable import Executable
from judge.grading.job import ReadyCase
from judge.grading.strength.killing import KillingSet, adding_nothing, smallest_set
from judge.grading.strength.meter import Metered
from judge.grading.strength.mutants import Mutant, Subject, given, made, solution_called
from judge.grading.strength.suggest import Disagreement, Searched, Suggestion, suggest
from judge.grading.strength.trial import LIMITS, Seen, Trials
from judge.grading.verdict import Verdict
from judge.grading.workshop import PLAIN, Workshop
from problems.package.model import Package, Program
from problems.say import say
from sandbox.contract import Sandbox

_ROW_SECONDS = 1.0
"""A mutant that has been found out is run on further cases, cheapest first, until it has taken so much CPU in all."""
_BYTES_A_SECOND = 4e6
"""What reading, writing and checking are reckoned to take, when cases are put in order of their cost."""
_MOST_COMPILED = 3
"""So many times the mutants that are asked for are compiled at most, when many of them count for nothing."""


class CannotMeasure(Exception):
    """Nothing can be said of the cases; the text says why. The author's fault, or the problem is of another kind."""


class Fate(StrEnum):
    """What came of a mutant."""

    KILLED = "killed"
    """Some case found it out."""
    KILLED_BY_TIME = "killed_by_time"
    """Nothing but a limit of time, memory or output found it out, on its last case. Limits are tight for mutants that
    are made: ten times what the right solution takes, and never more than the package's."""
    SURVIVED = "survived"
    """Every case let it through."""
    EQUIVALENT = "equivalent"
    """Its compiler makes the same of it, to the byte, as of the right solution, so it counts for nothing."""
    NOT_COMPILED = "not_compiled"
    """It is no program, so it counts for nothing."""
    NOT_TRIED = "not_tried"
    """There was no more time."""
    FAULT = "fault"
    """No case found it out, and on one the checker failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """How much is to be tried."""

    mutants: int = 60
    """At most so many are made; those that come with the package are tried all."""
    seed: int = 1
    """Which ones are made, and what is tried as a new case, depends on it alone."""
    suggest_seconds: float = 20.0
    """CPU seconds that may be spent on looking for new cases; 0: do not look."""
    most_seconds: float = 1200.0
    """When so much time has gone by no further mutant is tried, and no new case looked for."""
    solution: str = ""
    """Name of the accepted example that mistakes are put into (the end of its path); empty: choose one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """`done` of `total` steps are behind us, and `what` comes now."""

    done: int
    total: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One mutant has been tried: a row of the matrix."""

    mutant: Mutant
    fate: Fate
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    """Name of a case -> what it got there. Cases that are not in it were not run."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Name of a case -> what the checker said when it failed."""

    @property
    def killers(self) -> tuple[str, ...]:
        """The cases that found it out, as far as they were run."""
        passed = (Verdict.ACCEPTED, Verdict.JUDGE_ERROR)
        return tuple(name for name, verdict in self.verdicts.items() if verdict not in passed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """The result. A survivor without a suggestion may be equivalent to the right solution: nobody can tell for sure."""

    solution: str
    """The accepted example that mistakes were put into; empty: none is in Python, C or C++, and no mutant was made."""
    cases: tuple[str, ...]
    tried: tuple[Tried, ...]
    """The package's own first, then those made, in the order of the text."""
    adds_nothing: tuple[str, ...]
    """Cases each of which kills nothing that no other is known to kill."""
    smallest: KillingSet
    suggestions: tuple[Suggestion, ...]
    disagreement: Disagreement | None
    searched: Searched

    def count(self, fate: Fate) -> int:
        """How many came to this."""
        return sum(one.fate == fate for one in self.tried)

    @property
    def killed(self) -> int:
        return self.count(Fate.KILLED) + self.count(Fate.KILLED_BY_TIME)

    @property
    def survivors(self) -> tuple[Tried, ...]:
        return tuple(one for one in self.tried if one.fate == Fate.SURVIVED)

    @property
    def score(self) -> float | None:
        """Part of the mutants that is killed, 0 to 1; equivalent ones, which nobody can kill, count as not killed.
        None: none was tried.
        """
        together = self.killed + len(self.survivors)
        return self.killed / together if together else None


Step = Progress | Tried | Suggestion | Strength


def measure_strength(
    package: Package,
    cases: Sequence[ReadyCase],
    box: Sandbox,
    workshop: Workshop = PLAIN,
    wishes: Wishes | None = None,
) -> Iterator[Step]:
    """Yield `Progress` before each step, a `Tried` for each mutant, a `Suggestion` for each new case, last `Strength`.

    Raises `CannotMeasure`, `CheckerBroken` (the package's validator does not compile), `SandboxFault`.
    """
    if package.submit_answer:
        raise CannotMeasure(
            say("said", "Answers are submitted here and no programs, so there is nothing to put mistakes into.")
        )
    yield from _Measuring(package, cases, box, workshop, wishes or Wishes()).steps()


class _Measuring:
    def __init__(
        self, package: Package, cases: Sequence[ReadyCase], box: Sandbox, workshop: Workshop, wishes: Wishes
    ) -> None:
        self._package, self._cases, self._box, self._workshop = package, cases, box, workshop
        self._wishes = wishes
        self._meter = Metered(box)
        self._trials = Trials(package=package, box=self._meter, workshop=workshop)
        self._until = time.monotonic() + wishes.most_seconds
        self._solution = solution_called(package, wishes.solution)
        if self._solution is None and wishes.solution:
            raise CannotMeasure(
                say(
                    "said",
                    "There is no accepted example in Python, C or C++ that is called “%(name)s”.",
                    name=wishes.solution,
                )
            )
        self._right: dict[str, Seen] = {}
        self._survivors: dict[str, Executable] = {}
        self._made_of_right: Mapping[str, bytes] = {}

    def steps(self) -> Iterator[Step]:
        """All of it."""
        example = self._solution or self._package.model_solution
        right = self._executable(example.program, example.language)
        if right is None:
            raise CannotMeasure(say("said", "%(name)s does not compile here.", name=example.program.name))
        self._made_of_right = right.files
        own = given(self._package)
        total = len(self._cases) + len(own) + (self._wishes.mutants if self._solution else 0)
        for number, case in enumerate(self._cases):
            yield Progress(done=number, total=total, what=f"{case.name}, {example.program.name}")
            seen = self._trials.run(right, case)
            if seen.verdict != Verdict.ACCEPTED:
                raise CannotMeasure(
                    say(
                        "said",
                        "%(name)s is not accepted on %(case)s: %(verdict)s.",
                        name=example.program.name,
                        case=case.name,
                        verdict=seen.verdict,
                    )
                    + f" {seen.note}"
                )
            self._right[case.name] = seen
        order = sorted(self._cases, key=lambda case: (self._cost(case), case.name))
        tried: list[Tried] = []
        for subject in (*own, *islice(self._made(), self._wishes.mutants * _MOST_COMPILED)):
            counted = sum(one.fate not in (Fate.NOT_COMPILED, Fate.EQUIVALENT) for one in tried[len(own) :])
            if len(tried) >= len(own) and counted >= self._wishes.mutants:
                break
            done = len(self._cases) + min(len(tried), len(own)) + counted
            yield Progress(done=done, total=total, what=_title(subject.mutant))
            tried.append(self._try(subject, order))
            yield tried[-1]
        tried[len(own) :] = sorted(tried[len(own) :], key=lambda one: (one.mutant.name, one.mutant.line or 0))
        suggestions: list[Suggestion] = []
        disagreement, searched = None, Searched(valid=0, cpu_seconds=0.0)
        for step in self._suggest(right):
            match step:
                case Suggestion():
                    suggestions.append(step)
                    yield step
                case Disagreement():
                    disagreement = step
                case Searched():
                    searched = step
                    what = say("said", "looking for new cases, %(n)d inputs so far", n=step.valid)
                    yield Progress(done=total, total=total, what=what)
        killers = {one.mutant.id: one.killers for one in tried}
        yield Strength(
            solution=self._solution.program.name if self._solution else "",
            cases=tuple(case.name for case in self._cases),
            tried=tuple(tried),
            adds_nothing=adding_nothing([case.name for case in self._cases], killers),
            smallest=smallest_set([case.name for case in order], killers),
            suggestions=tuple(suggestions),
            disagreement=disagreement,
            searched=searched,
        )

    def _cost(self, case: ReadyCase) -> float:
        """In seconds, by what the right solution takes; what its output costs to check is not seen again."""
        size = case.input.stat().st_size + case.answer.stat().st_size
        return self._right[case.name].cpu_seconds + size / _BYTES_A_SECOND

    def _made(self) -> Iterator[Subject]:
        return made(self._solution, self._wishes.seed) if self._solution else iter(())

    def _try(self, subject: Subject, order: Sequence[ReadyCase]) -> Tried:
        mutant = subject.mutant
        if time.monotonic() > self._until:
            return Tried(mutant=mutant, fate=Fate.NOT_TRIED)
        executable = self._executable(subject.program, subject.code)
        if executable is None:
            return Tried(mutant=mutant, fate=Fate.NOT_COMPILED)
        if executable.files == self._made_of_right:
            return Tried(mutant=mutant, fate=Fate.EQUIVALENT)
        verdicts: dict[str, Verdict] = {}
        notes: dict[str, str] = {}
        before = self._meter.cpu_seconds
        fate = Fate.SURVIVED
        for case in order:
            if fate == Fate.KILLED and self._meter.cpu_seconds - before > _ROW_SECONDS:
                break
            right = self._right[case.name]
            # What comes with the package may be in another language, of which nothing tight can be said.
            tight = right if mutant.line is not None else None
            seen = self._trials.run(executable, case, within=tight)
            verdicts[case.name] = seen.verdict
            if seen.verdict in LIMITS:
                fate = Fate.KILLED if fate == Fate.KILLED else Fate.KILLED_BY_TIME
                break
            if seen.verdict == Verdict.JUDGE_ERROR:
                notes[case.name] = seen.note
                fate = Fate.FAULT if fate == Fate.SURVIVED else fate
            elif seen.verdict != Verdict.ACCEPTED:
                fate = Fate.KILLED
        if fate == Fate.SURVIVED:
            self._survivors[mutant.id] = executable
        return Tried(mutant=mutant, fate=fate, verdicts=verdicts, notes=notes)

    def _executable(self, program: Program, code: str | None) -> Executable | None:
        """None: it does not compile."""
        return compile_program(program, self._package, self._box, self._workshop, code=code).executable

    def _suggest(self, right: Executable) -> Iterator[Suggestion | Disagreement | Searched]:
        if not self._survivors or self._wishes.suggest_seconds <= 0:
            return
        yield from suggest(
            self._package,
            self._cases,
            self._box,
            self._workshop,
            solution=right,
            survivors=self._survivors,
            seed=self._wishes.seed,
            cpu_seconds=self._wishes.suggest_seconds,
            until=self._until,
        )


def _title(mutant: Mutant) -> str:
    return f"{mutant.name}:{mutant.line}" if mutant.line else mutant.name
