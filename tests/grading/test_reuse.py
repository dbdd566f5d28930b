"""Judging with an earlier judgement at hand gives what judging from nothing gives, and does no more than it must."""

import random
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from judge.grading.case import WHOLE_BYTES, allowance_of
from judge.grading.grade import grade
from judge.grading.job import CaseResult, Compiled, Job, ReadyCase, Report, Source, Work
from judge.grading.reuse import Past
from judge.grading.verdict import Verdict
from problems.package.model import Aggregation, Package, ProblemType, StaticCase, TestGroup
from sandbox.contract import Outcome, Run, Running, Sandbox
from tests.grading.conftest import make_cases, program

# Reads a, b, a number of tenths of a second to compute for, and MiB to fill; prints a + b.
HONEST = """\
import sys, time
a, b, tenths, mib = map(int, sys.stdin.read().split())
held = b"x" * (mib << 20)
while time.process_time() < tenths / 10: pass
"""
PROGRAMS = {
    "right": HONEST + "print(a + b)\n",
    "right with a word too many": HONEST + "print(a + b, 'ok')\n",
    "wrong for negatives": HONEST + "print(a + b if b > 0 else a - b)\n",
    "crashes for negatives": HONEST + "print(a + b)\nif b < 0: 1 / 0\n",
    "prints much": HONEST + f"print(a + b)\nprint(' ' * {WHOLE_BYTES})\n",
    "silent": HONEST,
    "not Python": "print(\n",
}
FIRST_WORD = """\
import sys
want = open(sys.argv[2]).read().split()
got = sys.stdin.read().split()
if got[:1] != want: sys.exit(43)
if len(sys.argv) > 4: open(sys.argv[3] + "/score.txt", "w").write(sys.argv[4])
sys.exit(42)
"""


class Counting:
    """A sandbox that remembers what it was asked to run."""

    def __init__(self, box: Sandbox) -> None:
        self._box = box
        self.runs: list[Run] = []

    def start(self, run: Run) -> Running:
        self.runs.append(run)
        return self._box.start(run)

    def run(self, run: Run) -> Outcome:
        return self.start(run).wait()

    def close(self) -> None:
        """It is not ours."""

    @property
    def programs(self) -> int:
        """Runs of the submission on a case."""
        return sum(isinstance(run.stdin, Path) for run in self.runs)


@dataclass(frozen=True, kw_only=True)
class Outcomes:
    """What came of a judging."""

    compiled: Compiled
    cases: tuple[CaseResult, ...]
    report: Report
    runs: int = 0

    @property
    def told(self) -> Any:
        """What must be the same, however it was come by."""
        return (
            self.report.verdict,
            self.report.points,
            self.report.out_of,
            [(case.name, case.group, case.verdict, case.points) for case in self.cases],
        )

    def did(self, work: Work) -> list[str]:
        return [case.name for case in self.cases if case.work is work and case.verdict is not None]


@dataclass
class Judging:
    box: Sandbox
    folder: Path
    number: int = 0
    outputs: dict[int, Outcomes] = field(default_factory=dict)

    def cases(self, rows: Sequence[tuple[str, str, str]], **settings: Any) -> tuple[ReadyCase, ...]:
        self.number += 1
        return make_cases(self.folder / str(self.number), tuple(rows), **settings)

    def __call__(self, package: Package, cases: tuple[ReadyCase, ...], text: str, past: Past | None = None) -> Outcomes:
        counting = Counting(self.box)
        job = Job(package=package, cases=cases, source=Source(language="python3", files={"main.py": text.encode()}))
        steps = list(grade(job, counting, past=past))
        compiled, report = steps[0], steps[-1]
        assert isinstance(compiled, Compiled)
        assert isinstance(report, Report)
        results = tuple(step for step in steps if isinstance(step, CaseResult))
        return Outcomes(compiled=compiled, cases=results, report=report, runs=counting.programs)


@pytest.fixture
def judging(box: Sandbox, tmp_path: Path) -> Judging:
    return Judging(box=box, folder=tmp_path)


