"""The format's default output validator, as a function: is this output the answer, give or take what is allowed?

Output and answer are bytes, split into tokens at space, form feed, line feed, carriage return, tab and vertical tab.
Their tokens must be as many and equal one by one: as numbers where a tolerance is set and the answer has a number, else
byte for byte (a-z and A-Z being the same unless `case_sensitive`). A number is decimal digits, perhaps with sign, point
and exponent; `nan` and `inf` are words.
"""

import difflib
import itertools
import math
import operator
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from enum import StrEnum

from problems.say import say

SPACE = rb" \f\n\r\t\v"
MAX_SHOWN = 200
"""Bytes of a token that a `Difference` carries."""

_TOKEN = re.compile(rb"[^" + SPACE + rb"]+")
_SPACES = re.compile(rb"[" + SPACE + rb"]+")
_NUMBER = re.compile(rb"[-+]?(?:[0-9]*\.[0-9]+|[0-9]+\.?)(?:[Ee][-+]?[0-9]+)?")
_BLOCK = 1 << 20
_EXACT_LENGTH = 1_000
"""Longer tokens, and exponents beyond this, are compared as binary floating-point numbers only."""
_EXACTLY = Context(prec=5 * _EXACT_LENGTH, Emax=10**6, Emin=-(10**6))
"""Enough digits for the difference of any two numbers within `_EXACT_LENGTH`, and for their products."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `output_validator_args` ask of the default validator."""

    case_sensitive: bool = False
    space_change_sensitive: bool = False
    absolute: Decimal | None = None
    relative: Decimal | None = None

    @property
    def compares_numbers(self) -> bool:
        return self.absolute is not None or self.relative is not None


class DifferenceKind(StrEnum):
    MISSING = "missing"
    """The answer goes on where the output ends."""
    EXTRA = "extra"
    """The output goes on where the answer ends."""
    DIFFERENT = "different"
    LETTER_CASE = "letter_case"
    """Equal but for upper and lower case, which matters here."""
    NUMBER = "number"
    """Both are numbers, too far apart."""
    NOT_A_NUMBER = "not_a_number"
    """The answer is a number, the output is none."""
    SPACING = "spacing"
    """The tokens are equal; the space between, before or after them is not, which matters here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first difference. Positions count from 1, in the output (in the answer, where the output has ended)."""

    kind: DifferenceKind
    line: int
    token: int
    """Position of the token in its line."""
    expected: bytes
    """The answer's token, cut to `MAX_SHOWN`; empty when there is none. The space itself, for SPACING."""
    got: bytes


def parse_options(args: tuple[str, ...]) -> Options:
    """The options that `args` ask for. Raises ValueError with a sentence for the package's author."""
    flags: set[str] = set()
    tolerances: dict[str, Decimal] = {}
    words = iter(args)
    for word in words:
        if word in ("case_sensitive", "space_change_sensitive"):
            flags.add(word)
        elif word in ("float_relative_tolerance", "float_absolute_tolerance", "float_tolerance"):
            if word in tolerances:
                raise ValueError(say("said", "`%(word)s` is given twice: keep one.", word=word))
            tolerances[word] = _tolerance(word, next(words, None))
        else:
            known = ["case_sensitive", "space_change_sensitive", "float_relative_tolerance", "float_absolute_tolerance"]
            near = difflib.get_close_matches(word[:80], [*known, "float_tolerance"], n=1)
            hint = say("part", "; did you mean `%(near)s`?", near=near[0]) if near else say("part", ".")
            raise ValueError(
                say("said", "The default output validator knows no `%(word)s`%(hint)s", word=word[:80], hint=hint)
            )
    both = tolerances.get("float_tolerance")
    if both is not None and len(tolerances) > 1:
        raise ValueError(say("said", "`float_tolerance` is both tolerances at once: remove it or the other."))
    return Options(
        case_sensitive="case_sensitive" in flags,
        space_change_sensitive="space_change_sensitive" in flags,
        absolute=both if both is not None else tolerances.get("float_absolute_tolerance"),
        relative=both if both is not None else tolerances.get("float_relative_tolerance"),
    )


def compare(team: bytes, answer: bytes, options: Options) -> Difference | None:
    """The first difference between a submission's output and the answer; None when the output is right."""
    if team == answer:
        return None
    if options.compares_numbers:
        number = _first_difference(team, answer, options)
    else:
        fold = (lambda text: text) if options.case_sensitive else bytes.lower
        number = _first_unequal(fold(team), fold(answer))
    if number is not None:
        return _describe(team, answer, number, options)
    return _spacing(team, answer) if options.space_change_sensitive else None


def _tolerance(word: str, value: str | None) -> Decimal:
    if value is None or len(value) > _EXACT_LENGTH or not _NUMBER.fullmatch(value.encode()):
        raise ValueError(say("said", "`%(word)s` needs a number after it, such as 1e-6.", word=word))
    exact = _exact(value.encode())
    if exact is None or exact < 0:
        raise ValueError(
            say("said", "The number after `%(word)s` must be 0 or more, and of a reasonable size.", word=word)
        )
    return exact


