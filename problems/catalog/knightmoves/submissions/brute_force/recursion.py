"""Lowers the known distances by recursion from square to square: right, and far too much work for many lines."""

import sys

sys.setrecursionlimit(10_000)


def lower(square, steps, best):
    if best.get(square, 7) <= steps:
        return
    best[square] = steps
    column, row = square
    for dc, dr in ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)):
        if 0 <= column + dc < 8 and 0 <= row + dr < 8:
            lower((column + dc, row + dr), steps + 1, best)


for line in sys.stdin:
    a, b = line.split()
    best = {}
    lower((ord(a[0]) - 97, int(a[1]) - 1), 0, best)
    print("To get from", a, "to", b, "takes", best[ord(b[0]) - 97, int(b[1]) - 1], "knight moves.")
