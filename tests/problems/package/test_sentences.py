"""What authors read of their packages is made by `say`, in patterns that a catalogue can hold."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.operations.conftest import ROOT

PACKAGE = sorted((ROOT / "problems/package").glob("*.py"))
SAYING = sorted(
    path
    for room in ("judge", "problems")
    for path in (ROOT / room).rglob("*.py")
    if "problems.say import say" in path.read_text()
)
WORDS = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")
"""Two words beside each other: somebody is told something."""
NO_SENTENCES = frozenset(
    {
        *("cc by", "cc by-sa", "public domain", "first number", "unexpected end of input"),  # words of other tools
        *("sum always_accept", "{} accept_if_any_accepted"),  # flags of graders
    }
)


def text_of(node: ast.AST) -> str:
    """The text of a string, with `{}` for a value; nothing for other nodes."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=values):
            return "".join(text_of(one) or "{}" for one in values)
    return ""


def called(node: ast.AST) -> str:
    """What a call calls."""
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "id", "") or getattr(function, "attr", "")


def unsaid(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of each string of words that `say` has no hand in; docstrings and tables of words are none."""
    match tree:
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Call() if called(tree) in ("say", "compile", "fullmatch", "split"):
            return
        case ast.Constant() | ast.JoinedStr():
            text = text_of(tree)
            if WORDS.search(text) and text not in NO_SENTENCES and "#include" not in text and "static " not in text:
                yield tree.lineno, text
            return
    for child in ast.iter_child_nodes(tree):
        yield from unsaid(child)


def lost(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Calls of `say` that `./palfrey makemessages` does not find: within a string, or of what is no plain text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and any(called(one) == "say" for one in ast.walk(node)):
            yield node.lineno, "within a string"
        elif isinstance(node, ast.Call) and called(node) == "say" and not all(map(text_of, node.args[:2])):
            yield node.lineno, "no plain text"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('findings.error(where, "rule", f"There is no `{name}`: add it.")', ["There is no `{}`: add it."]),
        ('raise Fault("it is not there")', ["it is not there"]),
        ('say("said", "There is no `%(name)s`.", name=name)', []),
        ('"""A docstring of some words."""', []),
        ('"some words of a table".split()', []),
    ],
)
def test_a_sentence_that_is_not_said_is_seen(code: str, found: list[str]) -> None:
    assert [text for _, text in unsaid(ast.parse(code))] == found


@pytest.mark.parametrize(
    ("code", "number"),
    [
        ("f\"{say('said', 'It is so.')} {rest}\"", 1),
        ('say("said", text)', 1),
        ('say("said", "It is so.") + rest', 0),
    ],
)
def test_a_sentence_that_cannot_be_found_is_seen(code: str, number: int) -> None:
    assert len(list(lost(ast.parse(code)))) == number


@pytest.mark.parametrize("path", PACKAGE, ids=lambda path: path.stem)
def test_every_sentence_about_a_package_is_said(path: Path) -> None:
    assert list(unsaid(ast.parse(path.read_bytes()))) == []


def test_every_sentence_that_is_said_is_found() -> None:
    assert [(path.name, *one) for path in SAYING for one in lost(ast.parse(path.read_bytes()))] == []
