"""Tries every order of the squares. It is done in time for 3 x 3; for more squares it does not even begin."""

import sys
from itertools import permutations

n, row, column = map(int, sys.stdin.read().split())
start = (row - 1, column - 1)
others = [(r, c) for r in range(n) for c in range(n) if (r, c) != start]
if len(others) > 8:
    sys.exit("too many orders to try")
for order in permutations(others):
    walk = (start, *order)
    if all(abs(a - c) * abs(b - d) == 2 for (a, b), (c, d) in zip(walk, walk[1:])):
        board = [[0] * n for _ in range(n)]
        for number, (r, c) in enumerate(walk, 1):
            board[r][c] = number
        for line in board:
            print(*line)
        break
else:
    print("NO TOUR")
