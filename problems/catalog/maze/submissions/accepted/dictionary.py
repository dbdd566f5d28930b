"""Breadth-first search as one writes it first: cells are pairs, what is known about them stands in a dictionary."""

import sys
from collections import deque

MOVES = {"N": (0, -1, 1), "E": (1, 0, 2), "S": (0, 1, 4), "W": (-1, 0, 8)}


def read():
    rows = []
    for line in sys.stdin:
        line = line.strip()
        if not line:
            break
        rows.append(line)
    start = tuple(int(n) for n in input().split(","))
    end = tuple(int(n) for n in input().split(","))
    return rows, start, end


def solve(rows, start, end):
    parent = {start: None}
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        if cell == end:
            break
        x, y = cell
        for letter, (dx, dy, wall) in MOVES.items():
            neighbour = (x + dx, y + dy)
            if int(rows[y][x], 16) & wall == 0 and neighbour not in parent:
                parent[neighbour] = (cell, letter)
                queue.append(neighbour)
    if end not in parent:
        return "NO PATH"
    path = ""
    while parent[end] is not None:
        end, letter = parent[end]
        path += letter
    return path[::-1]


print(solve(*read()))