def past_of(before: Outcomes, package: Package, **changes: Any) -> Past:
    """What was kept of it."""
    known: dict[str, Any] = {
        "tools": before.compiled.tools,
        "same_host": True,
        "allowance": allowance_of(package.limits),
        "compiled": before.compiled,
        "results": tuple(replace(case, output=b"", stderr=b"") for case in before.cases),
        "output": lambda index: before.cases[index].output,
        "stderr": lambda index: before.cases[index].stderr,
    }
    return Past(**(known | changes))


ROWS = (
    ("sample/1", "1 2 0 0\n", "3\n"),
    ("secret/1", "2 3 0 0\n", "5\n"),
    ("secret/2", "10 -4 0 0\n", "6\n"),
    ("secret/3", "7 7 0 0\n", "14\n"),
)


def test_nothing_changed_and_nothing_is_done(judging: Judging, plus: Package) -> None:
    cases = judging.cases(ROWS)
    for text in PROGRAMS.values():
        before = judging(plus, cases, text)
        again = judging(plus, cases, text, past_of(before, plus))
        assert again.told == before.told
        assert again.runs == 0
        assert again.did(Work.KEEP) == [case.name for case in before.cases]
        assert [case.note for case in again.cases] == [case.note for case in before.cases]
        assert again.report == before.report


def test_points_changed_and_nothing_is_run(judging: Judging, plus: Package) -> None:
    scoring = replace(plus, types=frozenset({ProblemType.SCORING}))
    groups = [(TestGroup(name="secret", aggregation=Aggregation.SUM, max_score=most),) for most in (30, 60)]
    checker = program(FIRST_WORD)
    for own in (None, checker):
        old, new = (replace(scoring, groups=group, output_validator=own) for group in groups)
        cases = judging.cases(ROWS, output_validator_args=("2.5",) if own else ())
        before = judging(old, cases, PROGRAMS["wrong for negatives"])
        again = judging(new, cases, PROGRAMS["wrong for negatives"], past_of(before, old))
        assert again.runs == 0
        assert not again.did(Work.CHECK)
        assert again.told == judging(new, cases, PROGRAMS["wrong for negatives"]).told
        assert again.report.points == (5 if own else 40), "7.5 and 20 of 30, and of 60 points"


def test_another_checker_looks_at_the_outputs_there_are(judging: Judging, plus: Package) -> None:
    cases = judging.cases(ROWS)
    new = replace(plus, output_validator=program(FIRST_WORD))
    before = judging(plus, cases, PROGRAMS["right with a word too many"])
    assert before.report.verdict == Verdict.WRONG_ANSWER
    again = judging(new, cases, PROGRAMS["right with a word too many"], past_of(before, plus))
    assert again.report.verdict == Verdict.ACCEPTED
    assert (again.runs, len(again.did(Work.CHECK))) == (0, 4)

    before = judging(plus, cases, PROGRAMS["prints much"])
    again = judging(new, cases, PROGRAMS["prints much"], past_of(before, plus))
    assert (again.runs, again.did(Work.CHECK)) == (4, []), "what was cut is run again"


def test_a_case_that_is_new_is_the_only_one_that_runs(judging: Judging, plus: Package) -> None:
    before = judging(plus, judging.cases(ROWS), PROGRAMS["wrong for negatives"])
    more = judging.cases((*ROWS[:2], ("secret/15", "5 -1 0 0\n", "4\n"), *ROWS[2:]))
    again = judging(plus, more, PROGRAMS["wrong for negatives"], past_of(before, plus))
    assert (again.runs, again.did(Work.RUN)) == (1, ["secret/15"])
    assert again.report.note.startswith("Case 3 of 5 "), "cases are counted anew"
    assert [case.note.split(" ")[:4] for case in again.cases] == [["Case", str(n), "of", "5"] for n in range(1, 6)]


def test_an_answer_that_was_mended_is_checked(judging: Judging, plus: Package) -> None:
    wrong = (*ROWS[:3], ("secret/3", "7 7 0 0\n", "15\n"))
    before = judging(plus, judging.cases(wrong), PROGRAMS["right"])
    assert before.report.verdict == Verdict.WRONG_ANSWER
    again = judging(plus, judging.cases(ROWS), PROGRAMS["right"], past_of(before, plus))
    assert (again.runs, again.did(Work.CHECK)) == (0, ["secret/3"])
    assert again.report.verdict == Verdict.ACCEPTED


