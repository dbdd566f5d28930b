"""Makes an input smaller while something stays true of it: fewer lines, lower numbers, fewer characters."""

import re
from collections.abc import Callable, Iterator, Sequence

from judge.grading.feedback.small import smallness

Still = Callable[[bytes], bool]
_NUMBER = re.compile(rb"\d{1,9}")
_SHORT = 400
"""Characters are taken out of inputs of at most this length."""


def shrunk(text: bytes, still: Still, *, lower: Sequence[bytes] = ()) -> bytes:
    """The smallest input that the changes lead to. `still(changed)` says whether a change may stay, and may raise to
    end it all. `lower`: lines that may stand for others, lowest first."""
    text = _fewer_lines(text, still)
    changed = True
    while changed:
        changed = False
        for smaller in _smaller(text, lower):
            if smallness(smaller) < smallness(text) and still(smaller):
                text, changed = smaller, True
                break
    return text


def _fewer_lines(text: bytes, still: Still) -> bytes:
    """Take out halves, quarters, … and at last single lines."""
    lines = text.splitlines(keepends=True)
    size = max(len(lines) // 2, 1)
    while len(lines) > 1:
        at, before = 0, len(lines)
        while at < len(lines) and len(lines) > 1:
            rest = lines[:at] + lines[at + size :]
            if rest and still(b"".join(rest)):
                lines = rest
            else:
                at += size
        if size > 1:
            size = max(min(size, len(lines)) // 2, 1)
        elif len(lines) == before:
            break
    return b"".join(lines)


def _smaller(text: bytes, lower: Sequence[bytes]) -> Iterator[bytes]:
    """What small changes make of it; those that matter most come first."""
    lines = text.splitlines(keepends=True)
    if len(lines) > 1:
        for place in range(len(lines)):
            yield b"".join(lines[:place] + lines[place + 1 :])
    for place, line in enumerate(lines):
        for other in lower:
            if other >= line:
                break
            yield b"".join([*lines[:place], other, *lines[place + 1 :]])
    for match in list(_NUMBER.finditer(text))[:200]:
        value = int(match[0])
        for less in dict.fromkeys((0, 1, 2, value // 2, value - 1)):
            if 0 <= less < value:
                yield text[: match.start()] + str(less).encode() + text[match.end() :]
    if len(text) <= _SHORT:
        for place in range(len(text)):
            if text[place : place + 1] not in (b"\n", b" "):
                yield text[:place] + text[place + 1 :]
