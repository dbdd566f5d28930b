"""Answers the first line and stops."""

import sys
from collections import deque

MOVES = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def parse(name: str) -> tuple[int, int]:
    return ord(name[0]) - ord("a"), int(name[1]) - 1


def distance(start: tuple[int, int], target: tuple[int, int]) -> int:
    dist = {start: 0}
    queue = deque([start])
    while queue:
        square = queue.popleft()
        if square == target:
            return dist[square]
        column, row = square
        for dc, dr in MOVES:
            reached = column + dc, row + dr
            if reached not in dist and 0 <= reached[0] < 8 and 0 <= reached[1] < 8:
                dist[reached] = dist[square] + 1
                queue.append(reached)
    return -1


for line in sys.stdin:
    a, b = line.split()
    print(f"To get from {a} to {b} takes {distance(parse(a), parse(b))} knight moves.")
    break
