"""How an output differs from the right one, where only one is right: the kind of mistake, not its cause."""

import re
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

_NUMBER = re.compile(rb"[-+]?\d+(?:\.\d+)?")
_LONGEST = 256 << 10
"""Bytes of each output that are looked at."""


class Mistake(StrEnum):
    """What is different. The first that holds is told."""

    NOTHING_PRINTED = "nothing_printed"
    BLANK = "blank"
    """Spaces and ends of lines alone."""
    LETTER_CASE = "letter_case"
    FULL_STOP = "full_stop"
    """Only a full stop or another mark is missing at the end, or too many."""
    SPACING = "spacing"
    """The same characters, but words are broken or run together."""
    MORE_THAN_ASKED = "more_than_asked"
    """The right output stands in it, with other text before, after or between its lines."""
    CUT_SHORT = "cut_short"
    """It is right as far as it goes, and ends too early."""
    ONLY_THE_NUMBERS = "only_the_numbers"
    """The right numbers, without the words around them."""
    WORDING = "wording"
    """All numbers are right; the words are not."""
    OTHER_ORDER = "other_order"
    """The right lines, or the right words, in another order."""
    REVERSED = "reversed"
    """Words or letters are right and stand backwards."""
    OFF_BY_ONE = "off_by_one"
    """Every number that is wrong is wrong by one, all in the same direction."""
    TIMES = "times"
    """Every wrong number is the same multiple of the right one."""
    ONE_NUMBER = "one_number"
    """The words are right; exactly one number is not."""
    SOME_NUMBERS = "some_numbers"
    """The words are right; several numbers are not."""
    OTHER = "other"


def mistake_of(expected: bytes, got: bytes) -> Mistake | None:
    """How `got` differs from `expected`; None when only spacing between words does."""
    expected, got = expected[:_LONGEST], got[:_LONGEST]
    want, have = expected.split(), got.split()
    if want == have:
        return None
    if not have:
        return Mistake.BLANK if got else Mistake.NOTHING_PRINTED
    if not want:
        return Mistake.OTHER
    for kind, holds in (
        (Mistake.LETTER_CASE, _lower(want) == _lower(have)),
        (Mistake.FULL_STOP, len(want) == len(have) and _bare(want) == _bare(have)),
        (Mistake.SPACING, b"".join(want) == b"".join(have)),
        (Mistake.MORE_THAN_ASKED, len(have) > len(want) and _within(want, have)),
        (Mistake.CUT_SHORT, len(have) < len(want) and want[: len(have)] == have),
    ):
        if holds:
            return kind
    return _by_numbers(expected, got) or _by_order(expected, got) or Mistake.OTHER


def _by_numbers(expected: bytes, got: bytes) -> Mistake | None:
    right, mine = _numbers(expected), _numbers(got)
    same_words = _NUMBER.sub(b"#", b" ".join(expected.split())) == _NUMBER.sub(b"#", b" ".join(got.split()))
    if right and right == mine and not same_words:
        bare = not _NUMBER.sub(b"", got).strip()
        return Mistake.ONLY_THE_NUMBERS if bare and _NUMBER.sub(b"", expected).strip() else Mistake.WORDING
    if not same_words or len(right) != len(mine):
        return None
    if sorted(right) == sorted(mine) and len(set(right)) > 1:
        return Mistake.REVERSED if mine == right[::-1] else Mistake.OTHER_ORDER
    wrong = [(one, other) for one, other in zip(right, mine, strict=True) if one != other]
    apart = {other - one for one, other in wrong}
    if len(wrong) > 1 and len(apart) == 1 and abs(next(iter(apart))) == 1:
        return Mistake.OFF_BY_ONE
    ratios = {other / one for one, other in wrong if one}
    if len(wrong) > 1 and len(ratios) == 1 and all(one for one, _ in wrong):
        return Mistake.TIMES
    return Mistake.ONE_NUMBER if len(wrong) == 1 else Mistake.SOME_NUMBERS


def _by_order(expected: bytes, got: bytes) -> Mistake | None:
    want, have = expected.split(), got.split()
    if b"".join(have) == b"".join(want)[::-1] or have == want[::-1]:
        return Mistake.REVERSED
    return Mistake.OTHER_ORDER if Counter(want) == Counter(have) else None


def _numbers(text: bytes) -> list[float]:
    return [float(number) for number in _NUMBER.findall(text)]


def _lower(words: Sequence[bytes]) -> list[bytes]:
    return [word.lower() for word in words]


def _bare(words: Sequence[bytes]) -> list[bytes]:
    return [word.rstrip(b".,;:!?") for word in words]


def _within(want: Sequence[bytes], have: Sequence[bytes]) -> bool:
    """Whether all of `want` stands in `have`, in order, in at most as many other words."""
    if len(have) > 4 * len(want) + 20:
        return False
    rest = iter(have)
    return all(word in rest for word in want)
