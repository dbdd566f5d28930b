"""The programs that a package's cases should find out: its own mutants, its wrong examples, and ones that are made."""

import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, zip_longest

from judge.grading.compile import language_of
from judge.grading.strength import cpp, python
from judge.grading.strength.mutation import Mutation, Operator, difference
from problems.package.model import Example, Package, Program

_BOM = b"\xef\xbb\xbf"
_GRAMMARS: dict[str, tuple[Callable[[bytes], list[Mutation]], Callable[[bytes], bytes | None]]] = {
    "python3": (python.mutations, python.normal),
    "cpp": (cpp.mutations, cpp.normal),
    "c": (cpp.mutations, cpp.normal),
}


class Origin(StrEnum):
    """Where a mutant comes from."""

    AUTHOR = "author"
    """The package's folder `palfrey/mutants/`."""
    EXAMPLE = "example"
    """An example submission that must not be accepted."""
    MADE = "made"
    """A right solution with one small mistake put into it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """What there is to tell of a mutant."""

    id: str
    """The same mistake in the same package has the same."""
    origin: Origin
    name: str
    """Of the program, or of the file that was changed."""
    said: str = ""
    """What was done, in words."""
    operator: Operator | None = None
    line: int | None = None
    """Where, in the file that was changed."""
    diff: str = ""
    """From the right solution to this; empty where there is no such."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A mutant, and the program to run. `code`: its language, where the package says it."""

    mutant: Mutant
    program: Program
    code: str | None = None


def solution_called(package: Package, name: str = "") -> Example | None:
    """The accepted example that mistakes can be put into: the model solution, if it is in Python, C or C++, else the
    first that is. With `name`: the one whose path ends so. None when there is no such.
    """
    model = package.model_solution
    accepted = [model, *(one for one in package.examples if one.folder == "accepted" and one is not model)]
    fit = (one for one in accepted if _grammar(one) is not None)
    return next((one for one in fit if f"/{one.program.name}".endswith(f"/{name}" if name else "")), None)


def given(package: Package) -> list[Subject]:
    """The package's own mutants and wrong examples, in a language that is judged here.

    An example that need only be too slow says something of the time limit and nothing of what is asked.
    """
    mutants = [
        Subject(
            mutant=Mutant(id=f"mutants/{one.name}", origin=Origin.AUTHOR, name=one.name.replace("-", " ")),
            program=one.program,
        )
        for one in package.mutants
    ]
    examples = [
        Subject(
            mutant=Mutant(
                id=one.program.name, origin=Origin.EXAMPLE, name=one.program.name.removeprefix("submissions/")
            ),
            program=one.program,
            code=one.language,
        )
        for one in package.examples
        if one.folder != "accepted" and one.required and one.required != {"TLE"} and "CE" not in one.permitted
    ]
    return [one for one in (*mutants, *examples) if language_of(one.program, code=one.code) is not None]


def made(solution: Example, seed: int) -> Iterator[Subject]:
    """Mutants of `solution`, one mistake each, of every kind in turn; which come first depends on `seed` alone.

    Those that are the same program give one. Not all of them compile.
    """
    grammar = _grammar(solution)
    assert grammar is not None
    mutations, normal = grammar
    language = language_of(solution.program, code=solution.language)
    assert language is not None
    files = {name: content.removeprefix(_BOM) for name, content in solution.program.files.items()}
    kinds: dict[Operator, list[tuple[str, Mutation]]] = {operator: [] for operator in Operator}
    seen = set()
    for name in sorted(name for name in files if name.endswith(language.suffixes) or len(files) == 1):
        seen.add((name, normal(files[name])))
        try:
            for mutation in mutations(files[name]):
                kinds[mutation.operator].append((name, mutation))
        except (SyntaxError, RecursionError):
            continue
    draw = random.Random(seed)  # noqa: S311 - nothing is kept secret by it
    for ones in kinds.values():
        draw.shuffle(ones)
    for one in chain.from_iterable(zip_longest(*kinds.values())):
        if one is None:
            continue
        name, mutation = one
        content = mutation.of(files[name])
        same = name, normal(content)
        if same[1] is None or same in seen:
            continue
        seen.add(same)
        yield Subject(
            mutant=Mutant(
                id=f"{name}:{mutation.line}:{hashlib.sha256(content).hexdigest()[:8]}",
                origin=Origin.MADE,
                name=name,
                said=mutation.said,
                operator=mutation.operator,
                line=mutation.line,
                diff=difference(name, files[name], content),
            ),
            program=replace(solution.program, files={**files, name: content}),
            code=solution.language,
        )


def _grammar(
    example: Example,
) -> tuple[Callable[[bytes], list[Mutation]], Callable[[bytes], bytes | None]] | None:
    language = language_of(example.program, code=example.language)
    return _GRAMMARS.get(language.code) if language else None
