# Warnsdorff's rule alone, and the board is printed whether it is full or not.
n, r, c = map(int, input().split())
r -= 1
c -= 1
board = [[0] * n for _ in range(n)]


def ways(r, c):
    result = []
    for a, b in ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)):
        if 0 <= r + a < n and 0 <= c + b < n and board[r + a][c + b] == 0:
            result.append((r + a, c + b))
    return result


board[r][c] = 1
for k in range(2, n * n + 1):
    after = ways(r, c)
    if not after:
        break
    r, c = min(after, key=lambda square: len(ways(*square)))
    board[r][c] = k
for line in board:
    print(*line)
