"""Prints only the tours that end a move away from the start."""

from itertools import count

n, row, column = map(int, input().split())
squares = [(r, c) for r in range(1, n + 1) for c in range(1, n + 1)]
near = {(r, c): [(a, b) for a, b in squares if (a - r) ** 2 + (b - c) ** 2 == 5] for r, c in squares}
visited = dict.fromkeys(squares, False)
walk = []
numbers = count(1)


def visit(square):
    visited[square] = True
    walk.append(square)
    if len(walk) == n * n and walk[0] in near[square]:
        print(f"Solution {next(numbers)}:")
        print(*(f"{r}-{c}" for r, c in walk))
        print()
    else:
        for other in near[square]:
            if not visited[other]:
                visit(other)
    walk.pop()
    visited[square] = False


visit((row, column))
