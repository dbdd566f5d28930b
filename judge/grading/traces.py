"""What ended a program, read from the last words of its run-time system.

Standard error of a secret case could carry its data. Only names from these fixed lists, and the number of a line that
the student's own file has, go out.
"""

import builtins
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from judge.grading.executable import Executable
from problems.say import say

_TAIL = 16384
"""Bytes of standard error that are looked at."""
_LONGEST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trace:
    """One way in which a run-time system reports what ended a program."""

    names: Collection[str]
    """What may be told of a secret case."""
    named: re.Pattern[bytes]
    """What happened: `said` is all of it; `name` must be one of `names`; without it they are looked for in `said`."""
    placed: re.Pattern[bytes]
    """A place: `file` and `line`."""
    what: str = say("part", "an uncaught %(name)s")
    unnamed: str = ""
    """What is told when none of `names` is there; empty when it is then something the program itself printed."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Name -> what is told instead."""
    last: bool = False
    """The last one in the text counts, else the first."""


def _exceptions(*names: str) -> frozenset[str]:
    return frozenset(f"{name}Exception" for name in names)


_PYTHON = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)
_JAVA = _exceptions(
    *("", "Arithmetic", "ArrayIndexOutOfBounds", "ArrayStore", "ClassCast", "ConcurrentModification", "EmptyStack"),
    *("IllegalArgument", "IllegalState", "IndexOutOfBounds", "InputMismatch", "NegativeArraySize"),
    *("NoSuchElement", "NullPointer", "NumberFormat", "Runtime", "StringIndexOutOfBounds", "UnsupportedOperation"),
) | {"Error", "AssertionError", "OutOfMemoryError", "StackOverflowError"}
_KOTLIN = _exceptions("KotlinNullPointer", "TypeCast", "UninitializedPropertyAccess")
_JAVASCRIPT = frozenset(f"{name}Error" for name in ("", "Eval", "Range", "Reference", "Syntax", "Type", "URI"))
_CSHARP = _exceptions(
    *("", "Argument", "ArgumentNull", "ArgumentOutOfRange", "Arithmetic", "ArrayTypeMismatch", "DivideByZero"),
    *("Format", "IndexOutOfRange", "InvalidCast", "InvalidOperation", "NotImplemented", "NotSupported"),
    *("NullReference", "Overflow", "Rank", "StackOverflow"),
) | {"KeyNotFoundException"}
_GO = (
    *("index out of range", "slice bounds out of range", "integer divide by zero", "nil pointer dereference"),
    *("assignment to entry in nil map", "all goroutines are asleep - deadlock!", "concurrent map writes"),
    *("makeslice: len out of range", "makeslice: cap out of range", "interface conversion", "close of closed channel"),
    *("close of nil channel", "send on closed channel", "stack overflow", "negative shift amount"),
)
_RUST = (
    *("index out of bounds", "attempt to divide by zero", "attempt to calculate the remainder with a divisor of zero"),
    *("called `Option::unwrap()` on a `None` value", "called `Result::unwrap()` on an `Err` value", "explicit panic"),
    *("out of range for slice", "slice index starts at", "already borrowed", "already mutably borrowed"),
    *("not implemented", "not yet implemented", "entered unreachable code", "assertion failed", "capacity overflow"),
)
_PASCAL = {
    "2": say("part", "a file that is not there"),
    "100": say("part", "reading beyond the end of the input"),
    "103": say("part", "a file that is not open"),
    "106": say("part", "input that is not a number"),
    "200": say("part", "a division by zero"),
    "201": say("part", "an index or a value outside its range"),
    "202": say("part", "a recursion that goes too deep"),
    "204": say("part", "a pointer that was freed or never set"),
    "205": say("part", "a real number that is too big"),
    "207": say("part", "a calculation that real numbers do not allow"),
    "210": say("part", "an object that was never made"),
    "215": say("part", "a whole number that is too big"),
    "216": say("part", "a nil pointer, or an index outside an array"),
    "219": say("part", "an object of another class than the program takes it for"),
    "227": say("part", "a failed assertion"),
}
_PASCAL_EXCEPTIONS = frozenset(
    {
        *("EAccessViolation", "EAssertionFailed", "EConvertError", "EDivByZero", "EInOutError", "EIntOverflow"),
        *("EInvalidCast", "EInvalidOp", "EInvalidPointer", "EListError", "EOverflow", "ERangeError", "EZeroDivide"),
        *("EStackOverflow", "EStringListError", "Exception"),
    }
)
_PASCAL_PLACE = re.compile(rb" line (?P<line>\d{1,7}) of (?P<file>[\w./-]{1,250})")


def _on_the_java_machine(names: frozenset[str], ending: bytes) -> _Trace:
    named = rb'^Exception in thread "[^"]*" (?P<said>(?:\w+\.)*(?P<name>\w+)(?::.*)?)$'
    placed = rb"\((?P<file>[\w./$-]{1,250}" + ending + rb"):(?P<line>\d{1,7})\)"
    return _Trace(names=names, named=re.compile(named, re.MULTILINE), placed=re.compile(placed))


_TOO_DEEP = frozenset({"RecursionError", "StackOverflowError", "StackOverflowException", "EStackOverflow"})
"""Names of what a recursion without end comes to."""

