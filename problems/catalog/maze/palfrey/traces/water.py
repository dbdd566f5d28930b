"""water.py [all]: the breadth-first search of the reference as a trace. Reads a maze.

It stops when the exit leaves the queue; with `all` it goes on until every cell that can be reached has been.
"""

import json
import sys
from collections import deque

STEPS = ((1, 0, -1), (2, 1, 0), (4, 0, 1), (8, -1, 0))


def say(do, **facts):
    print(json.dumps({"do": do, **facts}))


def name(cell):
    return f"{cell[0]},{cell[1]}"


def near(cell, walls):
    x, y = cell
    for wall, dx, dy in STEPS:
        if not walls[y][x] & wall:
            yield x + dx, y + dy


lines = sys.stdin.read().split("\n")
height = lines.index("")
entry, goal = (tuple(map(int, line.split(","))) for line in lines[height + 1 : height + 3])
walls = [[int(digit, 16) for digit in line] for line in lines[:height]]
print(json.dumps({"trace": 1, "kind": "grid", "walls": lines[:height], "start": name(entry), "goal": name(goal)}))

distance = {entry: 0}
queue = deque([entry])
say("enqueue", at=name(entry), distance=0)
layer = 0
while queue:
    cell = queue.popleft()
    if distance[cell] > layer:
        layer = distance[cell]
        say("layer", distance=layer)
    say("dequeue", at=name(cell))
    if cell == goal and sys.argv[1:] != ["all"]:
        break
    for other in near(cell, walls):
        if other in distance:
            say("see", at=name(other))
        else:
            distance[other] = distance[cell] + 1
            queue.append(other)
            say("enqueue", at=name(other), distance=distance[other], **{"from": name(cell)})

if goal in distance:
    way = [goal]
    say("retrace", at=name(goal))
    while way[-1] != entry:
        cell = next(
            other for other in near(way[-1], walls) if other in distance and distance[other] == distance[way[-1]] - 1
        )
        way.append(cell)
        say("retrace", at=name(cell))
    say("path", places=[name(cell) for cell in reversed(way)])
else:
    say("no-path")
