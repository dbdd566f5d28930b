"""Every kind has its sentence, and a hint is found in the reader's language."""

import pytest

from judge.grading.feedback.compile_errors import Fault
from judge.grading.feedback.crash import Crash
from judge.grading.feedback.mistake import Mistake
from judge.submissions.models import Submission
from judge.web.student.feedback import code_lines
from judge.web.student.feedback_words import CRASHES, FAULTS, MISTAKES
from judge.web.student.own_name import with_own_name


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


@pytest.mark.parametrize(
    ("language", "name", "said", "told"),
    [
        ("python3", "t3_deep.py", "an uncaught E on line 2 of main.py.", "an uncaught E on line 2 of t3_deep.py."),
        ("python3", "my main.py", 'File "/box/main.py", line 24', 'File "my main.py", line 24'),
        ("java", "T 1.java", "an uncaught Error on line 7 of Main.java.", "an uncaught Error on line 7 of T 1.java."),
        ("java", "A.java", "an uncaught Error on line 7 of Tour.java.", "an uncaught Error on line 7 of A.java."),
        ("cpp17", "maze.cpp", "main.cpp:3:5: error: main.cpps", "maze.cpp:3:5: error: main.cpps"),
        ("python3", "main.py", "printed 1 of 2 numbers.", "printed 1 of 2 numbers."),
    ],
)  # fmt: skip
def test_a_lone_file_is_called_as_its_author_does(language: str, name: str, said: str, told: str) -> None:
    sent = Submission(language=language, files=[{"name": name, "digest": "0" * 64}])
    assert with_own_name(said, sent) == told
    two = Submission(language=language, files=[*sent.files, {"name": "b", "digest": "0" * 64}])
    assert with_own_name(said, two) == said
