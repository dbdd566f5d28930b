n, r, c = map(int, input().split())
r -= 1
c -= 1
MOVES = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
import sys
sys.setrecursionlimit(10000)
board = [[-1] * n for _ in range(n)]

def free(x, y):
    return 0 <= x < n and 0 <= y < n and board[x][y] == -1

def ways(x, y):
    return [(x + i, y + j) for i, j in MOVES if free(x + i, y + j)]

def go(x, y, k):
    board[x][y] = k
    if k == n * n - 1:
        return True
    for u, v in sorted(ways(x, y), key=lambda p: len(ways(*p))):
        if go(u, v, k + 1):
            return True
    board[x][y] = -1
    return False

if n in (2, 3, 4) or (n % 2 and (r + c) % 2):
    print("NO TOUR")
elif go(r, c, 0):
    for row in board:
        print(*row)
else:
    print("NO TOUR")
