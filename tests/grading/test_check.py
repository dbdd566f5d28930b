"""Right or wrong, by the default validator or the package's own; one that fails is never the student's fault."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from judge.grading.job import ReadyCase
from judge.grading.verdict import Verdict
from problems.package.model import Aggregation, ProblemType, TestGroup
from tests.grading.conftest import LIMITS, Judge, make_cases, program

ACCEPT, WRONG, FAULT = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.JUDGE_ERROR
RIGHT = "print(sum(map(int, input().split())))"


@pytest.mark.parametrize(
    ("answer", "output", "args", "verdict"),
    [
        ("3.5\n", "nan", ("float_tolerance", "1e-6"), WRONG),
        ("3.5\n", "-NaN", ("float_tolerance", "1e-6"), WRONG),
        ("3.5\n", "inf", ("float_tolerance", "1e-6"), WRONG),
        ("3.5\n", "3.5000001", ("float_tolerance", "1e-6"), ACCEPT),
        ("3.5\n", "3.5000001", (), WRONG),
        ("100 = 2 * 2 * 5 * 5\n", "100 = 2 * 2 * 5 * 5 * 1", (), WRONG),
        ("100 = 2 * 2 * 5 * 5\n", "100 =   2*2*5*5", (), WRONG),
        ("100 = 2\n", "  100\n\n=\t2  ", (), ACCEPT),
        ("100 = 2\n", "100  = 2\n", ("space_change_sensitive",), WRONG),
        ("Yes\n", "yES", (), ACCEPT),
        ("Yes\n", "yES", ("case_sensitive",), WRONG),
        ("one line\n", "", (), WRONG),
        ("", "", (), ACCEPT),
        ("", "\n", (), ACCEPT),
        ("5\n", "5\0", (), WRONG),
        ("5\n", "5", ("no_such_option",), FAULT),
    ],
)
def test_default_validator(
    *, answer: str, output: str, args: tuple[str, ...], verdict: Verdict, judge: Judge, tmp_path: Path
) -> None:
    cases = make_cases(tmp_path, (("secret/1", "", answer),), output_validator_args=args)
    judged = judge(f"import sys; sys.stdout.write({output!r})", cases=cases)
    assert judged.report.verdict == verdict, judged.report


OWN = {
    "accepts": ("sys.exit(42)", ACCEPT, ""),
    "rejects": ("open(sys.argv[3] + 'judgemessage.txt', 'w').write('two 17s'); sys.exit(43)", WRONG, "two 17s"),
    "exits with 77": ("sys.exit(77)", FAULT, "check.py ended with exit code 77"),
    "exits with 0": ("pass", FAULT, "check.py ended with exit code 0"),
    "crashes": ("print(1 // 0)", FAULT, "ZeroDivisionError"),
    "is killed": ("os.kill(os.getpid(), 9)", FAULT, "check.py crashed (signal 9)"),
    "never ends": ("while True: pass", FAULT, "of CPU time: it took too long"),
    "does not parse": ("if", FAULT, "output_validator/check.py cannot be used"),
    "gives both scores": (
        "for name in ('score', 'score_multiplier'): open(f'{sys.argv[3]}{name}.txt', 'w').write('1')\nsys.exit(42)",
        FAULT,
        "both score.txt and score_multiplier.txt",
    ),
    "scores what it rejects": ("open(sys.argv[3] + 'score.txt', 'w').write('1'); sys.exit(43)", FAULT, "rejected"),
    "scores 0 what it rejects": ("open(sys.argv[3] + 'score.txt', 'w').write('0.00'); sys.exit(43)", WRONG, ""),
    "scores a pass-fail problem": ("open(sys.argv[3] + 'score.txt', 'w').write('1'); sys.exit(42)", FAULT, "pass-fail"),
    "writes no number": ("open(sys.argv[3] + 'score.txt', 'w').write('1/0'); sys.exit(42)", FAULT, "one number"),
    "writes nan": ("open(sys.argv[3] + 'score_multiplier.txt', 'w').write('nan'); sys.exit(42)", FAULT, "one number"),
    "links its message": ("os.symlink('/etc/passwd', sys.argv[3] + 'judgemessage.txt'); sys.exit(43)", WRONG, ""),
}


@pytest.mark.parametrize("name", OWN)
def test_own_validator_that(name: str, judge: Judge) -> None:
    code, verdict, said = OWN[name]
    limits = replace(LIMITS, validation_seconds=0.5)
    judged = judge(RIGHT, output_validator=program(f"import os, sys\n{code}\n"), limits=limits)
    assert judged.report.verdict == verdict
    assert said in judged.report.judge_note + judged.cases[0].judge_note if judged.cases else judged.report.judge_note
    assert "root:" not in judged.report.judge_note
    if verdict == FAULT:
        assert "not the fault of your program" in judged.report.note
        assert said not in judged.report.note


def test_own_validator_gets_what_the_format_says(judge: Judge, tmp_path: Path) -> None:
    code = """
