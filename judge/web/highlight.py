"""A program shown as lines: coloured, numbered, each with an anchor that a compiler message can point to."""

import time
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Literal, Number, Operator, _TokenType

from judge.submissions.lexers import LEXERS, fit
from judge.submissions.text import as_text

COLOURED_SECONDS = 0.2
"""What is not coloured by then is shown without colours."""
REMEMBERED = 64
"""Programs of which the lines are kept."""
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


def source_lines(content: bytes, code: str, anchor: str) -> SafeString:
    """`content` as one `<span id="{anchor}-L{n}">` a line, coloured for the language `code` of the package format."""
    text = as_text(content[:SHOWN_BYTES]).removesuffix("\n") + "\n"
    lines = _coloured(text, code) if code in LEXERS and fit(text) else tuple(_lines([("", text)]))
    name = escape(anchor)
    shown = "".join(f'<span id="{name}-L{number}">{line}</span>' for number, line in enumerate(lines, 1))
    return mark_safe(shown)  # noqa: S308 - escaped in `_lines`


@lru_cache(maxsize=REMEMBERED)
def _coloured(text: str, code: str) -> tuple[str, ...]:
    return tuple(_lines(_pieces(text, LEXERS[code]())))


def _pieces(text: str, lexer: RegexLexer) -> Iterator[tuple[str, str]]:
    """Class and text of each piece; when time is over, what is left is one piece without a class."""
    until, done = time.monotonic() + COLOURED_SECONDS, 0
    for _place, kind, piece in lexer.get_tokens_unprocessed(text):
        if time.monotonic() > until:
            break
        yield _style(kind), piece
        done += len(piece)
    yield "", text[done:]


def _lines(pieces: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The pieces as HTML, cut into lines. The last piece ends with the end of a line or is empty."""
    line: list[str] = []
    for style, run in groupby(pieces, key=itemgetter(0)):
        for number, part in enumerate("".join(piece for _, piece in run).split("\n")):
            if number:
                yield "".join(line) or " "
                line = []
            if part:
                line.append(f'<span class="{style}">{escape(part)}</span>' if style else escape(part))


def _style(kind: _TokenType) -> str:
    """The class of the nearest family that `kind` belongs to."""
    return next((STYLES[family] for family in reversed(kind.split()) if family in STYLES), "")


__all__ = ["as_text", "source_lines"]
