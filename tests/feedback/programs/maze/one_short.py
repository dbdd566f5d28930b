from collections import deque
import sys

def read():
    rows = []
    for line in sys.stdin:
        line = line.rstrip("\n")
        if not line:
            break
        rows.append(line)
    entry = tuple(map(int, sys.stdin.readline().split(",")))
    goal = tuple(map(int, sys.stdin.readline().split(",")))
    return rows, entry, goal

rows, entry, goal = read()
before = {entry: entry}
queue = deque([entry])
while queue:
    here = queue.popleft()
    walls = int(rows[here[1]][here[0]], 16)
    for bit, step in ((1, (0, -1)), (2, (1, 0)), (4, (0, 1)), (8, (-1, 0))):
        there = (here[0] + step[0], here[1] + step[1])
        if not walls & bit and there not in before:
            before[there] = here
            queue.append(there)
if goal not in before:
    print("NO PATH")
else:
    letters = {(0, -1): "N", (1, 0): "E", (0, 1): "S", (-1, 0): "W"}
    path = []
    here = goal
    while before[here] != entry and here != entry:
        b = before[here]
        path.append(letters[here[0] - b[0], here[1] - b[1]])
        here = b
    print("".join(path[::-1]))
