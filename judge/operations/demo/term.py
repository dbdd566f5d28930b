"""What is asked in the term, and who sends what when. Pure: the same number of students gives the same term."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from judge.assignments.models import Counts
from judge.grading.languages import guess
from problems.package.model import Package

PROBLEMS = ("knightmoves", "maze", "knightstour", "knightstourcount", "knightstourall")
DAY = timedelta(days=1)
LANGUAGES = ("python3", "cpp17", "java", "c17", "javascript")
LONGEST_TRY = timedelta(hours=9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An assignment; times are days from now, and its problems numbers in the list of those there are."""

    title: str
    problems: tuple[int, ...]
    opens: int
    due: int
    points: int = 100
    cutoff: int | None = None
    """Days after the deadline until when late work is taken."""
    late_percent: int = 0
    attempts: int | None = None
    counts: Counts = Counts.BEST


TERM = (
    Asked(title="1. The shortest way", problems=(0,), opens=-71, due=-57, cutoff=3, late_percent=10),
    Asked(title="2. Out of the maze", problems=(1,), opens=-57, due=-43, cutoff=5, late_percent=20, attempts=8),
    Asked(title="3. A tour of the board", problems=(2,), opens=-43, due=-29, cutoff=7, late_percent=5,
          counts=Counts.LAST),
    Asked(title="4. How many tours", problems=(3,), opens=-29, due=-12, attempts=6),
    Asked(title="5. Every tour, and the maze again", problems=(4, 1), opens=-9, due=4, points=50, cutoff=2,
          late_percent=25),
    Asked(title="6. Before the exam", problems=(0, 1, 2, 3, 4), opens=9, due=23, points=20, cutoff=1, late_percent=50),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A program of a package, as a student might have sent it."""

    language: str
    name: str
    content: bytes
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """That somebody sends a program."""

    student: int
    """From 1."""
    assignment: int
    """Place in `TERM`."""
    problem: int
    moment: datetime
    program: Written


def programs(package: Package) -> tuple[Written, ...]:
    """The example programs and mutants of a package that are one file in a language known here."""
    found = {}
    for right, program in (
        *((example.folder == "accepted", example.program) for example in package.examples),
        *((False, mutant.program) for mutant in package.mutants),
    ):
        name, content = next(iter(program.files.items()))
        name = name.rpartition("/")[2] or program.name.rpartition("/")[2]
        language = guess(name)
        if len(program.files) == 1 and language is not None:
            found[content] = Written(language=language.id, name=name, content=content, right=right)
    return tuple(found.values())


def sent(students: int, shelf: Sequence[Sequence[Written]], now: datetime) -> list[Sent]:
    """All that is sent up to `now`, in the order of time. `shelf`: the programs for each problem."""
    found = [
        one
        for number in range(1, students + 1)
        for place, asked in enumerate(TERM)
        for problem in asked.problems
        if problem < len(shelf) and shelf[problem]
        for one in _tries(number, place, problem, shelf[problem], now)
    ]
    return sorted(found, key=lambda one: (one.moment, one.student))


def due(asked: Asked, now: datetime) -> datetime:
    """The deadline: a minute before the end of the day. `now` is on the clock of the course."""
    return (now + asked.due * DAY).replace(hour=23, minute=59, second=0, microsecond=0)


def opens(asked: Asked, now: datetime) -> datetime:
    return (now + asked.opens * DAY).replace(hour=8, minute=0, second=0, microsecond=0)


def _tries(number: int, place: int, problem: int, shelf: Sequence[Written], now: datetime) -> Iterator[Sent]:
    """One student's way through a problem: wrong, wrong again, and mostly right in the end."""
    asked = TERM[place]
    # Who somebody is stays the same all term; how a week goes does not.
    person, week = Random(f"student {number}"), Random(f"student {number}, {place}, {problem}")  # noqa: S311
    skill, language = person.random(), person.choices(LANGUAGES, (9, 8, 3, 2, 1))[0]
    if number > 1 and week.random() > 0.82 + 0.2 * skill:
        return  # nothing came; the first student never misses one: also the smallest course has something to see
    wrong = min(int(week.expovariate(1.2) * (2 - skill) + 0.6), (asked.attempts or 9) - 1, 6)
    solved = week.random() < 0.72 + 0.3 * skill
    chosen = [_one(week, shelf, language, right=False) for _ in range(wrong + (not solved))]
    chosen += [_one(week, shelf, language, right=True)] if solved else []
    if week.random() < 0.12:
        chosen.insert(0, _unfinished(chosen[0]))
    late = asked.cutoff is not None and week.random() < 0.16
    first, last = opens(asked, now), due(asked, now)
    if last > now:  # in the middle of it some are ready, some at it, some have not begun
        end = first + (now - first) * week.uniform(0.3, 1.5)
    elif late:
        end = last + week.random() * (asked.cutoff or 0) * DAY
    else:
        end = last - min(week.expovariate(1), 6) * DAY
    moment = max(first + week.random() * DAY, end - LONGEST_TRY * len(chosen) * week.random())
    for program in chosen:
        moment += (end - moment) * week.uniform(0.05, 0.7) if end > moment else timedelta(minutes=7)
        if moment > now - timedelta(minutes=5):
            return
        yield Sent(student=number, assignment=place, problem=problem, moment=moment, program=program)


def _one(week: Random, shelf: Sequence[Written], language: str, *, right: bool) -> Written:
    """A program in the student's own language where there is one."""
    fit = [one for one in shelf if one.right == right] or shelf
    return week.choice([one for one in fit if one.language == language] or fit)


def _unfinished(program: Written) -> Written:
    """The same sent too early: its last bracket is missing, and no compiler takes it."""
    at = max(program.content.rfind(bracket) for bracket in (b")", b"}", b"]"))
    cut = program.content[:at] + program.content[at + 1 :]
    return Written(language=program.language, name=program.name, content=cut, right=False)
