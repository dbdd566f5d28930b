"""Small mistakes for a program in C or C++, found by its syntax tree and put in as changes of its text."""

from collections.abc import Iterator

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from judge.grading.strength.mutation import Mutation, Operator, left_out, replaced

_COMPARE: dict[bytes, tuple[bytes, ...]] = {
    b"<": (b"<=", b">="),
    b"<=": (b"<", b">"),
    b">": (b">=", b"<="),
    b">=": (b">", b"<"),
    b"==": (b"!=",),
    b"!=": (b"==",),
}
_ARITHMETIC: dict[bytes, bytes] = {
    b"+": b"-",
    b"-": b"+",
    b"*": b"+",
    b"/": b"*",
    b"%": b"/",
    b"<<": b">>",
    b">>": b"<<",
    b"&": b"|",
    b"|": b"&",
    b"^": b"|",
}
_ARITHMETIC |= {sign + b"=": other + b"=" for sign, other in _ARITHMETIC.items()} | {b"++": b"--", b"--": b"++"}
_LOGIC = {b"&&": b"||", b"||": b"&&", b"and": b"or", b"or": b"and"}
_CALLS = {
    b"push_back": b"push_front",
    b"push_front": b"push_back",
    b"pop_back": b"pop_front",
    b"pop_front": b"pop_back",
    b"front": b"back",
    b"back": b"front",
    b"min": b"max",
    b"max": b"min",
    b"lower_bound": b"upper_bound",
    b"upper_bound": b"lower_bound",
    b"min_element": b"max_element",
    b"max_element": b"min_element",
    b"abs": b"",
    b"ceil": b"floor",
    b"floor": b"ceil",
}
_STREAMS = frozenset({b"cin", b"cout", b"cerr", b"clog"})
_WITHOUT_MEANING = (b"sync_with_stdio", b".tie(", b".reserve(")
"""A statement with one of these changes no output."""
_PASSED_OVER = frozenset(
    {
        "preproc_include",
        "preproc_def",
        "preproc_function_def",
        "template_argument_list",
        "static_assert_declaration",
        "attribute_declaration",
        "string_literal",
        "raw_string_literal",
        "comment",
    }
)
_PARSER = Parser(Language(tree_sitter_cpp.language()))


def mutations(source: bytes) -> list[Mutation]:
    """Every small mistake, in order of the text; some may not compile."""
    return sorted(_all(source), key=lambda one: (one.start, one.end, one.put))


def normal(source: bytes) -> bytes:
    """What two programs that differ in nothing but blanks and comments have in common."""
    return b"\0".join(_text(leaf) for leaf in _leaves(_PARSER.parse(source).root_node) if leaf.type != "comment")


def _all(source: bytes) -> Iterator[Mutation]:
    waiting = [_PARSER.parse(source).root_node]
    while waiting:
        node = waiting.pop()
        if node.type in _PASSED_OVER or _changes_nothing(node):
            continue
        yield from _of(node, source)
        skipped = node.child_by_field_name("size") if node.type == "array_declarator" else None
        waiting += [child for child in node.children if child != skipped]


def _of(node: Node, source: bytes) -> Iterator[Mutation]:
    match node.type:
        case "binary_expression" | "assignment_expression" | "update_expression" | "unary_expression":
            yield from _sign(node, source)
        case "number_literal":
            yield from _number(node, source)
        case "true" | "false":
            yield _whole(node, source, Operator.CONSTANT, b"false" if node.type == "true" else b"true")
        case "break_statement" | "continue_statement":
            yield _whole(node, source, Operator.JUMP, b"continue;" if node.type == "break_statement" else b"break;")
        case "return_statement":
            yield from _returned(node, source)
        case "expression_statement" if _text(node) != b";":
            yield left_out(source, node.start_byte, node.end_byte, b";")
        case "call_expression":
            yield from _call(node, source)


def _sign(node: Node, source: bytes) -> Iterator[Mutation]:
    sign = node.child_by_field_name("operator")
    if sign is None:
        return
    text = _text(sign)
    if node.type == "unary_expression":
        if text in (b"!", b"-", b"not"):
            yield _whole(sign, source, Operator.NOT, b"")
        return
    for put in _COMPARE.get(text, ()):
        yield _whole(sign, source, Operator.COMPARE, put)
    if text in _LOGIC:
        yield _whole(sign, source, Operator.LOGIC, _LOGIC[text])
    if text in _ARITHMETIC and not (text in (b"<<", b">>") and _is_stream(node)):
        yield _whole(sign, source, Operator.ARITHMETIC, _ARITHMETIC[text])


def _number(node: Node, source: bytes) -> Iterator[Mutation]:
    text = _text(node).replace(b"'", b"")
    digits = text.rstrip(b"uUlL")
    suffix = text[len(digits) :]
    try:
        octal = digits.startswith(b"0") and digits.isdigit()
        value = int(digits, 8 if octal else 0)
    except ValueError:  # a fraction, or none that we know
        return
    for other in (value + 1, value - 1):
        yield _whole(node, source, Operator.CONSTANT, str(other).encode() + suffix)


def _returned(node: Node, source: bytes) -> Iterator[Mutation]:
    value = next(iter(node.named_children), None)
    if value is None or value.type in ("number_literal", "true", "false", "initializer_list", "comment"):
        return
    yield _whole(value, source, Operator.RETURN, b"{}")


def _call(node: Node, source: bytes) -> Iterator[Mutation]:
    name = node.child_by_field_name("function")
    while name is not None and name.type in ("field_expression", "qualified_identifier"):
        whole, name = name, name.child_by_field_name("field" if name.type == "field_expression" else "name")
        if name is not None and _CALLS.get(_text(name)) == b"":
            yield _whole(whole, source, Operator.CALL, b"")
            return
    put = _CALLS.get(_text(name)) if name is not None else None
    if name is not None and put is not None:
        yield _whole(name, source, Operator.CALL, put)


def _changes_nothing(node: Node) -> bool:
    return node.type == "expression_statement" and any(word in _text(node) for word in _WITHOUT_MEANING)


def _is_stream(node: Node) -> bool:
    """Whether `<<` and `>>` print and read here."""
    left = node
    while left.type == "binary_expression":
        child = left.child_by_field_name("left")
        if child is None:
            return False
        left = child
    return _text(left).rpartition(b"::")[2] in _STREAMS or b"stream" in _text(left)


def _whole(node: Node, source: bytes, operator: Operator, put: bytes) -> Mutation:
    return replaced(operator, source, node.start_byte, node.end_byte, put)


def _text(node: Node | None) -> bytes:
    return (node.text or b"") if node is not None else b""


def _leaves(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if node.children and node.type not in ("string_literal", "raw_string_literal"):
            waiting += reversed(node.children)
        else:
            yield node