import os, sys
given, answer, feedback, *args = sys.argv[1:]
assert open(given).read() == "2 3\\n" and open(answer).read() == "5\\n", "files"
assert feedback.endswith("/") and os.path.isdir(feedback), "folder"
assert args == ["--strict", "7"], "arguments"
assert sys.stdin.read() == "5\\n", "output"
open(feedback + "teammessage.txt", "w").write("well done")
sys.exit(42)
"""
    cases = make_cases(tmp_path, (("secret/1", "2 3\n", "5\n"),), output_validator_args=("--strict", "7"))
    judged = judge(RIGHT, cases=cases, output_validator=program(code))
    assert judged.report.verdict == ACCEPT, judged.cases
    assert judged.cases[0].team_note == "well done"


def test_what_the_validator_tells_comes_after_a_colon(judge: Judge) -> None:
    code = """
import sys
open(sys.argv[3] + "teammessage.txt", "w").write("line 1: 5 is odd")
sys.exit(43)
"""
    judged = judge(RIGHT, output_validator=program(code))
    assert judged.cases[0].note.endswith("printed a wrong answer: line 1: 5 is odd")


def test_more_is_told_only_where_the_case_is_open(judge: Judge, tmp_path: Path) -> None:
    code = """
import sys
open(sys.argv[3] + "teammessage.txt", "w").write("a number is odd")
open(sys.argv[3] + "openmessage.txt", "w").write("5 is odd")
sys.exit(43)
"""
    cases = make_cases(tmp_path, (("sample/1", "2 3\n", "5\n"), ("secret/1", "2 3\n", "5\n")))
    told = [(case.note, case.team_note) for case in judge(RIGHT, cases=cases, output_validator=program(code)).cases]
    assert told == [
        ("Case 1 of 2 printed a wrong answer: 5 is odd", "5 is odd"),
        ("Case 2 of 2 printed a wrong answer: a number is odd", "a number is odd"),
    ]


def test_own_validator_in_cpp(judge: Judge) -> None:
    code = "#include <iostream>\nint main() { int n; return std::cin >> n && n < 6 ? 42 : 43; }\n"
    judged = judge(RIGHT, output_validator=program(code, "output_validator/check.cpp"))
    assert [case.verdict for case in judged.cases] == [ACCEPT, WRONG]


def test_own_validator_with_a_build_script(judge: Judge) -> None:
    files = {"build": b"#!/bin/sh\ncp given run\n", "given": b"#!/bin/sh\nexit 42\n"}
    own = replace(program("", "output_validator"), files=files)
    assert judge("print(1)", output_validator=own).report.verdict == ACCEPT


def test_a_broken_validator_does_not_repeat_and_the_next_problem_is_judged(judge: Judge) -> None:
    assert judge(RIGHT, output_validator=program("1 / 0")).report.verdict == FAULT
    assert judge(RIGHT).report.verdict == ACCEPT


def test_a_lost_answer_is_ours(judge: Judge, tmp_path: Path) -> None:
    cases = make_cases(tmp_path, (("secret/1", "2 3\n", "5\n"), ("secret/2", "1 1\n", "2\n")))
    cases[1].answer.unlink()
    judged = judge(RIGHT, cases=cases)
    assert judged.report.verdict == FAULT
    assert "secret/2" in judged.report.judge_note
    assert "secret/2" not in judged.report.note


@pytest.mark.parametrize("names", [(), ("sample/1",)])
def test_without_secret_cases_nobody_is_right(names: tuple[str, ...], judge: Judge, tmp_path: Path) -> None:
    cases = make_cases(tmp_path, tuple((name, "2 3\n", "5\n") for name in names))
    assert judge(RIGHT, cases=cases).report.verdict == FAULT


@pytest.mark.parametrize("kind", [ProblemType.INTERACTIVE, ProblemType.MULTI_PASS])
def test_kinds_that_lack_their_validator_are_never_judged_wrong(kind: ProblemType, judge: Judge) -> None:
    judged = judge(RIGHT, types=frozenset({kind}))
    assert judged.report.verdict == FAULT
    assert "needs an output validator of its own" in judged.report.judge_note


def test_one_wrong_byte_costs_one_case(judge: Judge, tmp_path: Path) -> None:
    rows = tuple((f"secret/{number}", f"{number}\n", f"{number}\n") for number in range(1, 6))
    code = "import sys\nn = input()\nsys.stdout.buffer.write(b'\\xff' if n == '2' else n.encode())\n"
    judged = judge(code, cases=make_cases(tmp_path, rows), types=frozenset({ProblemType.SCORING}), groups=_summing())
    assert [case.verdict for case in judged.cases] == [ACCEPT, WRONG, ACCEPT, ACCEPT, ACCEPT]
    assert judged.report.points == Fraction(80)
    assert judged.cases[1].output == b"\xff"


def _summing() -> tuple[TestGroup, ...]:
    return (TestGroup(name="secret", aggregation=Aggregation.SUM, max_score=100),)


def test_notes_of_secret_cases_tell_no_data(judge: Judge, tmp_path: Path) -> None:
    cases = make_cases(tmp_path, (("secret/1", "password\n", "5\n"),))
    leaks = (
        "raise ValueError(input())",
        "raise type(input(), (Exception,), {})",
        "import sys; sys.exit(input())",
        "import sys; print('  File \"/box/' + input() + '\", line 7\\nValueError', file=sys.stderr); sys.exit(1)",
        "print(input())",
    )
    for source in leaks:
        judged = judge(source, cases=cases)
        assert judged.report.verdict in (Verdict.RUN_TIME_ERROR, WRONG)
        assert "password" not in judged.report.note + judged.cases[0].note + judged.cases[0].team_note


def test_notes_of_samples_quote_the_program(judge: Judge, tmp_path: Path) -> None:
    cases = make_cases(tmp_path, (("sample/1", "hello\n", "5\n"), ("secret/1", "hello\n", "5\n")))
    judged = judge("raise ValueError(input())", cases=cases)
    assert "ValueError: hello on line 1 of main.py" in judged.cases[0].note
    assert "hello" not in judged.cases[1].note


def test_input_that_is_not_read(judge: Judge, tmp_path: Path) -> None:
    cases: tuple[ReadyCase, ...] = make_cases(tmp_path, (("secret/1", "5\n" + "x" * (5 << 20), "5\n"),))
    for _ in range(5):
        assert judge("print(input())", cases=cases).report.verdict == ACCEPT


def test_a_check_is_not_made_twice_unless_it_failed(judge: Judge) -> None:
    """A validator that tosses a coin says the same again for the same output; one that failed is asked again."""
    coin = program("import os, sys\nsys.exit(42 + os.urandom(1)[0] % 2)\n")
    said = [[case.verdict for case in judge(RIGHT, output_validator=coin).cases] for _ in range(6)]
    assert all(one == said[0] for one in said)
    sometimes = program("import os, sys\nsys.exit(42 if os.urandom(1)[0] % 2 else 77)\n")
    verdicts = [judge(RIGHT, output_validator=sometimes).report.verdict for _ in range(24)]
    assert verdicts[-1] == ACCEPT
