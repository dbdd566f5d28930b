"""What work asks of a worker, as words: languages by their ids, and the judge's own generation (`grading-1`).

A row that is owed carries its words, a worker knows its own, and takes only rows all of whose words are among them.
"""

from collections.abc import Iterable

from judge.grading.compile import language_of
from judge.grading.keys import FORMAT
from judge.grading.languages import LANGUAGES
from problems.package.model import Example, Package, Program

_GENERATION = "grading-"


def words(languages: Iterable[str]) -> str:
    """Of work to be done with these languages, as this code does it; what needs no compiler of a worker is left out."""
    return " ".join([f"{_GENERATION}{FORMAT}", *sorted(set(languages) & set(LANGUAGES))])


def offer(languages: Iterable[str], generation: int = FORMAT) -> frozenset[str]:
    """The words of a worker: its languages, and the generations of its own and of older code."""
    return frozenset(languages) | {f"{_GENERATION}{number}" for number in range(1, generation + 1)}


def languages_among(told: Iterable[str]) -> list[str]:
    """The languages among words, sorted."""
    return sorted(word for word in told if not word.startswith(_GENERATION))


def judging(package: Package) -> frozenset[str]:
    """Languages of what looks at submissions and at their outputs."""
    return _languages(package.output_validator, package.static_validator)


def lessons(package: Package) -> frozenset[str]:
    """Languages of what makes the figures of lessons."""
    return _languages(*package.tracers.values(), *package.generators.values(), *package.input_validators)


def feedback(package: Package) -> frozenset[str]:
    """Languages of what is run to find out what is wrong with a program."""
    small = package.feedback.small
    own = _languages(small.program if small else None, *(mutant.program for mutant in package.mutants))
    accepted = [one for one in package.examples if one.folder == "accepted"]
    return own | judging(package) | lessons(package) | (_of_examples(package.model_solution) if accepted else set())


def authoring(package: Package) -> frozenset[str]:
    """Languages of every program of the package."""
    pictures = _languages(package.input_visualizer, package.output_visualizer)
    return feedback(package) | pictures | _of_examples(*package.examples)


def _languages(*programs: Program | None) -> frozenset[str]:
    found = (language_of(program) for program in programs if program)
    return frozenset(language.id for language in found if language)


def _of_examples(*examples: Example) -> frozenset[str]:
    found = (language_of(one.program, code=one.language) for one in examples)
    return frozenset(language.id for language in found if language)
