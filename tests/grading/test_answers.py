"""Answers instead of programs: found by their names, checked, and nothing is compiled or run."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from judge.grading.answers import answers_of
from judge.grading.job import ANSWERS, Source
from judge.grading.tryout import try_out
from judge.grading.verdict import Verdict
from problems.package.model import Aggregation, Package, ProblemType, TestGroup
from sandbox.contract import Sandbox
from tests.grading.conftest import Judge, Judged, make_cases, program

TYPES = frozenset({ProblemType.SCORING, ProblemType.SUBMIT_ANSWER})
SUM = (
    TestGroup(name="sample", aggregation=Aggregation.PASS_FAIL),
    TestGroup(name="secret", aggregation=Aggregation.SUM, max_score=100),
)
ROWS = (("sample/1", "1\n", "one\n"), ("secret/1", "2\n", "two\n"), ("secret/2", "3\n", "three\n"))
NAMES = {
    "bare names": ({"1.out": "1", "2.out": "2"}, {"secret/1": "1", "secret/2": "2"}),
    "whole names": ({"secret/1.ans": "1", "sample/1.txt": "0"}, {"sample/1": "0", "secret/1": "1"}),
    "windows": ({"secret\\2.out": "2"}, {"secret/2": "2"}),
    "strangers": ({"readme.md": "x", "3.out": "3"}, {}),
}


@pytest.mark.parametrize("name", NAMES)
def test_which_file_is_for_which_case(name: str, tmp_path: Path) -> None:
    given, found = NAMES[name]
    answers = answers_of({file: text.encode() for file, text in given.items()}, make_cases(tmp_path, ROWS))
    assert answers == {case: text.encode() for case, text in found.items()}


def test_a_name_that_two_groups_have_needs_its_group(tmp_path: Path) -> None:
    cases = make_cases(tmp_path, (("secret/a/1", "", ""), ("secret/b/1", "", "")))
    assert answers_of({"1.out": b"x"}, cases) == {}
    assert answers_of({"a/1.out": b"x", "b/1.out": b"y"}, cases) == {"secret/a/1": b"x", "secret/b/1": b"y"}


def test_the_only_answer_may_have_any_name(tmp_path: Path) -> None:
    cases = make_cases(tmp_path, (("sample/0", "", ""), ("secret/large", "", "")))
    assert answers_of({"mine.txt": b"x"}, cases) == {"secret/large": b"x"}


def answered(judge: Judge, folder: Path, files: dict[str, bytes], **more: object) -> Judged:
    settings = {"types": TYPES, "groups": SUM, "cases": make_cases(folder, ROWS), **more}
    return judge(files, ANSWERS, **settings)


def test_scored_case_by_case(judge: Judge, tmp_path: Path) -> None:
    judged = answered(judge, tmp_path, {"1.out": b"TWO\n", "2.out": b"four\n"})
    assert (judged.compiled.verdict, judged.compiled.toolchain) == (None, "")
    assert [case.verdict for case in judged.cases] == [None, Verdict.ACCEPTED, Verdict.WRONG_ANSWER]
    assert (judged.report.points, judged.report.out_of) == (Fraction(50), Fraction(100))
    assert judged.report.note == "Case 3 of 3 has a wrong answer."
    assert judged.cases[2].output == b"four\n"
    assert judged.cases[2].cpu_seconds == 0


def test_what_is_missing_is_wrong(judge: Judge, tmp_path: Path) -> None:
    judged = answered(judge, tmp_path, {"2.out": b"three"})
    assert judged.report.note == "Case 2 of 3 has no answer."
    assert judged.report.points == 50


def test_pass_fail(judge: Judge, tmp_path: Path) -> None:
    types = frozenset({ProblemType.PASS_FAIL, ProblemType.SUBMIT_ANSWER})
    right = {"1.out": b"two", "2.out": b"three"}
    judged = answered(judge, tmp_path, right, types=types)
    assert (judged.report.verdict, judged.report.points) == (Verdict.ACCEPTED, Fraction(100))
    wrong_sample = answered(judge, tmp_path, {**right, "sample/1": b"?"}, types=types)
    assert (wrong_sample.report.verdict, wrong_sample.report.points) == (Verdict.WRONG_ANSWER, Fraction(0))


def test_the_packages_own_validator_looks_at_them(judge: Judge, tmp_path: Path) -> None:
    half = "import sys\nopen(sys.argv[3] + 'score_multiplier.txt', 'w').write('0.5')\nsys.exit(42)"
    judged = answered(judge, tmp_path, {"1.out": b"?", "2.out": b"?"}, output_validator=program(half))
    assert (judged.report.verdict, judged.report.points) == (Verdict.ACCEPTED, Fraction(50))


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"1.out": b""}, "There is no answer in it"),
        ({"main.py": b"print(1)"}, "called like a case of this problem, such as “2.out”"),
        ({"1.out": b"x" * (3 << 20)}, "“1.out” has more than 2 MiB"),
    ],
)
def test_what_cannot_be_judged_is_said(files: dict[str, bytes], said: str, judge: Judge, tmp_path: Path) -> None:
    judged = answered(judge, tmp_path, files)
    assert judged.report.verdict == Verdict.COMPILE_ERROR
    assert said in judged.report.note
    assert judged.cases == []


def test_trial_runs(plus: Package, box: Sandbox, tmp_path: Path) -> None:
    package = replace(plus, types=TYPES)
    cases = make_cases(tmp_path, ROWS)[:1]
    source = Source(language=ANSWERS, files={"1.out": b"one"})
    _, result = try_out(package, source, box, cases=cases)
    assert getattr(result, "verdict", None) == Verdict.ACCEPTED
