"""The default output validator: what is right, what is wrong, and where."""

import re
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from problems.package.default_validator import Difference, DifferenceKind, Options, compare, parse_options

SPACE = b" \f\n\r\t\v"
EXACT = Options()


def kind(team: bytes, answer: bytes, *args: str) -> str | None:
    difference = compare(team, answer, parse_options(args))
    return None if difference is None else difference.kind.value


@pytest.mark.parametrize(
    ("team", "answer", "args", "expected"),
    [
        (b"", b"", "", None),
        (b"", b"1\n", "", "missing"),
        (b"1\n", b"", "", "extra"),
        (b"\n \r\n", b"", "", None),
        (b"1 2\v3\f\r\n", b"1\n2\t3", "", None),
        (b"100 = 2 * 2 * 5 * 5\n * 1", b"100 = 2 * 2 * 5 * 5\n", "", "extra"),
        (b"Yes", b"YES", "", None),
        (b"Yes", b"YES", "case_sensitive", "letter_case"),
        ("é".encode(), "É".encode(), "", "different"),
        (b"1\x002", b"1\x002", "", None),
        (b"1\x00", b"1", "", "different"),
        (b"1\xa02", b"1 2", "", "different"),
        (b"1\x1c2", b"1 2", "", "different"),
        (b"1.0", b"1", "", "different"),
        (b"1 2", b"1 2\n", "space_change_sensitive", "spacing"),
        (b"1 2\r\n", b"1 2\n", "space_change_sensitive", "spacing"),
        (b"1  2\n", b"1 2\n", "space_change_sensitive", "spacing"),
        (b"1 2\n", b"1 2\n", "space_change_sensitive", None),
        (b"A\n", b"a\n", "space_change_sensitive", None),
        (b"A\n", b"a\n", "space_change_sensitive case_sensitive", "letter_case"),
        (b"1.0 2\n", b"1 2\n", "space_change_sensitive float_tolerance 0", None),
        (b"1.0  2\n", b"1 2\n", "space_change_sensitive float_tolerance 0", "spacing"),
        (b"nan", b"3.5", "float_tolerance 1e-6", "not_a_number"),
        (b"NaN", b"3.5", "float_absolute_tolerance 1e9", "not_a_number"),
        (b"-nan", b"3.5", "float_relative_tolerance 1e9", "not_a_number"),
        (b"inf", b"1e308", "float_tolerance 1", "not_a_number"),
        (b"infinity", b"3.5", "float_tolerance 1e300", "not_a_number"),
        (b"0x10", b"16", "float_tolerance 1", "not_a_number"),
        (b"1_0", b"10", "float_tolerance 1", "not_a_number"),
        (b"1e", b"1", "float_tolerance 1", "not_a_number"),
        (b".", b"0", "float_tolerance 1", "not_a_number"),
        (b"\xd9\xa1", b"1", "float_tolerance 1", "not_a_number"),
        (b"nan", b"NAN", "float_tolerance 1", None),
        (b"+.5E+0", b"0.5", "float_tolerance 0", None),
        (b"5.", b"5", "float_tolerance 0", None),
        (b"-0", b"0", "float_tolerance 0", None),
        (b"1.000001", b"1", "float_absolute_tolerance 1e-6", None),
        (b"3.000001", b"3", "float_absolute_tolerance 1e-6", None),
        (b"3.0000010000000000001", b"3", "float_absolute_tolerance 1e-6", "number"),
        (b"1000.001", b"1000", "float_absolute_tolerance 1e-6", "number"),
        (b"1000.001", b"1000", "float_relative_tolerance 1e-6", None),
        (b"1000.001", b"1000", "float_tolerance 1e-6", None),
        (b"1e-7", b"0", "float_relative_tolerance 1e-6", "number"),
        (b"0.3", b"0.1", "float_absolute_tolerance 0.2", None),
        (b"10000000000000000000000001", b"10000000000000000000000000", "float_absolute_tolerance 0.5", "number"),
        (b"1e400", b"1e400", "float_tolerance 0", None),
        (b"1e400", b"2e400", "float_tolerance 1e-6", "number"),
        (b"10e399", b"1e400", "float_tolerance 0", None),
        (b"1e99999999999", b"1e999999999", "float_tolerance 1", "number"),
        (b"1e-99999999999", b"0", "float_tolerance 0", None),
        (b"2", b"3", "float_tolerance 0.1", "number"),
        (b"x 2.0", b"X 2", "float_tolerance 0", None),
        (b"x 2.0", b"X 2", "float_tolerance 0 case_sensitive", "letter_case"),
    ],
)  # fmt: skip
def test_compare(team: bytes, answer: bytes, args: str, expected: str | None) -> None:
    assert kind(team, answer, *args.split()) == expected


