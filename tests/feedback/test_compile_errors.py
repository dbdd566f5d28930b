"""What real compilers say about small faults is understood as what it is."""

import pytest

from judge.grading.compile import compile_source
from judge.grading.feedback.compile_errors import Fault, explain_compile_error
from judge.grading.job import Source
from judge.grading.languages import LANGUAGES
from problems.package.model import Package
from sandbox.contract import Sandbox

CPP = {
    "int main() { int a = 1\n return a; }": Fault.SEMICOLON,
    "int main() { return b; }": Fault.UNDECLARED,
    'int main() { cout << "a"; }': Fault.HEADER,
    "int main() { vector<int> a; }": Fault.HEADER,
    "#include <iostreem>\nint main() {}": Fault.NO_SUCH_HEADER,
    "int main() { if (1) { return 0; ": Fault.BRACE,
    "int main() { return (1 + 2; }": Fault.BRACKET,
    'const char* a = "abc;\nint main() {}': Fault.QUOTES,
    "int main() { int a = 1; return a “ 2; }": Fault.STRANGE_CHARACTER,
    'int main() { int a = "text"; }': Fault.TYPES,
    "struct A {}; int main() { A a, b; a + b; }": Fault.OPERATOR,
    "int f(int a) { return a; } int main() { return f(); }": Fault.ARGUMENTS,
    "int f(int); int main() { return f(1); }": Fault.NOT_DEFINED,
    "int f() { return 1; }": Fault.NO_MAIN,
    "int main() { int a; int a; }": Fault.TWICE,
    "int main() { if (1); return 1; else return 2; }": Fault.ELSE,
    "class A { int x; }; int main() { A a; return a.x; }": Fault.PRIVATE,
    "int main() { const int a = 1; a = 2; }": Fault.CONSTANT,
    "int main() { int a = 1; return a[0]; }": Fault.NOT_AN_ARRAY,
    "struct A {}; int main() { A a; return a.size; }": Fault.MEMBER,
}
C = {
    "int main(void) { return a; }": Fault.UNDECLARED,
    "int main(void) { int a = 1\n; int b = 2\n return a; }": Fault.SEMICOLON,
    "int main(void) { return 1;": Fault.BRACE,
}
PYTHON = {
    "def f(:\n    pass\n": Fault.SYNTAX,
    "if True\n    print(1)\n": Fault.COLON,
    "print 1\n": Fault.PRINT,
    "for i in range(3):\nprint(i)\n": Fault.INDENT,
    "if True:\n\tprint(1)\n        print(2)\n": Fault.TABS,
    "print((1 + 2)\n": Fault.BRACKET,
    "a = 'abc\n": Fault.QUOTES,
    "a = “abc”\n": Fault.STRANGE_CHARACTER,
    "if 1 = 2:\n    pass\n": Fault.EQUALS,
    "f() = 2\n": Fault.EQUALS,
    "1 = 2 + a\n": Fault.EQUALS,
    "None = 1\n": Fault.ASSIGN,
    "return 1\n": Fault.OUTSIDE,
    "break\n": Fault.OUTSIDE,
}
JAVA = {
    "int a = 1\n": Fault.SEMICOLON,
    "int a = b;": Fault.UNDECLARED,
    "Scanner in = null;": Fault.HEADER,
    'int a = "text";': Fault.TYPES,
    "int a = 1.5;": Fault.LOSSY,
    "int a; a++;": Fault.UNSET,
    "while (true) {} int b;": Fault.UNREACHABLE,
    "int a = 1; int a = 2;": Fault.TWICE,
    "if (true); else { } else { }": Fault.ELSE,
    "5 + 5;": Fault.NOT_A_STATEMENT,
    "g();": Fault.STATIC,
    "f(1, 2);": Fault.ARGUMENTS,
    "int a = 1; a[0] = 2;": Fault.NOT_AN_ARRAY,
    "final int a = 1; a = 2;": Fault.CONSTANT,
    "Thread.sleep(1);": Fault.UNREPORTED,
    'String s = "abc;': Fault.QUOTES,
}
JAVA_FILE = """class Main {{
    int f() {{ return 1; }}
    void g() {{ }}
    static void f(int a) {{ }}
    public static void main(String[] args) {{
        {}
    }}
}}
"""


def fault_of(box: Sandbox, package: Package, language: str, text: str) -> Fault | None:
    code = LANGUAGES[language].code
    compiled = compile_source(Source(language=language, files={"main": text.encode()}), package, box)
    assert compiled.executable is None, "it compiles"
    explained = explain_compile_error(compiled.log.decode(), code)
    assert explained is not None, compiled.log.decode()
    return explained.fault


@pytest.mark.parametrize(("text", "fault"), CPP.items())
def test_cpp(box: Sandbox, plus: Package, text: str, fault: Fault) -> None:
    assert fault_of(box, plus, "cpp17", text) == fault


@pytest.mark.parametrize(("text", "fault"), C.items())
def test_c(box: Sandbox, plus: Package, text: str, fault: Fault) -> None:
    assert fault_of(box, plus, "c17", text) == fault


@pytest.mark.parametrize(("text", "fault"), PYTHON.items())
def test_python(box: Sandbox, plus: Package, text: str, fault: Fault) -> None:
    assert fault_of(box, plus, "python3", text) == fault


@pytest.mark.parametrize(("text", "fault"), JAVA.items())
def test_java(box: Sandbox, plus: Package, text: str, fault: Fault) -> None:
    assert fault_of(box, plus, "java", JAVA_FILE.format(text)) == fault


def test_java_braces(box: Sandbox, plus: Package) -> None:
    text = JAVA_FILE.format("").rstrip().removesuffix("}")
    assert fault_of(box, plus, "java", text) == Fault.BRACE


def test_the_place_the_name_and_what_to_include() -> None:
    log = "main.cpp:3:5: error: 'vector' was not declared in this scope\n    3 | vector<int> a;\n"
    explained = explain_compile_error(log, "cpp")
    assert explained is not None
    assert (explained.line, explained.file, explained.name, explained.more) == (3, "main.cpp", "vector", "vector")


def test_what_is_not_known_is_not_explained() -> None:
    assert explain_compile_error("main.cpp:1:1: error: something unheard of\n", "cpp") is None
    assert explain_compile_error("", "cpp") is None
    assert explain_compile_error("main.pas(1,1) Error: oh", "pascal") is None
