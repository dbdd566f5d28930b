"""What the table of examples and cases says beside the verdicts."""

from pathlib import Path

import pytest

from judge.authoring.verdicts import Matrix
from problems.package.read import read
from tests.problems.package.small import Changes, write

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
