"""What ended a program that crashed, as one of a few kinds; for C and C++ by running it again with a watchful compiler.

The kind and the line come from fixed lists and from the student's own file, so that they may be told of secret cases.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from judge.grading.compile import compile_files
from judge.grading.executable import Executable
from judge.grading.job import Source
from judge.grading.language import OUT, Language
from judge.grading.languages import LANGUAGES
from problems.package.model import Package
from sandbox.contract import Content, Quota, Run, Sandbox


class Crash(StrEnum):
    """What went wrong."""

    INDEX = "index"
    STACK = "stack"
    """A recursion that goes too deep."""
    NULL = "null"
    DIVISION = "division"
    FREED = "freed"
    """Memory that was given back, or never asked for."""
    NO_RETURN = "no_return"
    UNSET = "unset"
    OVERFLOW = "overflow"
    KEY = "key"
    NOT_A_NUMBER = "not_a_number"
    UNPACK = "unpack"
    END_OF_INPUT = "end_of_input"
    TYPE = "type"
    NAME = "name"
    MEMBER = "member"
    EMPTY = "empty"
    ASSERTION = "assertion"
    EXCEPTION = "exception"
    EXIT_CODE = "exit_code"
    MEMORY_ACCESS = "memory_access"
    """Memory that is not its own; which of several reasons is not known."""
    ABORT = "abort"


@dataclass(frozen=True, slots=True, kw_only=True)
class Crashed:
    """Kind and place."""

    kind: Crash
    line: int | None = None
    file: str = ""
    sure: bool = True


# Names of exceptions, from the lists of `judge.grading.traces`.
_NAMES: Mapping[str, Crash] = {
    **dict.fromkeys(
        (
            *(
                "IndexError",
                "ArrayIndexOutOfBoundsException",
                "IndexOutOfBoundsException",
                "ArgumentOutOfRangeException",
            ),
            *(
                "StringIndexOutOfBoundsException",
                "IndexOutOfRangeException",
                "NegativeArraySizeException",
                "ERangeError",
            ),
        ),
        Crash.INDEX,
    ),
    **dict.fromkeys(("RecursionError", "StackOverflowError", "StackOverflowException", "EStackOverflow"), Crash.STACK),
    **dict.fromkeys(("NullPointerException", "KotlinNullPointerException", "NullReferenceException"), Crash.NULL),
    **dict.fromkeys(
        ("ZeroDivisionError", "ArithmeticException", "DivideByZeroException", "EDivByZero"), Crash.DIVISION
    ),
    **dict.fromkeys(("KeyError", "KeyNotFoundException"), Crash.KEY),
    **dict.fromkeys(("ValueError", "NumberFormatException", "FormatException", "EConvertError"), Crash.NOT_A_NUMBER),
    "InputMismatchException": Crash.NOT_A_NUMBER,
    **dict.fromkeys(("EOFError", "NoSuchElementException"), Crash.END_OF_INPUT),
    **dict.fromkeys(("TypeError", "ClassCastException", "InvalidCastException"), Crash.TYPE),
    **dict.fromkeys(("NameError", "ReferenceError"), Crash.NAME),
    "UnboundLocalError": Crash.UNSET,
    "AttributeError": Crash.MEMBER,
    **dict.fromkeys(("EmptyStackException",), Crash.EMPTY),
    **dict.fromkeys(("AssertionError", "EAssertionFailed"), Crash.ASSERTION),
}
_UNCAUGHT = re.compile(r"uncaught (?:[\w.]{1,80}\.)?(?P<name>\w{1,60})(?P<said>:[^\n]*?)?(?: on line | ?$|\.)")
_PLACE = re.compile(r" on line (?P<line>\d{1,6}) of (?P<file>[^\s]{1,120}?)(?:\.(?:\s|$)|\s|$)")


def crash_of(note: str) -> Crashed | None:
    """What the sentence of a case (`judge.grading.explain`) tells of a crash; None when it tells of none."""
    place = _PLACE.search(note)
    line, file = (int(place["line"]), place["file"]) if place else (None, "")
    named = _UNCAUGHT.search(note)
    if named is not None:
        kind = _NAMES.get(named["name"], Crash.EXCEPTION)
        said = named["said"] or ""
        if kind == Crash.NOT_A_NUMBER and "unpack" in said:
            kind = Crash.UNPACK
        if kind == Crash.INDEX and "pop from" in said:
            kind = Crash.EMPTY
        return Crashed(kind=kind, line=line, file=file)
    for mark, kind in (
        ("index out of range", Crash.INDEX),
        ("index outside an array", Crash.MEMORY_ACCESS),
        ("memory that is not there", Crash.MEMORY_ACCESS),
        ("division by zero", Crash.DIVISION),
        ("divide by zero", Crash.DIVISION),
        ("aborted itself", Crash.ABORT),
        ("ends without returning its value", Crash.NO_RETURN),
        ("recursion that goes too deep", Crash.STACK),
        ("nil pointer", Crash.NULL),
        ("exit code", Crash.EXIT_CODE),
    ):
        if mark in note:
            return Crashed(kind=kind, line=line, file=file, sure=kind not in (Crash.MEMORY_ACCESS, Crash.ABORT))
    return None


# The second look ------------------------------------------------------------------------------------------------------

_WATCHFUL = (
    *("-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
    *("-D_GLIBCXX_ASSERTIONS", "-static-libasan", "-static-libubsan"),
)
_STACK_KIB = 64 << 10
"""Here a recursion without end meets the end of its stack before that of its memory."""
_OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:disable_coredump=0:handle_abort=1:handle_sigfpe=1:color=never",
    "UBSAN_OPTIONS": "color=never",
}
_KINDS: tuple[tuple[str, Crash], ...] = (
    (r"AddressSanitizer: stack-overflow", Crash.STACK),
    (r"runtime error: index -?\d+ out of bounds", Crash.INDEX),
    (r"Assertion '[^'\n]{0,80}(?:size\(\)|_Nm)[^'\n]{0,40}' failed", Crash.INDEX),
    (r"Assertion '!this->empty\(\)' failed", Crash.EMPTY),
    (r"AddressSanitizer: (?:heap|stack|global|dynamic-stack)-buffer-(?:over|under)flow", Crash.INDEX),
    (r"AddressSanitizer: stack-buffer-underflow", Crash.INDEX),
    (r"runtime error: division by zero|AddressSanitizer: FPE", Crash.DIVISION),
    (r"AddressSanitizer: (?:heap-use-after-free|attempting double-free|attempting free|stack-use-after)", Crash.FREED),
    (r"runtime error: (?:load|store|member|reference)[^\n]{0,80}null pointer", Crash.NULL),
    (r"reached the end of a value-returning function", Crash.NO_RETURN),
    (r"runtime error: signed integer overflow", Crash.OVERFLOW),
    (r"terminate called after throwing an instance of 'std::out_of_range'", Crash.INDEX),
    (r"terminate called after throwing an instance of 'std::invalid_argument'", Crash.NOT_A_NUMBER),
    (r"terminate called after throwing", Crash.EXCEPTION),
    (r"Assertion [`'][^\n]{0,200}failed", Crash.ASSERTION),
    (r"AddressSanitizer: SEGV on unknown address 0x0000000000[0-9a-f]{2}\b", Crash.NULL),
    (r"AddressSanitizer: SEGV", Crash.MEMORY_ACCESS),
)
_OWN_LINE = re.compile(r"(?:^|[\s(])(?:/box/)?(?P<file>[\w./-]{1,120}\.(?:c|cc|cpp|cxx|h|hpp)):(?P<line>\d{1,6})")


def second_look(source: Source, package: Package, box: Sandbox, given: Content) -> Crashed | None:
    """Compile a C or C++ program so that it watches itself, run it on the input `given`, and say what it says; None
    when that tells nothing. Raises `SandboxFault`."""
    language = LANGUAGES.get(source.language)
    if language is None or language.code not in ("c", "cpp"):
        return None
    include = {**package.include.get("default", {}), **package.include.get(language.code, {})}
    compiled = compile_files(_watchful(language), source.files, package.limits, box, include=include)
    if compiled.executable is None:
        return None
    return _read(_run(compiled.executable, box, given, package), compiled.executable.lines)


def _watchful(language: Language) -> Language:
    compiler, standard, *_ = language.compile
    return replace(
        language,
        compile=(
            *(compiler, standard, *_WATCHFUL, "-DONLINE_JUDGE", "-fdiagnostics-color=never"),
            *("-o", f"{OUT}/program", "{sources}", "-lm"),
        ),
        ahead=None,
        made_of=(),
    )


def _run(executable: Executable, box: Sandbox, given: Content, package: Package) -> str:
    limits = package.limits
    memory = max(limits.memory_bytes, 512 << 20)
    outcome = box.run(
        Run(
            argv=("/bin/sh", "-c", f'ulimit -s {_STACK_KIB} && exec "$@"', "program", *executable.command(memory)),
            files=executable.files,
            stdin=given,
            env={**executable.environment(memory), **_OPTIONS},
            quota=Quota(
                cpu_seconds=3 * limits.time_seconds + 1,
                wall_seconds=4 * limits.time_seconds + 5,
                memory_bytes=memory,
                output_bytes=limits.output_bytes,
                stderr_bytes=256 << 10,
            ),
        )
    )
    return outcome.stderr.decode("utf-8", "replace")


def _read(said: str, lines: Mapping[str, int]) -> Crashed | None:
    found = [(match.start(), kind) for pattern, kind in _KINDS if (match := re.search(pattern, said))]
    if not found:
        return None
    start, kind = min(found, key=lambda one: one[0])  # of several in one place the first of the table
    before = said.rfind("\n", 0, start) + 1
    for match in _OWN_LINE.finditer(said, before):
        file = match["file"].rpartition("/")[2]
        if 0 < int(match["line"]) <= lines.get(file, 0):
            return Crashed(kind=kind, line=int(match["line"]), file=file)
    return Crashed(kind=kind)
