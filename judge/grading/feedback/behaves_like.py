"""Whether a program does exactly what a mutant of the reference does: then its mistake has a name."""

from collections.abc import Mapping
from dataclasses import dataclass

from judge.grading.executable import Executable
from judge.grading.feedback.bench import Bench, digest_of
from judge.grading.feedback.ground import Ground, Said, said_by
from judge.grading.feedback.metered import Spent
from judge.grading.verdict import Verdict

_ENOUGH = 3
"""Where words need not be the same, so many inputs must show the same fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """A mutant that the program agrees with wherever the mutant differs from the reference."""

    mutant: str
    inputs: int
    """On so many inputs both are wrong in the same way."""
    exact: bool
    """The same words everywhere; else (where an output validator takes several answers) at least the same fault."""


def behaves_like(bench: Bench, executable: Executable, ground: Ground) -> Likeness | None:
    """The mutant that the program behaves like; None when there is none, or the budget did not last.

    A right program is never like a mutant: on at least one probe it must be wrong itself, in the same way.
    Raises `SandboxFault`, `NoGround`.
    """
    alive = dict(ground.mutants)
    did: dict[int, Said] = {}
    own_way = False
    """It was right with other words than the reference: several answers are right, and it has its own."""
    try:
        for number, text in enumerate(ground.probes):
            if not alive:
                return None
            answer = bench.answer(text)
            if answer is None:
                continue
            did[number] = said_by(bench.look(executable, text, answer))
            own_way = own_way or (
                did[number].verdict == Verdict.ACCEPTED and did[number].words != digest_of(answer.output)
            )
            alive = {name: said for name, said in alive.items() if _agree(said.get(number), did[number])}
    except Spent:
        return None
    likenesses = [one for name, said in alive.items() if (one := _likeness(name, said, did)) is not None]
    likenesses = [one for one in likenesses if one.exact or (own_way and one.inputs >= _ENOUGH)]
    likenesses.sort(key=lambda one: (not one.exact, -one.inputs))
    if not likenesses or (len(likenesses) > 1 and likenesses[0].exact == likenesses[1].exact):
        return None  # of two that fit as well, neither is told
    return likenesses[0]


def _agree(mutant: Said | None, program: Said) -> bool:
    """Whether both did the same: right, or wrong in the same way. Not known of the mutant: they may."""
    if mutant is None:
        return True
    if mutant.verdict != program.verdict:
        return False
    if mutant.verdict != Verdict.WRONG_ANSWER:
        return True
    return mutant.words == program.words or (bool(mutant.note) and mutant.note == program.note)


def _likeness(name: str, said: Mapping[int, Said], did: Mapping[int, Said]) -> Likeness | None:
    wrong = [number for number in did if number in said and said[number].verdict == Verdict.WRONG_ANSWER]
    if not wrong:
        return None
    exact = all(said[number].words == did[number].words for number in wrong)
    return Likeness(mutant=name, inputs=len(wrong), exact=exact)
