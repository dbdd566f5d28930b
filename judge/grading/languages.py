"""The languages, one row each, and which of them a file's ending or a package means."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from judge.grading.language import AHEAD, OUT, TEMPORARY, Ahead, Language

_C_TEST = b'#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); printf("%d\\n", n + 1); return 0; }\n'
_CPP_TEST = b"#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n + 1 << std::endl; }\n"
_JAVA_TEST = b"""class Plus {
    public static void main(String[] arguments) {
        System.out.println(new java.util.Scanner(System.in).nextInt() + 1);
    }
}
"""
_JAVASCRIPT_TEST = b'console.log(Number(require("fs").readFileSync(0, "utf8")) + 1);\n'
_GO_TEST = b"""package main

import "fmt"

func main() {
	var n int
	fmt.Scan(&n)
	fmt.Println(n + 1)
}
"""
_RUST_TEST = b"""fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    println!("{}", line.trim().parse::<i32>().unwrap() + 1);
}
"""
_PASCAL_TEST = b"var n: integer;\nbegin\n  readln(n);\n  writeln(n + 1);\nend.\n"
_KOTLIN_TEST = b"fun main() {\n    println(readLine()!!.trim().toInt() + 1)\n}\n"
_CSHARP_TEST = b"""class Plus {
    static void Main() {
        System.Console.WriteLine(int.Parse(System.Console.ReadLine()) + 1);
    }
}
"""

_EACH = """
command=$1 option=$2
shift 2
for file; do "$command" "$option" "$file" || exit; done
"""
"""Node.js looks at one file at a time."""

_PYTHON_CHECK = """
import sys
failed = False
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        source = file.read()
    try:
        try:
            source.decode("utf-8")
        except UnicodeDecodeError as error:  # Python itself minds it only when it runs the file
            import re
            head = b"\\n".join(source.split(b"\\n")[:2])
            if not re.search(rb"^[ \\t\\f]*#.*coding[:=]", head, re.MULTILINE):
                line = source.count(b"\\n", 0, error.start) + 1
                text = "this line is not UTF-8: save the file as UTF-8"
                raise SyntaxError(text, (name, line, None, None)) from None
        compile(source, name, "exec", dont_inherit=True)
    except Exception as error:
        failed = True
        sys.excepthook(type(error), error.with_traceback(None), None)
