"""What the compiler means: its first message, for g++ and gcc, javac and Python, as one of a few kinds of mistake."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


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


_Q = "['‘\"](?P<name>[^'’\"]{1,80})['’\"]"
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

_Rule = tuple[Fault, str]
_GNU: Sequence[_Rule] = (
    (Fault.NO_SUCH_HEADER, r"fatal error: (?P<name>[^:]{1,80}): No such file"),
    (Fault.STRANGE_CHARACTER, r"stray ['‘](?P<name>[^'’]{1,20})['’] in program|extended character"),
    (Fault.QUOTES, r"missing terminating|unterminated (?:string|character)|empty character constant"),
    (
        Fault.SEMICOLON,
        r"expected [^\n]{0,60}['‘];['’]|expected ';'|expected initializer before|expected ['‘],['’] or ['‘];['’]",
    ),
    (
        Fault.ELSE,
        r"['‘]else['’] without a previous ['‘]if['’]|expected ['‘]?(?:primary-)?expression['’]? before ['‘]else['’]",
    ),
    (
        Fault.BRACE,
        r"expected ['‘]}['’] (?:at end|before)|expected declaration before ['‘]}['’]|expected unqualified-id before ['‘]}['’]",
    ),
    (Fault.BRACKET, r"expected [^\n]{0,20}['‘][)\](]['’]"),
    (
        Fault.NAMESPACE,
        rf"{_Q} (?:was not declared|has not been declared|is not a member of)[^\n]*\n(?:[^\n]*\n){{1,4}}?[^\n]*(?:did you mean|suggested alternative)[^\n]*['‘]std::|{_Q} is not a member of ['‘]std['’]",
    ),
    (
        Fault.UNDECLARED,
        rf"{_Q} (?:was not declared in this scope|undeclared|does not name a type|has not been declared)|implicit declaration of function {_Q.replace('name', 'name2')}",
    ),
    (Fault.NO_MAIN, r"undefined reference to [`'‘]main['’]"),
    (Fault.NOT_DEFINED, r"undefined reference to [`'‘](?P<name>[^'’]{1,80})['’]"),
    (
        Fault.TWICE,
        rf"redefinition of {_Q}|redeclaration of {_Q.replace('name', 'name2')}|conflicting declaration|multiple definition of",
    ),
    (Fault.OPERATOR, r"no match for ['‘](?P<name>operator[^'’]{1,60})['’]|invalid operands"),
    (
        Fault.ARGUMENTS,
        r"no matching function for call to ['‘](?P<name>[^'’(]{1,60})|too (?:few|many) arguments to function",
    ),
    (Fault.MEMBER, rf"has no member named {_Q}|request for member {_Q.replace('name', 'name2')}"),
    (Fault.PRIVATE, rf"{_Q} is private within"),
    (Fault.CONSTANT, r"assignment of read-only|discards qualifiers|is not assignable|lvalue required"),
    (Fault.NOT_AN_ARRAY, r"invalid types [^\n]{1,80} for array subscript|subscripted value is neither array"),
    (
        Fault.TYPES,
        r"cannot convert|invalid conversion|incompatible types|invalid initialization|could not convert|invalid user-defined conversion|makes (?:pointer|integer) from",
    ),
    (Fault.SYNTAX, r"expected "),
)
_JAVAC: Sequence[_Rule] = (
    (Fault.SEMICOLON, r"error: ';' expected"),
    (
        Fault.BRACE,
        r"reached end of file while parsing|class, interface, enum, or record expected|class, interface, or enum expected",
    ),
    (Fault.QUOTES, r"unclosed (?:string|character) literal|empty character literal"),
    (Fault.STRANGE_CHARACTER, r"illegal character: ['‘](?P<name>[^'’]{1,10})['’]"),
    (Fault.ELSE, r"illegal start of type\n[^\n]*else|'else' without 'if'"),
    (Fault.BRACKET, r"error: ['‘]?[()\]\[]['’]? (?:or '[^']' )?expected|'\)' or ',' expected"),
    (Fault.UNDECLARED, r"cannot find symbol(?:\n[^\n]*){2,3}?\n\s*symbol:\s*\w+ (?P<name>[\w.]{1,60})"),
    (Fault.LOSSY, r"possible lossy conversion from (?P<name>\w+ to \w+)"),
    (
        Fault.TYPES,
        r"incompatible types|bad operand types? for|incomparable types|int cannot be dereferenced|cannot be dereferenced",
    ),
    (Fault.NO_RETURN, r"missing return (?:statement|value)"),
    (Fault.UNREPORTED, r"unreported exception (?P<name>\w+)"),
    (Fault.UNSET, r"variable (?P<name>\w+) might not have been initialized"),
    (Fault.UNREACHABLE, r"unreachable statement"),
    (Fault.TWICE, r"(?:variable|method|class) (?P<name>[\w()]{1,60}) is already defined|duplicate class"),
    (Fault.NOT_A_STATEMENT, r"not a statement|illegal start of expression"),
    (Fault.PRIVATE, r"(?P<name>\w+)(?:\([^)]*\))? has private access"),
    (
        Fault.STATIC,
        r"non-static (?:variable|method) (?P<name>[\w]{1,60})[^\n]{0,80} cannot be referenced from a static context",
    ),
    (Fault.ARGUMENTS, r"cannot be applied to given types|no suitable (?:method|constructor)"),
    (Fault.NOT_AN_ARRAY, r"array required, but (?P<name>\w+) found"),
    (Fault.CONSTANT, r"cannot assign a value to final variable (?P<name>\w+)"),
    (Fault.NO_MAIN, r"No class has a method"),
    (Fault.SYNTAX, r"<identifier> expected|illegal start of type|expected"),
)
_PYTHON: Sequence[_Rule] = (
    (Fault.ENCODING, r"not UTF-8|source code string cannot contain null bytes"),
    (Fault.TABS, r"TabError|inconsistent use of tabs"),
    (Fault.INDENT, r"IndentationError|expected an indented block|unexpected indent|unindent does not match"),
    (Fault.PRINT, r"Missing parentheses in call to 'print'"),
    (Fault.QUOTES, r"unterminated (?:triple-quoted )?(?:f-)?string|EOL while scanning"),
    (Fault.STRANGE_CHARACTER, r"invalid (?:non-printable )?character ['‘](?P<name>[^'’]{1,10})['’]|invalid character"),
    (Fault.BRACKET, r"was never closed|unmatched '|does not match opening parenthesis|unexpected EOF"),
    (Fault.COLON, r"expected ':'"),
    (Fault.EQUALS, r"[Mm]aybe you meant '==' |cannot assign to (?:comparison|expression)|':='"),
    (Fault.ASSIGN, r"cannot assign to (?P<name>[\w ]{1,40})"),
    (Fault.OUTSIDE, r"['‘](?P<name>return|break|continue|yield|await)['’] (?:outside|not properly in)"),
    (Fault.SYNTAX, r"SyntaxError"),
)
_RULES: Mapping[str, Sequence[_Rule]] = {"c": _GNU, "cpp": _GNU, "java": _JAVAC, "python3": _PYTHON}
_ERROR: Mapping[str, re.Pattern[str]] = {
    "gnu": re.compile(
        r"^(?:/box/|\./)?(?P<file>[^\s:]+):(?P<line>\d+)(?::\d+)?: (?:fatal )?error: |undefined reference", re.M
    ),
    "java": re.compile(r"^(?:/box/|\./)?(?P<file>[^\s:]+\.java):(?P<line>\d+): error: ", re.M),
    "python3": re.compile(r'^\s*File "(?:/box/)?(?P<file>[^"]+)", line (?P<line>\d+)', re.M),
}
_AFTER = 1_200
"""Characters of a message that belong to it."""


def explain_compile_error(log: str, code: str) -> Explained | None:
    """The first error of `log`; None when it is of no kind that is known here. `code`: of the language."""
    rules = _RULES.get(code)
    if rules is None:
        return None
    found = _ERROR["gnu" if rules is _GNU else code].search(log)
    start = found.start() if found else 0
    message = log[start : start + _AFTER]
    following = _ERROR["gnu" if rules is _GNU else code].search(message, found.end() - start) if found else None
    if following is not None and code != "python3":
        message = message[: following.start()]
    for fault, pattern in rules:
        match = re.search(pattern, message)
        if match is None:
            continue
        named = next((name for name in match.groupdict().values() if name), "")
        line = found.group("line") if found and found.groupdict().get("line") else None
        explained = Explained(
            fault=fault,
            line=int(line) if line and len(line) < 7 else None,
            file=(found.group("file") or "").rpartition("/")[2] if found else "",
            name=named[:60],
        )
        return _with_header(explained, code)
    return None


def _with_header(explained: Explained, code: str) -> Explained:
    """Where a name of the library is meant, what to include."""
    if explained.fault not in (Fault.UNDECLARED, Fault.NAMESPACE):
        return explained
    known = _JAVA_PACKAGES if code == "java" else _HEADERS
    header = known.get(explained.name.removeprefix("std::"), "")
    if not header or code == "python3":
        return explained
    if code == "c":
        header = _C_HEADERS.get(header, header)
    fault = Fault.HEADER
    return Explained(fault=fault, line=explained.line, file=explained.file, name=explained.name, more=header)
