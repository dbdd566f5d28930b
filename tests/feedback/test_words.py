"""Every kind has its sentence, and a hint is found in the reader's language."""

from judge.grading.feedback.compile_errors import Fault
from judge.grading.feedback.crash import Crash
from judge.grading.feedback.mistake import Mistake
from judge.web.student.feedback import code_lines
from judge.web.student.feedback_words import CRASHES, FAULTS, MISTAKES


def test_every_kind_has_a_sentence() -> None:
    assert set(CRASHES) == set(Crash)
    assert set(FAULTS) == set(Fault)
    assert set(MISTAKES) == set(Mistake)
    for text in (*CRASHES.values(), *FAULTS.values()):
        assert str(text) % {"name": "x", "more": "y"}


def test_lines_that_changed() -> None:
    before = [f"line {number}" for number in range(20)]
    after = [*before[:10], "new", *before[11:]]
    lines = code_lines(before, after)
    assert [(line.kind, line.text) for line in lines if line.kind in ("add", "del")] == [
        ("del", "line 10"),
        ("add", "new"),
    ]
    assert len(lines) == 6
    assert code_lines(before, before) == []
