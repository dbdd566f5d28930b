"""Asks for the k-th tour, k = 0, 1, 2, ..., and the search starts from the beginning each time."""

from itertools import count, islice

n, row, column = map(int, input().split())
squares = [(r, c) for r in range(1, n + 1) for c in range(1, n + 1)]
near = {(r, c): [(a, b) for a, b in squares if (a - r) ** 2 + (b - c) ** 2 == 5] for r, c in squares}


def tours(walk):
    if len(walk) == n * n:
        yield walk
        return
    for square in near[walk[-1]]:
        if square not in walk:
            yield from tours([*walk, square])


for k in count():
    tour = next(islice(tours([(row, column)]), k, None), None)
    if tour is None:
        break
    print(f"Solution {k + 1}:")
    print(*(f"{r}-{c}" for r, c in tour))
    print()
