"""Two sides that talk: whatever either does, both end, in time, and the first fault decides."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from judge.grading.job import ReadyCase
from judge.grading.transcript import MOST, Transcript, next_pass
from judge.grading.tryout import try_out
from judge.grading.verdict import Verdict
from problems.package.model import Package, ProblemType
from sandbox.contract import Sandbox
from tests.grading.conftest import LIMITS, Judge, Judged, make_cases, program
from tests.grading.test_tryout import python

TYPES = frozenset({ProblemType.PASS_FAIL, ProblemType.INTERACTIVE})
HERE = replace(LIMITS, time_seconds=0.3, validation_seconds=0.5, output_bytes=1 << 20, validation_output_bytes=1 << 20)
GUESSES = """
import sys, time, os
secret = int(open(sys.argv[1]).read())
for turn in range(8):
    line = sys.stdin.readline()
    if not line.strip().isdigit():
        open(sys.argv[3] + "judgemessage.txt", "w").write(f"turn {turn}: {line!r}")
        sys.exit(43)
    guess = int(line)
    print("lower" if guess > secret else "higher" if guess < secret else "right", flush=True)
    if guess == secret:
        sys.exit(42)
open(sys.argv[3] + "teammessage.txt", "w").write("No more than 8 guesses.")
sys.exit(43)
"""
HEAD = """
import os, sys, time
def ask(number):
    print(number, flush=True)
    return sys.stdin.readline().strip()
"""
RIGHT = """
low, high = 1, 100
while low <= high:
    middle = (low + high) // 2
    said = ask(middle)
    if said == "right":
        break
    low, high = (middle + 1, high) if said == "higher" else (low, middle - 1)
