import sys

board = [[0] * 8 for _ in range(8)]

def bfs(a, b):
    dist = [[-1] * 8 for _ in range(8)]
    dist[a[0]][a[1]] = 0
    queue = [a]
    for x, y in queue:
        for dx, dy in ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)):
            u, v = x + dx, y + dy
            if 0 <= u <= 8 and 0 <= v <= 8 and dist[u][v] < 0:
                dist[u][v] = dist[x][y] + 1
                queue.append((u, v))
    return dist[b[0]][b[1]]

for line in sys.stdin:
    a, b = line.split()
    n = bfs(("abcdefgh".index(a[0]), int(a[1]) - 1), ("abcdefgh".index(b[0]), int(b[1]) - 1))
    print(f"To get from {a} to {b} takes {n} knight moves.")
