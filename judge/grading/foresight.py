"""What making a version of a package, or verifying it, is sure to find: told beforehand, and nothing is run for it."""

import re
from collections.abc import Iterator

from checktestdata.parser import ParserException, parse
from checktestdata.tokenizer import EOFException, UnexpectedTokenException, UnknownTokenException, tokenize

from judge.grading.checktestdata import ENDING
from judge.grading.compile import language_of
from problems.package.model import Content, Finding, Package, Program, Severity
from problems.say import say

PLACEHOLDER = "Your Name"
"""Whom the template names."""
_GRAMMAR_BYTES = 64 << 10
_COSTLY = re.compile(rb"\^|[0-9.][eE]")
"""In a grammar: powers of constants are worked out while it is parsed, so what has any is left to the box."""


def foreseen(package: Package) -> Iterator[Finding]:
    """The findings, which are more than those of reading it."""
    for example in package.examples:
        if not package.submit_answer and language_of(example.program, code=example.language) is None:
            message = say("said", "It is in no language that is judged here, and so nothing is known of it.")
            yield _finding(Severity.WARNING, example.program.name, "example-language", message)
    if PLACEHOLDER in (*package.credits, package.rights_owner):
        message = say("said", "`%(name)s` still stands here, as in the template: write who made it.", name=PLACEHOLDER)
        yield _finding(Severity.NOTICE, "problem.yaml", "template", message)
    for program in (*package.input_validators, package.output_validator, package.static_validator):
        if program is not None:
            yield from _of_validator(program)


def _of_validator(program: Program) -> Iterator[Finding]:
    texts = {name: _bytes(content) for name, content in program.files.items()}
    if not any(text.strip() for text in texts.values()):
        message = say("said", "There is nothing in this program, so it takes nothing: write it.")
        yield _finding(Severity.ERROR, program.name, "empty-validator", message)
    for text in texts.values() if program.name.endswith(ENDING) else ():
        line, fault = _fault(text)
        if line:
            message = say("said", "This grammar cannot be read: %(fault)s.", fault=fault)
            yield _finding(Severity.ERROR, f"{program.name}:{line}", "grammar", message)


def _fault(text: bytes) -> tuple[int, str]:
    """Line and fault of a grammar in Checktestdata; line 0: none is known."""
    if len(text) > _GRAMMAR_BYTES or _COSTLY.search(text):
        return 0, ""
    try:
        parse(tokenize(text))
    except (ParserException, UnexpectedTokenException, UnknownTokenException) as fault:
        return fault.token.line, str(fault)
    except EOFException:
        return text.rstrip().count(b"\n") + 1, say("part", "it ends too early")
    except (TypeError, ValueError, ArithmeticError, RecursionError) as fault:
        return 1, str(fault)
    return 0, ""


def _bytes(content: Content) -> bytes:
    return content if isinstance(content, bytes) else content.read_bytes()


def _finding(severity: Severity, where: str, rule: str, message: str) -> Finding:
    return Finding(severity=severity, where=where, rule=rule, message=message)
