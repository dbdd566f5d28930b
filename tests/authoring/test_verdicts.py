"""What the table of examples and cases says beside the verdicts."""

from pathlib import Path

import pytest

from judge.authoring.verdicts import Matrix
from judge.grading.foresight import foreseen
from problems.package.read import read
from problems.package.template import lay_out
from tests.problems.package.small import Changes, write


def test_a_look_at_the_program_itself_has_a_column(tmp_path: Path) -> None:
    changes = {
        "static_validator/look.py": "import sys\n\nsys.exit(42)\n",
        "data/secret/test_group.yaml": "static_validation_score: pass-fail\n",
    }
    reading = read(write(tmp_path, changes))
    assert reading.package is not None, reading.findings
    facts = Matrix(reading.package, []).facts()
    assert ([case["name"] for case in facts["cases"]], facts["all_cases"]) == (["secret/static_validation"], 1)


def test_an_example_that_nobody_can_judge_is_told(tmp_path: Path) -> None:
    assert told(tmp_path, {"submissions/accepted/e.zzz": "double\n"}) == ["submissions/accepted/e.zzz"]


def test_the_name_in_the_template_is_told(tmp_path: Path) -> None:
    reading = read(lay_out(tmp_path, "mine"))
    assert reading.package is not None
    assert [one.rule for one in foreseen(reading.package)] == ["template"]


def told(folder: Path, changes: Changes) -> list[str]:
    reading = read(write(folder, changes))
    assert reading.package is not None, reading.findings
    return [one.where for one in foreseen(reading.package)]


@pytest.mark.parametrize(
    ("name", "text", "where"),
    [
        ("a.ctd", "INT(0, 9) NEWLINE EOF\n", []),
        ("a.ctd", "NEWLINE\nINT(", ["input_validators/a.ctd:2"]),
        ("a.ctd", "NEWLINE\nINT(0, 9\nFOO(", ["input_validators/a.ctd:3"]),
        ("a.ctd", "INT(1, 9^9^9^9) NEWLINE", []),
        ("a.ctd", "REP(" * 5000, ["input_validators/a.ctd:1"]),
        ("v.py", "\n", ["input_validators/v.py"]),
    ],
)
def test_a_validator_that_cannot_work_is_told_beforehand(
    name: str, text: str, where: list[str], tmp_path: Path
) -> None:
    assert told(tmp_path, {f"input_validators/{name}": text}) == where


CHECKER: dict[str, str | bytes | None] = {"output_validator/check.py": "import sys\n\nsys.exit(42)\n"}
NO_WRONG: dict[str, str | bytes | None] = {"submissions/wrong_answer/same.py": None}


@pytest.mark.parametrize(
    ("changes", "untried"),
    [
        (CHECKER, False),
        (CHECKER | NO_WRONG, True),
        (NO_WRONG, False),
        (
            CHECKER | NO_WRONG | {f"data/invalid_output/a.{ending}": "3\n" for ending in ("in", "ans", "out")},
            False,
        ),
        (CHECKER | NO_WRONG | {"submissions/rejected/crashes.py": "exit(1)\n"}, False),
    ],
)
def test_whether_anything_tries_the_checker(changes: Changes, untried: bool, tmp_path: Path) -> None:
    reading = read(write(tmp_path, changes))
    assert reading.package is not None, reading.findings
    assert Matrix(reading.package, []).facts()["checker_untried"] is untried
