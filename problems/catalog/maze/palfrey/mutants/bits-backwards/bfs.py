"""The four binary digits are read from the left: north is 8 and west is 1."""

import sys
from collections import deque

STEPS = (("N", 0, -1, 8), ("E", 1, 0, 4), ("S", 0, 1, 2), ("W", -1, 0, 1))
BACK = {letter: (-dx, -dy) for letter, dx, dy, _ in STEPS}

lines = sys.stdin.read().split("\n")
height = lines.index("")
rows = [[int(digit, 16) for digit in row] for row in lines[:height]]
start, goal = (tuple(map(int, line.split(","))) for line in lines[height + 1 : height + 3])


def search(start: tuple[int, int], goal: tuple[int, int]) -> str:
    came = {start: ""}
    queue = deque([start])
    while queue:
        cell = x, y = queue.popleft()
        if cell == goal:
            break
        for letter, dx, dy, wall in STEPS:
            reached = x + dx, y + dy
            if (
                rows[y][x] & wall
                or reached in came
                or not (0 <= reached[1] < height and 0 <= reached[0] < len(rows[0]))
            ):
                continue
            came[reached] = letter
            queue.append(reached)
    if goal not in came:
        return "NO PATH"
    path = []
    cell = goal
    while came[cell]:
        letter = came[cell]
        path.append(letter)
        cell = cell[0] + BACK[letter][0], cell[1] + BACK[letter][1]
    return "".join(reversed(path))


print(search(start, goal))
