"""What wrong inputs have in common: told where nearly all have it and hardly any other, else nothing."""

from collections.abc import Callable

import pytest

from judge.grading.feedback.trait import Trait, trait_of

SQUARES = [column + row for column in "abcdefgh" for row in "12345678"]
LINES = [f"{a} {b}\n".encode() for a in SQUARES for b in SQUARES]


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        (lambda a, b: a == b, Trait(word=1, other=2, wrong=64, elsewhere=0)),
        (lambda a, b: b[1] == "1" and a != b, Trait(word=2, character=2, value="1", wrong=504, elsewhere=8)),
        (
            lambda a, b: b[1] == "1" or (a, b) == ("a8", "h2"),
            Trait(word=2, character=2, value="1", wrong=512, elsewhere=0),
        ),
        (lambda a, b: a[0] == "h" and b[1] in "12", None),  # true of many others
        (lambda a, b: {a, b} == {"a1", "h8"}, None),  # two say nothing
        (lambda a, b: True, None),
        (lambda a, b: False, None),
    ],
)
def test_what_is_common(wrong: Callable[[str, str], bool], expected: Trait | None) -> None:
    chosen = [line for line in LINES if wrong(*line.decode().split())]
    assert trait_of(LINES, chosen) == expected


def test_inputs_that_are_no_rows_of_words() -> None:
    assert trait_of([b"1\n", b"1 2\n"] * 10, [b"1\n"] * 10) is None
    assert trait_of([b"x" * 9 + b"%d\n" % number for number in range(20)], [b"x" * 9 + b"1\n"] * 9) is None
    assert trait_of([], []) is None