TIMES = (
    ("sample/1", "1 2 0 0\n", "3\n"),
    ("secret/1", "2 3 3 0\n", "5\n"),
    ("secret/2", "2 3 11 0\n", "5\n"),
    ("secret/3", "2 3 25 0\n", "5\n"),
    ("secret/4", "2 3 0 0\n", "5\n"),
)


def timed(plus: Package, seconds: float) -> Package:
    """Every case is run, whatever the others took."""
    secret = TestGroup(name="secret", aggregation=Aggregation.SUM, max_score=40)
    limits = replace(plus.limits, time_seconds=seconds)
    return replace(plus, limits=limits, types=frozenset({ProblemType.SCORING}), groups=(secret,))


def test_a_lower_limit_runs_what_it_may_touch(judging: Judging, plus: Package) -> None:
    roomy, tight = timed(plus, 4.0), timed(plus, 1.0)
    cases = judging.cases(TIMES)
    before = judging(roomy, cases, PROGRAMS["right"])
    assert before.report.verdict == Verdict.ACCEPTED
    again = judging(tight, cases, PROGRAMS["right"], past_of(before, roomy))
    assert again.did(Work.RUN) == ["secret/2"], "1.1 s are near 1 s; 2.5 s are surely over, 0.3 s surely not"
    assert [case.verdict for case in again.cases][3:] == ["time_limit_exceeded", "accepted"]
    assert "the limit is 1 s" in again.cases[3].note
    assert again.told == judging(tight, cases, PROGRAMS["right"]).told


@pytest.mark.byname
def test_a_higher_limit_runs_what_was_stopped(judging: Judging, plus: Package) -> None:
    tight, roomy = timed(plus, 1.0), timed(plus, 4.0)
    cases = judging.cases(TIMES)
    before = judging(tight, cases, PROGRAMS["right"])
    assert [case.verdict for case in before.cases][2:] == ["time_limit_exceeded", "time_limit_exceeded", "accepted"]
    again = judging(roomy, cases, PROGRAMS["right"], past_of(before, tight))
    assert again.did(Work.RUN) == ["secret/3"]
    assert again.did(Work.CHECK) == ["secret/2"], "it came to its end at 1.1 s, so there is an output"
    assert again.told == judging(roomy, cases, PROGRAMS["right"]).told


def test_what_was_left_out_is_run_when_nothing_fails_before_it(judging: Judging, plus: Package) -> None:
    tight, roomy = (replace(plus, limits=replace(plus.limits, time_seconds=one)) for one in (1.0, 4.0))
    cases = judging.cases(TIMES)
    before = judging(tight, cases, PROGRAMS["right"])
    assert [case.verdict for case in before.cases][2:] == ["time_limit_exceeded", None, None]
    again = judging(roomy, cases, PROGRAMS["right"], past_of(before, tight))
    assert again.did(Work.RUN) == ["secret/3", "secret/4"]
    assert again.report.verdict == Verdict.ACCEPTED


def test_memory_runs_what_was_over_it(judging: Judging, plus: Package) -> None:
    cases = judging.cases((*ROWS, ("secret/4", "1 1 0 100\n", "2\n")))
    small, large = (replace(plus, limits=replace(plus.limits, memory_bytes=mib << 20)) for mib in (64, 256))
    for old, new in ((small, large), (large, small)):
        before = judging(old, cases, PROGRAMS["right"])
        again = judging(new, cases, PROGRAMS["right"], past_of(before, old))
        assert again.did(Work.RUN) == ["secret/4"]
        assert again.told == judging(new, cases, PROGRAMS["right"]).told


def test_what_others_judged_with_says_nothing(judging: Judging, plus: Package) -> None:
    cases = judging.cases((*ROWS[:2], ("secret/2", "2 3 6 0\n", "5\n"), ("secret/3", "2 3 20 0\n", "5\n")))
    before = judging(plus, cases, PROGRAMS["right"])
    other_tools = judging(plus, cases, PROGRAMS["right"], past_of(before, plus, tools="another compiler"))
    assert len(other_tools.did(Work.RUN)) == 4
    other_host = judging(plus, cases, PROGRAMS["right"], past_of(before, plus, same_host=False))
    assert other_host.did(Work.RUN) == ["secret/2", "secret/3"], "only what is far below the limit holds there"


