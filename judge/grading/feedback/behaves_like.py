"""Whether a program does exactly what a mutant of the reference does: then its mistake has a name."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from judge.grading.feedback.bench import Bench, digest_of
from judge.grading.feedback.ground import FAILS, RESOURCES, Ground, Said, said_by
from judge.grading.feedback.metered import Spent
from judge.grading.feedback.tries import Tries
from judge.grading.verdict import Verdict

_ENOUGH = 3
"""Where words need not be the same, so many inputs must show the same fault. Where what is wrong carries nothing, so
many different right outputs must show that the program works otherwise."""
_SEVERAL = 2
"""So many failures that carry nothing are no chance."""
_NOTHING = frozenset(digest_of(text) for text in (b"", b"0", b"-1"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """A mutant that the program agrees with wherever the mutant differs from the reference."""

    mutant: str
    inputs: int
    """On so many inputs both fail in the same way."""
    exact: bool
    """The same words everywhere; else (where an output validator takes several answers) at least the same fault."""
    resources: bool = False
    """Both use up their time or memory."""
    lines: int = 0
    """Where one input is many joined: so many lines of output are the same."""


def behaves_like(bench: Bench, tries: Tries, ground: Ground) -> Likeness | None:
    """The mutant that the program behaves like; None when there is none, or the budget did not last.

    A right program is never like a mutant: on at least one probe it must be wrong itself, in the same way. That both
    print nothing, or what is the right answer to other inputs (`NO PATH`), is no evidence by itself.
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
            did[number] = said_by(tries.look(bench, text, answer))
            own_way = own_way or (
                did[number].verdict == Verdict.ACCEPTED and did[number].words != digest_of(answer.output)
            )
            alive = {name: said for name, said in alive.items() if _agree(said.get(number), did[number])}
    except Spent:
        return None
    stock = _stock(ground)
    told = [one for name, said in alive.items() if (one := _likeness(name, said, did, stock)) is not None]
    told = [one for one in told if one.exact or one.resources or (own_way and one.inputs >= _ENOUGH)]
    told.sort(key=lambda one: (not one.exact, -one.inputs))
    if not told or (len(told) > 1 and told[0].exact == told[1].exact):
        return None  # of two that fit as well, neither is told
    if not ground.joined:
        return told[0]
    whole = max(text.count(b"\n") for text in ground.probes)
    return replace(told[0], lines=whole if whole > 2 and told[0].exact else 0)


def _stock(ground: Ground) -> Collection[str]:
    """Digests of outputs that carry nothing: those that are right for several of the small inputs."""
    answers = Counter(digest_of(answer.output) for answer in ground.answers.values() if answer is not None)
    return _NOTHING | {words for words, times in answers.items() if times > 1}


def _agree(mutant: Said | None, program: Said) -> bool:
    """Whether both did the same: right, or wrong in the same way. Not known of the mutant: they may."""
    if mutant is None:
        return True
    if {mutant.verdict, program.verdict} <= RESOURCES:
        return True
    if mutant.verdict != program.verdict:
        return False
    if mutant.verdict != Verdict.WRONG_ANSWER:
        return True
    return mutant.words == program.words or (bool(mutant.note) and mutant.note == program.note)


def _likeness(name: str, said: Mapping[int, Said], did: Mapping[int, Said], stock: Collection[str]) -> Likeness | None:
    failed = [number for number in did if number in said and said[number].verdict in FAILS]
    telling = [
        number for number in failed if did[number].verdict == Verdict.WRONG_ANSWER and did[number].words not in stock
    ]
    works = {one.words for one in did.values() if one.verdict == Verdict.ACCEPTED and one.words not in stock}
    if not telling and (len(failed) < _SEVERAL or len(works) < _ENOUGH):
        return None
    resources = any(did[number].verdict in RESOURCES for number in failed)
    exact = not resources and all(said[number].words == did[number].words for number in failed)
    return Likeness(mutant=name, inputs=len(failed), exact=exact, resources=resources)
