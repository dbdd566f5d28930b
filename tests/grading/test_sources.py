"""Odd names, marks and line ends in what is sent change nothing, and nothing of a name is ever obeyed."""

import time
from dataclasses import replace

import pytest

from judge.grading.compile import LOG_BYTES
from judge.grading.languages import LANGUAGES, guess, guess_of, of_code
from judge.grading.sources import entry, laid_out, public_class, safe_name
from judge.grading.verdict import Verdict
from tests.grading.conftest import LIMITS, Judge, needs

RIGHT = {
    "c17": '#include <stdio.h>\nint main(void) {\n int a, b; scanf("%d %d", &a, &b);\n printf("%d\\n", a + b);\n}\n',
    "cpp17": "#include <iostream>\nint main() {\n int a, b; std::cin >> a >> b;\n std::cout << a + b;\n}\n",
    "python3": "a, b = map(int, input().split())\nif True:\n    print(a + b)\n",
    "java": "class Sum {\n public static void main(String[] a) {\n var in = new java.util.Scanner(System.in);\n"
    " System.out.println(in.nextInt() + in.nextInt()); } }\n",
    "javascript": 'const [a, b] = require("fs").readFileSync(0, "utf8").split(" ");\nconsole.log(+a + +b);\n',
    "pypy3": "a, b = map(int, input().split())\nif True:\n    print(a + b)\n",
    "go": 'package main\nimport "fmt"\nfunc main() {\n var a, b int\n fmt.Scan(&a, &b)\n fmt.Println(a + b)\n}\n',
    "rust": "use std::io;\nfn main() {\n let mut line = String::new();\n io::stdin().read_line(&mut line).unwrap();\n"
    ' println!("{}", line.split_whitespace().map(|w| w.parse::<i64>().unwrap()).sum::<i64>());\n}\n',
    "pascal": "var a, b: integer;\nbegin\n readln(a, b);\n writeln(a + b);\nend.\n",
    "csharp": "using System;\nclass Sum {\n static void Main() {\n var w = Console.ReadLine().Split();\n"
    " Console.WriteLine(int.Parse(w[0]) + int.Parse(w[1]));\n }\n}\n",
}


@pytest.mark.parametrize("language", [pytest.param(language, marks=needs(language)) for language in RIGHT])
def test_byte_order_mark_and_crlf(language: str, judge: Judge) -> None:
    source = b"\xef\xbb\xbf" + RIGHT[language].replace("\n", "\r\n").encode()
    assert judge(source, language).report.verdict == Verdict.ACCEPTED


@pytest.mark.parametrize("name", ["-o x", "a;rm -rf $HOME", "../../etc/passwd", "ünï.cpp", "", "'\"<b>", "a\nb.c"])
def test_a_strange_name_is_only_a_name(name: str, judge: Judge) -> None:
    judged = judge({name: RIGHT["c17"].encode()}, "c17")
    assert judged.report.verdict == Verdict.ACCEPTED


def test_strange_names_of_several_files(judge: Judge) -> None:
    files = {"-o x.c": RIGHT["c17"].encode(), "-B;.c": b"int unused;", "../.out": b"x", "B_.c": b"int other;"}
    assert judge(files, "c17").report.verdict == Verdict.ACCEPTED


def test_latin_1_comment_in_java(judge: Judge) -> None:
    assert judge(b"// sa\xedda\n" + RIGHT["java"].encode(), "java").report.verdict == Verdict.ACCEPTED


def test_nul_in_a_source_is_the_compilers_business(judge: Judge) -> None:
    assert judge(b"print(1)\0\n").report.verdict == Verdict.COMPILE_ERROR
    assert judge(RIGHT["c17"].encode() + b"// \0\n", "c17").report.verdict == Verdict.ACCEPTED


LONG = 10 << 20
TERMS = b"1+" * (LONG // 2) + b"1"


@pytest.mark.parametrize(
    ("language", "harmless", "hard"),
    [
        pytest.param("c17", b"// %s\n", b"int a = %s;\n", marks=pytest.mark.byname),
        ("cpp17", b"// %s\n", b"int a = %s;\n"),
        ("python3", b"# %s\n", b"c = %s\n"),
        pytest.param("java", b"// %s\n", b"class Long { int a = %s; }\n", marks=pytest.mark.byname),
        ("javascript", b"// %s\n", b"const c = %s;\n"),
    ],
)
def test_a_line_of_ten_megabytes(language: str, harmless: bytes, hard: bytes, judge: Judge) -> None:
    limits = replace(LIMITS, code_bytes=2 * LONG)
    assert (
        judge(harmless % TERMS + RIGHT[language].encode(), language, limits=limits).report.verdict == Verdict.ACCEPTED
    )
    judged = judge(hard % TERMS + RIGHT[language].encode(), language, limits=replace(limits, compile_seconds=3))
    assert judged.report.verdict in (Verdict.COMPILE_ERROR, Verdict.RUN_TIME_ERROR, Verdict.ACCEPTED), judged.report
    assert len(judged.compiled.log) <= LOG_BYTES


@pytest.mark.parametrize(
    ("source", "language", "said"),
    [
        (b"", "python3", "empty"),
        (b" \n\n", "cpp17", "empty"),
        (b"x" * (200 << 10), "python3", "200 KiB; this problem takes at most 128 KiB"),
        (b"10 PRINT 5", "basic", "no language called “basic”"),
        ({"a.txt": b"x", "b.txt": b"y"}, "cpp17", "None of the files ends in"),
    ],
)
def test_what_cannot_be_judged_is_said(
    source: bytes | dict[str, bytes], language: str, said: str, judge: Judge
) -> None:
    judged = judge(source, language)
    assert judged.report.verdict == Verdict.COMPILE_ERROR
    assert said in judged.report.note
    assert said.encode() in judged.compiled.log


def test_a_language_that_the_problem_does_not_take(judge: Judge) -> None:
    judged = judge("print(5)", languages=frozenset({"cpp"}))
    assert "does not take Python 3" in judged.report.note


def test_include_is_laid_over_the_submission(judge: Judge) -> None:
    include = {"python3": {"given.py": b"def plus(a, b): return a + b\n"}, "default": {"notes.txt": b"hello"}}
    files = {"main.py": b"import given\nprint(given.plus(*map(int, input().split())))\n", "given.py": b"forged = 1\n"}
    assert judge(files, include=include).report.verdict == Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.c", "c17"),
        ("A.CPP", "cpp17"),
        ("a.cc", "cpp17"),
        ("x/y.cxx", "cpp17"),
        ("a.py", "python3"),
        ("A.java", "java"),
    ],
)
def test_guess(name: str, language: str | None) -> None:
    guessed = guess(name)
    assert (guessed.id if guessed else None) == language


