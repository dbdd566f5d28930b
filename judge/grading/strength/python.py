"""Small mistakes for a program in Python, found by its syntax tree and put in as changes of its text."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from judge.grading.strength.mutation import Mutation, Operator, left_out, replaced

_COMPARE: dict[bytes, tuple[bytes, ...]] = {
    b"<": (b"<=", b">="),
    b"<=": (b"<", b">"),
    b">": (b">=", b"<="),
    b">=": (b">", b"<"),
    b"==": (b"!=",),
    b"!=": (b"==",),
    b"in": (b"not in",),
    b"not in": (b"in",),
    b"is": (b"is not",),
    b"is not": (b"is",),
}
_ARITHMETIC: dict[bytes, tuple[bytes, ...]] = {
    b"+": (b"-",),
    b"-": (b"+",),
    b"*": (b"+",),
    b"/": (b"*",),
    b"//": (b"*",),
    b"%": (b"//",),
    b"**": (b"*",),
    b"<<": (b">>",),
    b">>": (b"<<",),
    b"&": (b"|",),
    b"|": (b"&",),
    b"^": (b"|",),
}
_LOGIC: dict[bytes, tuple[bytes, ...]] = {b"and": (b"or",), b"or": (b"and",)}
_METHODS = {
    "append": "appendleft",
    "appendleft": "append",
    "pop": "popleft",
    "popleft": "pop",
    "extend": "append",
    "add": "discard",
}
_OF_DEQUES = frozenset({"appendleft", "popleft"})
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any", "abs": "", "sorted": "list", "reversed": "list"}
_WITHOUT_MEANING = frozenset({"setrecursionlimit"})
"""What is given to these changes no output."""
_COMPARE_SIGN = re.compile(rb"<=|>=|==|!=|<|>|\bnot\s+in\b|\bis\s+not\b|\bin\b|\bis\b")
_ARITHMETIC_SIGN = re.compile(rb"\*\*|//|<<|>>|[-+*/%&|^]")
_LOGIC_SIGN = re.compile(rb"\b(?:and|or)\b")


def mutations(source: bytes) -> list[Mutation]:
    """Every small mistake, in order of the text; some may not parse. Raises `SyntaxError`."""
    return sorted(_Finder(source).all(_parsed(source)), key=lambda one: (one.start, one.end, one.put))


def normal(source: bytes) -> bytes | None:
    """What two programs that differ in nothing but blanks and comments have in common; None: it cannot be read."""
    try:
        return ast.dump(_parsed(source)).encode()
    except (SyntaxError, RecursionError):
        return None


def _parsed(source: bytes) -> ast.Module:
    try:
        return ast.parse(source.decode("utf-8"))
    except (ValueError, MemoryError, RecursionError) as error:  # a NUL, other bytes than UTF-8, nested too deep
        raise SyntaxError(str(error)) from error


class _Finder:
    def __init__(self, source: bytes) -> None:
        self._source = source
        self._starts = [0, *(match.end() for match in re.finditer(rb"\n", source))]

    def all(self, node: ast.AST) -> Iterator[Mutation]:
        """What can be done to `node` and to what is in it."""
        if isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom) or _without_meaning(node):
            return  # places inside of an f-string are not told rightly before Python 3.12
        yield from self._of(node)
        for name, field in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list") or (name == "test" and _starts_the_program(node)):
                continue
            for child in field if isinstance(field, list) else [field]:
                if isinstance(child, ast.AST):
                    yield from self.all(child)

    def _of(self, node: ast.AST) -> Iterator[Mutation]:
        if isinstance(node, ast.stmt):
            yield from self._statement(node)
        elif isinstance(node, ast.expr):
            yield from self._expression(node)

    def _expression(self, node: ast.expr) -> Iterator[Mutation]:
        match node:
            case ast.Compare():
                for left, right in pairwise([node.left, *node.comparators]):
                    yield from self._between(Operator.COMPARE, left, right, _COMPARE_SIGN, _COMPARE)
            case ast.BinOp() if not _text(node.left) and not _text(node.right):
                yield from self._between(Operator.ARITHMETIC, node.left, node.right, _ARITHMETIC_SIGN, _ARITHMETIC)
            case ast.BoolOp():
                for left, right in pairwise(node.values):
                    yield from self._between(Operator.LOGIC, left, right, _LOGIC_SIGN, _LOGIC)
            case ast.UnaryOp(op=ast.Not() | ast.USub()):
                start, _ = self._span(node)
                sign = re.compile(rb"not\b\s*|-\s*").match(self._source, start)
                if sign:
                    yield replaced(Operator.NOT, self._source, start, sign.end(), b"")
            case ast.Constant():
                yield from self._constant(node)
            case ast.Call():
                yield from self._call(node)

    def _statement(self, node: ast.stmt) -> Iterator[Mutation]:
        span = self._span(node)
        match node:
            case ast.Return(value=ast.expr() as value):
                yield from self._returned(value)
            case ast.Break():
                yield replaced(Operator.JUMP, self._source, *span, b"continue")
            case ast.Continue():
                yield replaced(Operator.JUMP, self._source, *span, b"break")
            case ast.AugAssign():
                yield from self._between(Operator.ARITHMETIC, node.target, node.value, _ARITHMETIC_SIGN, _ARITHMETIC)
                yield left_out(self._source, *span, b"pass")
            case ast.Assign() | ast.Delete() | ast.Raise():
                yield left_out(self._source, *span, b"pass")
            case ast.Expr() if not isinstance(node.value, ast.Constant):
                yield left_out(self._source, *span, b"pass")

    def _between(
        self,
        operator: Operator,
        left: ast.expr,
        right: ast.expr,
        sign: re.Pattern[bytes],
        others: dict[bytes, tuple[bytes, ...]],
    ) -> Iterator[Mutation]:
        """The sign that stands between two parts of an expression, and what may stand there instead."""
        start, end = self._span(left)[1], self._span(right)[0]
        found = sign.search(self._source, start, end)
        if found and b"#" not in self._source[start:end]:
            for put in others[b" ".join(found[0].split())]:
                yield replaced(operator, self._source, found.start(), found.end(), put)

    def _constant(self, node: ast.Constant) -> Iterator[Mutation]:
        if isinstance(node.value, bool):
            yield replaced(Operator.CONSTANT, self._source, *self._span(node), str(not node.value).encode())
        elif isinstance(node.value, int | float):
            for other in (node.value + 1, node.value - 1):
                if other != node.value:
                    yield replaced(Operator.CONSTANT, self._source, *self._span(node), repr(other).encode())

    def _call(self, node: ast.Call) -> Iterator[Mutation]:
        name = _called(node)
        start, end = self._span(node.func)
        if isinstance(node.func, ast.Name) and name in _FUNCTIONS:
            yield replaced(Operator.CALL, self._source, start, end, _FUNCTIONS[name].encode())
        if isinstance(node.func, ast.Attribute) and name in _METHODS:
            other = _METHODS[name]
            if other not in _OF_DEQUES or (b"deque" in self._source and (other != "popleft" or not node.args)):
                yield replaced(Operator.CALL, self._source, end - len(name), end, other.encode())
            elif name == "pop" and not node.args:
                yield replaced(Operator.CALL, self._source, end - len(name), self._span(node)[1], b"pop(0)")
        if name == "range" and node.args:
            stop = node.args[0 if len(node.args) == 1 else 1]
            start, end = self._span(stop)
            text = self._source[start:end]
            puts = [] if isinstance(stop, ast.Constant) else [b"(" + text + b") + 1", b"(" + text + b") - 1"]
            if len(node.args) == 1:
                puts.append(b"1, " + text)
            for put in puts:
                yield replaced(Operator.RANGE, self._source, start, end, put)

    def _returned(self, value: ast.expr) -> Iterator[Mutation]:
        start, end = self._span(value)
        if isinstance(value, ast.Constant):  # the constant itself is changed
            return
        put = b"None"
        if isinstance(value, ast.Compare | ast.BoolOp) or (
            isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)
        ):
            put = b"not (" + self._source[start:end] + b")"
        yield replaced(Operator.RETURN, self._source, start, end, put)

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._starts[node.lineno - 1] + node.col_offset, self._starts[node.end_lineno - 1] + node.end_col_offset


def _text(node: ast.expr) -> bool:
    """Whether it is a text in quotes, with which no sum can become a difference."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def _called(node: ast.expr) -> str:
    """Name of the function or method that is called; empty for anything else."""
    func = node.func if isinstance(node, ast.Call) else None
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""


def _without_meaning(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and _called(node.value) in _WITHOUT_MEANING


def _starts_the_program(node: ast.AST) -> bool:
    """`if __name__ == "__main__":`, which the other way round only does nothing."""
    return isinstance(node, ast.If) and any(
        isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(node.test)
    )
