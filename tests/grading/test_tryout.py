"""Trial runs show what a program prints, on the samples and on an input of the student's own."""

from dataclasses import replace
from pathlib import Path

from judge.grading.job import CaseResult, Compiled, Source
from judge.grading.tryout import OwnRun, try_out
from judge.grading.verdict import Verdict
from problems.package.model import Package
from sandbox.contract import Sandbox
from tests.grading.conftest import make_cases, program


def python(text: str) -> Source:
    return Source(language="python3", files={"a.py": text.encode()})


def test_own_input(plus: Package, box: Sandbox) -> None:
    compiled, run = try_out(plus, python("print(input()[::-1])"), box, own_input=b"abc\n")
    assert isinstance(compiled, Compiled)
    assert isinstance(run, OwnRun)
    assert (run.verdict, run.output, run.clipped) == (None, b"cba\n", False)
    assert "ran to its end" in run.note


def test_own_input_that_makes_it_crash_or_talk_for_long(plus: Package, box: Sandbox) -> None:
    _, run = try_out(plus, python("print('x' * 100000)\nprint(1 // int(input()))"), box, own_input=b"0\n")
    assert isinstance(run, OwnRun)
    assert run.verdict == Verdict.RUN_TIME_ERROR
    assert "ZeroDivisionError: integer division or modulo by zero on line 2 of main.py" in run.note
    assert len(run.output) == 64 << 10
    assert run.clipped


def test_samples(plus: Package, box: Sandbox, tmp_path: Path) -> None:
    cases = make_cases(tmp_path, (("sample/1", "2 3\n", "5\n"), ("sample/2", "1 1\n", "2\n")))
    steps = list(try_out(plus, python("print(2)"), box, cases=cases))
    results = [step for step in steps if isinstance(step, CaseResult)]
    assert [result.verdict for result in results] == [Verdict.WRONG_ANSWER, Verdict.ACCEPTED]
    assert results[0].note.startswith("Sample 1 of 2 printed a wrong answer. In line 1, word 1 stands “2”")
    assert results[0].output == b"2\n"


def test_nothing_follows_a_compile_error(plus: Package, box: Sandbox) -> None:
    (step,) = try_out(plus, python("if"), box, own_input=b"")
    assert isinstance(step, Compiled)
    assert step.verdict == Verdict.COMPILE_ERROR
    assert b"SyntaxError" in step.log


def test_a_broken_validator_is_not_the_students_fault(plus: Package, box: Sandbox, tmp_path: Path) -> None:
    package = replace(plus, output_validator=program("if"))
    cases = make_cases(tmp_path, (("sample/1", "2 3\n", "5\n"),))
    *_, result = try_out(package, python("print(5)"), box, cases=cases)
    assert isinstance(result, CaseResult)
    assert result.verdict == Verdict.JUDGE_ERROR