def test_a_judge_error_is_never_used(judging: Judging, plus: Package) -> None:
    cases = judging.cases(ROWS)
    broken = replace(plus, output_validator=program("1 / 0\n"))
    before = judging(broken, cases, PROGRAMS["right"])
    assert before.report.verdict == Verdict.JUDGE_ERROR
    again = judging(broken, cases, PROGRAMS["right"], past_of(before, broken))
    assert again.runs == 4


def test_an_output_that_is_lost_is_told(judging: Judging, plus: Package) -> None:
    def lost(_: int) -> bytes:
        raise OSError("gone")

    before = judging(plus, judging.cases(ROWS), PROGRAMS["right"])
    mended = judging.cases((*ROWS[:3], ("secret/3", "7 7 0 0\n", "15\n")))
    again = judging(plus, mended, PROGRAMS["right"], past_of(before, plus, output=lost))
    assert again.report.verdict == Verdict.JUDGE_ERROR, "and judged without it by whoever asked"


# Any change at all ----------------------------------------------------------------------------------------------------

POOL = [
    *(f"{a} {b} 0 0" for a, b in ((1, 2), (9, -4), (5, 5), (0, -1))),
    *("3 4 5 0", "3 -4 5 0", "3 4 0 90", "8 -8 0 90"),
]


def test_a_look_at_the_program_itself_is_kept(judging: Judging, plus: Package) -> None:
    scoring = replace(plus, types=frozenset({ProblemType.SCORING}))
    groups = [
        (TestGroup(name="secret", aggregation=Aggregation.SUM, max_score=60, static=StaticCase(max_score=most)),)
        for most in (6, 30)
    ]
    looks = [program(f"import sys\nsys.exit({code})\n", "static_validator/look.py") for code in (42, 43)]
    cases = judging.cases(ROWS)
    old = replace(scoring, static_validator=looks[0], groups=groups[0])
    before = judging(old, cases, PROGRAMS["right"])
    known = past_of(before, old)
    again = judging(old, cases, PROGRAMS["right"], known)
    assert again.told == before.told
    assert [case.note for case in again.cases] == [case.note for case in before.cases]
    assert again.did(Work.KEEP) == [case.name for case in before.cases]
    points = replace(old, groups=groups[1])
    worth = judging(points, cases, PROGRAMS["right"], known)
    assert (worth.told, worth.runs) == (judging(points, cases, PROGRAMS["right"]).told, 0)
    strict = replace(old, static_validator=looks[1])
    refused = judging(strict, cases, PROGRAMS["right"], known)
    assert refused.told == judging(strict, cases, PROGRAMS["right"]).told
    assert (refused.report.verdict, refused.did(Work.RUN)) == (Verdict.WRONG_ANSWER, ["secret/static_validation"])


def test_where_files_may_be_written_now_everything_runs(judging: Judging, plus: Package) -> None:
    text = HONEST + "open('x', 'w').close()\nprint(a + b)\n"
    cases = judging.cases(ROWS)
    writing = replace(plus, limits=replace(plus.limits, file_writing=True))
    before = judging(plus, cases, text)
    again = judging(writing, cases, text, past_of(before, plus))
    assert (before.report.verdict, again.report.verdict) == (Verdict.RUN_TIME_ERROR, Verdict.ACCEPTED)
    assert again.told == judging(writing, cases, text).told


@dataclass(frozen=True)
class State:
    """A version in the making."""

    package: Package
    rows: tuple[tuple[str, str, str], ...]
    validator_args: tuple[str, ...] = ()


def _row(dice: random.Random, number: int) -> tuple[str, str, str]:
    given = dice.choice(POOL)
    a, b, *_ = map(int, given.split())
    group = dice.choice(("secret/1-a", "secret/2-b"))
    return f"{group}/{number:03}", f"{given}\n", f"{a + b + (dice.random() < 0.15)}\n"


def _start(dice: random.Random, plus: Package) -> State:
    rows = sorted(_row(dice, number) for number in range(4))
    state = State(plus, (("sample/1", "1 2 0 0\n", "3\n"), *rows))
    for _ in range(2):
        state = dice.choice([_scoring, _checker, _limit])(dice, state)
    return state


