"""A program as what stays when names, comments and spacing are changed."""

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass

from pygments.token import Comment, Name, String, Text, _TokenType

from judge.submissions.lexers import LEXERS, fit
from judge.submissions.text import as_text

SECONDS = 1.0
"""So long at most is read in one program."""
WORD = re.compile(r"[^\W\d]\w*")
NAME, STRING, END = "n", "s", ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """What is compared, and where it stands."""

    text: str
    """`n` for any name, `s` for any string, `` for the end of a file; else as it was written."""
    file: int
    start: int
    """Characters from the beginning of the file, as `as_text` reads it."""
    end: int


def tokens(files: Mapping[str, bytes], code: str) -> list[Token] | None:
    """The tokens of a program in the language `code` of the package format, file by file; without comments, and what
    is told to a preprocessor. None: it is too long, or nobody here reads this language."""
    lexer = LEXERS[code]() if code in LEXERS else None
    found: list[Token] = []
    ends = time.monotonic() + SECONDS
    for number, content in enumerate(files.values()):
        text = as_text(content)
        if lexer is None or not fit(text):
            return None
        for at, kind, piece in lexer.get_tokens_unprocessed(text):
            if time.monotonic() > ends:
                return None
            if not piece.strip() or _is(kind, Comment) or _is(kind, String.Doc):
                continue
            if _is(kind, String):
                what = STRING
                if found and found[-1].text == STRING and found[-1].file == number and found[-1].end == at:
                    found[-1] = Token(text=STRING, file=number, start=found[-1].start, end=at + len(piece))
                    continue
            elif (_is(kind, Name) and not _is(kind, Name.Builtin)) or (_is(kind, Text) and WORD.fullmatch(piece)):
                what = NAME
            else:
                what = piece.strip()
            found.append(Token(text=what, file=number, start=at, end=at + len(piece)))
        found.append(Token(text=END, file=number, start=len(text), end=len(text)))
    return found


def _is(kind: _TokenType, family: _TokenType) -> bool:
    return family in kind.split()
