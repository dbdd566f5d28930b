"""Breadth-first search from the entry; each cell remembers the cell it was discovered from."""

import sys
from collections import deque

STEPS = (("N", 1, 0, -1), ("E", 2, 1, 0), ("S", 4, 0, 1), ("W", 8, -1, 0))


def shortest_path(rows, entry, goal):
    walls = [[int(digit, 16) for digit in row] for row in rows]
    came_from = [[None] * len(row) for row in rows]
    came_from[entry[1]][entry[0]] = ""
    queue = deque([entry])
    while queue:
        x, y = queue.popleft()
        if (x, y) == goal:
            break
        cell = walls[y][x]
        for letter, wall, dx, dy in STEPS:
            if not cell & wall and came_from[y + dy][x + dx] is None:
                came_from[y + dy][x + dx] = letter
                queue.append((x + dx, y + dy))

    x, y = goal
    if came_from[y][x] is None:
        return "NO PATH"
    back = {letter: (dx, dy) for letter, _, dx, dy in STEPS}
    path = []
    while came_from[y][x]:
        letter = came_from[y][x]
        path.append(letter)
        x, y = x - back[letter][0], y - back[letter][1]
    return "".join(reversed(path))


lines = sys.stdin.read().split("\n")
height = lines.index("")
entry, goal = (tuple(map(int, line.split(","))) for line in lines[height + 1 : height + 3])
print(shortest_path(lines[:height], entry, goal))
