# Knows only that odd boards are difficult: it says NO TOUR for every one of them, and for even ones it takes the
# recursion as far as Python lets it. Wrong answers and run-time errors, both.
n, r, c = map(int, input().split())
board = [[0] * n for _ in range(n)]


def ways(r, c):
    jumps = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
    squares = [(r + a, c + b) for a, b in jumps]
    return [(a, b) for a, b in squares if 0 <= a < n and 0 <= b < n and not board[a][b]]


def go(r, c, k):
    board[r][c] = k
    if k == n * n:
        return True
    if any(go(a, b, k + 1) for a, b in sorted(ways(r, c), key=lambda square: len(ways(*square)))):
        return True
    board[r][c] = 0
    return False


if n % 2 == 0 and go(r - 1, c - 1, 1):
    for line in board:
        print(*line)
else:
    print("NO TOUR")
