"""water.py [all|layers]: the breadth-first search of the reference as a trace. Reads a maze.

It stops when the exit leaves the queue; with `all` it goes on until every cell that can be reached has been. With
`layers`, and for mazes too large to look at cell by cell, it does so too, a layer or some at a time. Where a student's
program answered, what it printed lies in `.judge/output`, and the first wrong step of its path is marked.
"""

import json
import sys
from collections import deque
from pathlib import Path

STEPS = ((1, 0, -1), (2, 1, 0), (4, 0, 1), (8, -1, 0))
LETTERS = {"N": (STEPS[0], "north"), "E": (STEPS[1], "east"), "S": (STEPS[2], "south"), "W": (STEPS[3], "west")}


CELLS = 900
"""More are told by whole layers."""
FRAMES = 240
"""Of the water, at most about so many when whole layers are told."""


def say(do, **facts):
    print(json.dumps({"do": do, **facts}))


def name(cell):
    return f"{cell[0]},{cell[1]}"


def near(cell, walls):
    x, y = cell
    for wall, dx, dy in STEPS:
        if not walls[y][x] & wall:
            yield x + dx, y + dy


def by_cells():
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


def by_layers():
    layers = [[entry]]
    while layers[-1]:
        layers.append([])
        for cell in layers[-2]:
            for other in near(cell, walls):
                if other not in distance:
                    distance[other] = distance[cell] + 1
                    layers[-1].append(other)
    at_once = -(-len(layers) // FRAMES)
    say("flood", layers=[[name(entry)]])
    for first in range(1, len(layers), at_once):
        say("flood", layers=[[name(cell) for cell in layer] for layer in layers[first : first + at_once]])


def claim(words):
    """What is wrong with a path of letters, or with saying that there is none."""
    if words == ["NO", "PATH"] and goal in distance:
        say("claim", wrong="none")
    if len(words) > 1 or not set("".join(words)) <= set(LETTERS):
        return
    path = [entry]
    for letter in "".join(words):
        (wall, dx, dy), side = LETTERS[letter]
        x, y = path[-1]
        if not (0 <= x + dx < len(walls[0]) and 0 <= y + dy < height):
            say("claim", wrong="outside", path=[name(cell) for cell in path], side=side)
            return
        path.append((x + dx, y + dy))
        if walls[y][x] & wall:
            say("claim", wrong="wall", path=[name(cell) for cell in path])
            return
    if path[-1] != goal:
        say("claim", wrong="end", path=[name(cell) for cell in path])
    elif len(path) - 1 > distance[goal]:
        say("claim", wrong="longer", path=[name(cell) for cell in path])


lines = sys.stdin.read().split("\n")
height = lines.index("")
entry, goal = (tuple(map(int, line.split(","))) for line in lines[height + 1 : height + 3])
walls = [[int(digit, 16) for digit in line] for line in lines[:height]]
print(json.dumps({"trace": 1, "kind": "grid", "walls": lines[:height], "start": name(entry), "goal": name(goal)}))

distance = {entry: 0}
whole = sys.argv[1:] == ["layers"] or len(walls) * len(walls[0]) > CELLS
if whole:
    by_layers()
else:
    by_cells()

if goal in distance:
    way = [goal]
    while way[-1] != entry:
        way.append(next(other for other in near(way[-1], walls) if distance.get(other, -1) == distance[way[-1]] - 1))
    if not whole:
        for cell in way:
            say("retrace", at=name(cell))
    say("path", places=[name(cell) for cell in reversed(way)])
else:
    say("no-path")
if Path(".judge/output").exists():
    claim(Path(".judge/output").read_text().split())
