"""One-way breadth-first search, once for each line."""

import sys
from collections import deque

MOVES = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def distance(start, target):
    dist = {start: 0}
    queue = deque([start])
    while queue:
        square = queue.popleft()
        if square == target:
            return dist[square]
        column, row = square
        for dc, dr in MOVES:
            c, r = column + dc, row + dr
            if 0 <= c < 8 and 0 <= r < 8 and (c, r) not in dist:
                dist[c, r] = dist[square] + 1
                queue.append((c, r))
    return -1


def parse(name):
    return ord(name[0]) - ord("a"), int(name[1]) - 1


for line in sys.stdin:
    a, b = line.split()
    print(f"To get from {a} to {b} takes {distance(parse(a), parse(b))} knight moves.")
