"""Lessons: what is read of them, and each fault with its line."""

# ruff: noqa: E501 -- a row of the table is a line

from pathlib import Path

import pytest

from problems.package.lesson import Command, Prose, Quiz, TraceBlock
from problems.package.model import Severity
from problems.package.read import read
from tests.problems.package.small import Changes, write

WHERE = "palfrey/lesson.en.md"
TRACER: Changes = {"palfrey/traces/count.py": "print()\n", "palfrey/code/twice.py": "print(2)  #: take\n"}
TEXT = """\
Before.

```python
print("```trace is only text here")
```

```trace
run: count.py fast {n}
in: "{n}"
caption: Counting
choose:
  n: {label: Number, from: 1, to: 9, default: 3}
code: twice
```

## After

````quiz
ask: How many?
choices: [1, 2]
right: 2
because: It is so.
````
"""


def lesson(body: str) -> Changes:
    return {**TRACER, WHERE: f"Text.\n\n```trace\n{body}\n```\n"}


GOOD = "run: count.py\nin: x\ncaption: C"
BROKEN: list[tuple[str, Changes, str, str]] = [
    ("no end", {WHERE: "a\n```trace\nrun: x\n"}, f"{WHERE}:2", "no end"),
    ("no language", {"palfrey/lesson.english.md": "x\n"}, "palfrey/lesson.english.md", "no code of a language"),
    ("no yaml", lesson("run: [1"), f"{WHERE}:5", "not YAML"),
    ("unknown key", lesson(f"{GOOD}\ncolour: red"), f"{WHERE}:7", "Unknown key"),
    ("no caption", lesson("run: count.py\nin: x"), f"{WHERE}:3", "a `caption`"),
    ("no input", lesson("run: count.py\ncaption: C"), f"{WHERE}:3", "Say `in`"),
    ("two inputs", lesson(f"{GOOD}\ngenerate: g.py"), f"{WHERE}:3", "Say `in`"),
    ("no such tracer", lesson("run: other.py\nin: x\ncaption: C"), f"{WHERE}:3", "no program `palfrey/traces/other.py`"),
    ("no such generator", lesson("run: count.py\ngenerate: other.py\ncaption: C"), f"{WHERE}:3", "no generator"),
    ("one title for two", lesson(f"{GOOD}\nbeside: count.py\ntitles: [A]"), f"{WHERE}:3", "two `titles`"),
    ("no such code", lesson(f"{GOOD}\ncode: other"), f"{WHERE}:3", "no file `palfrey/code/other.py`"),
    ("open quotation", lesson("run: count.py 'a\nin: x\ncaption: C"), f"{WHERE}:3", "has no partner"),
    ("nothing to choose", lesson("run: count.py {n}\nin: x\ncaption: C"), f"{WHERE}:3", "nothing that `choose` lets"),
    ("not used", lesson(f"{GOOD}\nchoose:\n  n: {{label: N, from: 1, to: 2}}"), f"{WHERE}:3", "`n` is not used"),
    ("endless choice", lesson(f"{GOOD}\nchoose:\n  n: {{label: N, from: 1, to: 2000000}}"), f"{WHERE}:8", "at most 10,000 values"),
    ("default elsewhere", lesson(f"{GOOD}\nchoose:\n  n: {{label: N, from: 1, to: 2, default: 3}}"), f"{WHERE}:8", "a `default` among them"),
    ("no label", lesson(f"{GOOD}\nchoose:\n  n: {{from: 1, to: 2}}"), f"{WHERE}:8", "needs a `label`"),
    ("odd key", lesson(f"{GOOD}\nchoose:\n  N-1: {{label: N, from: 1, to: 2}}"), f"{WHERE}:8", "letters a-z"),
    ("quiz without a right choice", {WHERE: "```quiz\nask: a\nchoices: [b, c]\nright: d\nbecause: e\n```\n"}, f"{WHERE}:1", "the `right` one of them"),
    ("quiz with one choice", {WHERE: "```quiz\nask: a\nchoices: [b]\nright: b\nbecause: e\n```\n"}, f"{WHERE}:1", "2 to 8 different"),
    ("many blocks", {**TRACER, WHERE: f"```trace\n{GOOD}\n```\n" * 41}, f"{WHERE}:201", "at most 40 blocks"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "where", "message"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_a_fault_is_told_with_its_line(tmp_path: Path, changes: Changes, where: str, message: str) -> None:
    reading = read(write(tmp_path, changes))
    errors = [one for one in reading.findings if one.severity is Severity.ERROR]
    assert [one for one in errors if one.where == where and message in one.message], errors
    assert reading.package is None


def test_what_is_read(tmp_path: Path) -> None:
    package = read(write(tmp_path, {**TRACER, WHERE: TEXT})).package
    assert package is not None
    assert list(package.tracers) == ["count.py"]
    assert package.code == {"twice": {".py": b"print(2)  #: take\n"}}
    before, block, after, quiz = package.lessons["en"].parts
    assert isinstance(before, Prose)
    assert "is only text here" in before.text
    assert isinstance(block, TraceBlock)
    assert (block.line, block.code, block.titles) == (7, "twice", ("",))
    assert isinstance(after, Prose)
    assert after.text.strip() == "## After"
    assert quiz == Quiz(line=18, ask="How many?", choices=("1", "2"), right="2", because="It is so.")


def test_values_are_put_where_they_go_and_others_are_not_taken(tmp_path: Path) -> None:
    package = read(write(tmp_path, {**TRACER, WHERE: TEXT})).package
    assert package is not None
    (block,) = package.lessons["en"].blocks
    values = block.values({"n": "7", "other": "x"})
    assert values == {"n": "7"}
    (command,) = block.commands(values)
    assert command == Command(tracer="count.py", arguments=("fast", "7"), given="7\n")
    assert Command.of_text(command.text) == command
    assert block.values({}) == {"n": "3"}
    for odd in ("0", "10", "7 ", "٧", "", "7; rm"):
        assert block.values({"n": odd}) is None
    assert list(block.ends()) == [{"n": "3"}, {"n": "1"}, {"n": "9"}]
