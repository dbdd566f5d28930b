"""search.py [both]: the breadth-first search of the references, as a trace. Reads a line such as `e2 e4`.

Where a student's program answered, its line lies in `.judge/output`, and a wrong number in it is marked.
"""

import json
import sys
from collections import deque
from pathlib import Path

MOVES = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def say(do, **facts):
    print(json.dumps({"do": do, **facts}))


def near(square):
    column, row = ord(square[0]) - ord("a"), int(square[1])
    for dc, dr in MOVES:
        if 0 <= column + dc < 8 and 1 <= row + dr <= 8:
            yield "abcdefgh"[column + dc] + str(row + dr)


def back(square, parent):
    way = []
    while square:
        way.append(square)
        square = parent[square]
    return way


def one_way(start, goal):
    distance, parent = {start: 0}, {start: ""}
    queue = deque([start])
    say("enqueue", at=start, distance=0)
    layer = 0
    while queue:
        square = queue.popleft()
        if distance[square] > layer:
            layer = distance[square]
            say("layer", distance=layer)
        say("dequeue", at=square)
        if square == goal:
            break
        for other in near(square):
            if other in distance:
                say("see", at=other)
            else:
                distance[other], parent[other] = distance[square] + 1, square
                queue.append(other)
                say("enqueue", at=other, distance=distance[other], **{"from": square})
    way = back(goal, parent)[::-1]
    say("path", places=way)
    claim(goal, len(way) - 1)


def claim(goal, right):
    """The number that the program says, if it says one and it is wrong."""
    said = Path(".judge/output")
    numbers = [word for word in said.read_text().split() if word.isdecimal()] if said.exists() else []
    if len(numbers) == 1 and len(numbers[0]) < 10 and int(numbers[0]) != right:
        say("claim", wrong="distance", at=goal, said=int(numbers[0]))


def both_ends(start, goal):
    """A whole layer of the smaller side at a time, until a move leads from one side to the other."""
    distance, parent, side = {start: 0, goal: 0}, {start: "", goal: ""}, {start: 0, goal: 1}
    queues = [deque([start]), deque([goal])]
    say("enqueue", at=start, distance=0, side=0)
    say("enqueue", at=goal, distance=0, side=1)
    while True:
        mine = 0 if len(queues[0]) <= len(queues[1]) else 1
        queue = queues[mine]
        layer = distance[queue[0]]
        say("layer", distance=layer, side=mine)
        for _ in range(len(queue)):
            square = queue.popleft()
            say("dequeue", at=square, side=mine)
            for other in near(square):
                if other not in distance:
                    distance[other], parent[other], side[other] = layer + 1, square, mine
                    queue.append(other)
                    say("enqueue", at=other, distance=layer + 1, side=mine, **{"from": square})
                elif side[other] == mine:
                    say("see", at=other)
                else:
                    say("meet", at=other)
                    mine_end, other_end = back(square, parent), back(other, parent)
                    first, last = (mine_end, other_end) if mine == 0 else (other_end, mine_end)
                    say("path", places=first[::-1] + last)
                    return


start, goal = sys.stdin.readline().split()
print(
    json.dumps({"trace": 1, "kind": "board", "columns": 8, "rows": 8, "names": "chess", "start": start, "goal": goal})
)
if sys.argv[1:] == ["both"] and start != goal:
    both_ends(start, goal)
else:
    one_way(start, goal)
