"""What is made once for a version: its small inputs with what is right there, and what its mutants do on them."""

import base64
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeVar

from judge.grading.feedback.bench import Answer, Bench, NoGround, Seen, digest_of, settings_of
from judge.grading.feedback.small import around, offered
from judge.grading.job import ReadyCase
from judge.grading.verdict import Verdict
from judge.grading.workshop import Workshop
from problems.package.model import Mutant, Package
from sandbox.contract import Sandbox

T = TypeVar("T")

FORM = 3
"""Changed when what is made of the same version changes."""
_PROBES = 36
"""Inputs on which every mutant is run."""
_EACH = 4
"""Of those on which a mutant is wrong, so many are kept as probes for it."""
_RIGHT = 3
"""So many probes are kept on which it is right."""
_RARE = 2
"""For a mutant that is wrong on fewer probes, more are looked for, so that a program like it can be told."""
_LOOKED = 120
"""Among so many of the small inputs."""
_JOINED_PROBES = 5
_LARGEST = 3
"""Among them are so many of the largest small inputs: on them who is slow is seen."""
RESOURCES = frozenset({Verdict.TIME_LIMIT_EXCEEDED.value, Verdict.MEMORY_LIMIT_EXCEEDED.value})
"""Which of the two is used up first says nothing of the mistake."""
FAILS = frozenset({Verdict.WRONG_ANSWER.value, *RESOURCES})
"""What is compared where a mutant goes wrong."""
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a mutant did on a probe: its verdict, the words it printed, what the validator told."""

    verdict: str
    words: str
    """Digest of what it printed, without regard to spacing."""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What searches of a version stand on."""

    inputs: tuple[bytes, ...] = ()
    """Smallest first."""
    listed: bool = False
    """They are the author's own list, not what was made of the samples."""
    joined: bool = False
    answers: Mapping[str, Answer | None] = field(default_factory=dict)
    probes: tuple[bytes, ...] = ()
    """Inputs on which a program is compared with the mutants; a probe may be many inputs joined."""
    mutants: Mapping[str, Mapping[int, Said]] = field(default_factory=dict)
    """Name of a mutant -> number of a probe -> what it did there."""
    complete: bool = False
    """Whether the mutants were run."""

    def packed(self) -> bytes:
        """As bytes, to be kept."""
        return json.dumps(
            {
                "form": FORM,
                "inputs": [_text(one) for one in self.inputs],
                "listed": self.listed,
                "joined": self.joined,
                "complete": self.complete,
                "answers": {
                    key: None if one is None else [_text(one.output), one.cpu_seconds]
                    for key, one in self.answers.items()
                },
                "probes": [_text(one) for one in self.probes],
                "mutants": {
                    name: {str(probe): [one.verdict, one.words, one.note] for probe, one in said.items()}
                    for name, said in self.mutants.items()
                },
            }
        ).encode()

    @classmethod
    def unpacked(cls, kept: bytes) -> "Ground | None":
        """What `packed` gave; None for one of an older form."""
        read: dict[str, Any] = json.loads(kept)
        if read.get("form") != FORM:
            return None
        return cls(
            inputs=tuple(_bytes(one) for one in read["inputs"]),
            listed=read["listed"],
            joined=read["joined"],
            complete=read["complete"],
            answers={
                key: None if one is None else Answer(output=_bytes(one[0]), cpu_seconds=one[1])
                for key, one in read["answers"].items()
            },
            probes=tuple(_bytes(one) for one in read["probes"]),
            mutants={
                name: {int(probe): Said(verdict=one[0], words=one[1], note=one[2]) for probe, one in said.items()}
                for name, said in read["mutants"].items()
            },
        )


def make_ground(bench: Bench, cases: Sequence[ReadyCase]) -> Ground:
    """All but the mutants, which take longer. Raises `NoGround`, `SandboxFault`."""
    package = bench.package
    inputs = offered(package, bench.box, bench.workshop)
    listed = bool(inputs)
    samples = [case for case in cases if case.group == "sample"]
    small = package.feedback.small
    joined = listed and small is not None and small.joined and _answer_joined(bench, inputs)
    if not listed:
        inputs = tuple(text for text in around(samples) if bench.legal(text))
    if not joined:
        for text in inputs:
            bench.answer(text)
    return Ground(inputs=inputs, listed=listed, joined=joined, answers=dict(bench.answers))


class Grounds:
    """The ground of one version: taken from where it was `kept`, else made, and handed to `keep`."""

    def __init__(
        self,
        package: Package,
        cases: Sequence[ReadyCase],
        box: Sandbox,
        workshop: Workshop,
        *,
        kept: Callable[[], bytes | None] = lambda: None,
        keep: Callable[[bytes], None] = lambda _: None,
    ) -> None:
        self._cases, self._keep = cases, keep
        self._package, self._box, self._workshop = package, box, workshop
        found = kept()
        self._ground = Ground.unpacked(found) if found is not None else None

    def bench(self, box: Sandbox) -> Bench:
        """Where programs are tried in `box`, with the answers that are known."""
        answers = dict(self._ground.answers) if self._ground is not None else {}
        return Bench(
            package=self._package, box=box, workshop=self._workshop, settings=settings_of(self._cases), answers=answers
        )

    def small(self) -> Ground:
        """With the small inputs. Raises `NoGround`, `SandboxFault`."""
        if self._ground is None:
            with self.bench(self._box) as bench:
                self._ground = make_ground(bench, self._cases)
            self._keep(self._ground.packed())
        return self._ground

    def full(self) -> Ground:
        """With what the mutants do as well. Raises `NoGround`, `SandboxFault`."""
        ground = self.small()
        if not ground.complete:
            with self.bench(self._box) as bench:
                self._ground = ground = with_mutants(ground, bench, self._cases)
            self._keep(ground.packed())
        return ground


