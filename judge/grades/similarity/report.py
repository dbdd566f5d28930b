"""Which of many programs are alike, joined with who printed the same rare wrong outputs. Pure, and bounded.

Left out is what proves nothing: the code that was given to everybody, and what stands in the programs of many people,
because the problem asks for it.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from judge.grades.similarity.tokens import Token, tokens
from judge.grades.similarity.winnowing import Fingerprints, all_of, fingerprints, parts

FEWEST = 40
"""Tokens of its own that a program must have: of fewer nothing can be said."""
LEAST = 0.4
"""A smaller share is not listed."""
PAIRS, PARTS, GROUPS = 50, 100, 50
PROGRAMS = 2_000
"""More are not looked at."""
SECONDS = 120.0
"""So long at most it is worked on a report."""
SEVERAL = 5
"""What stands in programs of no more people than these is never taken for what everybody writes."""
OUTPUT_WEIGHT, OUTPUTS = 0.05, 6
"""How much a common wrong output counts beside the share, and how many of them count."""
ENOUGH = 2
"""Common rare wrong outputs by which two people are listed whose programs are not alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What somebody sent."""

    submission: int
    author: int
    code: str
    """Language code of the package format; only programs of the same are compared."""
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class SameOutput:
    """A wrong output that two people, and few others, have on the same case."""

    case: str
    digest: str
    submissions: tuple[int, int]
    """In the order of the authors' numbers."""


@dataclass(slots=True, kw_only=True)
class _Read:
    """A program that is compared, and those that are the same to the token."""

    program: Program
    whole: Fingerprints
    own: Fingerprints
    size: int
    """Tokens that its own fingerprints cover."""
    same: list[Program] = field(default_factory=list)

    @property
    def authors(self) -> set[int]:
        return {one.author for one in self.same}


@dataclass(slots=True, kw_only=True)
class _Pair:
    """Two that are to be looked at; by their programs, by their outputs, or both."""

    one: int
    other: int
    """Numbers of the submissions."""
    shares: tuple[float, float] = (0.0, 0.0)
    read: tuple[_Read, _Read] | None = None
    outputs: list[dict[str, Any]] = field(default_factory=list)

    @property
    def weight(self) -> float:
        return sum(self.shares) / 2 + OUTPUT_WEIGHT * min(len(self.outputs), OUTPUTS)

    def told(self) -> dict[str, Any]:
        return {
            "one": self.one,
            "other": self.other,
            "shares": self.shares,
            "parts": _parts(*self.read) if self.read else [],
            "outputs": self.outputs[:OUTPUTS],
            "outputs_in_all": len(self.outputs),
        }


def report(
    programs: Sequence[Program],
    given: Iterable[Mapping[str, bytes]],
    outputs: Mapping[tuple[int, int], Sequence[SameOutput]],
    *,
    seconds: float = SECONDS,
) -> dict[str, Any]:
    """The report as JSON. `given`: files that everybody had. `outputs`: (author, author), lesser number first -> what
    both got wrong alike."""
    ends = time.monotonic() + seconds
    left_out = Counter({"many": max(0, len(programs) - PROGRAMS)})
    pairs: list[_Pair] = []
    groups: list[list[int]] = []
    cut = False
    by_code: dict[str, list[Program]] = defaultdict(list)
    for program in programs[:PROGRAMS]:
        by_code[program.code].append(program)
    given = list(given)
    for code, mine in sorted(by_code.items()):
        read, short = _read(mine, _known(given, code), code, ends)
        left_out.update(short)
        groups += [[one.submission for one in each.same] for each in read if len(each.authors) > 1]
        found, all_done = _pairs(read, ends)
        cut = cut or not all_done
        pairs += found
    _join(pairs, groups, programs, outputs)
    pairs.sort(key=lambda pair: (-pair.weight, -len(pair.outputs), pair.one, pair.other))
    return {
        "programs": len(programs),
        "left_out": {name: number for name, number in left_out.items() if number},
        "pairs": [pair.told() for pair in pairs[:PAIRS]],
        "more": max(0, len(pairs) - PAIRS),
        "groups": sorted(groups, key=lambda group: (-len(group), group))[:GROUPS],
        "cut": cut,
    }