"""
AC, WA, TLE, MLE, OLE, RTE, JE = (
    Verdict.ACCEPTED,
    Verdict.WRONG_ANSWER,
    Verdict.TIME_LIMIT_EXCEEDED,
    Verdict.MEMORY_LIMIT_EXCEEDED,
    Verdict.OUTPUT_LIMIT_EXCEEDED,
    Verdict.RUN_TIME_ERROR,
    Verdict.JUDGE_ERROR,
)

PROGRAMS = {
    "is right": (RIGHT, AC, "is right"),
    "is right and talks on": (RIGHT + "print('thanks ' * 50000, flush=True)", AC, "is right"),
    "is right and waits for the end": (RIGHT + "assert sys.stdin.read() == ''", AC, "is right"),
    "is right and crashes": (RIGHT + "os.abort()", RTE, "What it had printed until then was right"),
    "is right and ends with 1": (RIGHT + "sys.exit(1)", RTE, "What it had printed until then was right"),
    "is wrong for too long": ("while True: ask(1)", WA, "No more than 8 guesses."),
    "crashes for the judge has said no": ("for _ in range(9): ask(1)\nos.abort()", WA, "did not accept"),
    "writes to a judge that has said no": ("while True: os.write(1, b'1\\n')", WA, "did not accept"),
    "says nonsense and goes on": ("ask('x'); ask('y'); time.sleep(60)", WA, "did not accept"),
    "says nonsense and crashes": ("ask(1)\nprint('x', flush=True)\nos.abort()", WA, "did not accept"),
    "says nonsense and ends with 1": ("ask(1)\nprint('x', flush=True)\nos._exit(1)", WA, "did not accept"),
    "ends at once": ("", WA, "printed nothing at all"),
    "ends early": ("ask(50)", WA, "did not accept"),
    "ends early with 1": ("ask(50)\nsys.exit(1)", RTE, "an exit code other than 0"),
    "crashes at once": ("os.abort()", RTE, "aborted itself"),
    "crashes in the middle": ("ask(50)\nos.abort()", RTE, "aborted itself"),
    "closes its output and goes on": ("ask(50)\nos.close(1)\ntime.sleep(60)", WA, "did not accept"),
    "closes its input and goes on": ("os.close(0)\nwhile True: os.write(1, b'1\\n')", WA, "did not accept"),
    "closes both and goes on": ("os.close(0)\nos.close(1)\nwhile True: pass", WA, "printed nothing"),
    "loops for ever": ("ask(50)\nwhile True: pass", TLE, "the limit is 0.3 s"),
    "takes too much memory": ("ask(50)\nx = bytearray(1 << 30)\nx[::4096] = x[::4096]", MLE, "256 MiB"),
    "is stopped for a system call": ("ask(50)\nimport signal\nos.kill(os.getpid(), signal.SIGSYS)", RTE, "may not do"),
    "says more than it may": (
        "while True: os.write(1, b'5' * 65536)",
        OLE,
        "more than the 1 MiB of output",
    ),
    "writes too much to standard error": (
        RIGHT + "sys.stderr.write('x' * (2 << 20))",
        OLE,
        "more than the 1 MiB of output",
    ),
}


def guess(judge: Judge, folder: Path, code: str, validator: str = GUESSES, **more: object) -> Judged:
    cases = make_cases(folder, (("secret/1", "37\n", ""),))
    settings = {"types": TYPES, "limits": HERE, "cases": cases, "output_validator": program(validator), **more}
    return judge(HEAD + code, **settings)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that(name: str, judge: Judge, tmp_path: Path) -> None:
    code, verdict, said = PROGRAMS[name]
    began = time.monotonic()
    judged = guess(judge, tmp_path, code)
    assert judged.report.verdict == verdict, (judged.cases[0].note, judged.cases[0].judge_note)
    assert said in judged.cases[0].note
    assert "37" not in judged.report.note
    if verdict in (TLE, MLE, RTE):
        assert judged.cases[0].judge_note.startswith("The program ")
    assert judged.cases[0].wall_seconds < 3.5  # neither waited for a limit of wall time
    assert time.monotonic() - began < 7


def test_a_program_that_never_flushes(judge: Judge, tmp_path: Path) -> None:
    judged = guess(judge, tmp_path, "sys.stdout.write('50\\n')\nsys.stdin.readline()")
    assert judged.report.verdict == TLE
    assert "waited for an answer that never came. Flush your output" in judged.report.note
    assert "flush=True" in judged.report.note
    assert judged.cases[0].wall_seconds < 6


READS = "import os, sys, time\nline = sys.stdin.readline()\n"
VALIDATORS = {
    "ends with 0": (READS, "check.py ended with exit code 0"),
    "ends with 77": (READS + "sys.exit(77)", "check.py ended with exit code 77"),
    "crashes": (READS + "1 // 0", "ZeroDivisionError"),
    "kills itself": (READS + "os.kill(os.getpid(), 9)", "check.py crashed (signal 9)"),
    "crashes before it listens": ("1 // 0", "ZeroDivisionError"),
    "does not parse": ("if", "output_validator/check.py cannot be used"),
    "never ends": (READS + "while True: pass", "of CPU time: it took too long"),
    "says without end": (
        READS + "while True: os.write(1, b'higher\\n')",
        "check.py was stopped because it wrote more than it may",
    ),
    "scores what it rejects": (READS + "open(sys.argv[3] + 'score.txt', 'w').write('1')\nsys.exit(43)", "rejected"),
    "scores a pass-fail problem": (
        READS + "open(sys.argv[3] + 'score.txt', 'w').write('1')\nprint('right', flush=True)\nsys.exit(42)",
        "pass-fail",
    ),
    "crashes when the program has gone": (
        "import sys\nfor line in sys.stdin: print('right', flush=True)\nint(sys.stdin.readline())",
        "ValueError",
    ),
}


@pytest.mark.parametrize("name", VALIDATORS)
def test_a_validator_that(name: str, judge: Judge, tmp_path: Path) -> None:
    code, said = VALIDATORS[name]
    judged = guess(judge, tmp_path, RIGHT, code)
    assert judged.report.verdict == JE
    assert said in judged.report.judge_note
    assert "not the fault of your program" in judged.report.note
    assert said not in judged.report.note


@pytest.mark.parametrize("code", ["sys.exit(77)", "while True: pass", "sys.exit(42)"])
def test_a_program_that_crashed_first_is_not_saved_by_the_validator(code: str, judge: Judge, tmp_path: Path) -> None:
    validator = f"import sys\nsys.stdin.readline()\nsys.stdin.readline()\n{code}"
    judged = guess(judge, tmp_path, "ask(1) if 0 else print(1, flush=True)\nos.abort()", validator)
    assert judged.report.verdict == RTE, judged.report


@pytest.mark.parametrize("name", ["words", "silence"])
def test_a_no_counts_though_it_takes_a_moment(name: str, judge: Judge, tmp_path: Path) -> None:
    """To the last words of a program that crashes; and said by a validator that first falls silent."""
    first, code = {
        "words": ("sys.stdin.readline()", "print('x', flush=True)"),
        "silence": ("sys.stdin.readline()\nos.close(1)", "ask(1)"),
    }[name]
    validator = f"{READS}print('go on', flush=True)\n{first}\ntime.sleep(0.03)\nsys.exit(43)"
    assert guess(judge, tmp_path, f"ask(1)\n{code}\nos.abort()", validator).report.verdict == WA


def test_the_first_fault_decides_every_time(judge: Judge, tmp_path: Path) -> None:
    """The judge's no makes the program crash, the program's crash makes the judge say no: never mixed up."""
    for _ in range(8):
        assert guess(judge, tmp_path, "while True: assert ask(1)").report.verdict == WA
        assert guess(judge, tmp_path, "ask(1)\nos.abort()").report.verdict == RTE


def test_messages_and_what_was_said(judge: Judge, tmp_path: Path) -> None:
    judged = guess(judge, tmp_path, "print('50\\n25')\nask('4x')")
    assert judged.cases[0].judge_note == "turn 2: '4x\\n'"
    assert judged.cases[0].output == b">50\n>25\n>4x\n<lower\n<higher\n"
    assert judged.cases[0].team_note == ""
    right = guess(judge, tmp_path, RIGHT)
    assert right.cases[0].output == b">50\n<lower\n>25\n<higher\n>37\n<right\n"


def test_a_long_talk_is_kept_in_part(judge: Judge, tmp_path: Path) -> None:
    validator = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)\nsys.exit(42)"
    judged = guess(judge, tmp_path, "for number in range(15000): ask(number)", validator, limits=LIMITS)
    output = judged.cases[0].output
    assert judged.report.verdict == AC
    assert len(output) <= MOST + 200
    assert output.startswith(b">0\n<0\n>1\n<1\n")
    assert output.endswith(b">14999\n<14999\n")
    assert b"bytes are left out here" in output


def test_near_the_limit_both_are_run_anew(judge: Judge, tmp_path: Path) -> None:
    busy = "while time.process_time() < 0.28: pass\n"
    judged = guess(judge, tmp_path, busy + RIGHT)
    assert judged.cases[0].cpu_range is not None
    assert judged.cases[0].output.endswith(b"<right\n")


def test_what_the_validator_takes_is_not_the_programs(judge: Judge, tmp_path: Path) -> None:
    validator = "import time\nwhile time.process_time() < 0.5: pass\n" + GUESSES
    judged = guess(judge, tmp_path, RIGHT, validator, limits=replace(HERE, validation_seconds=2))
    assert judged.report.verdict == AC
    assert judged.cases[0].cpu_seconds < 0.3


@pytest.mark.byname
def test_a_validator_that_computes_for_long_is_waited_for(judge: Judge, tmp_path: Path) -> None:
    validator = "import time\nwhile time.process_time() < 6: pass\n" + GUESSES
    limits = replace(HERE, validation_seconds=10)
    assert guess(judge, tmp_path, RIGHT, validator, limits=limits).report.verdict == AC
    endless = guess(judge, tmp_path, RIGHT, "while True: pass", limits=limits)
    assert endless.report.verdict == JE
    assert "cpu_time" in endless.report.judge_note


def test_arguments_and_files_of_the_case(judge: Judge, tmp_path: Path) -> None:
    validator = """
