"""Reads `x,y` as row and column."""

import sys
from collections import deque

lines = sys.stdin.read().split("\n")
height = lines.index("")
rows = [[int(c, 16) for c in row] for row in lines[:height]]
start, end = (tuple(map(int, reversed(line.split(",")))) for line in lines[height + 1 : height + 3])

moves = [("N", 0, -1, 1), ("E", 1, 0, 2), ("S", 0, 1, 4), ("W", -1, 0, 8)]
came = [[None] * len(rows[0]) for _ in rows]
came = [[None] * max(len(rows[0]), len(rows)) for _ in range(max(len(rows[0]), len(rows)))]
came[start[1]][start[0]] = ""
queue = deque([start])
while queue:
    x, y = queue.popleft()
    if y >= len(rows) or x >= len(rows[0]):
        continue
    for letter, dx, dy, wall in moves:
        if not rows[y][x] & wall and came[y + dy][x + dx] is None:
            came[y + dy][x + dx] = letter
            queue.append((x + dx, y + dy))

x, y = end
if came[y][x] is None:
    print("NO PATH")
else:
    path = []
    while came[y][x]:
        letter = came[y][x]
        path.append(letter)
        for name, dx, dy, _ in moves:
            if name == letter:
                x, y = x - dx, y - dy
                break
    print("".join(reversed(path)))
