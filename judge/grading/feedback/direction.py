"""Which way a program is wrong: what all its wrong outputs have in common beside the right ones."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.grading.feedback.mistake import Mistake, mistake_of
from judge.grading.feedback.trait import FEWEST
from problems.package.model import Way

_NUMBER = re.compile(rb"(\W*?)(-?\d{1,18})(\W*)")
"""A word that is a whole number, with the marks around it."""
_LONGEST = 40
"""Characters of an output that is told."""
_OF_FORM = frozenset(
    {
        *(Mistake.LETTER_CASE, Mistake.FULL_STOP, Mistake.SPACING, Mistake.MORE_THAN_ASKED),
        *(Mistake.CUT_SHORT, Mistake.ONLY_THE_NUMBERS, Mistake.WORDING),
    }
)
"""The right thing is said, in another form: what it says is not what is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """An input that is answered wrongly: what is right there, and what was printed. Spacing does not matter."""

    answer: bytes
    output: bytes
    secret: bool = False
    """Nothing of it may be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """What holds for all wrong outputs that are known."""

    way: Way
    wrong: int
    """So many they are."""
    line: str = ""
    """What the program says everywhere, or what is right everywhere."""
    least: int = 0
    most: int = 0
    """Numbers are wrong by so much; 0: that is not told."""


def direction_of(
    wrong: Sequence[Wrong], shown: Wrong, *, numbers: bool, none: str = "", fewest: int = FEWEST
) -> Direction | None:
    """What is common to all of `wrong`; None when there is no such thing, or they are fewer than `fewest`.

    `shown`: of them the counterexample, as it was run alone; among others a program may print what it has read of them.
    `numbers`: only one output is right, so that numbers may be compared with it.
    `none`: the line that says that there is none. Where it is said, or right, one input is enough: its author has said
    what that means, and it cannot be chance.
    """
    if not wrong:
        return None
    for found in (*_fixed(wrong, shown), _by_numbers(wrong) if numbers else None):
        if found is not None and (len(wrong) >= fewest or found.line.lower() == none.lower() != ""):
            return found
    return None


def _fixed(wrong: Sequence[Wrong], shown: Wrong) -> Iterator[Direction]:
    answers, outputs = {_line(one.answer) for one in wrong}, {_line(one.output) for one in wrong}
    for way, line, lines in ((Way.MISSES, shown.answer, answers), (Way.SAYS, shown.output, outputs)):
        told = b" ".join(line.split())
        if lines != {_line(line)} or not 0 < len(told) <= _LONGEST:
            continue
        if not any(mistake_of(one.answer, one.output) in _OF_FORM for one in wrong):
            yield Direction(way=way, wrong=len(wrong), line=told.decode("utf-8", "replace"))


def _line(text: bytes) -> bytes:
    return b" ".join(text.lower().split())


def _by_numbers(wrong: Sequence[Wrong]) -> Direction | None:
    apart, places = [], set()
    for one in wrong:
        found = _apart(one.answer.split(), one.output.split())
        if found is None:
            return None
        places.add(found[0])
        apart.append(found[1])
    larger = apart[0] > 0
    if len(places) != 1 or any((number > 0) != larger for number in apart):
        return None
    told = [abs(number) for number, one in zip(apart, wrong, strict=True) if not one.secret]
    least, most = (min(told), max(told)) if told else (0, 0)
    if not all(least <= abs(number) <= most for number in apart):
        least = most = 0  # the difference may be chosen to say what a secret input is
    return Direction(way=Way.LARGER if larger else Way.SMALLER, wrong=len(wrong), least=least, most=most)


def _apart(right: Sequence[bytes], mine: Sequence[bytes]) -> tuple[int, int] | None:
    """The place of the one word that differs, and by how much; None when something else than one number does."""
    if len(right) != len(mine):
        return None
    differ = [place for place, (one, other) in enumerate(zip(right, mine, strict=True)) if one != other]
    if len(differ) != 1:
        return None
    one, other = _NUMBER.fullmatch(right[differ[0]]), _NUMBER.fullmatch(mine[differ[0]])
    if one is None or other is None or (one[1], one[3]) != (other[1], other[3]) or int(one[2]) == int(other[2]):
        return None
    return differ[0], int(other[2]) - int(one[2])
