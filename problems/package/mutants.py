"""`palfrey/mutants/`: programs with one known mistake each, and what to tell a student whose program behaves so."""

from problems.package.findings import Findings
from problems.package.hints import is_hint, read_hints
from problems.package.model import Mutant
from problems.package.programs import Shelf
from problems.package.tree import Tree
from problems.say import say

FOLDER = "palfrey/mutants"


def read_mutants(tree: Tree, shelf: Shelf, findings: Findings) -> tuple[Mutant, ...]:
    """Every folder of `palfrey/mutants/`: hints, and one program (a file, or a folder of files)."""
    mutants: list[Mutant] = []
    for name in tree.entries(FOLDER):
        where = f"{FOLDER}/{name}"
        programs = [one for one in tree.entries(where) if not is_hint(one)]
        if where in tree.files:
            findings.error(
                where, "mutant", say("said", "A mutant is a folder with a program and `hint.en.md`: put this into one.")
            )
        elif len(programs) != 1:
            findings.error(
                where, "mutant", say("said", "A mutant has exactly one program, a file or a folder: keep one.")
            )
        elif (hints := read_hints(tree, where, "mutant", findings)) and (
            program := shelf.program(f"{where}/{programs[0]}")
        ):
            mutants.append(Mutant(name=name, program=program, hints=hints))
    return tuple(mutants)
