"""Tries every order of the squares. It is done in time for 3 x 3; for more squares it does not even begin."""

import sys
from itertools import permutations

n, row, column = map(int, sys.stdin.read().split())
start = (row, column)
others = [(r, c) for r in range(1, n + 1) for c in range(1, n + 1) if (r, c) != start]
if len(others) > 8:
    sys.exit("too many orders to try")
tours = 0
for order in permutations(others):
    walk = (start, *order)
    if all(abs(a - c) * abs(b - d) == 2 for (a, b), (c, d) in zip(walk, walk[1:])):
        tours += 1
        print(f"Solution {tours}:")
        print(*(f"{r}-{c}" for r, c in walk))
        print()
