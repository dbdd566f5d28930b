"""`hint.<language>.md`: what to tell a student, in one language each."""

import re
from collections.abc import Mapping
from pathlib import Path

from problems.package.findings import Findings
from problems.package.problem_yaml import NATURAL_LANGUAGE
from problems.package.tree import Tree
from problems.say import say

_HINT = re.compile(r"hint\.([^.]+)\.md")


def is_hint(name: str) -> bool:
    return _HINT.fullmatch(name) is not None


def read_hints(tree: Tree, where: str, rule: str, findings: Findings) -> Mapping[str, Path]:
    """Language code -> file, of the folder `where`; nothing, and a finding under `rule`, when there is none or a
    language is none."""
    hints = {match[1]: tree.files[f"{where}/{one}"] for one in tree.entries(where) if (match := _HINT.fullmatch(one))}
    if not hints:
        findings.error(where, rule, say("said", "There is no hint: say in `hint.en.md` what mistake this is."))
    for language in hints:
        if not NATURAL_LANGUAGE.fullmatch(language):
            findings.error(
                where,
                rule,
                say(
                    "said", "`%(language)s` is no code of a language, such as `en` or `pt-BR`.", language=language[:40]
                ),
            )
            return {}
    return hints
