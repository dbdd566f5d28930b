"""Depth-first: finds a way to every square, seldom the shortest."""

import sys

MOVES = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def search(square, target, seen):
    if square == target:
        return 0
    seen.add(square)
    for dx, dy in MOVES:
        to = square[0] + dx, square[1] + dy
        if 0 <= to[0] < 8 and 0 <= to[1] < 8 and to not in seen:
            found = search(to, target, seen)
            if found is not None:
                return found + 1
    return None


known = {}
for line in sys.stdin:
    a, b = line.split()
    if (a, b) not in known:
        start, target = [("abcdefgh".index(name[0]), int(name[1]) - 1) for name in (a, b)]
        known[a, b] = search(start, target, set())
    print(f"To get from {a} to {b} takes {known[a, b]} knight moves.")