def _answer_joined(bench: Bench, inputs: Sequence[bytes]) -> bool:
    """Answer all of them in one run; False when the lines do not come out one for one."""
    whole = bench.answer(b"".join(inputs))
    lines = [] if whole is None else [line for line in whole.output.split(b"\n") if line.strip()]
    if whole is None or len(lines) != len(inputs):
        return False
    each = whole.cpu_seconds / len(inputs)
    for text, line in zip(inputs, lines, strict=True):
        bench.answers[digest_of(text)] = Answer(output=line + b"\n", cpu_seconds=each)
    return True


def with_mutants(ground: Ground, bench: Bench, cases: Sequence[ReadyCase]) -> Ground:
    """The same, and what every mutant does on the probes. Mutants that do nothing wrong there are left out.

    Raises `NoGround`, `SandboxFault`.
    """
    samples = [case.input.read_bytes() for case in cases if case.group == "sample"]
    probes = tuple(dict.fromkeys([*samples, *_probes(ground)]))
    mutants = {mutant.name: mutant for mutant in bench.package.mutants}
    said = {name: _said(mutant, bench, enumerate(probes)) for name, mutant in mutants.items()}
    if not ground.joined and (more := _more(ground, bench, said, probes)):
        for name, mutant in mutants.items():
            said[name] |= _said(mutant, bench, enumerate(more, start=len(probes)))
        probes += more
    found = {name: known for name, known in said.items() if any(one.verdict in FAILS for one in known.values())}
    needed = sorted(_needed(found.values()))
    place = {old: new for new, old in enumerate(needed)}
    return Ground(
        inputs=ground.inputs,
        listed=ground.listed,
        joined=ground.joined,
        complete=True,
        answers=dict(bench.answers),
        probes=tuple(probes[old] for old in needed),
        mutants={
            name: {place[probe]: one for probe, one in said.items() if probe in place} for name, said in found.items()
        },
    )


def _probes(ground: Ground) -> list[bytes]:
    if ground.joined:
        lines = list(ground.inputs)
        step = max(len(lines) // _JOINED_PROBES, 1)
        spread = lines[step // 2 :: step]
        return [b"".join(lines), *spread, *(one + other for one, other in pairwise(spread))]
    return [*_spread(ground.inputs[:-_LARGEST], _PROBES), *ground.inputs[-_LARGEST:]]


def _more(
    ground: Ground, bench: Bench, said: Mapping[str, Mapping[int, Said]], probes: Sequence[bytes]
) -> tuple[bytes, ...]:
    """More inputs on which mutants go wrong that hardly ever do so on the probes."""
    others = _spread([text for text in ground.inputs if text not in probes], _LOOKED)
    more: list[bytes] = []
    for mutant in bench.package.mutants:
        wrong = sum(one.verdict in FAILS for one in said[mutant.name].values())
        if not 0 < wrong < _RARE:
            continue
        for text in others:
            if any(one.verdict in FAILS for one in _said(mutant, bench, [(0, text)]).values()):
                wrong += 1
                more.append(text)
                if wrong == _RARE:
                    break
    return tuple(dict.fromkeys(more))


def _said(mutant: Mutant, bench: Bench, probes: Iterable[tuple[int, bytes]]) -> dict[int, Said]:
    """What a mutant did on numbered probes; those after the third on which it was too slow are left out."""
    try:
        executable = bench.compiled(mutant.program)
    except NoGround:
        return {}
    said: dict[int, Said] = {}
    slow = 0
    for number, text in probes:
        answer = bench.answer(text)
        if answer is None:
            continue
        seen = bench.look(executable, text, answer)
        said[number] = said_by(seen)
        slow += seen.verdict == Verdict.TIME_LIMIT_EXCEEDED
        if slow == 3:
            break
    return said


def said_by(seen: Seen) -> Said:
    """What is compared of two programs. Which row or step the validator names depends on the answer that was chosen."""
    return Said(
        verdict=seen.verdict.value, words=digest_of(seen.output), note=_DIGITS.sub("#", seen.note.strip())[:400]
    )


def _needed(all_said: Iterable[Mapping[int, Said]]) -> set[int]:
    """The probes that tell the mutants from the reference, and some on which they do as it does."""
    needed: set[int] = set()
    for said in all_said:
        wrong = {number: one.words for number, one in said.items() if one.verdict in FAILS}
        right = {number: one.words for number, one in said.items() if one.verdict == Verdict.ACCEPTED}
        needed.update(_telling(wrong, _EACH))
        needed.update(_telling(right, _RIGHT))
    return needed


def _telling(words: Mapping[int, str], most: int) -> list[int]:
    """So many probes of those with these words, first such as have words of their own: they tell more."""
    own = sorted({word: number for number, word in words.items()}.values())
    rest = [number for number in words if number not in own]
    return [*_spread(own, most), *_spread(rest, most)][:most]


def _spread(numbers: Sequence[T], most: int) -> list[T]:
    if len(numbers) <= most:
        return list(numbers)
    return [numbers[place * len(numbers) // most] for place in range(most)]


def _text(content: bytes) -> str:
    return base64.b85encode(content).decode()


def _bytes(text: str) -> bytes:
    return base64.b85decode(text)
