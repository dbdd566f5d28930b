"""Each kind of mistake, put into a line of a program, gives exactly these lines."""

import pytest

from judge.grading.strength import cpp, python
from judge.grading.strength.mutants import made
from judge.grading.strength.mutation import Operator, difference
from problems.package.model import Example, Program

PYTHON: dict[str, list[tuple[Operator, str]]] = {
    "f(a < b)": [(Operator.STATEMENT, "pass"), (Operator.COMPARE, "f(a <= b)"), (Operator.COMPARE, "f(a >= b)")],
    "x = a not in b": [(Operator.STATEMENT, "pass"), (Operator.COMPARE, "x = a in b")],
    "return (a) is  not (b)": [
        (Operator.RETURN, "return not ((a) is  not (b))"),
        (Operator.COMPARE, "return (a) is (b)"),
    ],
    "if a == b <= c: pass": [
        (Operator.COMPARE, "if a != b <= c: pass"),
        (Operator.COMPARE, "if a == b < c: pass"),
        (Operator.COMPARE, "if a == b > c: pass"),
    ],
    "x += y // z": [
        (Operator.STATEMENT, "pass"),
        (Operator.ARITHMETIC, "x -= y // z"),
        (Operator.ARITHMETIC, "x += y * z"),
    ],
    "while a and not b: pass": [
        (Operator.LOGIC, "while a or not b: pass"),
        (Operator.NOT, "while a and b: pass"),
    ],
    "return -1": [
        (Operator.NOT, "return 1"),
        (Operator.RETURN, "return None"),
        (Operator.CONSTANT, "return -0"),
        (Operator.CONSTANT, "return -2"),
    ],
    "return True": [(Operator.CONSTANT, "return False")],
    "for i in range(n): pass": [
        (Operator.RANGE, "for i in range((n) + 1): pass"),
        (Operator.RANGE, "for i in range((n) - 1): pass"),
        (Operator.RANGE, "for i in range(1, n): pass"),
    ],
    "for i in range(a, 8): break": [
        (Operator.CONSTANT, "for i in range(a, 7): break"),
        (Operator.CONSTANT, "for i in range(a, 9): break"),
        (Operator.JUMP, "for i in range(a, 8): continue"),
    ],
    "return min(abs(a), b)": [
        (Operator.CALL, "return max(abs(a), b)"),
        (Operator.RETURN, "return None"),
        (Operator.CALL, "return min((a), b)"),
    ],
    "queue.append(deque.popleft())": [
        (Operator.STATEMENT, "pass"),
        (Operator.CALL, "queue.appendleft(deque.popleft())"),
        (Operator.CALL, "queue.append(deque.pop())"),
    ],
    "return stack.pop()": [(Operator.RETURN, "return None"), (Operator.CALL, "return stack.pop(0)")],
    # Things that are let alone.
    "import a1": [],
    "sys.setrecursionlimit(10 ** 6)": [],
    'if __name__ == "__main__": pass': [],
    "def f(a: int = b) -> list[1]: pass": [],
    '"text of 1 < 2"': [],
    'return f"{a + 1}"': [(Operator.RETURN, "return None")],
    'return "%d" % a': [(Operator.RETURN, "return None")],
    "return a  # < 1\n": [(Operator.RETURN, "return None  # < 1\n")],
}

CPP: dict[str, list[tuple[Operator, str]]] = {
    "if (a <= b) f;": [
        (Operator.COMPARE, "if (a < b) f;"),
        (Operator.COMPARE, "if (a > b) f;"),
        (Operator.STATEMENT, "if (a <= b) ;"),
    ],
    "while (!a && b) ;": [(Operator.NOT, "while (a && b) ;"), (Operator.LOGIC, "while (!a || b) ;")],
    "int x = a + b * c;": [(Operator.ARITHMETIC, "int x = a - b * c;"), (Operator.ARITHMETIC, "int x = a + b + c;")],
    "x -= y >> z;": [
        (Operator.STATEMENT, ";"),
        (Operator.ARITHMETIC, "x += y >> z;"),
        (Operator.ARITHMETIC, "x -= y << z;"),
    ],
    "for (;; i++) break;": [(Operator.ARITHMETIC, "for (;; i--) break;"), (Operator.JUMP, "for (;; i++) continue;")],
    "return a;": [(Operator.RETURN, "return {};")],
    "return 0x10;": [(Operator.CONSTANT, "return 15;"), (Operator.CONSTANT, "return 17;")],
    "long a = 10'000LL;": [(Operator.CONSTANT, "long a = 10001LL;"), (Operator.CONSTANT, "long a = 9999LL;")],
    "bool a = true;": [(Operator.CONSTANT, "bool a = false;")],
    "int a = std::min(q.front(), b);": [
        (Operator.CALL, "int a = std::max(q.front(), b);"),
        (Operator.CALL, "int a = std::min(q.back(), b);"),
    ],
    "int a = std::abs(b);": [(Operator.CALL, "int a = (b);")],
    # Things that are let alone.
    "std::cout << a << endl;": [(Operator.STATEMENT, ";")],
    "ios::sync_with_stdio(false);": [],
    'string a = "1 < 2";  // + 3': [],
    "#define MOST 100\n": [],
    "int a[100];": [],
    "array<int, 8> a;": [],
    "double a = 1.5;": [],
}


