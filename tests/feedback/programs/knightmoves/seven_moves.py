from collections import deque
import sys

dx = [1, 2, 2, 1, -1, -2, -2]
dy = [2, 1, -1, -2, -2, -1, 1]

for line in sys.stdin:
    a, b = line.split()
    start = (ord(a[0]) - 97, int(a[1]) - 1)
    end = (ord(b[0]) - 97, int(b[1]) - 1)
    dist = {start: 0}
    q = deque([start])
    while q:
        x, y = q.popleft()
        if (x, y) == end:
            break
        for i in range(len(dx)):
            n = (x + dx[i], y + dy[i])
            if 0 <= n[0] < 8 and 0 <= n[1] < 8 and n not in dist:
                dist[n] = dist[(x, y)] + 1
                q.append(n)
    print(f"To get from {a} to {b} takes {dist[end]} knight moves.")
