"""Warnsdorff's rule with backtracking, but the visited squares are a list that is searched from its start each time,

and what comes of it is counted anew for every two squares that are compared.
"""

import sys
from functools import cmp_to_key

MOVES = [(-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)]

n, row, column = map(int, sys.stdin.read().split())
sys.setrecursionlimit(n * n + 1000)


def free_around(square, visited):
    around = [(square[0] + dr, square[1] + dc) for dr, dc in MOVES]
    return [(r, c) for r, c in around if 0 < r <= n and 0 < c <= n and not visited.count((r, c))]


def rank(square, visited):
    return len(free_around(square, visited)), -((2 * square[0] - n - 1) ** 2) - (2 * square[1] - n - 1) ** 2


def search(visited):
    if len(visited) == n * n:
        return visited
    candidates = free_around(visited[-1], visited)
    candidates.sort(key=cmp_to_key(lambda a, b: -1 if rank(a, visited) < rank(b, visited) else 1))
    for square in candidates:
        found = search(visited + [square])
        if found:
            return found
    return None


found = None
if n % 2 == 0 or (row + column) % 2 == 0:
    found = search([(row, column)])
if found is None:
    print("NO TOUR")
else:
    board = [[0] * n for _ in range(n)]
    for number, (r, c) in enumerate(found, 1):
        board[r - 1][c - 1] = number
    for line in board:
        print(*line)
