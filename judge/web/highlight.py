"""A program shown as lines: coloured, numbered, each with an anchor that a compiler message can point to."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from django.utils.html import escape, format_html_join
from django.utils.safestring import SafeString, mark_safe
from pygments import lex
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Literal, Number, Operator, _TokenType

LEXERS: Mapping[str, str] = {"c": "c", "cpp": "cpp", "python3": "python", "java": "java", "javascript": "javascript"}
"""Language code of the package format -> lexer."""
COLOURED_BYTES = 256 << 10
"""A longer program is shown without colours."""
SHOWN_BYTES = 2 << 20
"""What is beyond this is not shown; the download has it."""

STYLES: Mapping[_TokenType, str] = {
    Comment: "c",
    Keyword: "k",
    Operator.Word: "k",
    Number: "n",
    Literal: "s",
}
"""Family of tokens -> class of the style sheets."""


def as_text(content: bytes) -> str:
    """Bytes of a student as text: line ends made equal, no byte-order mark, what cannot be read as U+FFFD."""
    text = content.decode("utf-8-sig", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def source_lines(content: bytes, code: str, anchor: str) -> SafeString:
    """`content` as one `<span id="{anchor}-L{n}">` a line, coloured for the language `code` of the package format."""
    text = as_text(content[:SHOWN_BYTES]).removesuffix("\n")
    lines = [mark_safe(line) for line in _coloured(text, code)]  # noqa: S308 - escaped piece by piece
    return format_html_join("", '<span id="{}-L{}">{}</span>', ((anchor, n, line) for n, line in enumerate(lines, 1)))


def _coloured(text: str, code: str) -> Iterator[str]:
    if code not in LEXERS or len(text) > COLOURED_BYTES:
        yield from (escape(line) or " " for line in text.split("\n"))
        return
    line: list[str] = []
    for kind, piece in lex(text, _lexer(LEXERS[code])):
        style = _style(kind)
        for number, part in enumerate(piece.split("\n")):
            if number:
                yield "".join(line) or " "
                line = []
            if part:
                line.append(f'<span class="{style}">{escape(part)}</span>' if style else escape(part))
    if line:
        yield "".join(line)


@lru_cache(maxsize=16)
def _lexer(name: str) -> Lexer:
    return get_lexer_by_name(name, stripnl=False, ensurenl=True)


def _style(kind: _TokenType) -> str:
    """The class of the nearest family that `kind` belongs to."""
    return next((STYLES[family] for family in reversed(kind.split()) if family in STYLES), "")
