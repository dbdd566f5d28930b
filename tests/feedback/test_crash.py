"""What ended a program."""

import pytest

from judge.grading.feedback.crash import Crash, crash_of, second_look
from judge.grading.job import Source
from problems.package.model import Package
from sandbox.contract import Sandbox

NOTES = {
    "ended with an uncaught IndexError: list index out of range on line 12 of main.py.": (Crash.INDEX, 12, "main.py"),
    "ended with an uncaught IndexError on line 12 of main.py.": (Crash.INDEX, 12, "main.py"),
    "ended with an uncaught IndexError: pop from empty list on line 3 of main.py.": (Crash.EMPTY, 3, "main.py"),
    "ended with an uncaught ValueError: not enough values to unpack (expected 2, got 1) on line 1 of main.py.": (
        Crash.UNPACK,
        1,
        "main.py",
    ),
    "ended with an uncaught java.lang.NullPointerException on line 37 of Main.java.": (Crash.NULL, 37, "Main.java"),
    "ended with an uncaught RecursionError on line 7 of main.py.": (Crash.STACK, 7, "main.py"),
    "ended with an uncaught EOFError on line 1 of main.py.": (Crash.END_OF_INPUT, 1, "main.py"),
    "ended with an uncaught Strange on line 1 of main.py.": (Crash.EXCEPTION, 1, "main.py"),
    "crashed: an arithmetic error, nearly always a division by zero.": (Crash.DIVISION, None, ""),
    "ended with exit code 3; a program must end with 0.": (Crash.EXIT_CODE, None, ""),
}
SECOND = {
    "int f(int n) {\n  volatile int a[9];\n  a[n] = n;\n  return f(n ^ 1) + a[3];\n}\nint main() { return f(1); }": (
        Crash.STACK,
        None,
    ),
    "int a[3];\nint main() {\n  volatile int i = 1000000;\n  return a[i];\n}": (Crash.INDEX, 4),
    "struct A { int x; };\nint main() {\n  A* volatile a = nullptr;\n  return a->x;\n}": (Crash.NULL, 4),
    "int main() {\n  volatile int a = 0;\n  return 1 / a;\n}": (Crash.DIVISION, 3),
    "#include <vector>\nint main() {\n  std::vector<int> a(3);\n  volatile int i = 9999999;\n  return a[i];\n}": (
        Crash.INDEX,
        None,
    ),
    "#include <queue>\nint main() {\n  std::queue<int> q;\n  q.pop();\n  q.pop();\n  return q.front();\n}": (
        Crash.EMPTY,
        None,
    ),
    '#include <string>\nint main() {\n  std::string a = "x";\n  return std::stoi(a);\n}': (Crash.NOT_A_NUMBER, None),
    "#include <cstdlib>\nint main() {\n  int* a = new int[2];\n  delete[] a;\n  return a[1];\n}": (Crash.FREED, 5),
}


@pytest.mark.parametrize(("note", "expected"), NOTES.items())
def test_a_sentence_tells_the_kind_and_the_place(note: str, expected: tuple[Crash, int | None, str]) -> None:
    crashed = crash_of(f"Case 3 of 9 {note}")
    assert crashed is not None
    assert (crashed.kind, crashed.line, crashed.file) == expected


def test_a_sentence_of_something_else_tells_none() -> None:
    assert crash_of("Case 1 of 3 printed a wrong answer.") is None


@pytest.mark.parametrize(("text", "expected"), SECOND.items())
def test_a_second_look_at_cpp(box: Sandbox, plus: Package, text: str, expected: tuple[Crash, int | None]) -> None:
    crashed = second_look(Source(language="cpp17", files={"main.cpp": text.encode()}), plus, box, b"")
    assert crashed is not None
    assert crashed.kind == expected[0]
    if expected[1] is not None:
        assert crashed.line == expected[1]


def test_a_second_look_is_for_c_and_cpp(box: Sandbox, plus: Package) -> None:
    assert second_look(Source(language="python3", files={"main.py": b"1 / 0"}), plus, box, b"") is None
