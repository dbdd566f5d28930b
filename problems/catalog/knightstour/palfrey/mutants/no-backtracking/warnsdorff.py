"""Warnsdorff's rule without ever going back; a dead end is taken for the end of the search."""

import sys

MOVES = [(-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)]


class Lost(Exception):
    """The search has used up its budget."""


def tour(n, start, turn, budget):
    """The visit number of each square, or None if a whole search finds no tour."""
    moves = MOVES[turn:] + MOVES[:turn]
    near = [
        [(r + dr) * n + c + dc for dr, dc in moves if 0 <= r + dr < n and 0 <= c + dc < n]
        for r in range(n)
        for c in range(n)
    ]
    visit = [0] * (n * n)
    ways = [len(squares) for squares in near]

    def search(square, number):
        nonlocal budget
        budget -= 1
        if budget < 0:
            raise Lost
        visit[square] = number
        if number == n * n:
            return True
        for other in near[square]:
            ways[other] -= 1
        candidates = [other for other in near[square] if not visit[other]]
        candidates.sort(key=lambda other: ways[other])
        if candidates and search(candidates[0], number + 1):
            return True
        for other in near[square]:
            ways[other] += 1
        visit[square] = 0
        return False

    return visit if search(start, 1) else None


def main():
    n, row, column = map(int, sys.stdin.read().split())
    sys.setrecursionlimit(n * n + 1000)
    visit = None
    # A knight changes colour with every move: on an odd board one colour has a square more, and a tour starts on it.
    if n % 2 == 0 or (row + column) % 2 == 0:
        attempt = 0
        while attempt < 5:
            try:
                visit = tour(n, (row - 1) * n + column - 1, attempt % 8, 8 * n * n << attempt)
                break
            except Lost:
                attempt += 1
    if visit is None:
        print("NO TOUR")
    else:
        for r in range(n):
            print(*visit[r * n : r * n + n])


main()
