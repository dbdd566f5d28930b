"""Input validators in Checktestdata: what they refuse is not built, and what is wrong with them is told."""

from pathlib import Path

import pytest

from judge.grading.build import BuildFailed, Built, build
from problems.package.read import read
from sandbox.contract import Sandbox
from tests.grading.folder import write_package

NUMBERS = "INT(-9, 99, a) SPACE INT(-9, 99) NEWLINE EOF\n"


def built(folder: Path, grammar: str, box: Sandbox, **changes: str) -> Built:
    root = write_package(folder, {"input_validators/numbers.ctd": grammar, **changes})
    (root / "input_validators/two.py").unlink()
    package = read(root).package
    assert package is not None
    *_, last = build(package, box, folder / "built")
    assert isinstance(last, Built)
    return last


def test_what_the_grammar_takes_is_built(tmp_path: Path, box: Sandbox) -> None:
    assert len(built(tmp_path, NUMBERS, box).cases) == 4


@pytest.mark.parametrize(
    ("grammar", "told"),
    [
        ("INT(1, 2) SPACE INT(3, 9) NEWLINE EOF\n", "numbers.ctd ended with exit code 43, where 42 says"),
        ("INT(1, 2) NEWLINE EOF\n", "expected <NEWLINE>"),
        ("INT(1, 2) SPACE\n", "numbers.ctd ended with exit code 43"),
        ("INT(1, 2\n", "input_validators/numbers.ctd does not compile. The program does not compile as Checktestdata"),
        ("INT(1, MAX) EOF\n", "unknown token at 1:8 'MAX'"),
    ],
)
def test_what_it_refuses_is_told(grammar: str, told: str, tmp_path: Path, box: Sandbox) -> None:
    with pytest.raises(BuildFailed) as failed:
        built(tmp_path, grammar, box)
    assert told in str(failed.value)