def _tokens(text: bytes) -> Iterator[bytes]:
    """All tokens, split block by block so that memory stays small whatever the output is like."""

    def blocks() -> Iterator[list[bytes]]:
        start = 0
        while start < len(text):
            space = _SPACES.search(text, start + _BLOCK)
            end = space.end() if space else len(text)
            yield text[start:end].split()
            start = end

    return itertools.chain.from_iterable(blocks())


def _first_unequal(team: bytes, answer: bytes) -> int | None:
    """Number (from 0) of the first token that is not the same bytes in both; the shorter one's end counts as one."""
    unequal = map(operator.ne, itertools.chain(_tokens(team), (None,)), itertools.chain(_tokens(answer), (None,)))
    return next(itertools.compress(itertools.count(), unequal), None)


def _first_difference(team: bytes, answer: bytes, options: Options) -> int | None:
    """As `_first_unequal`, with numbers within the tolerance being equal."""
    tolerance, is_number = _Tolerance(options), _NUMBER.fullmatch
    for number, (got, expected) in enumerate(itertools.zip_longest(_tokens(team), _tokens(answer))):
        if got == expected:
            continue
        if got is None or expected is None:
            return number
        # The commonest case first and without a further call: there may be a million of them.
        if is_number(expected) and is_number(got) and tolerance.near(got, expected):
            continue
        if _kind(got, expected, options, tolerance):
            return number
    return None


def _kind(got: bytes, expected: bytes, options: Options, tolerance: "_Tolerance") -> DifferenceKind | None:
    if options.compares_numbers and _NUMBER.fullmatch(expected):
        if not _NUMBER.fullmatch(got):
            return DifferenceKind.NOT_A_NUMBER
        return None if tolerance.near(got, expected) else DifferenceKind.NUMBER
    if got.lower() != expected.lower():
        return DifferenceKind.DIFFERENT
    return DifferenceKind.LETTER_CASE if options.case_sensitive and got != expected else None


class _Tolerance:
    """Whether two numbers are within a tolerance: exactly, where rounding could decide."""

    def __init__(self, options: Options) -> None:
        self.absolute = Decimal(-1) if options.absolute is None else options.absolute
        self.relative = Decimal(-1) if options.relative is None else options.relative
        self.absolute_float = float(self.absolute)
        self.relative_float = float(self.relative)

    def near(self, got: bytes, expected: bytes) -> bool:
        team, answer = float(got), float(expected)
        distance = abs(team - answer)
        allowed = max(self.absolute_float, self.relative_float * abs(answer))
        doubt = 1e-15 * (abs(team) + abs(answer)) + 1e-12 * abs(allowed)
        if distance > allowed + doubt:
            return False
        if distance < allowed - doubt:
            return True
        exact_team, exact_answer = _exact(got), _exact(expected)
        if exact_team is None or exact_answer is None:
            return team == answer and math.isfinite(team)
        error = abs(_EXACTLY.subtract(exact_team, exact_answer))
        return error <= self.absolute or (
            self.relative >= 0 and error <= abs(_EXACTLY.multiply(self.relative, exact_answer))
        )


def _exact(token: bytes) -> Decimal | None:
    """The number exactly; None when it is unreasonably long or its exponent is."""
    digits, _, exponent = token.lower().partition(b"e")
    if len(digits) > _EXACT_LENGTH or len(exponent) > 8 or abs(int(exponent or b"0")) > _EXACT_LENGTH:
        return None
    return Decimal(token.decode())


def _describe(team: bytes, answer: bytes, number: int, options: Options) -> Difference:
    got = next(itertools.islice(_TOKEN.finditer(team), number, None), None)
    expected = next(itertools.islice(_TOKEN.finditer(answer), number, None), None)
    if got is not None and expected is not None:
        kind = _kind(got[0], expected[0], options, _Tolerance(options))
        assert kind is not None
    else:
        kind = DifferenceKind.MISSING if got is None else DifferenceKind.EXTRA
    where, text = (got, team) if got is not None else (expected, answer)
    assert where is not None
    line, token = _position(text, where.start())
    return Difference(
        kind=kind,
        line=line,
        token=token,
        expected=expected[0][:MAX_SHOWN] if expected else b"",
        got=got[0][:MAX_SHOWN] if got else b"",
    )


def _position(text: bytes, offset: int) -> tuple[int, int]:
    line_start = text.rfind(b"\n", 0, offset) + 1
    return text.count(b"\n", 0, offset) + 1, sum(1 for _ in _TOKEN.finditer(text, line_start, offset)) + 1


def _spacing(team: bytes, answer: bytes) -> Difference | None:
    """The first place where the space between equal tokens differs."""
    for got, expected in itertools.zip_longest(_gaps(team), _gaps(answer), fillvalue=(len(team), b"")):
        if got[1] != expected[1]:
            line, token = _position(team, got[0])
            return Difference(
                kind=DifferenceKind.SPACING,
                line=line,
                token=token,
                expected=expected[1][:MAX_SHOWN],
                got=got[1][:MAX_SHOWN],
            )
    return None


def _gaps(text: bytes) -> Iterator[tuple[int, bytes]]:
    """Offset and space before each token and after the last one; empty where there is none."""
    end = 0
    for token in _TOKEN.finditer(text):
        yield end, text[end : token.start()]
        end = token.end()
    yield end, text[end:]