_TRACES: Mapping[str, tuple[_Trace, ...]] = {
    "python3": (
        _Trace(
            names=_PYTHON,
            named=re.compile(rb"^(?P<said>(?:\w+\.)*(?P<name>\w+)(?::.*)?)$", re.MULTILINE),
            placed=re.compile(rb'File "/box/(?P<file>[^"]+)", line (?P<line>\d+)'),
            last=True,
        ),
    ),
    "java": (_on_the_java_machine(_JAVA, rb"\.java"),),
    "kotlin": (_on_the_java_machine(_JAVA | _KOTLIN, rb"\.kt"),),
    "javascript": (
        _Trace(
            names=_JAVASCRIPT,
            named=re.compile(rb"^(?:Uncaught )?(?P<said>(?P<name>\w+)(?: \[\w+\])?(?::.*)?)$", re.MULTILINE),
            placed=re.compile(rb"/box/(?P<file>[\w./-]{1,250}):(?P<line>\d{1,7})"),
        ),
    ),
    "csharp": (
        _Trace(
            names=_CSHARP,
            named=re.compile(rb"^Unhandled Exception:\s(?P<said>(?:\w+\.)*(?P<name>\w+)(?::.*)?)$", re.MULTILINE),
            placed=re.compile(rb" in /box/(?P<file>[\w./-]{1,250}):(?P<line>\d{1,7})"),
        ),
    ),
    "go": (
        _Trace(
            names=_GO,
            named=re.compile(rb"^(?:panic|fatal error): (?P<said>.*)$", re.MULTILINE),
            placed=re.compile(rb"/box/(?P<file>[\w./-]{1,250}):(?P<line>\d{1,7})"),
            what=say("part", "a panic (%(name)s)"),
            unnamed=say("part", "a panic"),
        ),
    ),
    "rust": (
        _Trace(
            names=_RUST,
            # Old: panicked at 'what happened', main.rs:3:5. New: panicked at main.rs:3:5: and what happened below.
            named=re.compile(
                rb"^thread .{1,150} panicked at (?:'|[\w./-]{1,250}:\d{1,7}:\d{1,7}:\n)"
                rb"(?P<said>.*?)(?:', [\w./-]{1,250}:\d{1,7}:\d{1,7})?$",
                re.MULTILINE,
            ),
            placed=re.compile(
                rb"(?:', |panicked at )(?P<file>[\w./-]{1,250}):(?P<line>\d{1,7}):\d{1,7}:?$", re.MULTILINE
            ),
            what=say("part", "a panic (%(name)s)"),
            unnamed=say("part", "a panic"),
        ),
    ),
    "pascal": (
        _Trace(
            names=_PASCAL,
            named=re.compile(rb"^(?P<said>Runtime error (?P<name>\d{1,3})) at ", re.MULTILINE),
            placed=_PASCAL_PLACE,
            what="%(name)s",
            words={
                number: say("part", "run-time error %(number)d (%(what)s)", number=int(number), what=what)
                for number, what in _PASCAL.items()
            },
        ),
        _Trace(
            names=_PASCAL_EXCEPTIONS,
            named=re.compile(
                rb"^An unhandled exception occurred at \$\w{1,16}:\s(?P<said>(?P<name>\w+)(?::.*)?)$", re.MULTILINE
            ),
            placed=_PASCAL_PLACE,
        ),
    ),
}


def uncaught(stderr: bytes, executable: Executable, *, shown: bool) -> str:
    """What ended a program, such as `an uncaught IndexError on line 12 of main.py`; empty when unknown.

    `shown`: the case is open to the student, so the program's own message may be quoted.
    """
    tail = stderr[-_TAIL:]
    for trace in _TRACES.get(executable.language.code, ()):
        found = [(name, match) for match in trace.named.finditer(tail) if (name := _name(trace, match)) is not None]
        if not found:
            continue
        name, match = found[-1 if trace.last else 0]
        said = match["said"].decode("utf-8", "replace")[:_LONGEST] if shown else ""
        told = trace.words.get(name) or said or name
        what = trace.what % {"name": told} if told else trace.unnamed
        place = _place(trace, tail, executable.lines, deep=name in _TOO_DEEP)
        if not what or place is None:
            return what
        return say("part", "%(what)s on line %(line)d of %(file)s", what=what, file=place[0], line=place[1])
    return ""


def _name(trace: _Trace, match: re.Match[bytes]) -> str | None:
    """Which of the names stands in the line; empty for another one that counts, None for a line that does not."""
    if "name" in trace.named.groupindex:
        name = match["name"].decode("ascii", "replace")
        return name if name in trace.names else None
    return next((name for name in trace.names if name.encode() in match["said"]), "")


def _place(trace: _Trace, text: bytes, lines: Mapping[str, int], *, deep: bool) -> tuple[str, int] | None:
    """File and line, as far as they are the program's own. `deep`: of a recursion, which is where it calls itself and
    not where its depth happened to be used up."""
    places = [(match["file"].decode("utf-8", "replace"), match["line"]) for match in trace.placed.finditer(text)]
    real = [(file, int(line)) for file, line in places if len(line) < 7 and 0 < int(line) <= lines.get(file, 0)]
    if not real:
        return None
    if deep:
        return Counter(real).most_common(1)[0][0]
    return real[-1 if trace.last else 0]
