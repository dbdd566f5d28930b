"""Every program below `programs/` gets the verdict that its folder is called, in the language its name says."""

from dataclasses import replace
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from judge.grading.job import ReadyCase
from judge.grading.languages import LANGUAGES, guess
from judge.grading.toolchain import offered
from judge.grading.verdict import Verdict
from sandbox.contract import Sandbox
from tests.grading.conftest import ALWAYS, LIMITS, Judge, Judged, missing, needs

PROGRAMS = Path(__file__).parent / "programs"
BOMBS = ("templates", "includes_itself", "endless_include")
ALL = sorted(path for folder in PROGRAMS.iterdir() for path in folder.iterdir())
LONG = ("time_limit_exceeded", "memory_limit_exceeded")
"""Folders that are asked for by name in languages that not every machine has, as is everything in Kotlin but one."""


def _name(path: Path) -> str:
    return str(path.relative_to(PROGRAMS))


def _language(path: Path) -> str:
    """The part before the ending, as in `gets.cpp11.cpp`, when it is a language, else what the ending stands for."""
    said = path.name.split(".")[-2]
    guessed = guess(path.name)
    return said if said in LANGUAGES else guessed.id if guessed else ""


def _where(path: Path, *values: object) -> ParameterSet:
    """A parameter that is skipped, or asked for by name, as its language wants it."""
    language = _language(path)
    marks = [needs(language)]
    if language not in ALWAYS and (
        path.parent.name in LONG or (language == "kotlin" and not path.name.startswith("plain"))
    ):
        marks.append(pytest.mark.byname)
    return pytest.param(path, *values, marks=marks, id=_name(path))


_done: dict[Path, Judged] = {}


def _judged(path: Path, judge: Judge) -> Judged:
    """Judged once, however many tests look at it."""
    if path not in _done:
        _done[path] = _judge(path, judge)
    return _done[path]


def _judge(path: Path, judge: Judge) -> Judged:
    files = {one.name: one.read_bytes() for one in (sorted(path.iterdir()) if path.is_dir() else [path])}
    limits = replace(LIMITS, compile_seconds=2) if path.stem in BOMBS else LIMITS
    return judge(files, _language(path), limits=limits)


@pytest.mark.parametrize("path", [_where(path) for path in ALL])
def test_gets_the_verdict_of_its_folder(path: Path, judge: Judge) -> None:
    judged = _judged(path, judge)
    assert judged.report.verdict == path.parent.name, (judged.report, judged.compiled.log.decode("utf-8", "replace"))
    assert judged.report.points == (100 if judged.report.verdict == Verdict.ACCEPTED else 0)
    assert judged.report.note


def test_every_verdict_of_a_student_has_a_folder() -> None:
    assert {path.name for path in PROGRAMS.iterdir()} == set(Verdict) - {Verdict.JUDGE_ERROR}


def test_every_language_adds_two_numbers_in_256_mib() -> None:
    assert LIMITS.memory_bytes == 256 << 20
    assert {_language(path) for path in ALL if path.parent.name == "accepted"} == set(LANGUAGES)


def test_every_language_that_is_installed_is_offered(box: Sandbox) -> None:
    found = offered(box)
    assert set(found) == {language for language in LANGUAGES if language in ALWAYS or not missing(language)}
    assert "g++" in found["cpp17"].version
    assert "-std=gnu++17" in found["cpp17"].version