def _scoring(dice: random.Random, state: State) -> State:
    if dice.random() < 0.3:
        return replace(state, package=replace(state.package, types=frozenset({ProblemType.PASS_FAIL})))
    kinds = [Aggregation.SUM, Aggregation.MIN, Aggregation.PASS_FAIL]
    groups = [TestGroup(name="secret", aggregation=Aggregation.SUM, max_score=100)]
    groups += [
        TestGroup(name=name, aggregation=dice.choice(kinds), max_score=dice.choice((10, 50)), require_pass=required)
        for name, required in (("secret/1-a", ()), ("secret/2-b", dice.choice(((), ("1-a",), ("sample",)))))
    ]
    return replace(state, package=replace(state.package, types=frozenset({ProblemType.SCORING}), groups=tuple(groups)))


def _checker(dice: random.Random, state: State) -> State:
    own = dice.choice((None, program(FIRST_WORD), program(FIRST_WORD + "\n# the same in other words\n")))
    return replace(state, package=replace(state.package, output_validator=own))


def _limit(dice: random.Random, state: State) -> State:
    limits = replace(
        state.package.limits,
        time_seconds=dice.choice((0.3, 1.5, 4.0)),
        memory_bytes=dice.choice((64, 256)) << 20,
        output_bytes=dice.choice((1, 2)) << 20,
    )
    return replace(state, package=replace(state.package, limits=limits))


def _case_more(dice: random.Random, state: State) -> State:
    return replace(state, rows=(state.rows[0], *sorted((*state.rows[1:], _row(dice, 100 + dice.randrange(900))))))


def _case_less(dice: random.Random, state: State) -> State:
    gone = dice.randrange(1, len(state.rows))
    return replace(state, rows=state.rows[:gone] + state.rows[gone + 1 :]) if len(state.rows) > 2 else state


def _answer(dice: random.Random, state: State) -> State:
    at = dice.randrange(1, len(state.rows))
    name, given, answer = state.rows[at]
    mended = (name, given, f"{int(answer) + dice.choice((-1, 1))}\n")
    return replace(state, rows=(*state.rows[:at], mended, *state.rows[at + 1 :]))


def _renamed(dice: random.Random, state: State) -> State:
    rows = [(f"{name[:11]}{dice.randrange(1000):03}", given, answer) for name, given, answer in state.rows[1:]]
    return replace(state, rows=(state.rows[0], *sorted({row[0]: row for row in rows}.values())))


CHANGES: list[Callable[[random.Random, State], State]] = [
    *(_scoring, _checker, _limit, _case_more, _case_less, _answer, _renamed),
    lambda _dice, state: state,
]


@pytest.mark.parametrize("seed", range(2))
def test_whatever_changed_it_is_as_if_judged_from_nothing(seed: int, judging: Judging, plus: Package) -> None:
    _compare(random.Random(seed), judging, plus, 3)


@pytest.mark.byname
@pytest.mark.parametrize("seed", range(100, 130))
def test_many_times(seed: int, judging: Judging, plus: Package) -> None:
    _compare(random.Random(seed), judging, plus, 6)


def _compare(dice: random.Random, judging: Judging, plus: Package, steps: int) -> None:
    """A chain of versions: each judged by what the one before left, and from nothing."""
    state = _start(dice, plus)
    name = dice.choice(list(PROGRAMS))
    text = PROGRAMS[name]
    before = judging(state.package, judging.cases(state.rows), text)
    old = state.package
    for step in range(steps):
        state = dice.choice(CHANGES)(dice, state)
        cases = judging.cases(state.rows)
        anew = judging(state.package, cases, text)
        by_past = judging(state.package, cases, text, past_of(before, old))
        assert by_past.told == anew.told, (name, step)
        assert by_past.runs <= anew.runs
        before, old = _whole(by_past, before), state.package
        shutil.rmtree(judging.folder / str(judging.number))


def _whole(now: Outcomes, before: Outcomes) -> Outcomes:
    """With the outputs that were taken over, as whoever keeps results does."""
    cases = [
        case
        if case.past is None
        else replace(case, output=before.cases[case.past].output, stderr=before.cases[case.past].stderr)
        for case in now.cases
    ]
    return replace(now, cases=tuple(cases))
