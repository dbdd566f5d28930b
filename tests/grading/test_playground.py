"""What a checker says of changed outputs, and which of it its author is told to mend."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from judge.grading.build import Built, build
from judge.grading.perturbations import PERTURBATIONS
from judge.grading.playground import Answer, NoPlayground, Opinion, Playground, play, try_output
from problems.package.model import Package
from problems.package.read import read
from sandbox.contract import Sandbox
from tests.grading.folder import write_package
from tests.grading.kinds import write_kind

TWO_LINES = "print('Sum', sum(map(int, input().split())))\nprint('b 0')\n"
"""The answer to the only case is `Sum 3`, and `b 0` on a second line."""
FILES = {
    "data/sample/1.ans": "Sum 3\nb 0\n",
    "generators/generators.yaml": "data: {secret: {data: {one: {in: '1 2'}}}}\n",
    "submissions/accepted/plus.py": TWO_LINES,
}
CHANGED: dict[str, tuple[bytes, Answer]] = {
    "crlf": (b"Sum 3\r\nb 0\r\n", Answer.ACCEPTED),
    "no-final-newline": (b"Sum 3\nb 0", Answer.ACCEPTED),
    "blank-at-line-end": (b"Sum 3 \nb 0 \n", Answer.ACCEPTED),
    "blank-line-at-end": (b"Sum 3\nb 0\n\n", Answer.ACCEPTED),
    "blank-at-line-start": (b" Sum 3\n b 0\n", Answer.ACCEPTED),
    "blank-lines-between": (b"Sum 3\n\nb 0\n", Answer.ACCEPTED),
    "tabs": (b"Sum\t3\nb\t0\n", Answer.ACCEPTED),
    "upper-case": (b"SUM 3\nB 0\n", Answer.ACCEPTED),
    "lower-case": (b"sum 3\nb 0\n", Answer.ACCEPTED),
    "dot-zero": (b"Sum 3.0\nb 0.0\n", Answer.WRONG),
    "plus-sign": (b"Sum +3\nb +0\n", Answer.WRONG),
    "zero-in-front": (b"Sum 03\nb 00\n", Answer.WRONG),
    "plus-zero": (b"Sum 3\nb +0.0\n", Answer.WRONG),
    "minus-zero": (b"Sum 3\nb -0\n", Answer.WRONG),
    "nan": (b"Sum nan\nb 0\n", Answer.WRONG),
    "minus-nan": (b"Sum -nan\nb 0\n", Answer.WRONG),
    "inf": (b"Sum inf\nb 0\n", Answer.WRONG),
    "lines-reversed": (b"b 0\nSum 3\n", Answer.WRONG),
    "lines-sorted": (b"Sum 3\nb 0\n", Answer.SAME),
    "empty": (b"", Answer.WRONG),
    "last-line-missing": (b"Sum 3\n", Answer.WRONG),
    "last-word-missing": (b"Sum 3\nb ", Answer.WRONG),
    "half": (b"Sum 3", Answer.WRONG),
    "twice": (b"Sum 3\nb 0\nSum 3\nb 0\n", Answer.WRONG),
    "word-more": (b"Sum 3\nb 0 extra\n", Answer.WRONG),
    "number-more": (b"Sum 3\nb 0 1234567\n", Answer.WRONG),
    "nul": (b"Sum 3\nb 0\0\n", Answer.WRONG),
    "bom": (b"\xef\xbb\xbfSum 3\nb 0\n", Answer.WRONG),
    "not-text": (b"Sum 3\nb 0 \xff\xfe\n", Answer.WRONG),
    "long-line": (b"Sum 3\nb 0 " + b"x" * 100_000 + b"\n", Answer.WRONG),
}
TAKES_ALL = "import sys\n\nsys.exit(42)\n"
READS_NUMBERS = """import sys

