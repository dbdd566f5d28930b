"""One small mistake put into a right program, as a change of its text."""

import difflib
from dataclasses import dataclass
from enum import StrEnum

from problems.say import say


class Operator(StrEnum):
    """The kinds of mistakes; what is written in place of what stands in `python.py` and `cpp.py`."""

    COMPARE = "compare"
    """Another comparison: off by one, the other way round, or the opposite."""
    ARITHMETIC = "arithmetic"
    LOGIC = "logic"
    """`and` for `or`, or the other way round."""
    NOT = "not"
    """A negation or a minus sign is dropped."""
    CONSTANT = "constant"
    """A number one higher or lower, true for false."""
    RANGE = "range"
    """A range ends one sooner or later, or starts at 1."""
    STATEMENT = "statement"
    """A statement is left out."""
    JUMP = "jump"
    """`break` for `continue`, or the other way round."""
    RETURN = "return"
    """Something else is returned."""
    CALL = "call"
    """A call of the opposite: the other end of a queue, the greatest for the least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """`put` stands where the bytes from `start` to `end` were."""

    operator: Operator
    start: int
    end: int
    put: bytes
    line: int
    """From 1."""
    said: str
    """What was done, in words."""

    def of(self, source: bytes) -> bytes:
        """The program with the mistake in it."""
        return source[: self.start] + self.put + source[self.end :]


def replaced(operator: Operator, source: bytes, start: int, end: int, put: bytes) -> Mutation:
    """A mutation that says what it put in place of what."""
    was, now = _shown(source[start:end]), _shown(put)
    said = say("part", "“%(was)s” became “%(now)s”", was=was, now=now) if put.strip() else _left_out(was)
    return Mutation(operator=operator, start=start, end=end, put=put, line=line_of(source, start), said=said)


def left_out(source: bytes, start: int, end: int, put: bytes) -> Mutation:
    """A mutation that leaves out a statement; `put` is the language's way of doing nothing."""
    return Mutation(
        operator=Operator.STATEMENT,
        start=start,
        end=end,
        put=put,
        line=line_of(source, start),
        said=_left_out(_shown(source[start:end])),
    )


def _left_out(what: str) -> str:
    return say("part", "“%(what)s” is left out", what=what)


def line_of(source: bytes, offset: int) -> int:
    """Number of the line, from 1."""
    return source.count(b"\n", 0, offset) + 1


def difference(name: str, before: bytes, after: bytes) -> str:
    """A unified diff of two texts, with one line around each change."""
    old, new = (text.decode("utf-8", "replace").splitlines() for text in (before, after))
    return "\n".join(difflib.unified_diff(old, new, name, name, lineterm="", n=1))


def _shown(text: bytes) -> str:
    shown = " ".join(text.decode("utf-8", "replace").split())
    return shown if len(shown) <= 60 else f"{shown[:57]}…"
