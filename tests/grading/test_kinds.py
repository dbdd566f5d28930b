"""Packages of every kind are read, built, and their examples get what they must; from the command line too."""

import json
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import pytest

from judge.grading.build import BuildFailed, Built, build
from judge.grading.job import ReadyCase
from judge.grading.verify import verify
from judge.management.commands.grade import Command
from problems.package.model import Package
from problems.package.read import read
from sandbox.contract import Sandbox
from tests.grading.kinds import KINDS, write_kind


def package_of(folder: Path, slug: str, changes: dict[str, str | None] | None = None) -> Package:
    reading = read(write_kind(folder, slug, changes))
    assert reading.package is not None, reading.findings
    return reading.package


def built(package: Package, box: Sandbox, into: Path) -> tuple[ReadyCase, ...]:
    *_, last = build(package, box, into)
    assert isinstance(last, Built)
    return last.cases


@pytest.mark.parametrize("slug", KINDS)
def test_examples_get_what_they_must(slug: str, box: Sandbox, tmp_path: Path) -> None:
    package = package_of(tmp_path, slug)
    cases = built(package, box, tmp_path / "built")
    verified = list(verify(package, cases, box))
    assert [one.complaints for one in verified] == [()] * len(package.examples)


def test_no_answer_is_made_where_the_validator_leads(box: Sandbox, tmp_path: Path) -> None:
    cases = built(package_of(tmp_path, "guess"), box, tmp_path / "built")
    assert [(case.name, case.answer.read_bytes()) for case in cases][-1] == ("secret/last", b"")


BROKEN: dict[str, tuple[str, dict[str, str | None], tuple[str, ...]]] = {
    "model solution is wrong": (
        "guess",
        {"submissions/accepted/halves.py": "print(1, flush=True)\n"},
        ("sample/1: the model solution submissions/accepted/halves.py went wrong", "turn 1: ''", ">1\n<higher"),
    ),
    "model solution crashes in the second pass": (
        "codes",
        {"submissions/accepted/codes.py": "print(1 if input()[0] == 'e' else 1 // 0)\n"},
        ("secret/1: the model solution", "ZeroDivisionError"),
    ),
    "validator fails": (
        "guess",
        {"output_validator/guess.py": "1 // 0\n"},
        ("sample/1: the checker failed", "The output validator", "ZeroDivisionError"),
    ),
    "validator does not parse": ("codes", {"output_validator/codes.py": "if\n"}, ("cannot be used",)),
    "model submission lacks an answer": (
        "squares",
        {"submissions/accepted/mine/2.out": None},
        ("secret/2: submissions/accepted/mine has no answer for it. Add a file `2.out`",),
    ),
    "model submission has a wrong answer": (
        "squares",
        {"submissions/accepted/mine/2.out": "8\n"},
        ("secret/2: what the model solution submissions/accepted/mine prints is not accepted",),
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_build_stops_and_names_the_case_when(name: str, box: Sandbox, tmp_path: Path) -> None:
    slug, changes, said = BROKEN[name]
    with pytest.raises(BuildFailed) as failure:
        built(package_of(tmp_path, slug, changes), box, tmp_path / "built")
    for part in said:
        assert part in str(failure.value)
    assert {path.name for path in (tmp_path / "built").iterdir()} <= {"cases", "lock"}


def test_scores_that_are_not_as_expected_are_told(box: Sandbox, tmp_path: Path) -> None:
    wants = "wrong_answer/one.py:\n  score: 30\n  secret/each:\n    score: [30, 40]\n"
    package = package_of(tmp_path, "groups", {"submissions/submissions.yaml": wants})
    *_, one = verify(package, built(package, box, tmp_path / "built"), box)
    assert one.report.points == Fraction(25)
    assert [complaint.partition(": ")[2] for complaint in one.complaints] == [
        "it scores 25, where 30 is expected.",
        "in secret/each it scores 25, where 30 to 40 is expected.",
    ]


def graded(capsys: pytest.CaptureFixture[str], *args: str | Path) -> dict[str, object]:
    with suppress(SystemExit):
        Command().run_from_argv(["palfrey", "grade", "--json", *map(str, args)])
    answer = json.loads(capsys.readouterr().out)
    assert isinstance(answer, dict)
    return answer


def test_answers_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = write_kind(tmp_path, "squares")
    right = graded(capsys, package, package / "submissions/accepted/mine")
    assert (right["verdict"], right["points"], right["language"]) == ("accepted", 100, "answers")
    one = graded(capsys, package, package / "submissions/accepted/mine/1.out")
    assert (one["verdict"], one["points"]) == ("wrong_answer", 50)
    Command().run_from_argv(["palfrey", "grade", str(package), str(package / "submissions/accepted/mine")])
    assert "squares (squares), 3 cases, answers" in capsys.readouterr().out


def test_a_talk_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = write_kind(tmp_path, "guess")
    assert graded(capsys, package, package / "submissions/accepted/halves.py")["verdict"] == "accepted"
    assert graded(capsys, package, package / "submissions/wrong_answer/always.py")["verdict"] == "wrong_answer"
