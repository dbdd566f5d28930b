"""When a program is told to be like one with a known mistake: only where what both say is evidence of it."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import cast

import pytest

from judge.grading.executable import Executable
from judge.grading.feedback.behaves_like import Likeness, behaves_like
from judge.grading.feedback.bench import Answer, Bench, Seen, digest_of
from judge.grading.feedback.ground import FAILS, Ground, _telling, said_by, with_mutants
from judge.grading.feedback.tries import Tries
from judge.grading.verdict import Verdict
from sandbox.contract import Ending, Outcome

TIME, MEMORY = b"<time>", b"<memory>"
"""Instead of an output: what was used up."""
VERDICTS = {TIME: Verdict.TIME_LIMIT_EXCEEDED, MEMORY: Verdict.MEMORY_LIMIT_EXCEEDED}
RIGHT = (b"NO PATH", b"E", b"ES", b"ESE", b"NO PATH", b"SSE", b"SS")
"""The right answers to the probes 0 to 6."""


class Table:
    """Stands for a bench: what the program prints on each probe is in a table."""

    def __init__(self, outputs: Sequence[bytes]) -> None:
        self._outputs = outputs

    def answer(self, text: bytes) -> Answer:
        return Answer(output=RIGHT[int(text)], cpu_seconds=0.01)

    def look(self, _executable: object, text: bytes, answer: Answer) -> Seen:
        return seen(self._outputs[int(text)], answer.output)


def seen(printed: bytes, right: bytes) -> Seen:
    outcome = Outcome(
        ending=Ending.EXITED, exit_code=0, signal=None, cpu_seconds=0.1, wall_seconds=0.1, memory_bytes=1,
        stdout=printed, stderr=b"",
    )  # fmt: skip
    verdict = VERDICTS.get(printed, Verdict.ACCEPTED if printed == right else Verdict.WRONG_ANSWER)
    return Seen(verdict=verdict, outcome=outcome)


def like(mutants: Mapping[str, Sequence[bytes]], program: Sequence[bytes]) -> Likeness | None:
    """What is told of `program`, where these are the outputs of the mutants."""
    probes = tuple(b"%d" % number for number in range(len(RIGHT)))
    ground = Ground(
        probes=probes,
        answers={
            digest_of(text): Answer(output=right, cpu_seconds=0.01) for text, right in zip(probes, RIGHT, strict=True)
        },
        mutants={
            name: {
                number: said_by(seen(printed, right))
                for number, (printed, right) in enumerate(zip(outputs, RIGHT, strict=True))
            }
            for name, outputs in mutants.items()
        },
    )
    return behaves_like(cast(Bench, Table(program)), Tries(cast(Executable, None)), ground)


NONE = (b"",) * 7
SHORT = (b"NO PATH", b"", b"E", b"ES", b"NO PATH", b"SS", b"S")
SILENT = (b"", *RIGHT[1:4], b"", *RIGHT[5:])
LATE = (*RIGHT[:3], TIME, RIGHT[4], TIME, RIGHT[6])


@pytest.mark.parametrize(
    ("mutant", "program", "expected"),
    [
        (SHORT, SHORT, (5, True, False)),
        (NONE, NONE, None),  # nothing is printed for a hundred reasons
        ((b"NO PATH",) * 7, (b"NO PATH",) * 7, None),
        ((b"0",) * 7, (b"0",) * 7, None),
        (SILENT, SILENT, (2, True, False)),  # it works otherwise
        ((b"", *RIGHT[1:]), (b"", *RIGHT[1:]), None),  # once may be chance
        ((*RIGHT[:5], b"SSS", RIGHT[6]), (*RIGHT[:5], b"SSS", RIGHT[6]), (1, True, False)),
        (LATE, (*RIGHT[:3], MEMORY, RIGHT[4], TIME, RIGHT[6]), (2, False, True)),
        (LATE, (*RIGHT[:2], TIME, TIME, RIGHT[4], TIME, RIGHT[6]), None),  # slow also where the mutant is not
        ((TIME,) * 7, (TIME,) * 7, None),
    ],
)
def test_what_is_evidence(
    mutant: Sequence[bytes], program: Sequence[bytes], expected: tuple[int, bool, bool] | None
) -> None:
    told = like({"mutant": mutant}, program)
    assert (told and (told.inputs, told.exact, told.resources)) == expected


def test_of_two_that_fit_neither_is_told() -> None:
    assert like({"one": SHORT, "other": SHORT}, SHORT) is None


def test_probes_with_words_of_their_own_are_kept_first() -> None:
    words = {0: "no", 1: "no", 2: "no", 3: "no", 4: "EE", 5: "no", 6: "SW"}
    assert {4, 6} <= set(_telling(words, 4))
    assert len(_telling(words, 4)) == 4
    assert len(_telling({0: "no", 1: "no"}, 4)) == 2, "those that are alike are taken as well"


class Seldom(Table):
    """A bench whose one mutant goes wrong on the first input and on few others."""

    def __init__(self, wrong: set[bytes]) -> None:
        self._wrong = wrong
        self.package = SimpleNamespace(mutants=[SimpleNamespace(name="seldom", program=None)])
        self.answers: dict[str, Answer] = {}

    def compiled(self, _program: object) -> None:
        pass

    def answer(self, text: bytes) -> Answer:
        return Answer(output=text, cpu_seconds=0.01)

    def look(self, _executable: object, text: bytes, answer: Answer) -> Seen:
        return seen(b"none" if text in self._wrong else text, answer.output)


def test_a_mutant_that_is_seldom_wrong_gets_more_probes() -> None:
    inputs = tuple(b"%d" % number for number in range(200))
    # Of the inputs that are spread over all as probes only the first is one of these.
    ground = with_mutants(Ground(inputs=inputs), cast(Bench, Seldom({b"0", b"22", b"118"})), [])
    said = ground.mutants["seldom"]
    assert [ground.probes[number] for number, one in said.items() if one.verdict in FAILS] == [b"0", b"22"]
