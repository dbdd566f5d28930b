"""Inputs that a package might have as cases: its generators with other arguments, its small inputs somewhat changed.

Nothing is known of what an author's generator takes, so much of this is refused by it, or by the input validators.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from judge.grading.job import ReadyCase
from problems.package.model import Provenance, TestCase

_NUMBER = re.compile(r"(?<![\d.])-?\d{1,9}(?![\d.])")
_OTHER_SIGN = 0.1
"""So often a number is made negative that was not, or the other way round."""
_LARGE_BYTES = 64 << 10
"""What makes larger inputs waits for `_LARGE_AFTER` rounds: small cases tell more, and take less."""
_LARGE_AFTER = 4
_SMALL_BYTES = 2 << 10
"""Inputs of at most this size are changed as text."""
_MANY = 1_000
"""No number above this is made larger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An input that may become a case. `like`: the case it was made after."""

    case: TestCase
    like: str
    command: str
    """The generator and its arguments; empty when the input is that of `like`, changed."""


def candidates(cases: Sequence[ReadyCase], seed: int) -> Iterator[Candidate]:
    """More and more inputs, without end if there is any to start from; the same for the same `seed`."""
    draw = random.Random(seed)  # noqa: S311 - nothing is kept secret by it
    by_size = sorted(cases, key=lambda case: (case.input.stat().st_size, case.name))
    commands = _different(case for case in by_size if case.provenance is not None)
    texts = [case for case in by_size if 0 < case.input.stat().st_size <= _SMALL_BYTES]
    round_number = 0
    while commands or texts:
        for case in commands:
            if case.input.stat().st_size <= _LARGE_BYTES or round_number >= _LARGE_AFTER:
                yield _generated(case, commands, draw, seed_only=round_number == 0)
        for case in draw.sample(texts, min(len(texts), max(1, len(commands)))):
            yield _changed(case, draw)
        round_number += 1


def _different(cases: Iterator[ReadyCase]) -> list[ReadyCase]:
    """One case of each command, whatever its seed."""
    found: dict[tuple[str, tuple[str, ...]], ReadyCase] = {}
    for case in cases:
        made = case.provenance
        assert made is not None
        words = tuple(word if made.seed is None else word.replace(str(made.seed), "") for word in made.arguments)
        found.setdefault((made.generator, words), case)
    return list(found.values())


def _generated(case: ReadyCase, others: Sequence[ReadyCase], draw: random.Random, *, seed_only: bool) -> Candidate:
    made = case.provenance
    assert made is not None
    seed = None if made.seed is None else draw.randrange(2**31)
    words = []
    for place, word in enumerate(made.arguments):
        if seed is not None and str(made.seed) in word:
            words.append(word.replace(str(made.seed), str(seed)))
        elif seed_only and seed is not None:
            words.append(word)
        else:
            words.append(_another(word, place, made, others, draw))
    new = Provenance(generator=made.generator, arguments=tuple(words), seed=seed)
    test = _test_case(case)
    return Candidate(
        case=replace(test, provenance=new), like=case.name, command=" ".join((new.generator, *new.arguments))
    )


def _another(word: str, place: int, made: Provenance, others: Sequence[ReadyCase], draw: random.Random) -> str:
    """An argument with its numbers changed, or the one that another case has in this place."""
    if draw.random() < 0.3:
        beside = [
            other.provenance.arguments[place]
            for other in others
            if other.provenance is not None
            and other.provenance.generator == made.generator
            and len(other.provenance.arguments) == len(made.arguments)
        ]
        word = draw.choice(beside)
    return _NUMBER.sub(lambda match: _number(match[0], draw), word)


def _number(text: str, draw: random.Random) -> str:
    """The same number, or another: near it, small, or anything up to twice as much; at times with the other sign."""
    number = abs(int(text))
    most = max(2 * number, 10) if number <= _MANY else number
    choices = (
        number,
        number + 1 if number <= _MANY else number,
        max(number - 1, 0),
        draw.randrange(6),
        draw.randint(0, most),
        draw.randint(0, most),
    )
    chosen = draw.choice(choices)
    return str(-chosen if text.startswith("-") != (draw.random() < _OTHER_SIGN) else chosen)


def _changed(case: ReadyCase, draw: random.Random) -> Candidate:
    text = case.input.read_bytes()
    for _ in range(draw.choice((1, 1, 2, 3))):
        text = draw.choice(_CHANGES)(text, draw)
    return Candidate(case=replace(_test_case(case), input_text=text), like=case.name, command="")


def _change_number(text: bytes, draw: random.Random) -> bytes:
    numbers = list(re.finditer(rb"-?\d{1,9}", text))
    if not numbers:
        return text
    chosen = draw.choice(numbers)
    return text[: chosen.start()] + _number(chosen[0].decode(), draw).encode() + text[chosen.end() :]


def _change_byte(text: bytes, draw: random.Random) -> bytes:
    """One byte becomes another that the input has anyway."""
    if not text:
        return text
    place = draw.randrange(len(text))
    return text[:place] + bytes([draw.choice(text)]) + text[place + 1 :]


def _change_lines(text: bytes, draw: random.Random) -> bytes:
    """A line is taken out, doubled, or changes places with another."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    how = draw.randrange(3)
    if how == 0:
        del lines[one]
    elif how == 1:
        lines.insert(one, lines[one])
    else:
        lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _change_signs(text: bytes, draw: random.Random) -> bytes:
    """All numbers of a line get the other sign."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    place = draw.randrange(len(lines))
    lines[place] = re.sub(rb"(-?)(\d+)", lambda match: (b"" if match[1] else b"-") + match[2], lines[place])
    return b"".join(lines)


_CHANGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _change_number,
    _change_number,
    _change_byte,
    _change_lines,
    _change_signs,
)


def _test_case(case: ReadyCase) -> TestCase:
    """What is the same in a case made after `case`."""
    group = case.group if case.group != "sample" else "secret"
    return TestCase(name="secret/suggested", group=group, files=case.files, settings=case.settings)
