"""water.py [all]: the breadth-first search of the reference as a trace. Reads a maze.

It stops when the exit leaves the queue; with `all` it goes on until every cell that can be reached has been. Where a
student's program answered, what it printed lies in `.judge/output`, and the first wrong step of its path is marked.
"""

import json
import sys
from collections import deque
from pathlib import Path

STEPS = ((1, 0, -1), (2, 1, 0), (4, 0, 1), (8, -1, 0))
LETTERS = {"N": (STEPS[0], "north"), "E": (STEPS[1], "east"), "S": (STEPS[2], "south"), "W": (STEPS[3], "west")}


def say(do, **facts):
    print(json.dumps({"do": do, **facts}))


def name(cell):
    return f"{cell[0]},{cell[1]}"


def near(cell, walls):
    x, y = cell
    for wall, dx, dy in STEPS:
        if not walls[y][x] & wall:
            yield x + dx, y + dy


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
if Path(".judge/output").exists():
    claim(Path(".judge/output").read_text().split())