SAID = {
    "time_limit_exceeded/for_ever.c": ("Case 1 of 2 was stopped after 1.3", "of CPU; the limit is 1 s."),
    "time_limit_exceeded/sleeps.py": ("it slept, or waited",),
    "memory_limit_exceeded/hog.c": ("more memory than the 256 MiB allowed",),
    "output_limit_exceeded/empty_lines.c": ("more than the 2 MiB of output",),
    "run_time_error/right_then_exit_1.c": ("an exit code other than 0", "was right"),
    "run_time_error/segmentation_fault.c": ("segmentation fault",),
    "run_time_error/division_by_zero.c": ("division by zero",),
    "run_time_error/index.py": ("an uncaught IndexError on line 2 of main.py",),
    "run_time_error/Index.java": ("ArrayIndexOutOfBoundsException on line 4 of Index.java",),
    "run_time_error/undefined.js": ("an uncaught TypeError on line 2 of main.js",),
    "run_time_error/endless_recursion.py": ("an uncaught RecursionError on line 2 of main.py",),
    "run_time_error/index.pypy3.py": ("an uncaught IndexError on line 2 of main.py",),
    "run_time_error/index.go": ("ended with a panic (index out of range) on line 8 of main.go.",),
    "run_time_error/own_panic.go": ("ended with a panic on line 5 of main.go.",),
    "run_time_error/exit_3.go": ("ended with an exit code other than 0; a program must end with 0.",),
    "run_time_error/index.rs": ("ended with a panic (index out of bounds) on line 3 of main.rs.",),
    "run_time_error/unwrap.rs": ("a panic (called `Result::unwrap()` on an `Err` value) on line 2 of main.rs.",),
    "run_time_error/index.pas": ("error 201 (an index or a value outside its range) on line 7 of main.pas.",),
    "run_time_error/nil.pas": ("run-time error 216 (a nil pointer, or an index outside an array) on line 8",),
    "run_time_error/not_a_number.pas": ("ended with an uncaught EConvertError.",),
    "run_time_error/index.cs": ("an uncaught IndexOutOfRangeException on line 4 of main.cs",),
    "run_time_error/index.kt": ("an uncaught ArrayIndexOutOfBoundsException on line 3 of main.kt",),
    "run_time_error/fork_bomb.c": ("more processes or threads",),
    "wrong_answer/silent.py": ("printed nothing at all",),
    "compile_error/NoMain.java": ("public static void main",),
    "compile_error/no_main.kt": ("no function called main",),
    "compile_error/endless_include.c": ("The compiler was stopped",),
    "compile_error/templates.cpp": ("The compiler was stopped",),
}


@pytest.mark.parametrize(("path", "parts"), [_where(PROGRAMS / name, parts) for name, parts in SAID.items()])
def test_says_what_happened(path: Path, parts: tuple[str, ...], judge: Judge) -> None:
    note = _judged(path, judge).report.note
    for part in parts:
        assert part in note


def test_an_exit_code_is_told_of_a_sample_only(judge: Judge, sums: tuple[ReadyCase, ...]) -> None:
    """Of a secret case it could be a byte of its input."""
    program = "import sys\nsys.exit(ord(sys.stdin.read()[0]))\n"
    assert "exit code 50" not in judge(program).report.note
    sample = replace(sums[0], name="sample/1", group="sample")
    assert "exit code 50" in judge(program, cases=(sample, sums[1])).cases[0].note


LOGGED = {
    "wrong_type.go": "main.go:4:14: cannot use",
    "wrong_type.rs": " --> main.rs:2:18",
    "wrong_type.pas": "main.pas(4,8) Error: Incompatible types",
    "wrong_type.cs": "main.cs(3,17): error CS0029",
    "wrong_type.kt": "main.kt:2:18: error: type mismatch",
}


@pytest.mark.parametrize(
    ("path", "said"), [_where(PROGRAMS / "compile_error" / name, said) for name, said in LOGGED.items()]
)
def test_the_compiler_says_where_and_nothing_of_the_box(path: Path, said: str, judge: Judge) -> None:
    log = _judged(path, judge).compiled.log.decode()
    assert said in log
    assert "/box/" not in log


def test_messages_of_the_compiler_are_bounded(judge: Judge) -> None:
    judged = _judged(PROGRAMS / "compile_error/huge_messages.cpp", judge)
    assert 10_000 < len(judged.compiled.log) <= 64 << 10


def test_the_compiler_cannot_read_the_host(judge: Judge) -> None:
    judged = _judged(PROGRAMS / "compile_error/secret_include.c", judge)
    assert b"root:" not in judged.compiled.log
    assert b"/etc/shadow: No such file" in judged.compiled.log
