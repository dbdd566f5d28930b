"""The kind of a difference."""

import pytest

from judge.grading.feedback.mistake import Mistake, mistake_of

ROWS = [
    ("To get takes 2 moves.\n", "", Mistake.NOTHING_PRINTED),
    ("To get takes 2 moves.\n", " \n", Mistake.BLANK),
    ("To get takes 2 moves.\n", "to get takes 2 moves.\n", Mistake.LETTER_CASE),
    ("To get takes 2 moves.\n", "To get takes 2 moves\n", Mistake.FULL_STOP),
    ("To get takes 2 moves.\n", "To get takes2 moves.\n", Mistake.SPACING),
    ("2\n3\n", "answer: 2\nanswer: 3\n", Mistake.MORE_THAN_ASKED),
    ("2\n3\n", "Enter a number\n2\n3\n", Mistake.MORE_THAN_ASKED),
    ("2\n3\n4\n", "2\n3\n", Mistake.CUT_SHORT),
    ("takes 2 moves\ntakes 3 moves\n", "2\n3\n", Mistake.ONLY_THE_NUMBERS),
    ("takes 2 moves\n", "needs 2 steps\n", Mistake.WORDING),
    ("2\n3\n", "3\n2\n", Mistake.REVERSED),
    ("1\n2\n3\n", "2\n1\n3\n", Mistake.OTHER_ORDER),
    ("NESS\n", "SSEN\n", Mistake.REVERSED),
    ("b\na\nc\n", "a\nb\nc\n", Mistake.OTHER_ORDER),
    ("takes 2\ntakes 4\n", "takes 3\ntakes 5\n", Mistake.OFF_BY_ONE),
    ("takes 2\ntakes 4\n", "takes 4\ntakes 8\n", Mistake.TIMES),
    ("takes 2\ntakes 4\n", "takes 2\ntakes 9\n", Mistake.ONE_NUMBER),
    ("takes 2\ntakes 4\n", "takes 7\ntakes 9000\n", Mistake.SOME_NUMBERS),
    ("NO PATH\n", "EES\n", Mistake.OTHER),
    ("", "7\n", Mistake.OTHER),
    ("2 3\n", "2   3", None),
]


@pytest.mark.parametrize(("expected", "got", "kind"), ROWS)
def test_kind(expected: str, got: str, kind: Mistake | None) -> None:
    assert mistake_of(expected.encode(), got.encode()) == kind


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert mistake_of(b"\xff\x00 1", b"\xfe" * 1000) == Mistake.OTHER
