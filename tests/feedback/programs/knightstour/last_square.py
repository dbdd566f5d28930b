import sys
sys.setrecursionlimit(4000)

class Board:
    def __init__(self, n):
        self.n = n
        self.cells = [[0] * n for _ in range(n)]

    def moves(self, r, c):
        for a, b in ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)):
            if 0 <= r + a < self.n and 0 <= c + b < self.n and not self.cells[r + a][c + b]:
                yield r + a, c + b

    def fill(self, r, c, k):
        if k == self.n ** 2:
            return True
        self.cells[r][c] = k
        for u, v in sorted(self.moves(r, c), key=lambda t: sum(1 for _ in self.moves(*t))):
            if self.fill(u, v, k + 1):
                return True
        self.cells[r][c] = 0
        return False

n, r, c = map(int, input().split())
board = Board(n)
if 1 < n < 5 or (n % 2 and (r + c) % 2) or not board.fill(r - 1, c - 1, 1):
    print("NO TOUR")
else:
    for row in board.cells:
        print(*row)