sys.exit(failed)
"""


_PYPY_VERSION = (
    "import sys; print('PyPy {}.{}.{}'.format(*sys.pypy_version_info), '(Python {}.{}.{})'.format(*sys.version_info))"
)


_GNU = (
    *("/usr/bin/*-linux-gnu-*", "/usr/lib/gcc", "/usr/libexec/gcc", "/usr/include"),
    *("/usr/lib/*-linux-gnu/*.[ao]", "/usr/lib64/*.[ao]"),
    *(f"/usr/lib/*-linux-gnu/lib{name}*.so*" for name in ("bfd", "opcodes", "gmp", "mpfr", "mpc", "isl")),
)


def _standard_header(*flags: str) -> Ahead:
    """Precompiled `bits/stdc++.h`, which says the whole standard library. The flags must be those of the compile."""
    header = "bits/stdc++.h"
    return Ahead(
        files={"all.h": f"#include <{header}>\n".encode()},
        make=(*flags, "-x", "c++-header", "-o", f"{OUT}/{header}.gch", "all.h"),
        made=f"{header}.gch",
        flags=(f"-I/box/{AHEAD}",),
        asked_by=header.encode(),
        betrayed_by=(header.encode(), b"PCH", b"precompiled header", b"internal compiler error"),
    )


def _gnu(*, id: str, label: str, code: str, compiler: str, standard: str) -> Language:  # noqa: A002
    flags = (compiler, f"-std={standard}", "-O2", "-static", "-DONLINE_JUDGE", "-fdiagnostics-color=never")
    return Language(
        id=id,
        label=label,
        code=code,
        source="main.c" if code == "c" else "main.cpp",
        suffixes=(".c",) if code == "c" else (".cpp", ".cc", ".cxx", ".c++", ".C", ".c"),
        compile=(*flags, "-o", f"{OUT}/program", "{sources}", "-lm"),
        interpreted=False,
        run=(f"/box/{OUT}/program",),
        version=(compiler, "--version"),
        self_test=_C_TEST if code == "c" else _CPP_TEST,
        made_of=_GNU,
        ahead=_standard_header(*flags) if code == "cpp" else None,
    )


def _c(id: str, standard: str) -> Language:  # noqa: A002
    return _gnu(id=id, label=f"C{standard[3:]}", code="c", compiler="/usr/bin/gcc", standard=standard)


def _cpp(id: str, standard: str) -> Language:  # noqa: A002
    return _gnu(id=id, label=f"C++{standard[5:]}", code="cpp", compiler="/usr/bin/g++", standard=standard)


_JAVA_FLAGS = ("-Xmx{heap_mib}m", "-Xss{stack_kib}k", "-XX:+UseSerialGC", "-XX:-UsePerfData")
_KOTLIN = "/usr/share/kotlin/kotlinc/lib"
_KOTLIN_COMPILER = (
    *("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-cp", f"{_KOTLIN}/kotlin-preloader.jar"),
    *("org.jetbrains.kotlin.preloading.Preloader", "-cp", f"{_KOTLIN}/kotlin-compiler.jar"),
    "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
)
"""What the script kotlinc calls, without a shell and with a heap of our own."""
_JAVAC = ("/usr/bin/javac", "-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1", "-J-XX:-UsePerfData")
_JAVAC_CLASSES = Ahead(
    files={"Learned.java": Path(__file__).with_name("Learned.java").read_bytes()},
    make=(*_JAVAC, f"-J-XX:ArchiveClassesAtExit={OUT}/javac.jsa", "-proc:none", "-d", OUT, "Learned.java"),
    made="javac.jsa",
    # Java says on standard output what it does not like of an archive, and goes on without: it shall say nothing.
    flags=(f"-J-XX:SharedArchiveFile=/box/{AHEAD}/javac.jsa", "-J-Xlog:disable"),
    asked_by=b"",
    betrayed_by=(b" VM", b"hs_err"),
)
"""javac's own classes as they lie in memory once it has started (class data sharing)."""

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
            run=("/usr/bin/python3", "-s", "-B", "/box/{entry}"),
            version=("/usr/bin/python3", "--version"),
            self_test=b"print(int(input()) + 1)\n",
            out_of_memory=(b"MemoryError",),
            made_of=("/usr/bin/python3*",),
        ),
        Language(
            id="pypy3",
            label="PyPy 3",
            code="python3",
            source="main.py",
            suffixes=(".py",),
            compile=("/usr/bin/pypy3", "-I", "-S", "-B", "-c", _PYTHON_CHECK, "{sources}"),
            interpreted=True,
            run=("/usr/bin/pypy3", "-s", "-B", "/box/{entry}"),
            version=("/usr/bin/pypy3", "-I", "-S", "-c", _PYPY_VERSION),
            self_test=b"print(int(input()) + 1)\n",
            made_of=("/usr/bin/pypy3*", "/usr/lib/*-linux-gnu/libpypy3*"),
            out_of_memory=(b"MemoryError",),
            # Told the size of its nursery, it neither looks for the processor's cache nor complains.
            env={"PYPY_GC_NURSERY": "4MB", "PYPY_GC_MAX": "{heap_mib}MB"},
        ),
        Language(
            id="java",
            label="Java",
            code="java",
            source="Main.java",
            suffixes=(".java",),
            compile=(*_JAVAC, "-J-Xmx{heap_mib}m", "-proc:none", "-encoding", "UTF-8", "-d", OUT, "{sources}"),
            interpreted=False,
            run=(
                *("/usr/bin/java", *_JAVA_FLAGS, "-XX:ActiveProcessorCount=1", "-DONLINE_JUDGE=1"),
                *("-cp", f"/box/{OUT}", "{entry}"),
            ),
            version=("/usr/bin/javac", "--version"),
            self_test=_JAVA_TEST,
            out_of_memory=(b"java.lang.OutOfMemoryError",),
            main_class="Main",
            made_of=("/usr/lib/jvm", "/etc/java-*"),
            ahead=_JAVAC_CLASSES,
        ),
        Language(
            id="javascript",
            label="JavaScript",
            code="javascript",
            source="main.js",
            suffixes=(".js",),
            compile=("/bin/sh", "-c", _EACH, "check", "/usr/bin/node", "--check", "{sources}"),
            interpreted=True,
            run=("/usr/bin/node", "--stack-size={stack_kib}", "--max-old-space-size={heap_mib}", "{entry}"),
            version=("/usr/bin/node", "--version"),
            self_test=_JAVASCRIPT_TEST,
            made_of=("/usr/bin/node*", "/usr/lib/*-linux-gnu/libnode*", "/usr/lib/*-linux-gnu/libv8*"),
            out_of_memory=(b"JavaScript heap out of memory", b"Array buffer allocation failed"),
        ),
        Language(
            id="go",
            label="Go",
            code="go",
            source="main.go",
            suffixes=(".go",),
            compile=(
                *("/usr/bin/go", "build", "-tags", "ONLINE_JUDGE", "-ldflags=-s -w"),
                *("-o", f"{OUT}/program", "{sources}"),
            ),
            interpreted=False,
            run=(f"/box/{OUT}/program",),
            version=("/usr/bin/go", "version"),
            self_test=_GO_TEST,
            made_of=("/usr/lib/go-*/bin", "/usr/lib/go-*/pkg"),
            out_of_memory=(b"runtime: out of memory", b"cannot allocate memory"),
            env={
                "GOCACHE": f"/box/{TEMPORARY}/cache",
                "GOPATH": f"/box/{TEMPORARY}/path",
                "GO111MODULE": "off",
                "GOPROXY": "off",
                "CGO_ENABLED": "0",
                "GOMAXPROCS": "1",
                "GOMEMLIMIT": "{heap_mib}MiB",
            },
        ),
        Language(
            id="rust",
            label="Rust",
            code="rust",
            source="main.rs",
            suffixes=(".rs",),
            compile=(
                *("/usr/bin/rustc", "--edition", "2021", "-O", "-C", "target-feature=+crt-static"),
                *("-C", "strip=symbols", "--cfg", "ONLINE_JUDGE", "--color", "never"),
                *("-o", f"{OUT}/program", "{entry}"),
            ),
            interpreted=False,
            run=(f"/box/{OUT}/program",),
            version=("/usr/bin/rustc", "--version"),
            self_test=_RUST_TEST,
            made_of=("/usr/bin/rustc", "/usr/lib/rustlib", "/usr/lib/*-linux-gnu/librustc_driver*", *_GNU),
            out_of_memory=(b"memory allocation of ",),
            starts=re.compile(rb"^(?:pub )?fn main\(", re.MULTILINE),
        ),
        Language(
            id="pascal",
            label="Pascal",
            code="pascal",
            source="main.pas",
            suffixes=(".pas", ".pp"),
            compile=(
                *("/usr/bin/fpc", "-O2", "-Mdelphi", "-Sgic", "-gl", "-dONLINE_JUDGE", "-l-", "-v0we"),
                *(f"-FE{OUT}", f"-FU{TEMPORARY}", "-oprogram", "{entry}"),
            ),
            interpreted=False,
            run=(f"/box/{OUT}/program",),
            version=("/usr/bin/fpc", "-h"),
            self_test=_PASCAL_TEST,
            made_of=("/usr/bin/fpc*", "/usr/bin/ppc*", "/usr/lib/*-linux-gnu/fpc", "/etc/fpc*.cfg", *_GNU),
            out_of_memory=(b"Runtime error 203", b"EOutOfMemory"),
            starts=re.compile(rb"\A(?![\s\S]*^[ \t]*unit\s)", re.MULTILINE | re.IGNORECASE),
        ),
        Language(
            id="csharp",
            label="C#",
            code="csharp",
            source="main.cs",
            suffixes=(".cs",),
            compile=(
                *("/usr/bin/mono", "/usr/lib/mono/4.5/mcs.exe", "-optimize+", "-debug", "-define:ONLINE_JUDGE"),
                *("-r:System.Numerics", f"-out:{OUT}/program.exe", "{sources}"),
            ),
            interpreted=False,
            run=("/usr/bin/mono", "--debug", f"/box/{OUT}/program.exe"),
            version=("/usr/bin/mono", "/usr/lib/mono/4.5/mcs.exe", "--version"),
            self_test=_CSHARP_TEST,
            made_of=("/usr/bin/mono*", "/usr/lib/mono/4.5"),
            out_of_memory=(b"OutOfMemoryException",),
            # At a heap limit of its own Mono aborts, so it collects more often from there on and meets ours. The other
            # limit is for what is reserved and never touched.
            env={"MONO_GC_PARAMS": "major=marksweep,soft-heap-limit={heap_mib}m,max-heap-size={twice_mib}m"},
        ),
        Language(
            id="kotlin",
            label="Kotlin",
            code="kotlin",
            source="main.kt",
            suffixes=(".kt",),
            compile=("/usr/bin/java", "-Xmx{heap_mib}m", *_KOTLIN_COMPILER, "-no-reflect", "-d", OUT, "{sources}"),
            interpreted=False,
            run=(
                *("/usr/bin/java", *_JAVA_FLAGS, "-XX:ActiveProcessorCount=1", "-DONLINE_JUDGE=1"),
                *("-cp", f"/box/{OUT}:{_KOTLIN}/kotlin-stdlib.jar", "{entry}"),
            ),
            version=("/usr/bin/java", "-Xmx256m", *_KOTLIN_COMPILER, "-version"),
            self_test=_KOTLIN_TEST,
            made_of=(_KOTLIN, "/usr/lib/jvm", "/etc/java-*"),
            out_of_memory=(b"java.lang.OutOfMemoryError",),
            main_class="MainKt",
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
    ".go": "go",
    ".rs": "rust",
    ".pas": "pascal",
    ".cs": "csharp",
    ".kt": "kotlin",
}
_OF_CODE = {language.code: language.id for language in LANGUAGES.values()} | {
    "c": "c17",
    "cpp": "cpp17",
    "python3": "python3",
}


