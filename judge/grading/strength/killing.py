"""Which cases are needed to find out all mutants that are found out at all."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

_STEPS = 50_000
"""After so many the search for the smallest set ends with the best one so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KillingSet:
    """Cases that together find out every mutant that any case does."""

    cases: tuple[str, ...]
    exact: bool
    """Whether there is surely no smaller set. False: looking through all was too much, and this is a small one."""


def smallest_set(cases: Sequence[str], killers: Mapping[str, Collection[str]]) -> KillingSet:
    """The fewest of `cases` that kill all mutants of `killers` (mutant -> the cases that kill it).

    Among cases that do the same the first in the order of `cases` is taken.
    """
    place = {case: number for number, case in enumerate(cases)}
    search = _Search(_needed([frozenset(place[case] for case in by) for by in killers.values() if by]))
    search.look((), search.rows)
    return KillingSet(cases=tuple(cases[number] for number in sorted(search.best)), exact=search.steps < _STEPS)


def adding_nothing(cases: Sequence[str], killers: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """The cases each of which could go alone, and every mutant that is killed would still be."""
    only = {next(iter(by)) for by in killers.values() if len(by) == 1}
    return tuple(case for case in cases if case not in only)


class _Search:
    """Looks for the smallest set of columns that meets every row: the row with the fewest choices first."""

    def __init__(self, rows: list[frozenset[int]]) -> None:
        self.rows = rows
        self.best = _greedy(rows)
        self.steps = 0

    def look(self, taken: tuple[int, ...], rows: list[frozenset[int]]) -> None:
        """Go on from the columns `taken`, which leave `rows` unmet."""
        if not rows:
            if len(taken) < len(self.best):
                self.best = taken
            return
        if len(taken) + _at_least(rows) >= len(self.best):
            return
        narrowest = min(rows, key=lambda row: (len(row), min(row)))
        for column in sorted(narrowest):
            self.steps += 1
            if self.steps >= _STEPS:
                return
            self.look((*taken, column), [row for row in rows if column not in row])


def _needed(rows: list[frozenset[int]]) -> list[frozenset[int]]:
    """Without rows that are met whenever another is, and columns that do no more than another."""
    while True:
        before = rows
        least: list[frozenset[int]] = []
        for row in sorted(set(rows), key=lambda row: (len(row), sorted(row))):
            if not any(other <= row for other in least):
                least.append(row)
        columns = {column: {n for n, row in enumerate(least) if column in row} for row in least for column in row}
        keep: list[int] = []
        for column in sorted(columns, key=lambda column: (-len(columns[column]), column)):
            if not any(columns[column] <= columns[other] for other in keep):
                keep.append(column)
        rows = [row & frozenset(keep) for row in least]
        if rows == before:
            return rows


def _greedy(rows: list[frozenset[int]]) -> tuple[int, ...]:
    taken: list[int] = []
    while rows:
        counts: dict[int, int] = {}
        for row in rows:
            for column in row:
                counts[column] = counts.get(column, 0) + 1
        column = min(counts, key=lambda column: (-counts[column], column))
        taken.append(column)
        rows = [row for row in rows if column not in row]
    return tuple(taken)


def _at_least(rows: list[frozenset[int]]) -> int:
    """So many columns are needed: rows that share none need one each."""
    return sum(1 for _ in _apart(rows))


def _apart(rows: list[frozenset[int]]) -> Iterator[frozenset[int]]:
    met: frozenset[int] = frozenset()
    for row in sorted(rows, key=len):
        if not row & met:
            met |= row
            yield row
