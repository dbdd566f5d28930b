"""Pass after pass: each in a fresh box, the validator's folder kept, and no more of them than the package allows."""

from dataclasses import replace
from pathlib import Path

import pytest

from judge.grading.job import ReadyCase
from judge.grading.verdict import Verdict
from problems.package.model import ProblemType
from tests.grading.conftest import LIMITS, Judge, Judged, make_cases, program

MULTI = frozenset({ProblemType.PASS_FAIL, ProblemType.MULTI_PASS})
BOTH = frozenset({ProblemType.PASS_FAIL, ProblemType.MULTI_PASS, ProblemType.INTERACTIVE})
HERE = replace(LIMITS, time_seconds=0.4, validation_seconds=1, validation_passes=3)
AC, WA, TLE, RTE, JE = (
    Verdict.ACCEPTED,
    Verdict.WRONG_ANSWER,
    Verdict.TIME_LIMIT_EXCEEDED,
    Verdict.RUN_TIME_ERROR,
    Verdict.JUDGE_ERROR,
)

# The program turns a word into digits, and in a second pass digits into the word, without seeing the word again.
CODES = """
import os, sys
given, answer, feedback = sys.argv[1:4]
said = sys.stdin.read().split()
word = open(given).read().split()
if word[0] == "encode":
    assert not os.path.exists(feedback + "word")
    if len(said) != 1 or not said[0].isdigit():
        sys.exit(43)
    open(feedback + "word", "w").write(word[1])
    os.mkdir(feedback + "deep")
    open(feedback + "deep/judge", "w").write(said[0])
    open(feedback + "judgemessage.txt", "w").write("encoded\\n")
    open(feedback + "nextpass.in", "w").write(f"decode {said[0]}\\n")
    sys.exit(42)
assert not os.path.exists(feedback + "nextpass.in")
assert open(feedback + "deep/judge").read() == word[1]
open(feedback + "word", "a").close()
open(feedback + "judgemessage.txt", "a").write(f"decoded {said}\\n")
sys.exit(42 if said == [open(feedback + "word").read()] else 43)
"""
RIGHT = """
import os, sys
assert os.listdir(".") == ["main.py"], "a fresh box"
what, word = input().split()
if what == "encode":
    open("/tmp/kept", "w").write("x")
    print("".join(f"{ord(letter):03}" for letter in word))
else:
    assert not os.path.exists("/tmp/kept")
    print("".join(chr(int(word[at : at + 3])) for at in range(0, len(word), 3)))
"""
PROGRAMS = {
    "is right": (RIGHT, AC, "Case 1 of 1 is right"),
    "is wrong at once": ("print('abc')", WA, "Case 1 of 1 printed a wrong answer"),
    "is wrong in the second pass": ("print(1)", WA, "Case 1 of 1 (pass 2) printed a wrong answer"),
    "crashes in the second pass": ("print(1) if input()[0] == 'e' else 1 // 0", RTE, "(pass 2) ended with"),
    "is too slow in the second pass": (
        "print(1) if input()[0] == 'e' else exec('while 1: pass')",
        TLE,
        "(pass 2) was stopped after 0.5",
    ),
}


def judged_by(judge: Judge, folder: Path, code: str, validator: str = CODES, **more: object) -> Judged:
    cases: tuple[ReadyCase, ...] = make_cases(folder, (("secret/1", "encode palfrey\n", ""),))
    settings = {"types": MULTI, "limits": HERE, "cases": cases, "output_validator": program(validator), **more}
    return judge(code, **settings)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that(name: str, judge: Judge, tmp_path: Path) -> None:
    code, verdict, said = PROGRAMS[name]
    judged = judged_by(judge, tmp_path, code)
    assert judged.report.verdict == verdict, judged.cases[0]
    assert said in judged.cases[0].note
    assert "palfrey" not in judged.cases[0].note


def test_what_is_kept_for_people(judge: Judge, tmp_path: Path) -> None:
    case = judged_by(judge, tmp_path, RIGHT).cases[0]
    assert case.judge_note == "encoded\ndecoded ['palfrey']"
    digits = b"".join(b"%03d" % letter for letter in b"palfrey")
    assert case.output == b"<encode palfrey\n>%s\n---\n<decode %s\n>palfrey\n" % (digits, digits)


