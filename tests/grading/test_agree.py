"""What must be accepted beside the model solution is run before a version is made, once."""

from pathlib import Path

import pytest

from judge.grading.agree import agree
from judge.grading.build import BuildFailed, Built, build
from problems.package.model import Package
from problems.package.read import read
from sandbox.contract import Sandbox
from tests.grading.folder import write_package

OTHER = "submissions/accepted/other.py"
RIGHT = "a, b = map(int, input().split())\nprint(a + b)\n"


def _package(folder: Path, changes: dict[str, str]) -> Package:
    package = read(write_package(folder, changes)).package
    assert package is not None
    return package


def _asked(package: Package, box: Sandbox, into: Path) -> list[str]:
    *_, built = build(package, box, into)
    assert isinstance(built, Built)
    return [step.case for step in agree(package, built.cases, box, into)]


def test_who_agrees_is_asked_once_for_the_same_cases(box: Sandbox, tmp_path: Path) -> None:
    into = tmp_path / "built"
    cases = ("sample/1", "secret/first", "secret/second", "secret/third")
    package = _package(tmp_path, {OTHER: RIGHT})
    assert _asked(package, box, into) == [f"{case}, {OTHER}" for case in cases]
    assert _asked(package, box, into) == []
    text = _package(tmp_path / "text", {OTHER: RIGHT, "statement/problem.en.md": "Add.\n"})
    assert _asked(text, box, into) == [], "a text changes nothing"
    more = _package(tmp_path / "more", {OTHER: RIGHT, "data/secret/4.in": "4 4\n", "data/secret/4.ans": "8\n"})
    assert f"secret/4, {OTHER}" in _asked(more, box, into)
    other = _package(tmp_path / "other", {OTHER: RIGHT + "\n"})
    assert len(_asked(other, box, into)) == 4


WRONG = {
    "prints 3 always": ("print(3)\n", ("secret/first: submissions/accepted/other.py", "printed a wrong answer", "“3”")),
    "crashes": (RIGHT + "assert a != 6\n", ("secret/second: submissions/accepted/other.py", "AssertionError")),
    "never ends": ("while True:\n    pass\n", ("sample/1: submissions/accepted/other.py", "was stopped after")),
    "does not compile": ("if\n", ("submissions/accepted/other.py", "does not compile")),
}


@pytest.mark.parametrize("name", WRONG)
def test_the_program_and_the_case_are_named_when_it(name: str, box: Sandbox, tmp_path: Path) -> None:
    program, said = WRONG[name]
    for _ in range(2):
        with pytest.raises(BuildFailed) as failure:
            _asked(_package(tmp_path, {OTHER: program}), box, tmp_path / "built")
        for part in said:
            assert part in str(failure.value)


def test_what_may_fail_or_is_in_no_language_of_ours_is_not_asked(box: Sandbox, tmp_path: Path) -> None:
    changes = {
        "submissions/mixed/other.py": "print(3)\n",
        "submissions/accepted/plus.bf": ",.\n",
        "submissions/submissions.yaml": "mixed: {permitted: [AC, WA]}\n",
    }
    assert _asked(_package(tmp_path, changes), box, tmp_path / "built") == []
