"""Lexers for programs of students, by language: Pygments' own where their expressions are bounded, else plainer ones.

Nothing stops an expression once it runs; so no text may make one take more than quadratic time within a line.
"""

import re
from collections.abc import Mapping

from pygments.lexer import RegexLexer, include, words
from pygments.lexers.c_cpp import CLexer, CppLexer
from pygments.lexers.javascript import JavascriptLexer
from pygments.lexers.jvm import JavaLexer
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Number, Punctuation, String, Text

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
LONGEST, LONGEST_LINE = 128 << 10, 1000
"""Characters: what is longer is not for a lexer, since some expressions take quadratic time within a line."""


def fit(text: str) -> bool:
    """Whether a lexer may be given the text."""
    return len(text) <= LONGEST and all(len(line) <= LONGEST_LINE for line in text.split("\n"))