@pytest.mark.parametrize("line", PYTHON)
def test_a_line_of_python(line: str) -> None:
    source = f"def f():\n    for _ in x:\n        {line}" if "\n" not in line else f"def f():\n  {line}"
    head = source.removesuffix(line)
    found = [(one.operator, one.of(source.encode()).decode()) for one in python.mutations(source.encode())]
    assert found == [(operator, head + after) for operator, after in PYTHON[line]]
    assert all(python.normal(after.encode()) is not None for _, after in found)


@pytest.mark.parametrize("line", CPP)
def test_a_line_of_cpp(line: str) -> None:
    source = f"void f() {{\n  {line}" if "#" not in line else line
    head, tail = source.removesuffix(line), "" if "#" in line else "\n}\n"
    whole = (source + tail).encode()
    found = [(one.operator, one.of(whole).decode()) for one in cpp.mutations(whole)]
    assert found == [(operator, head + after + tail) for operator, after in CPP[line]]


def test_every_kind_of_mistake_is_in_a_table() -> None:
    assert {operator for row in PYTHON.values() for operator, _ in row} == set(Operator)
    assert {operator for row in CPP.values() for operator, _ in row} == set(Operator) - {Operator.RANGE}


def test_places_are_counted_in_bytes_and_lines() -> None:
    source = 'ä = "ö"\nwort = ä + "é" * n + m\n'.encode()
    (one,) = [one for one in python.mutations(source) if one.said == "“+” became “-”" and b"m" in one.of(source)[-4:]][
        -1:
    ]
    assert one.of(source).decode() == 'ä = "ö"\nwort = ä + "é" * n - m\n'
    assert one.line == 2


@pytest.mark.parametrize("source", [b"def", b"\xff", b"a\0", b"-" * 100_000 + b"1", b"a" + b".b" * 30_000])
def test_what_is_no_python_is_refused(source: bytes) -> None:
    with pytest.raises(SyntaxError):
        python.mutations(source)
    assert python.normal(source) is None


def test_blanks_and_comments_make_no_other_program() -> None:
    assert python.normal(b"a = 1 # one\n") == python.normal(b"a=1\n\n") != python.normal(b"a = 2\n")
    assert cpp.normal(b"int a=1; // one") == cpp.normal(b"int a = 1;\n") != cpp.normal(b"int a = 2;")


def test_a_difference_shows_the_line_and_its_neighbours() -> None:
    before, after = b"a\nb\nc\nd\n", b"a\nB\nc\nd\n"
    assert difference("x.py", before, after).splitlines() == [
        "--- x.py",
        "+++ x.py",
        "@@ -1,3 +1,3 @@",
        " a",
        "-b",
        "+B",
        " c",
    ]


def _example(text: str, name: str = "a.py") -> Example:
    program = Program(name=f"submissions/accepted/{name}", files={name: text.encode()})
    return Example(program=program, folder="accepted", language=None, permitted=frozenset({"AC"}), required=frozenset())


def test_mutants_come_in_an_order_that_the_seed_decides_every_kind_in_turn() -> None:
    example = _example("a = 1 + 2\nif a < 3 and a > 1:\n    print(-a)\n")
    first, again, other = ([one.mutant.id for one in made(example, seed)] for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert set(first) == set(other)
    kinds = [one.mutant.operator for one in made(example, 1)]
    assert len(set(kinds[:6])) == 6


def test_the_same_program_is_made_once() -> None:
    twice = [one.program.files["a.py"] for one in made(_example("x = 1 + 2 - 2\n"), 1)]
    assert len(twice) == len(set(twice))
    assert sorted(twice) == [
        b"pass\n",
        b"x = 0 + 2 - 2\n",
        b"x = 1 + 1 - 2\n",
        b"x = 1 + 2 + 2\n",
        b"x = 1 + 2 - 1\n",
        b"x = 1 + 2 - 3\n",
        b"x = 1 + 3 - 2\n",
        b"x = 1 - 2 - 2\n",
        b"x = 2 + 2 - 2\n",
    ]
    assert not list(made(_example("import sys\n"), 1))
    minus = [one.program.files["a.py"] for one in made(_example("x = - -1\n"), 1)]
    assert len([one for one in minus if one.split() in ([b"x", b"=", b"-1"], [b"x", b"=", b"-", b"1"])]) == 1