def _known(given: Iterable[Mapping[str, bytes]], code: str) -> frozenset[int]:
    """Everything that stands in what was given to all."""
    found: frozenset[int] = frozenset()
    for files in given:
        found |= all_of(tokens(files, code) or [])
    return found


def _read(
    programs: Sequence[Program], known: frozenset[int], code: str, ends: float
) -> tuple[list[_Read], Counter[str]]:
    """The different programs in one language, without what was given and what many write; and why some are missing."""
    left_out: Counter[str] = Counter()
    different: dict[tuple[str, ...], tuple[list[Token], list[Program]]] = {}
    for program in programs:
        seen = tokens(program.files, code) if time.monotonic() < ends else None
        if seen is None:
            left_out["unread"] += 1
        else:
            different.setdefault(tuple(token.text for token in seen), (seen, []))[1].append(program)
    read = []
    people: dict[int, set[int]] = defaultdict(set)
    for seen, same in different.values():
        whole = fingerprints(seen).without(known)
        read.append(_Read(program=same[0], whole=whole, own=whole, size=0, same=same))
        for key in whole.places:
            people[key] |= read[-1].authors
    many = max(SEVERAL, len({one.author for one in programs}) // 3)
    usual = {key for key, who in people.items() if len(who) > many}
    kept = []
    for one in read:
        if one.whole.covered(one.whole.places) < FEWEST:
            left_out["short"] += len(one.same)
            continue
        one.own = one.whole.without(usual)
        one.size = one.own.covered(one.own.places)
        kept.append(one)
    return kept, left_out


def _pairs(read: Sequence[_Read], ends: float) -> tuple[list[_Pair], bool]:
    """Those that are alike; False when the time was over before all were seen."""
    holders: dict[int, list[int]] = defaultdict(list)
    for number, one in enumerate(read):
        for key in one.own.places:
            holders[key].append(number)
    shared: Counter[tuple[int, int]] = Counter()
    for who in holders.values():
        if time.monotonic() > ends:
            return [], False
        shared.update(combinations(who, 2))
    found: list[_Pair] = []
    for (here, there), _ in shared.most_common():
        if time.monotonic() > ends:
            return found, False
        one, other = read[here], read[there]
        if one.size >= FEWEST and other.size >= FEWEST:
            both = one.own.places.keys() & other.own.places.keys()
            shares = one.own.covered(both) / one.size, other.own.covered(both) / other.size
            if max(shares) >= LEAST:
                names = one.program.submission, other.program.submission
                found.append(_Pair(one=names[0], other=names[1], shares=shares, read=(one, other)))
    return found, True


def _parts(one: _Read, other: _Read) -> list[list[list[int]]]:
    """Of each part, for both: file, first character and the one behind the last."""
    return [
        [
            [seen[begin].file, seen[begin].start, seen[end - 1].end]
            for seen, (begin, end) in ((one.own.tokens, part.one), (other.own.tokens, part.other))
        ]
        for part in parts(one.own, other.own)[:PARTS]
    ]


def _join(
    pairs: list[_Pair],
    groups: Sequence[Sequence[int]],
    programs: Sequence[Program],
    outputs: Mapping[tuple[int, int], Sequence[SameOutput]],
) -> None:
    """Put the common wrong outputs to the pairs. Those of people that are in no pair make one, of what printed them."""
    author = {one.submission: one.author for one in programs}
    places = {frozenset((author[pair.one], author[pair.other])): pair for pair in pairs}
    together = {frozenset(two) for group in groups for two in combinations([author[one] for one in group], 2)}
    for (one, other), same in outputs.items():
        people = frozenset((one, other))
        pair = places.get(people)
        if pair is None:
            if len(same) < ENOUGH or people in together:
                continue
            pair = _Pair(one=same[0].submissions[0], other=same[0].submissions[1])
            pairs.append(pair)
        pair.outputs = list(_outputs(same, in_order=author.get(pair.one, one) == one))


def _outputs(same: Iterable[SameOutput], *, in_order: bool) -> Iterator[dict[str, Any]]:
    for each in same:
        one, other = each.submissions if in_order else each.submissions[::-1]
        yield {"case": each.case, "digest": each.digest, "one": one, "other": other}
