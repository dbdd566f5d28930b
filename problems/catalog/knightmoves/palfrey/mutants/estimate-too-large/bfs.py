"""A* with columns plus rows as the estimate, which is more than the moves needed."""

import sys
from heapq import heappop, heappush

MOVES = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def parse(name: str) -> tuple[int, int]:
    return ord(name[0]) - ord("a"), int(name[1]) - 1


def distance(start: tuple[int, int], target: tuple[int, int]) -> int:
    closed = set()
    waiting = [(0, start, 0)]
    while waiting:
        _, square, taken = heappop(waiting)
        if square == target:
            return taken
        if square in closed:
            continue
        closed.add(square)
        column, row = square
        for dc, dr in MOVES:
            reached = column + dc, row + dr
            if reached not in closed and 0 <= reached[0] < 8 and 0 <= reached[1] < 8:
                estimate = abs(reached[0] - target[0]) + abs(reached[1] - target[1])
                heappush(waiting, (taken + 1 + estimate, reached, taken + 1))
    return -1


for line in sys.stdin:
    a, b = line.split()
    print(f"To get from {a} to {b} takes {distance(parse(a), parse(b))} knight moves.")
