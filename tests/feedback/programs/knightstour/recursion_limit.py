n, r, c = map(int, input().split())
r, c = r - 1, c - 1
grid = [[0] * n for _ in range(n)]
J = [(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)]

def nxt(x, y):
    res = []
    for i, j in J:
        if 0 <= x + i < n and 0 <= y + j < n and grid[x + i][y + j] == 0:
            res.append((x + i, y + j))
    return res

def rec(x, y, k):
    grid[x][y] = k
    if k == n * n:
        return True
    for u, v in sorted(nxt(x, y), key=lambda t: len(nxt(t[0], t[1]))):
        if rec(u, v, k + 1):
            return True
    grid[x][y] = 0
    return False

if n in (2, 3, 4) or n % 2 == 1 and (r + c) % 2 == 1 or not rec(r, c, 1):
    print("NO TOUR")
else:
    print("\n".join(" ".join(map(str, row)) for row in grid))
