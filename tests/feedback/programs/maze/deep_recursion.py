import sys
from collections import deque
lines = sys.stdin.read().splitlines()
cut = lines.index("")
cells = lines[:cut]
ex, ey = map(int, lines[cut + 1].split(","))
gx, gy = map(int, lines[cut + 2].split(","))
par = {(ex, ey): None}
dq = deque(par)
while dq:
    x, y = dq.popleft()
    for k, (i, j) in enumerate([(0, -1), (1, 0), (0, 1), (-1, 0)]):
        if not int(cells[y][x], 16) >> k & 1 and (x + i, y + j) not in par:
            par[x + i, y + j] = (x, y, "NESW"[k])
            dq.append((x + i, y + j))

def path(cell):
    if par[cell] is None:
        return ""
    x, y, letter = par[cell]
    return path((x, y)) + letter

print(path((gx, gy)) if (gx, gy) in par else "NO PATH")