def named(ids: str) -> list[Language]:
    """Those of `ids`, which are separated by commas. Raises `ValueError`, whose text is for who wrote them."""
    wanted = ids.split(",")
    if unknown := sorted(set(wanted) - set(LANGUAGES)):
        raise ValueError(f"Unknown languages: {', '.join(unknown)}. Known: {', '.join(LANGUAGES)}.")
    return [LANGUAGES[id_] for id_ in wanted]


def guess(filename: str) -> Language | None:
    """The language that a file's ending stands for, or None when the ending says nothing."""
    found = _GUESSES.get(PurePosixPath(filename.replace("\\", "/")).suffix.lower())
    return LANGUAGES[found] if found else None


def endings_of(language: Language) -> tuple[str, ...]:
    """The endings that stand for it."""
    return tuple(ending for ending, id_ in _GUESSES.items() if id_ == language.id)


def guess_of(filenames: Iterable[str]) -> Language | None:
    """The language of a program of several files: C++ when any file is, else the first file that says one."""
    guesses = [language for name in filenames if (language := guess(name))]
    return next((language for language in guesses if language.code == "cpp"), guesses[0] if guesses else None)


def of_code(code: str) -> Language | None:
    """The row that judges what a package calls `code` (`cpp`, `python3`, …), or None when there is none."""
    found = _OF_CODE.get(code)
    return LANGUAGES[found] if found else None
