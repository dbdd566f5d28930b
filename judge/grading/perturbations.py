"""Ways to change a right output a little: some that ought to change nothing, some that ought to make it wrong."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from problems.say import say

_NUMBER = re.compile(rb"(?<!\S)([-+]?)(\d+)(\.\d+)?(?!\S)")
_LONG_BYTES = 100_000
_LONGEST_NUMBER = 64
"""Bytes; what is longer is not looked at as one number."""


class Expected(StrEnum):
    """What one expects of a checker."""

    ACCEPTED = "accepted"
    """Nobody's program is wrong for it; a checker that minds is harsh on students."""
    WRONG = "wrong"
    """Not an answer, whatever the problem is: a checker that takes it lets wrong programs through."""
    EITHER = "either"
    """Depends on the problem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Perturbation:
    """One way. Where the output has nothing to be changed so, `change` gives it back as it was."""

    id: str
    words: str
    expected: Expected
    change: Callable[[bytes], bytes]


def _lines(text: bytes) -> list[bytes]:
    return text.removesuffix(b"\n").split(b"\n")


def _joined(lines: list[bytes]) -> bytes:
    return b"\n".join(lines) + b"\n"


def _each_line(change: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    return lambda text: _joined([change(line) for line in _lines(text)])


def _each_number(put: Callable[[re.Match[bytes]], bytes], *, most: int = 0) -> Callable[[bytes], bytes]:
    return lambda text: _NUMBER.sub(put, text, count=most)


def _first_number(put: bytes) -> Callable[[bytes], bytes]:
    return _each_number(lambda _: put, most=1)


def _zero(put: bytes) -> Callable[[bytes], bytes]:
    return _each_number(lambda found: put if float(found[0]) == 0 else found[0])


def _dotted(found: re.Match[bytes]) -> bytes:
    return found[0] if found[3] else found[0] + b".0"


def _plus(found: re.Match[bytes]) -> bytes:
    return found[0] if found[1] else b"+" + found[0]


def _zero_in_front(found: re.Match[bytes]) -> bytes:
    return found[1] + b"0" + found[2] + (found[3] or b"")


def _after(more: bytes) -> Callable[[bytes], bytes]:
    return lambda text: text.removesuffix(b"\n") + more + b"\n"


def _without_last_token(text: bytes) -> bytes:
    return re.sub(rb"\S+\s*\Z", b"", text)


def _half(text: bytes) -> bytes:
    """The first half; less of it where that still is about the same number, as `3.` of `3.0` is."""
    end = len(text) // 2
    while end and end < _LONGEST_NUMBER and _about_the_same(text[:end], text):
        end -= 1
    return text[:end]


def _about_the_same(one: bytes, other: bytes) -> bool:
    try:
        return math.isclose(float(one), float(other), rel_tol=0.01)
    except ValueError:
        return False


def _blank_lines_between(text: bytes) -> bytes:
    lines = _lines(text)
    return text if len(lines) < 2 else b"\n\n".join(lines) + b"\n"


def _swapped(text: bytes) -> bytes:
    """Every blank within a line a tab."""
    return text.replace(b" ", b"\t")


_A, _W, _E = Expected.ACCEPTED, Expected.WRONG, Expected.EITHER
PERTURBATIONS = tuple(
    Perturbation(id=name, words=words, expected=expected, change=change)
    for name, words, expected, change in (
        ("crlf", say("part", "lines end as on Windows (CR LF)"), _A, lambda text: text.replace(b"\n", b"\r\n")),
        ("no-final-newline", say("part", "no newline at the end"), _A, lambda text: text.removesuffix(b"\n")),
        (
            "blank-at-line-end",
            say("part", "a blank at the end of every line"),
            _A,
            _each_line(lambda line: line + b" "),
        ),
        ("blank-line-at-end", say("part", "an empty line at the end"), _A, lambda text: text + b"\n"),
        (
            "blank-at-line-start",
            say("part", "a blank at the start of every line"),
            _E,
            _each_line(lambda line: b" " + line),
        ),
        ("blank-lines-between", say("part", "an empty line between every two"), _E, _blank_lines_between),
        ("tabs", say("part", "tabs in place of blanks"), _E, _swapped),
        ("upper-case", say("part", "all in upper case"), _E, bytes.upper),
        ("lower-case", say("part", "all in lower case"), _E, bytes.lower),
        ("dot-zero", say("part", "numbers as 1.0"), _E, _each_number(_dotted)),
        ("plus-sign", say("part", "numbers as +1"), _E, _each_number(_plus)),
        ("zero-in-front", say("part", "numbers as 01"), _E, _each_number(_zero_in_front)),
        ("plus-zero", say("part", "0 as +0.0"), _E, _zero(b"+0.0")),
        ("minus-zero", say("part", "0 as -0"), _E, _zero(b"-0")),
        ("nan", say("part", "nan in place of the first number"), _W, _first_number(b"nan")),
        ("minus-nan", say("part", "-nan in place of the first number"), _W, _first_number(b"-nan")),
        ("inf", say("part", "inf in place of the first number"), _W, _first_number(b"inf")),
        ("lines-reversed", say("part", "the lines in reverse order"), _E, lambda text: _joined(_lines(text)[::-1])),
        ("lines-sorted", say("part", "the lines sorted"), _E, lambda text: _joined(sorted(_lines(text)))),
        ("empty", say("part", "nothing at all"), _W, lambda _: b""),
        (
            "last-line-missing",
            say("part", "the last line is missing"),
            _W,
            lambda text: _joined(_lines(text)[:-1]).lstrip(b"\n"),
        ),
        ("last-word-missing", say("part", "the last word is missing"), _W, _without_last_token),
        ("half", say("part", "cut off in the middle"), _W, _half),
        ("twice", say("part", "the whole output twice"), _W, lambda text: text + text),
        ("word-more", say("part", "one word more at the end"), _W, _after(b" extra")),
        ("number-more", say("part", "one number more at the end"), _W, _after(b" 1234567")),
        ("nul", say("part", "a NUL byte at the end"), _W, _after(b"\0")),
        ("bom", say("part", "a byte order mark in front"), _E, lambda text: b"\xef\xbb\xbf" + text),
        ("not-text", say("part", "bytes that are no text at the end"), _W, _after(b" \xff\xfe")),
        ("long-line", say("part", "a word of 100,000 letters at the end"), _W, _after(b" " + b"x" * _LONG_BYTES)),
    )
)
