"""A checker and a validator written with testlib, in a real box: each exit code means what its author meant."""

from fractions import Fraction
from pathlib import Path

import pytest

from judge.grading.build import Built, build
from judge.grading.check import checker_of
from judge.grading.verdict import Verdict
from judge.grading.verify import verify
from problems.package.model import Package
from problems.package.takein import take_in
from sandbox.contract import Sandbox
from tests.problems.package.older import zipped
from tests.problems.package.polygon_small import FILES, POINTS
from tests.problems.package.small import Changes


def package(folder: Path, changes: Changes | None = None) -> Package:
    taken = take_in(zipped(changes, of=FILES), folder / "doubles", slug="doubles")
    assert taken.package is not None, taken.findings
    return taken.package


def built(found: Package, box: Sandbox, into: Path) -> Built:
    (last,) = [step for step in build(found, box, into) if isinstance(step, Built)]
    return last


def test_built_with_its_generator_and_verified(tmp_path: Path, box: Sandbox) -> None:
    found = package(tmp_path)
    cases = built(found, box, tmp_path / "built").cases
    assert [(case.input.read_bytes(), case.answer.read_bytes()) for case in cases] == [
        (b"1\n", b"2\n"),
        (b"21\n", b"42\n"),
        (b"500\n", b"1000\n"),
    ]
    assert [complaint for one in verify(found, cases, box) for complaint in one.complaints] == []


SAID = [
    (b"42\n", Verdict.ACCEPTED, "42"),
    (b"41\n", Verdict.WRONG_ANSWER, "41 instead of 42"),
    (b"nothing\n", Verdict.WRONG_ANSWER, "no number"),
    (b"", Verdict.WRONG_ANSWER, "no number"),
    (b"77\n", Verdict.JUDGE_ERROR, "the answer is wrong"),
    (b"55\n", Verdict.JUDGE_ERROR, "points"),
]


@pytest.mark.parametrize(("output", "verdict", "note"), SAID)
def test_what_a_checker_says(tmp_path: Path, box: Sandbox, output: bytes, verdict: Verdict, note: str) -> None:
    found = package(tmp_path)
    case = built(found, box, tmp_path / "built").cases[1]
    checked = checker_of(found, box).check(case, output)
    assert (checked.verdict, note in checked.judge_note) == (verdict, True), checked.judge_note


def test_points_are_a_score(tmp_path: Path, box: Sandbox) -> None:
    found = package(tmp_path, {"problem.xml": POINTS})
    case = built(found, box, tmp_path / "built").cases[1]
    checked = checker_of(found, box).check(case, b"55\n")
    assert (checked.verdict, checked.score) == (Verdict.ACCEPTED, Fraction(21))


def test_an_input_that_its_validator_refuses_is_not_built(tmp_path: Path, box: Sandbox) -> None:
    found = package(tmp_path, {"tests/02": "1001\n", "tests/02.a": "2002\n"})
    with pytest.raises(Exception, match="secret/02: input_validators/validator ended with exit code 43"):
        built(found, box, tmp_path / "built")
