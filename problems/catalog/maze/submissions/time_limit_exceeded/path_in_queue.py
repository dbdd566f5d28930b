"""Every entry of the queue carries its whole path, copied at each step."""

import sys
from collections import deque

rows, rest = sys.stdin.read().split("\n\n")
rows = [[int(c, 16) for c in row] for row in rows.split("\n")]
start, end = (tuple(map(int, line.split(","))) for line in rest.split())

seen = [bytearray(len(rows[0])) for _ in rows]
seen[start[1]][start[0]] = 1
queue = deque([(start, [])])
while queue:
    (x, y), path = queue.popleft()
    if (x, y) == end:
        print("".join(path))
        break
    for letter, dx, dy, wall in (("N", 0, -1, 1), ("E", 1, 0, 2), ("S", 0, 1, 4), ("W", -1, 0, 8)):
        if not rows[y][x] & wall and not seen[y + dy][x + dx]:
            seen[y + dy][x + dx] = 1
            queue.append(((x + dx, y + dy), path + [letter]))
else:
    print("NO PATH")
