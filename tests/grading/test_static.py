"""Static validation: the submission itself is looked at, before the cases of its group."""

from dataclasses import replace
from fractions import Fraction

import pytest

from judge.grading.job import ReadyCase
from judge.grading.verdict import Verdict
from problems.package.model import Aggregation, Package, ProblemType, Program, StaticCase, TestGroup
from tests.grading.conftest import Judge, program

RIGHT = "print(sum(map(int, input().split())))\n"
AC, WA, JE = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.JUDGE_ERROR
NO_SUM = """
import sys
language, entry, feedback, *args = sys.argv[1:]
if "sum(" in open(entry).read():
    open(feedback + "teammessage.txt", "w").write("add up by hand")
    open(feedback + "judgemessage.txt", "w").write("uses sum")
    sys.exit(43)
sys.exit(42)
"""
BY_HAND = "a, b = map(int, input().split())\nprint(a + b)\n"
ANYWHERE = TestGroup(name="secret", aggregation=Aggregation.PASS_FAIL, static=StaticCase(max_score=None))


def static(text: str) -> Program:
    return program(text, "static_validator/look.py")


def test_it_is_a_case_of_its_group_and_the_rest_is_run(judge: Judge) -> None:
    judged = judge(RIGHT, static_validator=static(NO_SUM), groups=(ANYWHERE,))
    assert [(case.name, case.verdict) for case in judged.cases] == [
        ("secret/static_validation", WA), ("secret/1-small", AC), ("secret/2-negative", AC),
    ]  # fmt: skip
    assert judged.report.verdict == WA
    assert judged.report.note == (
        "Case 1 of 3 looked at the program itself, which is not as the problem asks: add up by hand"
    )
    assert judged.cases[0].judge_note == "uses sum"
    assert judged.report.points == 0
    assert judge(BY_HAND, static_validator=static(NO_SUM), groups=(ANYWHERE,)).report.verdict == AC


def test_a_program_that_does_not_compile_is_not_looked_at(judge: Judge) -> None:
    judged = judge("print(", static_validator=static(NO_SUM), groups=(ANYWHERE,))
    assert (judged.report.verdict, judged.cases) == (Verdict.COMPILE_ERROR, [])


@pytest.mark.parametrize(
    ("language", "files", "entry", "code"),
    [
        ("python3", {"any.py": BY_HAND.encode()}, "main.py", "python3"),
        ("pypy3", {"any.py": BY_HAND.encode()}, "main.py", "python3"),
        ("python3", {"main.py": b"import look\nprint(look.sum())\n", "look.py": b""}, "main.py", "python3"),
        ("cpp20", {"x.cc": b"int main() {}"}, "main.cpp", "cpp"),
        ("java", {"x": b"class Foo { public static void main(String[] a) {} }"}, "Foo", "java"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_validator_gets_what_the_format_says(
    language: str, files: dict[str, bytes], entry: str, code: str, judge: Judge
) -> None:
    text = f"""
import os, sys
language, entry, feedback, *args = sys.argv[1:]
assert (language, entry, args) == ({code!r}, {entry!r}, ["--strict", "7"]), sys.argv
assert feedback.endswith("/") and os.path.isdir(feedback), "folder"
assert sys.stdin.read() == "", "input"
there = {{name for _, _, files in os.walk(".") for name in files}}
assert {{"given.txt"}} < there and len(there) >= {len(files) + 1}, there
assert not there & {{"static_validator", "input", "answer"}}, there
assert os.path.basename(os.getcwd()) != "box", "beside the validator"
sys.exit(42)
"""
    group = replace(ANYWHERE, static=StaticCase(max_score=None, args=("--strict", "7")))
    judged = judge(
        files, language, static_validator=static(text), groups=(group,), include={"default": {"given.txt": b"x"}}
    )
    assert judged.cases[0].verdict == AC, judged.cases[0].judge_note


FAULTS = {
    "exits with 0": ("pass", "static validator static_validator/look.py ended with exit code 0"),
    "crashes": ("print(1 // 0)", "ZeroDivisionError"),
    "never ends": ("while True: pass", "of CPU time: it took too long"),
    "gives a score where nothing has one": (
        "open(sys.argv[3] + 'score.txt', 'w').write('1')\nsys.exit(42)",
        "pass-fail",
    ),
    "does not parse": ("if", "static validator static_validator/look.py cannot be used"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_validator_is_no_fault_of_the_program(name: str, judge: Judge, plus: Package) -> None:
    code, said = FAULTS[name]
    limits = replace(plus.limits, validation_seconds=0.5)
    judged = judge(RIGHT, static_validator=static(f"import sys\n{code}\n"), groups=(ANYWHERE,), limits=limits)
    assert judged.report.verdict == JE
    assert said in judged.report.judge_note
    assert "not the fault of your program" in judged.report.note


def scored(code: str, *, most: int = 40, how: Aggregation = Aggregation.SUM, judge: Judge) -> tuple[Verdict, Fraction]:
    """A group of 100 points, two cases and a static validation; the program is right in one case."""
    secret = TestGroup(name="secret", aggregation=how, max_score=100, static=StaticCase(max_score=most))
    judged = judge(
        "print(5)\n",
        types=frozenset({ProblemType.SCORING}),
        groups=(secret,),
        static_validator=static(f"import sys\nfeedback = sys.argv[3]\n{code}\n"),
    )
    assert judged.report.out_of == 100
    return judged.report.verdict, judged.report.points


@pytest.mark.parametrize(
    ("code", "how", "points"),
    [
        ("sys.exit(42)", Aggregation.SUM, 70),
        ("sys.exit(43)", Aggregation.SUM, 30),
        ("open(feedback + 'score_multiplier.txt', 'w').write('0.5')\nsys.exit(42)", Aggregation.SUM, 50),
        ("open(feedback + 'score.txt', 'w').write('8')\nsys.exit(42)", Aggregation.SUM, 38),
        ("sys.exit(42)", Aggregation.MIN, 0),
    ],
)
def test_points(code: str, how: Aggregation, points: int, judge: Judge) -> None:
    verdict, got = scored(code, how=how, judge=judge)
    assert verdict == WA
    assert got == points


def test_more_points_than_there_are_is_a_fault(judge: Judge) -> None:
    assert scored("open(feedback + 'score.txt', 'w').write('41')\nsys.exit(42)", judge=judge)[0] == JE


def test_a_group_may_be_nothing_else_and_others_may_require_it(judge: Judge, sums: tuple[ReadyCase, ...]) -> None:
    look = TestGroup(
        name="secret/a", aggregation=Aggregation.PASS_FAIL, max_score=10, static=StaticCase(max_score=None)
    )
    run = TestGroup(name="secret", aggregation=Aggregation.SUM, max_score=100)
    rest = TestGroup(name="secret/b", aggregation=Aggregation.SUM, max_score=90, require_pass=("secret/a",))
    for source, verdicts, points in ((BY_HAND, [AC, AC], 100), (RIGHT, [WA, None], 0)):
        judged = judge(
            source,
            types=frozenset({ProblemType.SCORING}),
            groups=(run, look, rest),
            cases=tuple(replace(case, group="secret/b") for case in sums[:1]),
            static_validator=static(NO_SUM),
        )
        assert [case.verdict for case in judged.cases] == verdicts
        assert judged.report.points == points
