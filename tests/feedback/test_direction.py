"""Which way a program is wrong: told where it holds for every wrong output, and for enough of them; else nothing."""

from collections.abc import Sequence
from typing import cast

import pytest

from judge.grading.executable import Executable
from judge.grading.feedback.bench import Answer, Bench
from judge.grading.feedback.direction import Direction, Wrong, direction_of
from judge.grading.feedback.tries import Tries
from problems.package.model import Way
from tests.feedback.test_likeness import RIGHT, Table

Pairs = Sequence[tuple[str, str]]
"""What is right, and what was printed."""


def told(pairs: Pairs, *, secret: Sequence[int] = (), numbers: bool = True, none: str = "") -> Direction | None:
    wrong = [
        Wrong(answer=right.encode(), output=mine.encode(), secret=place in secret)
        for place, (right, mine) in enumerate(pairs)
    ]
    return direction_of(wrong, wrong[0], numbers=numbers, none=none)


def moved(*by: int) -> Pairs:
    return [
        (f"From a{n} to b{n} takes {n} moves.\n", f"From a{n} to b{n} takes {n + more} moves.\n")
        for n, more in enumerate(by, 2)
    ]


UP = moved(2, 4, 2, 2, 6, 2, 2, 14)
NEVER = [(f"{n} {n + 1}\n", "NO PATH\n") for n in range(8)]
ALWAYS = [("NO PATH\n", f"{n} {n + 1}\n") for n in range(8)]


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        (UP, Direction(way=Way.LARGER, wrong=8, least=2, most=14)),
        (moved(*[-1] * 9), Direction(way=Way.SMALLER, wrong=9, least=1, most=1)),
        (UP[1:], None),  # too few
        ([*UP, *moved(-1)], None),  # not all
        ([*UP, ("From a1 to b1 takes 1 moves.", "?")], None),
        ([*UP, ("From a1 to b1 takes 1 moves.", "From a1 to b1 takes 3 Moves!")], None),
        ([*UP, ("From a1 to b1 takes 1 moves.", "From a1 to b3 takes 1 moves.")], None),  # no number is too large
        ([(f"{n}.5", f"{n}.75") for n in range(8)], None),
        ([(f"{n} {n}", f"{n} {n + 1}" if n % 2 else f"{n + 1} {n}") for n in range(8)], None),
        ([("9" * 5000, "1" * 5000)] * 8, None),
        (NEVER, Direction(way=Way.SAYS, wrong=8, line="NO PATH")),
        ([*NEVER, ("1", "2")], None),
        ([(right, "") for right, _ in NEVER], None),
        (ALWAYS, Direction(way=Way.MISSES, wrong=8, line="NO PATH")),
        ([("NO PATH", "")] * 8, Direction(way=Way.MISSES, wrong=8, line="NO PATH")),
        ([("NO PATH", "no path")] * 8, None),  # it says the right thing
        ([("NO PATH", f"There is NO PATH in {n}") for n in range(8)], None),
        ([(right, "x" * 41) for right, _ in NEVER], None),
    ],
)
def test_what_holds_for_all(pairs: Pairs, expected: Direction | None) -> None:
    assert told(pairs) == expected


def test_numbers_are_only_compared_where_one_output_is_right() -> None:
    assert told(UP, numbers=False) is None
    assert told(NEVER, numbers=False) is not None


def test_of_the_line_for_none_one_is_enough() -> None:
    for pairs in (NEVER[:1], ALWAYS[:1]):
        assert told(pairs) is None
        assert told(pairs, none="NO TOUR") is None
        assert told(pairs, none="No path") is not None


def test_by_how_much_does_not_say_what_a_secret_input_is() -> None:
    for secret, range_told in (([7], (0, 0)), ([4], (2, 14)), (range(8), (0, 0))):
        found = told(UP, secret=secret)
        assert found is not None
        assert (found.least, found.most) == range_told


def test_what_is_said_everywhere_is_told_as_it_is_said_alone() -> None:
    """Among others a program reads them, and may print a secret one."""
    assert direction_of([], Wrong(answer=b"1", output=b"2"), numbers=True, fewest=1) is None
    wrong = [Wrong(answer=b"%d" % n, output=b"SECRET") for n in range(8)]
    assert direction_of(wrong, Wrong(answer=b"0", output=b"alone"), numbers=True) is None


def test_a_program_is_not_run_more_often_than_without_it() -> None:
    runs: list[bytes] = []

    class Counted(Table):
        def look(self, executable: object, text: bytes, answer: Answer) -> object:  # type: ignore[override]
            runs.append(text)
            return super().look(executable, text, answer)

    bench, tries = cast(Bench, Counted((b"NO PATH",) * 7)), Tries(cast(Executable, None))
    for text in (b"0", b"1", b"1", b"0", b"1"):
        answer = Answer(output=RIGHT[int(text)], cpu_seconds=0.01)
        assert tries.look(bench, text, answer).output == b"NO PATH"
    assert (runs, tries.saved) == ([b"0", b"1"], 3)
    assert len(list(tries.more(bench, [b"1", b"2", b"3", b"4", b"5", b"6"]))) == 3
    assert (runs, tries.saved) == ([b"0", b"1", b"2", b"3", b"4"], 0)
    assert sorted(tries.wrong()) == [b"1", b"2", b"3"]