import sys
assert sys.argv[4:] == ["strict"] and open(sys.argv[2]).read() == "answer"
sys.exit(42 if sys.stdin.read() == "seven given" else 43)
"""
    (tmp_path / "given").write_text("given")
    (case,) = make_cases(tmp_path / "own", (("secret/1", "37\n", "answer"),), output_validator_args=("strict",))
    cases: tuple[ReadyCase, ...] = (
        replace(case, files={"word": tmp_path / "given"}, settings=replace(case.settings, args=("seven",))),
    )
    code = "print(sys.argv[1], open('word').read(), end='')"
    assert guess(judge, tmp_path, code, validator, cases=cases).report.verdict == AC


def test_trial_runs(plus: Package, box: Sandbox, tmp_path: Path) -> None:
    package = replace(plus, types=TYPES, limits=HERE, output_validator=program(GUESSES))
    cases = make_cases(tmp_path, (("sample/1", "37\n", ""),))
    _, result = try_out(package, python(HEAD + RIGHT), box, cases=cases)
    assert getattr(result, "verdict", None) == AC
    assert getattr(result, "output", b"").startswith(b">50\n<lower\n")
    _, own = try_out(package, python(HEAD + RIGHT), box, own_input=b"higher\nright\n")
    assert getattr(own, "output", b"") == b"50\n75\n"


def test_a_transcript_ends_what_is_not_ended() -> None:
    talk = Transcript()
    talk.from_program(b"1\n2")
    talk.from_validator(b"yes")
    talk.from_validator(b" no\n\n")
    assert talk.text() == b">1\n>2\n<yes no\n<\n"
    assert next_pass(talk.text(), b"<3\n") == b">1\n>2\n<yes no\n<\n---\n<3\n"


def test_a_transcript_stays_small() -> None:
    talk = Transcript()
    for number in range(100_000):
        (talk.from_program if number % 2 else talk.from_validator)(b"%d\n" % number)
    talk.from_program(b"x" * (10 << 20))
    assert len(talk.text()) < MOST + 200
    assert talk.text().startswith(b"<0\n>1\n<2\n")
    assert len(next_pass(talk.text(), talk.text())) <= MOST + 200
