"""What the compiler means: its first message, for g++ and gcc, javac and Python, as one of a few kinds of mistake."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any


class Fault(StrEnum):
    """What is wrong with the text of a program."""

    SEMICOLON = "semicolon"
    UNDECLARED = "undeclared"
    """A name is used that nothing says the meaning of."""
    HEADER = "header"
    """A name of the library is used without its `#include` or `import`; `more` is what to include."""
    NO_SUCH_HEADER = "no_such_header"
    BRACE = "brace"
    """A brace is opened and never closed, or closed once too often."""
    BRACKET = "bracket"
    QUOTES = "quotes"
    STRANGE_CHARACTER = "strange_character"
    TYPES = "types"
    LOSSY = "lossy"
    OPERATOR = "operator"
    ARGUMENTS = "arguments"
    NOT_DEFINED = "not_defined"
    """Declared and called, but written nowhere."""
    NO_MAIN = "no_main"
    NO_RETURN = "no_return"
    UNREPORTED = "unreported"
    UNSET = "unset"
    UNREACHABLE = "unreachable"
    TWICE = "twice"
    ELSE = "else"
    NOT_A_STATEMENT = "not_a_statement"
    PRIVATE = "private"
    STATIC = "static"
    CONSTANT = "constant"
    NOT_AN_ARRAY = "not_an_array"
    MEMBER = "member"
    NAMESPACE = "namespace"
    INDENT = "indent"
    TABS = "tabs"
    COLON = "colon"
    PRINT = "print"
    EQUALS = "equals"
    ASSIGN = "assign"
    OUTSIDE = "outside"
    ENCODING = "encoding"
    SYNTAX = "syntax"


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """The first thing that the compiler minds."""

    fault: Fault
    line: int | None = None
    """Of the source, from 1."""
    file: str = ""
    name: str = ""
    """The word of the program that it is about."""
    more: str = ""


_HEADERS: Mapping[str, str] = {
    **dict.fromkeys(("cout", "cin", "cerr", "endl"), "iostream"),
    **dict.fromkeys(
        ("sort", "min", "max", "reverse", "swap", "find", "fill", "max_element", "min_element"), "algorithm"
    ),
    **dict.fromkeys(("printf", "scanf", "puts", "getchar", "putchar", "sscanf", "fgets", "sprintf"), "cstdio"),
    **dict.fromkeys(("malloc", "free", "exit", "atoi", "qsort", "abs"), "cstdlib"),
    **dict.fromkeys(("strlen", "memset", "strcmp", "strcpy", "memcpy", "strtok"), "cstring"),
    **dict.fromkeys(("sqrt", "pow", "floor", "ceil", "fabs"), "cmath"),
    **dict.fromkeys(("INT_MAX", "INT_MIN", "LLONG_MAX"), "climits"),
    **{
        name: name for name in ("vector", "string", "queue", "map", "set", "stack", "deque", "array", "bitset", "tuple")
    },
    **dict.fromkeys(("pair", "make_pair"), "utility"),
    **dict.fromkeys(("setprecision", "setw"), "iomanip"),
    **dict.fromkeys(("getline", "stoi", "to_string"), "string"),
    **dict.fromkeys(("ifstream", "ofstream"), "fstream"),
    **dict.fromkeys(("stringstream", "istringstream"), "sstream"),
    **dict.fromkeys(("unordered_map",), "unordered_map"),
    **dict.fromkeys(("priority_queue",), "queue"),
}
_C_HEADERS = {
    "cstdio": "stdio.h",
    "cstdlib": "stdlib.h",
    "cstring": "string.h",
    "cmath": "math.h",
    "climits": "limits.h",
}
_JAVA_PACKAGES: Mapping[str, str] = {
    **{
        name: f"java.util.{name}"
        for name in (
            *(
                "Scanner",
                "ArrayList",
                "List",
                "Queue",
                "LinkedList",
                "ArrayDeque",
                "Deque",
                "HashMap",
                "Map",
                "HashSet",
            ),
            *("Set", "Arrays", "Collections", "StringTokenizer", "PriorityQueue", "Stack", "Iterator", "TreeMap"),
        )
    },
    **{name: f"java.io.{name}" for name in ("BufferedReader", "InputStreamReader", "IOException", "PrintWriter")},
}

Rules = Sequence[tuple[Any, ...]]
"""A fault, and the messages that tell of it."""
_Q = "['‘\"](?P<name>[^'’\"]{1,80})['’\"]"
_GNU: Rules = (
    (Fault.NO_SUCH_HEADER, r"fatal error: (?P<name>[^:]{1,80}): No such file"),
    (Fault.STRANGE_CHARACTER, r"stray ['‘](?P<name>[^'’]{1,20})['’] in program", r"extended character"),
    (Fault.QUOTES, r"missing terminating", r"unterminated (?:string|character)", r"empty character constant"),
    (Fault.SEMICOLON, r"expected (?:['‘][^'’]{1,14}['’],? (?:or )?){0,6}['‘];['’]", r"expected initializer before"),
    (Fault.ELSE, r"else['’] without a previous ['‘]if", r"expected ['‘]?(?:primary-)?expression['’]? before ['‘]else"),
    (
        Fault.BRACE,
        r"expected ['‘]}['’] (?:at end|before)",
        r"expected declaration before ['‘]}['’]",
        r"expected declaration or statement at end of input",
        r"expected unqualified-id before ['‘]}['’]",
    ),
    (Fault.BRACKET, r"expected [^\n]{0,20}['‘][)\](]['’]"),
    (
        Fault.NAMESPACE,
        rf"{_Q} was not declared in this scope; did you mean ['‘]std::",
        rf"{_Q} was not declared in this scope\n(?:[^\n]*\n){{1,6}}?[^\n]*alternatives?:\n[^\n]*\n[^\n]*['‘]std::",
        rf"{_Q} is not a member of ['‘]std['’]",
    ),
    (
        Fault.UNDECLARED,
        rf"{_Q} (?:was not declared in this scope|undeclared|does not name a type|has not been declared)",
        rf"implicit declaration of function {_Q}",
    ),
    (Fault.NO_MAIN, r"undefined reference to [`'‘]main['’]"),
    (Fault.NOT_DEFINED, r"undefined reference to [`'‘](?P<name>[^'’]{1,80})['’]"),
    (
        Fault.TWICE,
        rf"redefinition of {_Q}",
        rf"redeclaration of {_Q}",
        r"conflicting (?:declaration|types)",
        r"multiple definition of",
    ),
    (Fault.OPERATOR, r"no match for ['‘](?P<name>operator[^'’]{1,60})['’]", r"invalid operands"),
    (
        Fault.ARGUMENTS,
        r"no matching function for call to ['‘](?P<name>[^'’(]{1,60})",
        r"too (?:few|many) arguments to function",
    ),
    (Fault.MEMBER, rf"has no member named {_Q}", rf"request for member {_Q}"),
    (Fault.PRIVATE, rf"{_Q} is private within"),
    (Fault.CONSTANT, r"assignment of read-only", r"discards qualifiers", r"lvalue required"),
    (Fault.NOT_AN_ARRAY, r"invalid types [^\n]{1,80} for array subscript", r"subscripted value is neither array"),
    (
        Fault.TYPES,
        r"cannot convert",
        r"invalid conversion",
        r"incompatible types",
        r"invalid initialization",
        r"could not convert",
        r"makes (?:pointer|integer) from",
        r"conversion from [^\n]{1,80} to non-scalar type",
    ),
    (Fault.SYNTAX, r"expected "),
)
_JAVAC: Rules = (
    (Fault.SEMICOLON, r"error: ';' expected"),
    (Fault.BRACE, r"reached end of file while parsing", r"class, interface, enum, or (?:record )?expected"),
    (Fault.QUOTES, r"unclosed (?:string|character) literal", r"empty character literal"),
    (Fault.STRANGE_CHARACTER, r"illegal character: ['‘](?P<name>[^'’]{1,10})['’]"),
    (Fault.ELSE, r"illegal start of type\n[^\n]*else", r"'else' without 'if'"),
    (Fault.BRACKET, r"error: ['‘]?[()\]\[]['’]? (?:or [^\n]{1,20} )?expected", r"'\)' or ',' expected"),
    (Fault.UNDECLARED, r"cannot find symbol(?:\n[^\n]*){2,3}?\n\s*symbol:\s*\w+ (?P<name>[\w.]{1,60})"),
    (Fault.LOSSY, r"possible lossy conversion from (?P<name>\w+ to \w+)"),
    (Fault.TYPES, r"incompatible types", r"bad operand types? for", r"incomparable types", r"cannot be dereferenced"),
    (Fault.NO_RETURN, r"missing return (?:statement|value)"),
    (Fault.UNREPORTED, r"unreported exception (?P<name>\w+)"),
    (Fault.UNSET, r"variable (?P<name>\w+) might not have been initialized"),
    (Fault.UNREACHABLE, r"unreachable statement"),
    (Fault.TWICE, r"(?:variable|method|class) (?P<name>[\w()]{1,60}) is already defined", r"duplicate class"),
    (Fault.NOT_A_STATEMENT, r"not a statement", r"illegal start of expression"),
    (Fault.PRIVATE, r"(?P<name>\w+)(?:\([^)]*\))? has private access"),
    (Fault.STATIC, r"non-static (?:variable|method) (?P<name>\w{1,60})[^\n]{0,80} cannot be referenced from a static"),
    (Fault.ARGUMENTS, r"cannot be applied to given types", r"no suitable (?:method|constructor)"),
    (Fault.NOT_AN_ARRAY, r"array required, but (?P<name>\w+) found"),
    (Fault.CONSTANT, r"cannot assign a value to final variable (?P<name>\w+)"),
    (Fault.NO_MAIN, r"No class has a method"),
    (Fault.SYNTAX, r"<identifier> expected", r"illegal start of type", r"expected"),
)
_PYTHON: Rules = (
    (Fault.ENCODING, r"not UTF-8", r"source code string cannot contain null bytes"),
    (Fault.TABS, r"TabError", r"inconsistent use of tabs"),
    (Fault.INDENT, r"IndentationError"),
    (Fault.PRINT, r"Missing parentheses in call to 'print'"),
    (Fault.QUOTES, r"unterminated (?:triple-quoted )?(?:f-)?string", r"EOL while scanning"),
    (Fault.STRANGE_CHARACTER, r"invalid (?:non-printable )?character ['‘]?(?P<name>[^'’ ]{1,10})"),
    (Fault.BRACKET, r"was never closed", r"unmatched '", r"does not match opening parenthesis", r"unexpected EOF"),
    (Fault.COLON, r"expected ':'"),
    (Fault.EQUALS, r"[Mm]aybe you meant '=='", r"cannot assign to (?:comparison|expression)", r"':='"),
    (Fault.ASSIGN, r"cannot assign to (?P<name>[\w ]{1,40})"),
    (Fault.OUTSIDE, r"['‘](?P<name>return|break|continue|yield|await)['’] (?:outside|not properly in)"),
    (Fault.SYNTAX, r"SyntaxError"),
)
_RULES: Mapping[str, Rules] = {"c": _GNU, "cpp": _GNU, "java": _JAVAC, "python3": _PYTHON}
_GNU_ERROR = re.compile(
    r"^(?:/box/|\./)?(?P<file>[^\s:]+):(?P<line>\d+)(?::\d+)?: (?:fatal )?error: |undefined reference", re.MULTILINE
)
_ERROR: Mapping[str, re.Pattern[str]] = {
    "c": _GNU_ERROR,
    "cpp": _GNU_ERROR,
    "java": re.compile(r"^(?:/box/|\./)?(?P<file>[^\s:]+\.java):(?P<line>\d+): error: ", re.MULTILINE),
    "python3": re.compile(r'^\s*File "(?:/box/)?(?P<file>[^"]+)", line (?P<line>\d+)', re.MULTILINE),
}
_AFTER = 1_200
"""Characters of a message that belong to it."""


def explain_compile_error(log: str, code: str) -> Explained | None:
    """The first error of `log`; None when it is of no kind that is known here. `code`: of the language."""
    rules, error = _RULES.get(code), _ERROR.get(code)
    if rules is None or error is None:
        return None
    found = error.search(log)
    message = _message(log, error, found, code)
    for fault, *patterns in rules:
        match = next((match for pattern in patterns if (match := re.search(pattern, message))), None)
        if match is None:
            continue
        line = found["line"] if found else None
        explained = Explained(
            fault=fault,
            line=int(line) if line and len(line) < 7 else None,
            file=(found["file"] or "").rpartition("/")[2] if found else "",
            name=(match.groupdict().get("name") or "")[:60],
        )
        return _with_header(explained, code)
    return None


def _message(log: str, error: re.Pattern[str], found: re.Match[str] | None, code: str) -> str:
    """What belongs to the first error."""
    start = found.start() if found else 0
    message = log[start : start + _AFTER]
    following = error.search(log, found.end()) if found and code != "python3" else None
    return message[: following.start() - start] if following else message


def _with_header(explained: Explained, code: str) -> Explained:
    """Where a name of the library is meant, what to include."""
    if explained.fault not in (Fault.UNDECLARED, Fault.NAMESPACE):
        return explained
    known = _JAVA_PACKAGES if code == "java" else _HEADERS
    header = known.get(explained.name.removeprefix("std::"), "")
    if code == "c":
        header = _C_HEADERS.get(header, "")
    return replace(explained, fault=Fault.HEADER, more=header) if header else explained