AGAIN = "import sys\nopen(sys.argv[3] + 'nextpass.in', 'w').write('again\\n')\n"
COUNTS = """
import os, sys
times = os.path.getsize(sys.argv[3] + "times") if os.path.exists(sys.argv[3] + "times") else 0
open(sys.argv[3] + "times", "a").write("x")
if times < {most}:
    open(sys.argv[3] + "nextpass.in", "w").write(f"pass {{times}}\\n")
sys.exit(42)
"""
SCORES = """
import os, sys
if not os.path.exists(sys.argv[3] + "score.txt"):
    open(sys.argv[3] + "nextpass.in", "w").write("")
open(sys.argv[3] + "score.txt", "w").write("1")
sys.exit(42)
"""
ODD_NAMES = """
import os, sys
odd = sys.argv[3] + "x" * 240 + " '$()"
if not os.path.exists(odd):
    open(odd, "w").close()
    open(sys.argv[3] + "nextpass.in", "w").write("")
sys.exit(42)
"""
VALIDATORS = {
    "asks without end": (AGAIN + "sys.exit(42)", JE, "more passes than limits.validation_passes (3)"),
    "asks once too often": (COUNTS.format(most=3), JE, "more passes than limits.validation_passes (3)"),
    "asks as often as it may": (COUNTS.format(most=2), AC, ""),
    "says no and asks": (AGAIN + "sys.exit(43)", JE, "wrote nextpass.in and rejected"),
    "crashes and asks": (AGAIN + "1 // 0", JE, "ZeroDivisionError"),
    "scores": (SCORES, JE, "the problem is pass-fail"),
    "leaves odd names": (ODD_NAMES, AC, ""),
}


@pytest.mark.parametrize("name", VALIDATORS)
def test_a_validator_that(name: str, judge: Judge, tmp_path: Path) -> None:
    code, verdict, said = VALIDATORS[name]
    judged = judged_by(judge, tmp_path, "print('yes')", code)
    assert judged.report.verdict == verdict, judged.cases[0].judge_note
    assert said in judged.report.judge_note


@pytest.mark.parametrize(("code", "verdict"), [(42, AC), (43, WA)])
@pytest.mark.parametrize("types", [MULTI, BOTH])
def test_passes_are_not_asked_for_where_there_are_none(
    types: frozenset[ProblemType], code: int, verdict: Verdict, judge: Judge, tmp_path: Path
) -> None:
    single = types - {ProblemType.MULTI_PASS}
    assert judged_by(judge, tmp_path, "print(1)", AGAIN + f"sys.exit({code})", types=single).report.verdict == verdict


def test_limits_hold_for_each_pass(judge: Judge, tmp_path: Path) -> None:
    busy = "import time\nwhile time.process_time() < 0.2: pass\n"
    judged = judged_by(judge, tmp_path, busy, COUNTS.format(most=2))
    assert judged.report.verdict == AC
    assert 0.2 <= judged.cases[0].cpu_seconds < 0.35


# The program must find a number, in the second pass from what it told the judge in the first.
FINDS = """
import os, sys
given, answer, feedback = sys.argv[1:4]
number = open(given).read().strip()
print("first" if not os.path.exists(feedback + "told") else open(feedback + "told").read(), number[:2], flush=True)
said = sys.stdin.readline().strip()
if os.path.exists(feedback + "told"):
    sys.exit(42 if said == "second" and number == "next" else 43)
if said == "crash":
    sys.exit(1)
open(feedback + "told", "w").write(said)
open(feedback + "nextpass.in", "w").write("next\\n")
sys.exit(42)
"""
TALKERS = {
    "is right": ("'hello' if line[0] == 'f' else 'second'", AC, b"---\n<hello ne\n>second"),
    "is wrong in the second pass": ("'hello'", WA, b"---\n<hello ne\n>hello"),
    "crashes in the second pass": ("'hello' if line[0] == 'f' else 1 // 0", RTE, b"---\n<hello ne"),
    "makes the validator fail": ("'crash'", JE, b">crash"),
}


@pytest.mark.parametrize("name", TALKERS)
def test_in_an_interactive_problem_a_program_that(name: str, judge: Judge, tmp_path: Path) -> None:
    code, verdict, said = TALKERS[name]
    judged = judged_by(judge, tmp_path, f"line = input()\nprint({code}, flush=True)", FINDS, types=BOTH)
    assert judged.report.verdict == verdict, judged.cases[0].judge_note
    assert judged.cases[0].output.startswith(b"<first en\n")
    assert said in judged.cases[0].output
