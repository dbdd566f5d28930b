import sys
sys.setrecursionlimit(5000)
n, row, col = map(int, sys.stdin.readline().split())
jumps = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
b = [[0] * (n + 1) for _ in range(n + 1)]
def nbs(r, c):
    return [(r + i, c + j) for i, j in jumps if 1 <= r + i <= n and 1 <= c + j <= n and not b[r + i][c + j]]
def dfs(r, c, k):
    b[r][c] = k
    if k == n * n: return True
    for p in sorted(nbs(r, c), key=lambda p: len(nbs(*p))):
        if dfs(p[0], p[1], k + 1): return True
    b[r][c] = 0
    return False
if (n == 1 or n > 4) and not (n % 2 and (row + col) % 2) and dfs(row, col, 1):
    for line in b[1:]: print(*line[1:])
else:
    print("No solution")
