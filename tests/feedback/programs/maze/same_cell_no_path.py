import sys
from collections import deque

def main():
    lines = [l.strip() for l in sys.stdin]
    k = lines.index("")
    g = lines[:k]
    sx, sy = map(int, lines[k + 1].split(","))
    ex, ey = map(int, lines[k + 2].split(","))
    q = deque([(sx, sy)])
    prev = {(sx, sy): ""}
    while q:
        x, y = q.popleft()
        v = int(g[y][x], 16)
        for i, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
            if v & 1 << i:
                continue
            if (x + dx, y + dy) not in prev:
                prev[x + dx, y + dy] = prev[x, y] + "NESW"[i]
                q.append((x + dx, y + dy))
    answer = prev.get((ex, ey), "")
    print(answer or "NO PATH")

main()
