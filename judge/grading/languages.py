"""The languages, one row each: how a program is named, compiled, started, and tried out.

Commands are templates. `{sources}` stands for the source files, `{entry}` for the file or class to start, and
`{heap_mib}`, `{stack_kib}` for what an interpreter must be told of the memory limit. Everything is started as a list of
arguments; no command line is ever made of a student's text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

OUT = ".out"
"""Folder of the compiler's results in its box. A source never has such a name: they do not begin with a dot."""

ENVIRONMENT: Mapping[str, str] = {"ONLINE_JUDGE": "1", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}
"""Added for every program: text is UTF-8, and a second run of the same program does the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language. `id` is what rows and forms say, `code` what the package format calls it."""

    id: str
    label: str
    code: str
    source: str
    """Name of a program that is a single file."""
    suffixes: tuple[str, ...]
    """Endings of the files that are compiled or started; others (headers) are only laid beside them."""
    compile: tuple[str, ...]
    interpreted: bool
    """The sources themselves are what is run; `compile` only looks whether they can be read."""
    run: tuple[str, ...]
    version: tuple[str, ...]
    self_test: bytes
    """A program that reads a number and prints it plus one."""
    out_of_memory: tuple[bytes, ...] = ()
    """What its run-time system says on standard error when memory is used up before the control group sees it."""

    def command(self, *, entry: str, memory_bytes: int) -> tuple[str, ...]:
        """The arguments that start a compiled program whose memory limit is `memory_bytes`."""
        mib = memory_bytes >> 20
        words = {
            "entry": entry,
            "heap_mib": str(max(mib - 64, mib // 2, 16)),  # the rest is for the interpreter itself
            "stack_kib": str(min(memory_bytes // 4, 256 << 20) >> 10),
        }
        return tuple(part.format_map(words) for part in self.run)

    def compiler(self, *, sources: Iterable[str], entry: str, memory_bytes: int) -> tuple[str, ...]:
        """The arguments that compile `sources`."""
        argv: list[str] = []
        for part in self.compile:
            if part == "{sources}":
                argv += sources
            else:
                argv.append(part.format(entry=entry, heap_mib=max((memory_bytes >> 20) * 3 // 4, 16)))
        return tuple(argv)


_C_TEST = b'#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); printf("%d\\n", n + 1); return 0; }\n'
_CPP_TEST = b"#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n + 1 << std::endl; }\n"
_JAVA_TEST = b"""class Plus {
    public static void main(String[] arguments) {
        System.out.println(new java.util.Scanner(System.in).nextInt() + 1);
    }
}
"""
_JAVASCRIPT_TEST = b'console.log(Number(require("fs").readFileSync(0, "utf8")) + 1);\n'

_PYTHON_CHECK = """
import sys
failed = False
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        source = file.read()
    try:
        compile(source, name, "exec", dont_inherit=True)
    except Exception as error:
        failed = True
        sys.excepthook(type(error), error.with_traceback(None), None)
sys.exit(failed)
"""


def _gnu(*, id: str, label: str, code: str, compiler: str, standard: str) -> Language:  # noqa: A002
    return Language(
        id=id,
        label=label,
        code=code,
        source="main.c" if code == "c" else "main.cpp",
        suffixes=(".c",) if code == "c" else (".cpp", ".cc", ".cxx", ".c++", ".C", ".c"),
        compile=(
            *(compiler, f"-std={standard}", "-O2", "-static", "-DONLINE_JUDGE", "-fdiagnostics-color=never"),
            *("-o", f"{OUT}/program", "{sources}", "-lm"),
        ),
        interpreted=False,
        run=(f"/box/{OUT}/program",),
        version=(compiler, "--version"),
        self_test=_C_TEST if code == "c" else _CPP_TEST,
    )


def _c(id: str, standard: str) -> Language:  # noqa: A002
    return _gnu(id=id, label=f"C{standard[3:]}", code="c", compiler="/usr/bin/gcc", standard=standard)


def _cpp(id: str, standard: str) -> Language:  # noqa: A002
    return _gnu(id=id, label=f"C++{standard[5:]}", code="cpp", compiler="/usr/bin/g++", standard=standard)


LANGUAGES: Mapping[str, Language] = {
    language.id: language
    for language in (
        _c("c89", "gnu89"),
        _c("c99", "gnu99"),
        _c("c17", "gnu17"),
        _cpp("cpp11", "gnu++11"),
        _cpp("cpp17", "gnu++17"),
        _cpp("cpp20", "gnu++20"),
        _cpp("cpp23", "gnu++23"),
        Language(
            id="python3",
            label="Python 3",
            code="python3",
            source="main.py",
            suffixes=(".py",),
            compile=("/usr/bin/python3", "-I", "-S", "-B", "-c", _PYTHON_CHECK, "{sources}"),
            interpreted=True,
            run=("/usr/bin/python3", "-s", "-B", "{entry}"),
            version=("/usr/bin/python3", "--version"),
            self_test=b"print(int(input()) + 1)\n",
            out_of_memory=(b"MemoryError",),
        ),
        Language(
            id="java",
            label="Java",
            code="java",
            source="Main.java",
            suffixes=(".java",),
            compile=(
                *("/usr/bin/javac", "-J-Xmx{heap_mib}m", "-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1"),
                *("-J-XX:-UsePerfData", "-proc:none", "-encoding", "UTF-8", "-d", OUT, "{sources}"),
            ),
            interpreted=False,
            run=(
                *("/usr/bin/java", "-Xmx{heap_mib}m", "-Xss{stack_kib}k", "-XX:+UseSerialGC", "-XX:-UsePerfData"),
                *("-XX:ActiveProcessorCount=1", "-DONLINE_JUDGE=1", "-cp", f"/box/{OUT}", "{entry}"),
            ),
            version=("/usr/bin/javac", "--version"),
            self_test=_JAVA_TEST,
            out_of_memory=(b"java.lang.OutOfMemoryError",),
        ),
        Language(
            id="javascript",
            label="JavaScript",
            code="javascript",
            source="main.js",
            suffixes=(".js",),
            compile=("/usr/bin/node", "--check", "{entry}"),
            interpreted=True,
            run=("/usr/bin/node", "--stack-size={stack_kib}", "--max-old-space-size={heap_mib}", "{entry}"),
            version=("/usr/bin/node", "--version"),
            self_test=_JAVASCRIPT_TEST,
            out_of_memory=(b"JavaScript heap out of memory", b"Array buffer allocation failed"),
        ),
    )
}

SCRIPTS = Language(
    id="scripts",
    label="a build or run script",
    code="scripts",
    source="run",
    suffixes=(),
    compile=(
        *("/bin/sh", "-c"),
        f"cp -R /box/* {OUT} && cd {OUT} && if [ -e build ]; then chmod +x build && ./build; fi && chmod +x run",
    ),
    interpreted=False,
    run=(f"/box/{OUT}/run",),
    version=("/bin/sh", "-c", "echo scripts of the package"),
    self_test=b"#!/bin/sh\nread n; echo $((n + 1))\n",
)
"""How an author's program with a `build` or a `run` is made ready; nothing that a student may choose."""

_GUESSES = {".c": "c17", ".cpp": "cpp17", ".cc": "cpp17", ".cxx": "cpp17"} | {
    ".py": "python3",
    ".java": "java",
    ".js": "javascript",
}
_OF_CODE = {"c": "c17", "cpp": "cpp17", "python3": "python3", "java": "java", "javascript": "javascript"}


def guess(filename: str) -> Language | None:
    """The language that a file's ending stands for, or None when the ending says nothing."""
    found = _GUESSES.get(PurePosixPath(filename.replace("\\", "/")).suffix.lower())
    return LANGUAGES[found] if found else None


def guess_of(filenames: Iterable[str]) -> Language | None:
    """The language of a program of several files: C++ when any file is, else the first file that says one."""
    guesses = [language for name in filenames if (language := guess(name))]
    return next((language for language in guesses if language.code == "cpp"), guesses[0] if guesses else None)


def of_code(code: str) -> Language | None:
    """The row that judges what a package calls `code` (`cpp`, `python3`, …), or None when there is none."""
    found = _OF_CODE.get(code)
    return LANGUAGES[found] if found else None
