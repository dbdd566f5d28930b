from collections import deque
import sys
text = sys.stdin.read().split()
*rows, entry, goal = text
entry = tuple(map(int, entry.split(",")))
goal = tuple(map(int, goal.split(",")))
walls = [[int(ch, 16) for ch in row] for row in rows]
come = {entry: None}
todo = deque([entry])
while todo:
    x, y = todo.popleft()
    for bit, dx, dy, name in ((1, 0, -1, "N"), (8, 1, 0, "E"), (4, 0, 1, "S"), (2, -1, 0, "W")):
        n = (x + dx, y + dy)
        if 0 <= n[0] < len(rows[0]) and 0 <= n[1] < len(rows) and not walls[y][x] & bit and n not in come:
            come[n] = (x, y, name)
            todo.append(n)
if goal not in come:
    print("NO PATH")
else:
    path = ""
    while come[goal]:
        x, y, name = come[goal]
        path = name + path
        goal = (x, y)
    print(path)
