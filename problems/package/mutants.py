"""`palfrey/mutants/`: programs with one known mistake each, and what to tell a student whose program behaves so."""

import re

from problems.package.findings import Findings
from problems.package.model import Mutant
from problems.package.problem_yaml import NATURAL_LANGUAGE
from problems.package.programs import Shelf
from problems.package.tree import Tree
from problems.say import say

FOLDER = "palfrey/mutants"
_HINT = re.compile(r"hint\.([^.]+)\.md")


def read_mutants(tree: Tree, shelf: Shelf, findings: Findings) -> tuple[Mutant, ...]:
    """Every folder of `palfrey/mutants/`: hints, and one program (a file, or a folder of files)."""
    mutants: list[Mutant] = []
    for name in tree.entries(FOLDER):
        where = f"{FOLDER}/{name}"
        entries = tree.entries(where)
        hints = {match[1]: tree.files[f"{where}/{one}"] for one in entries if (match := _HINT.fullmatch(one))}
        programs = [one for one in entries if not _HINT.fullmatch(one)]
        if where in tree.files:
            findings.error(
                where, "mutant", say("said", "A mutant is a folder with a program and `hint.en.md`: put this into one.")
            )
        elif len(programs) != 1:
            findings.error(
                where, "mutant", say("said", "A mutant has exactly one program, a file or a folder: keep one.")
            )
        elif not hints:
            findings.error(where, "mutant", say("said", "There is no hint: say in `hint.en.md` what mistake this is."))
        elif wrong := [language for language in hints if not NATURAL_LANGUAGE.fullmatch(language)]:
            findings.error(
                where,
                "mutant",
                say(
                    "said", "`%(language)s` is no code of a language, such as `en` or `pt-BR`.", language=wrong[0][:40]
                ),
            )
        elif program := shelf.program(f"{where}/{programs[0]}"):
            mutants.append(Mutant(name=name, program=program, hints=hints))
    return tuple(mutants)
