"""Every program below `programs/` gets the verdict that its folder is called, in the language its name says."""

from dataclasses import replace
from pathlib import Path

import pytest

from judge.grading.languages import LANGUAGES, guess
from judge.grading.toolchain import offered
from judge.grading.verdict import Verdict
from sandbox.contract import Sandbox
from tests.grading.conftest import LIMITS, Judge, Judged

PROGRAMS = Path(__file__).parent / "programs"
BOMBS = ("templates", "includes_itself", "endless_include")
ALL = sorted(path for folder in PROGRAMS.iterdir() for path in folder.iterdir())


def _name(path: Path) -> str:
    return str(path.relative_to(PROGRAMS))


_done: dict[Path, Judged] = {}


def _judged(path: Path, judge: Judge) -> Judged:
    """Judged once, however many tests look at it."""
    if path not in _done:
        _done[path] = _judge(path, judge)
    return _done[path]


def _judge(path: Path, judge: Judge) -> Judged:
    files = {one.name: one.read_bytes() for one in (sorted(path.iterdir()) if path.is_dir() else [path])}
    said = path.name.split(".")[-2]
    guessed = guess(path.name)
    language = said if said in LANGUAGES else guessed.id if guessed else ""
    limits = replace(LIMITS, compile_seconds=2) if path.stem in BOMBS else LIMITS
    return judge(files, language, limits=limits)


@pytest.mark.parametrize("path", ALL, ids=_name)
def test_gets_the_verdict_of_its_folder(path: Path, judge: Judge) -> None:
    judged = _judged(path, judge)
    assert judged.report.verdict == path.parent.name, (judged.report, judged.compiled.log.decode("utf-8", "replace"))
    assert judged.report.points == (100 if judged.report.verdict == Verdict.ACCEPTED else 0)
    assert judged.report.note


def test_every_verdict_of_a_student_has_a_folder() -> None:
    assert {path.name for path in PROGRAMS.iterdir()} == set(Verdict) - {Verdict.JUDGE_ERROR}


def test_every_language_is_offered_here(box: Sandbox) -> None:
    found = offered(box)
    assert set(found) == set(LANGUAGES)
    assert "g++" in found["cpp17"].version
    assert "-std=gnu++17" in found["cpp17"].version


SAID = {
    "time_limit_exceeded/for_ever.c": ("Case 1 of 2 was stopped after 1.3", "of CPU; the limit is 1 s."),
    "time_limit_exceeded/sleeps.py": ("it slept, or waited",),
    "memory_limit_exceeded/hog.c": ("more memory than the 256 MiB allowed",),
    "output_limit_exceeded/empty_lines.c": ("more than the 2 MiB of output",),
    "run_time_error/right_then_exit_1.c": ("exit code 1", "was right"),
    "run_time_error/segmentation_fault.c": ("segmentation fault",),
    "run_time_error/division_by_zero.c": ("division by zero",),
    "run_time_error/index.py": ("an uncaught IndexError on line 2 of main.py",),
    "run_time_error/Index.java": ("ArrayIndexOutOfBoundsException on line 4 of Index.java",),
    "run_time_error/undefined.js": ("an uncaught TypeError on line 2 of main.js",),
    "run_time_error/endless_recursion.py": ("an uncaught RecursionError on line 2 of main.py",),
    "run_time_error/fork_bomb.c": ("more processes or threads",),
    "wrong_answer/silent.py": ("printed nothing at all",),
    "compile_error/NoMain.java": ("public static void main",),
    "compile_error/endless_include.c": ("The compiler was stopped",),
    "compile_error/templates.cpp": ("The compiler was stopped",),
}


@pytest.mark.parametrize("name", SAID)
def test_says_what_happened(name: str, judge: Judge) -> None:
    note = _judged(PROGRAMS / name, judge).report.note
    for part in SAID[name]:
        assert part in note


def test_messages_of_the_compiler_are_bounded(judge: Judge) -> None:
    judged = _judged(PROGRAMS / "compile_error/huge_messages.cpp", judge)
    assert 10_000 < len(judged.compiled.log) <= 64 << 10


def test_the_compiler_cannot_read_the_host(judge: Judge) -> None:
    judged = _judged(PROGRAMS / "compile_error/secret_include.c", judge)
    assert b"root:" not in judged.compiled.log
    assert b"/etc/shadow: No such file" in judged.compiled.log
