"""A program shown as lines: coloured, numbered, each with an anchor that a compiler message can point to."""

import re
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from pygments.lexer import RegexLexer, include, words
from pygments.lexers.c_cpp import CLexer, CppLexer
from pygments.lexers.javascript import JavascriptLexer
from pygments.lexers.jvm import JavaLexer
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Literal, Number, Operator, Punctuation, String, Text, _TokenType

ANYWHERE = [include("whitespace"), include("statements"), (r"[{};]", Punctuation)]
"""Rules for C and C++ outside of functions. Pygments' own look for whole heads of functions, with expressions that may
take cubic time on blanks, and nothing can stop one expression; our colours do not tell functions apart anyway."""


class PlainC(CLexer):
    tokens = {"root": ANYWHERE}


class PlainCpp(CppLexer):
    tokens = {"root": ANYWHERE}


SLASHES = r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"
QUOTES = r""" "(?:[^"\\\n]|\\.)*"? """.strip()
CHARACTERS = r"'(?:[^'\\\n]|\\[^\n]){1,10}'"


def _plain(name: str, keywords: str, comment: str, string: str, flags: int = re.MULTILINE) -> type[RegexLexer]:
    """A lexer of words, comments, strings and numbers, each found in one go. Those of Pygments for these languages
    know far more, which our four colours would not show, and none of their expressions is bounded."""
    rules = [
        (comment, Comment),
        (string, String),
        (words(keywords.split(), prefix=r"(?<!\w)", suffix=r"(?!\w)"), Keyword),
        (r"\d\w*(?:\.\d\w*)?", Number),
        (r"[^\W\d]\w*|\s+|[^\w\s]", Text),
    ]
    return type(name, (RegexLexer,), {"tokens": {"root": rules}, "flags": flags})


PlainGo = _plain(
    "PlainGo",
    "break case chan const continue default defer else fallthrough for func go goto if import interface map package "
    "range return select struct switch type var true false nil bool byte rune string error any int int8 int16 int32 "
    "int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 complex64 complex128",
    SLASHES,
    rf"{QUOTES}|`[^`]*`?|{CHARACTERS}",
)
PlainRust = _plain(
    "PlainRust",
    "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move "
    "mut pub ref return self Self static struct super trait true type unsafe use where while bool char str String i8 "
    "i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64",
    SLASHES,
    rf"{QUOTES}|{CHARACTERS}",
)
PlainPascal = _plain(
    "PlainPascal",
    "and array as begin case class const constructor destructor div do downto else end except exit false file finally "
    "for function goto if implementation in inherited interface is label mod nil not object of on operator or out "
    "packed procedure program property raise record repeat result set shl shr string then to true try type unit until "
    "uses var while with xor boolean byte char double extended int64 integer longint longword pchar qword real "
    "shortint single smallint word ansistring",
    r"//[^\n]*|\{[^}]*\}?|\(\*[\s\S]*?(?:\*\)|\Z)",
    r"'[^'\n]*'?",
    re.MULTILINE | re.IGNORECASE,
)
PlainCSharp = _plain(
    "PlainCSharp",
    "abstract as async await base bool break byte case catch char checked class const continue decimal default "
    "delegate do double else enum event explicit extern false finally fixed float for foreach get goto if implicit in "
    "int interface internal is lock long namespace new null object operator out override params private protected "
    "public readonly ref return sbyte sealed set short sizeof stackalloc static string struct switch this throw true "
    "try typeof uint ulong unchecked unsafe ushort using var virtual void volatile when where while yield",
    SLASHES,
    rf'@"[^"]*"?|{QUOTES}|{CHARACTERS}',
)
PlainKotlin = _plain(
    "PlainKotlin",
    "abstract as break by catch class companion const constructor continue data do else enum false final finally for "
    "fun if import in infix inline inner interface internal is lateinit null object open operator out override package "
    "private protected public return sealed super suspend tailrec this throw true try typealias val var vararg when "
    "where while Boolean Byte Char Double Float Int Long Short String Unit",
    SLASHES,
    rf'"""[\s\S]*?(?:"""|\Z)|{QUOTES}|{CHARACTERS}',
)

LEXERS: Mapping[str, type[RegexLexer]] = {
    "c": PlainC,
    "cpp": PlainCpp,
    "python3": PythonLexer,
    "java": JavaLexer,
    "javascript": JavascriptLexer,
    "go": PlainGo,
    "rust": PlainRust,
    "pascal": PlainPascal,
    "csharp": PlainCSharp,
    "kotlin": PlainKotlin,
}
"""Language code of the package format -> lexer."""
COLOURED_LENGTH = 128 << 10
"""A longer program is shown without colours."""
COLOURED_LINE = 1000
"""So is one with a longer line: some expressions take quadratic time within a line."""
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


def as_text(content: bytes) -> str:
    """Bytes of a student as text: line ends made equal, no byte-order mark, what cannot be read as U+FFFD."""
    text = content.decode("utf-8-sig", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def source_lines(content: bytes, code: str, anchor: str) -> SafeString:
    """`content` as one `<span id="{anchor}-L{n}">` a line, coloured for the language `code` of the package format."""
    text = as_text(content[:SHOWN_BYTES]).removesuffix("\n") + "\n"
    if code not in LEXERS or len(text) > COLOURED_LENGTH or any(len(line) > COLOURED_LINE for line in text.split("\n")):
        lines = tuple(_lines([("", text)]))
    else:
        lines = _coloured(text, code)
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
