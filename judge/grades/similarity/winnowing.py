"""Fingerprints of programs by winnowing, and what two programs have in common. Pure.

Of all runs of `RUN` tokens those are chosen whose hash is the least of `WINDOW` neighbours (Schleimer, Wilkerson,
Aiken: Winnowing, SIGMOD 2003): programs that share `RUN + WINDOW - 1` tokens in a row share a fingerprint, wherever
they stand. The libraries that do this read programs by expressions that nothing bounds, and bring a plotting library
along; so these few lines are ours.
"""

import hashlib
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from judge.grades.similarity.tokens import END, Token

RUN, WINDOW = 10, 5
PLACES = 8
"""A fingerprint that stands in a program more often is looked at so many times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprints:
    """What is compared of one program."""

    tokens: Sequence[Token]
    places: dict[int, list[int]]
    """Fingerprint -> tokens at which its run begins."""

    def without(self, known: AbstractSet[int]) -> "Fingerprints":
        return Fingerprints(tokens=self.tokens, places={key: at for key, at in self.places.items() if key not in known})

    def covered(self, among: Iterable[int]) -> int:
        """Tokens in runs of these fingerprints."""
        return len({at + step for key in among for at in self.places.get(key, ()) for step in range(RUN)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A stretch of both programs that is the same, as places of tokens; ends are behind the last."""

    one: tuple[int, int]
    other: tuple[int, int]


def runs(tokens: Sequence[Token]) -> list[int | None]:
    """Hash of each run of tokens by the place where it begins; None: it would go beyond the end of a file."""
    found: list[int | None] = []
    for at in range(len(tokens) - RUN + 1):
        texts = [token.text for token in tokens[at : at + RUN]]
        joined = "\0".join(texts).encode("utf-8", "surrogateescape")
        found.append(None if END in texts else int.from_bytes(hashlib.blake2b(joined, digest_size=8).digest(), "big"))
    return found


def fingerprints(tokens: Sequence[Token]) -> Fingerprints:
    hashes = [(key, -at) for at, key in enumerate(runs(tokens)) if key is not None]
    places: dict[int, set[int]] = {}
    for first in range(max(1, len(hashes) - WINDOW + 1)):
        window = hashes[first : first + WINDOW]
        if window:
            key, at = min(window)  # of equal ones the last
            places.setdefault(key, set()).add(-at)
    return Fingerprints(tokens=tokens, places={key: sorted(at) for key, at in places.items()})


def all_of(tokens: Sequence[Token]) -> frozenset[int]:
    """Every run, chosen or not: what is to be left out is left out wherever it begins."""
    return frozenset(key for key in runs(tokens) if key is not None)


def parts(one: Fingerprints, other: Fingerprints) -> list[Part]:
    """What both have, in the order of the first: runs that overlap or touch in both are one part, and what lies
    within larger parts on either side is none."""
    pairs = sorted(
        (here, there)
        for key in one.places.keys() & other.places.keys()
        for here in one.places[key][:PLACES]
        for there in other.places[key][:PLACES]
    )
    found: list[list[int]] = []
    for at, to in pairs:
        for part in found:
            if part[0] - part[2] == at - to and at <= part[1]:
                part[1], part[3] = at + RUN, to + RUN
                break
        else:
            found.append([at, at + RUN, to, to + RUN])
    kept: list[Part] = []
    here, there = set[int](), set[int]()
    for begin, end, start, stop in sorted(
        {_grown(part, one.tokens, other.tokens) for part in found}, key=lambda part: (part[0] - part[1], part)
    ):
        if not (here >= set(range(begin, end)) or there >= set(range(start, stop))):
            kept.append(Part(one=(begin, end), other=(start, stop)))
            here.update(range(begin, end))
            there.update(range(start, stop))
    return sorted(kept, key=lambda part: (part.one, part.other))


def _grown(part: list[int], one: Sequence[Token], other: Sequence[Token]) -> tuple[int, int, int, int]:
    """The same made longer at both ends as far as tokens are the same: between fingerprints nothing was looked at."""
    begin, end, start, stop = part
    while begin and start and one[begin - 1].text == other[start - 1].text != END:
        begin, start = begin - 1, start - 1
    while end < len(one) and stop < len(other) and one[end].text == other[stop].text != END:
        end, stop = end + 1, stop + 1
    return begin, end, start, stop