words = sys.stdin.read().split()
right = open(sys.argv[2]).read().split()
sys.exit(43 if abs(float(words[1]) - float(right[1])) > 1e-6 else 42)
"""
"""nan is never farther off than that, what follows is not looked at, and without a number it crashes."""
TO_THE_BYTE = "import sys\n\nsys.exit(42 if sys.stdin.buffer.read() == open(sys.argv[2], 'rb').read() else 43)\n"


def _package(folder: Path, changes: Mapping[str, str] | None = None) -> Package:
    reading = read(write_package(folder, {**FILES, **(changes or {})}))
    assert reading.package is not None, reading.findings
    return reading.package


def _played(package: Package, box: Sandbox, folder: Path) -> Playground:
    *_, built = build(package, box, folder / "built")
    assert isinstance(built, Built)
    *rows, last = play(package, built.cases, box)
    assert isinstance(last, Playground)
    assert tuple(rows) == last.rows
    return last


@pytest.mark.parametrize("perturbation", PERTURBATIONS, ids=lambda one: one.id)
def test_a_change_gives_exactly(perturbation: object) -> None:
    one = next(each for each in PERTURBATIONS if each is perturbation)
    assert one.change(b"Sum 3\nb 0\n") == CHANGED[one.id][0]
    one.change(b"")


def test_the_default_checker_surprises_nobody(box: Sandbox, tmp_path: Path) -> None:
    ground = _played(_package(tmp_path), box, tmp_path)
    assert {row.id: row.cells[0].answer for row in ground.rows} == {name: said for name, (_, said) in CHANGED.items()}
    assert (ground.cases, ground.checker) == (("sample/1", "secret/one"), "")
    assert ground.surprising == ()
    cell = next(row for row in ground.rows if row.id == "nan").cells[0]
    assert "“nan”" in cell.message


def test_spacing_that_is_asked_for_is_not_harsh(box: Sandbox, tmp_path: Path) -> None:
    asked = {"data/secret/test_group.yaml": "output_validator_args: [space_change_sensitive]\n"}
    ground = _played(_package(tmp_path, asked), box, tmp_path)
    row = next(row for row in ground.rows if row.id == "crlf")
    assert [cell.answer for cell in row.cells] == [Answer.ACCEPTED, Answer.WRONG]
    assert ground.surprising == ()


def test_what_takes_anything_is_told(box: Sandbox, tmp_path: Path) -> None:
    ground = _played(_package(tmp_path, {"output_validator/check.py": TAKES_ALL}), box, tmp_path)
    assert {row.id for row in ground.surprising} == {
        name for name in CHANGED if name in ("empty", "half", "twice", "word-more", "number-more", "nul", "not-text")
    } | {"nan", "minus-nan", "inf", "last-line-missing", "last-word-missing", "long-line"}
    assert {row.opinion for row in ground.surprising} == {Opinion.LENIENT}
    assert "accepted on every case: nothing at all." in next(row for row in ground.rows if row.id == "empty").said


def test_what_crashes_is_told_first(box: Sandbox, tmp_path: Path) -> None:
    ground = _played(_package(tmp_path, {"output_validator/check.py": READS_NUMBERS}), box, tmp_path)
    opinions = {row.id: row.opinion for row in ground.rows}
    assert ground.surprising[0].opinion == Opinion.BROKEN
    assert opinions["empty"] == Opinion.BROKEN
    assert opinions["nan"] == opinions["twice"] == Opinion.LENIENT
    assert opinions["crlf"] == opinions["dot-zero"] == Opinion.FINE
    empty = next(row for row in ground.rows if row.id == "empty")
    assert "IndexError" in empty.cells[0].message
    assert "judge error" in empty.said


def test_what_minds_every_byte_is_harsh(box: Sandbox, tmp_path: Path) -> None:
    ground = _played(_package(tmp_path, {"output_validator/check.py": TO_THE_BYTE}), box, tmp_path)
    assert [row.id for row in ground.surprising] == [
        "crlf",
        "no-final-newline",
        "blank-at-line-end",
        "blank-line-at-end",
    ]
    assert {row.opinion for row in ground.surprising} == {Opinion.HARSH}


def test_when_time_is_over_nothing_is_said_of_the_rest(box: Sandbox, tmp_path: Path) -> None:
    package = _package(tmp_path, {"output_validator/check.py": TAKES_ALL})
    *_, built = build(package, box, tmp_path / "built")
    assert isinstance(built, Built)
    *_, ground = play(package, built.cases, box, most_seconds=0)
    assert isinstance(ground, Playground)
    assert {cell.answer for row in ground.rows for cell in row.cells} == {Answer.NOT_TRIED, Answer.SAME}
    assert ground.surprising == ()


def test_answers_that_are_submitted_can_be_played_with(box: Sandbox, tmp_path: Path) -> None:
    reading = read(write_kind(tmp_path, "squares"))
    assert reading.package is not None, reading.findings
    ground = _played(reading.package, box, tmp_path)
    assert ground.cases == ("secret/1", "secret/2")


@pytest.mark.parametrize("slug", ["guess", "codes"])
def test_there_is_no_one_output_where_the_validator_leads(slug: str, box: Sandbox, tmp_path: Path) -> None:
    reading = read(write_kind(tmp_path, slug))
    assert reading.package is not None, reading.findings
    with pytest.raises(NoPlayground, match="output to change"):
        _played(reading.package, box, tmp_path)


def test_an_output_that_is_typed(box: Sandbox, tmp_path: Path) -> None:
    package = _package(tmp_path)
    *_, built = build(package, box, tmp_path / "built")
    assert isinstance(built, Built)
    assert try_output(package, built.cases[0], b"sum 3 b 0", box)[0] == Answer.ACCEPTED
    answer, checked = try_output(package, built.cases[0], b"sum 4", box)
    assert answer == Answer.WRONG
    assert "“4”" in checked.judge_note


def test_a_number_that_is_cut_off_is_another_number() -> None:
    (half,) = (one for one in PERTURBATIONS if one.id == "half")
    assert [half.change(text) for text in (b"3.0\n", b"4\n", b"1.000001\n", b"1234\n", b"3.0 4.0\n", b"word\n")] == [
        b"",
        b"",
        b"",
        b"12",
        b"3.0 ",
        b"wo",
    ]