def test_the_first_difference_is_told_with_its_place() -> None:
    answer = b"1 2 3\n4 5 6\n7 8 9\n"
    assert compare(b"1 2 3\n4 x 6\n7 y 9\n", answer, EXACT) == Difference(
        kind=DifferenceKind.DIFFERENT, line=2, token=2, expected=b"5", got=b"x"
    )
    assert compare(b"1 2\n\n3 4\n5 6 7 8 9 10", answer, EXACT) == Difference(
        kind=DifferenceKind.EXTRA, line=4, token=6, expected=b"", got=b"10"
    )
    assert compare(b"1 2 3 4 5 6", answer, EXACT) == Difference(
        kind=DifferenceKind.MISSING, line=3, token=1, expected=b"7", got=b""
    )
    assert compare(b"1 2 3\n4  5 6\n7 8 9\n", answer, parse_options(("space_change_sensitive",))) == Difference(
        kind=DifferenceKind.SPACING, line=2, token=2, expected=b" ", got=b"  "
    )


def test_what_is_told_is_bounded() -> None:
    difference = compare(b"x" * 1_000_000, b"y" * 1_000_000, EXACT)
    assert difference is not None
    assert (len(difference.got), len(difference.expected)) == (200, 200)


def test_large_outputs_are_compared_across_blocks() -> None:
    answer = b"12345 " * 600_000
    assert compare(answer.replace(b" ", b"\r\n"), answer, EXACT) is None
    wrong = answer.replace(b" ", b"\n")[:-6] + b"12346"
    difference = compare(wrong, answer, EXACT)
    assert difference is not None
    assert (difference.kind, difference.line, difference.token) == (DifferenceKind.DIFFERENT, 600_000, 1)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("case_senstive", "did you mean `case_sensitive`?"),
        ("float_tolerance", "needs a number after it"),
        ("float_tolerance x", "needs a number after it"),
        ("float_tolerance nan", "needs a number after it"),
        ("float_tolerance -1", "0 or more"),
        ("float_tolerance 1 float_tolerance 1", "twice"),
        ("float_tolerance 1 float_absolute_tolerance 1", "both tolerances at once"),
        ("float_relative_tolerance 1e-9999", "reasonable size"),
    ],
)
def test_options_that_are_refused(args: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        parse_options(tuple(args.split()))


words = st.lists(st.binary(min_size=1, max_size=4).map(lambda word: bytes(b for b in word if b not in SPACE) or b"x"))
gaps = st.text(alphabet=SPACE.decode(), min_size=1, max_size=3).map(str.encode)


@given(words, st.data())
def test_spacing_never_matters_unless_asked(tokens: list[bytes], data: st.DataObject) -> None:
    one = b"".join(token + data.draw(gaps) for token in tokens)
    other = data.draw(gaps) + b"".join(token + data.draw(gaps) for token in tokens)
    assert compare(one, other, EXACT) is None
    assert (compare(one, other, Options(space_change_sensitive=True)) is None) == (one == other)


@given(words, words)
def test_it_is_the_comparison_of_lower_case_tokens(team: list[bytes], answer: list[bytes]) -> None:
    same = [token.lower() for token in team] == [token.lower() for token in answer]
    assert (compare(b" ".join(team), b"\n".join(answer), EXACT) is None) == same


numbers = st.decimals(min_value=-(10**6), max_value=10**6, places=8, allow_nan=False).map(lambda value: f"{value:f}")


@given(numbers, numbers, st.integers(0, 12), st.sampled_from(["absolute", "relative"]))
@example("3.00000100", "3.00000000", 6, "absolute")
@example("2.00000200", "2.00000000", 6, "relative")
def test_tolerances_are_exact(team: str, answer: str, digits: int, which: str) -> None:
    allowed = Fraction(1, 10**digits) * (abs(Fraction(answer)) if which == "relative" else 1)
    near = abs(Fraction(team) - Fraction(answer)) <= allowed
    assert (kind(team.encode(), answer.encode(), f"float_{which}_tolerance", f"1e-{digits}") is None) == near