def test_javascript_is_looked_at_file_by_file(judge: Judge) -> None:
    files = {"main.js": b'import { plus } from "./plus.js";\nplus();\n', "package.json": b'{"type": "module"}'}
    judged = judge({**files, "plus.js": b"export function plus() {\n  letter sum = 1\n}\n"}, "javascript")
    assert judged.report.verdict == Verdict.COMPILE_ERROR
    assert b"plus.js:2" in judged.compiled.log
    judged = judge({**files, "plus.js": b"export function plus() {\n  const sum = 1\n}\n"}, "javascript")
    assert judged.report.verdict == Verdict.WRONG_ANSWER, judged.compiled.log


def test_guess_of_several() -> None:
    guessed = guess_of(["a.h", "b.c", "c.cpp"])
    assert guessed is LANGUAGES["cpp17"]
    assert guess_of(["README"]) is None
    assert guess("a.py") is LANGUAGES["python3"]
    assert of_code("python3") is LANGUAGES["python3"]


@pytest.mark.parametrize(
    "name", ["-o x", "../../a", "/etc/passwd", "a\\b\\c.py", ".out/x", "", "....", "a//b", "é;|&`$(x)"]
)
def test_safe_names_stay_inside_and_are_no_options(name: str) -> None:
    safe = safe_name(name)
    assert all(part and not part.startswith((".", "-")) for part in safe.split("/"))
    assert not set(safe) & set(" ;|&`$()\\\n'\"<>")


def test_no_file_is_lost_when_names_become_equal() -> None:
    laid = laid_out(LANGUAGES["cpp17"], {"a b.h": b"1", "a;b.h": b"2", "a_b.h": b"3"}, include={})
    assert sorted(laid.values()) == [b"1", b"2", b"3"]


def test_entry() -> None:
    assert entry(LANGUAGES["python3"], {"a.py": b"", "main.py": b""}) == "main.py"
    assert entry(LANGUAGES["python3"], {"a.py": b"", "__main__.py": b""}) == "__main__.py"
    assert entry(LANGUAGES["python3"], {"b.py": b"", "a.py": b""}) == "b.py"
    assert entry(LANGUAGES["rust"], {"a.rs": b"pub fn f() {}\n", "b.rs": b"mod a;\nfn main() {}\n"}) == "b.rs"
    assert entry(LANGUAGES["pascal"], {"a.pas": b"{ main }\nunit a;\n", "b.pas": b"begin\nend.\n"}) == "b.pas"


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("public class A {}", "A"),
        ("/* public class B */ class C {} // public class D", None),
        ('class A { String s = "}"; public class Inner {} } public final class B {}', "B"),
        ("class A { char c = '{'; }\npublic record Pair(int a) {}", "Pair"),
        ("@Deprecated public abstract class É {}", "É"),
        ('class A { String s = """\n } public class X { \n"""; }', None),
    ],
)
def test_public_class(source: str, name: str | None) -> None:
    assert public_class(source) == name


@pytest.mark.parametrize("piece", ["/* ", "//", '"', "'", '"""', "public ", "public  final ", "{", "\\"])
def test_no_java_source_is_slow_to_look_at(piece: str) -> None:
    start = time.process_time()
    public_class(piece * (128_000 // len(piece)))
    assert time.process_time() - start < 1


def test_a_file_where_a_folder_must_be(judge: Judge) -> None:
    files = {"a b": b"", "a_b/helper.py": b"", "main.py": b"print(sum(map(int, input().split())))\n"}
    assert judge(files, "python3").report.verdict == Verdict.ACCEPTED


def test_names_that_no_file_can_bear(judge: Judge) -> None:
    public = b"public class %s { public static void main(String[] a) {} }" % (b"A" * 300)
    assert judge({"Main.java": public}, "java").report.verdict == Verdict.COMPILE_ERROR
    inner = b"class Main { class %s {} public static void main(String[] a) {} }" % (b"A" * 230)
    assert judge({"Main.java": inner}, "java").report.verdict == Verdict.COMPILE_ERROR


def test_a_python_file_in_no_known_code_is_not_compiled(judge: Judge) -> None:
    """Python reads over it when it compiles, and stops at it when it runs the file."""
    judged = judge(b"a = 1\n# caf\xe9\nprint(7)\n", "python3")
    assert judged.report.verdict == Verdict.COMPILE_ERROR
    assert b"line 2" in judged.compiled.log
    assert b"save the file as UTF-8" in judged.compiled.log


def test_a_python_file_may_say_its_code(judge: Judge) -> None:
    source = b"# -*- coding: latin-1 -*-\n# caf\xe9\na, b = map(int, input().split())\nprint(a + b)\n"
    assert judge(source, "python3").report.verdict == Verdict.ACCEPTED
