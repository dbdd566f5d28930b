"""Counts rows and columns from 0."""

n, row, column = map(int, input().split())
squares = [(r, c) for r in range(1, n + 1) for c in range(1, n + 1)]
near = {
    (r, c): [(a, b) for a, b in squares if (a - r) ** 2 + (b - c) ** 2 == 5]
    for r, c in squares
}
visited = dict.fromkeys(squares, False)
walk = []
tours = 0


def visit(square):
    global tours
    visited[square] = True
    walk.append(square)
    if len(walk) == n * n:
        tours += 1
        print(f"Solution {tours}:")
        print(*(f"{r - 1}-{c - 1}" for r, c in walk))
        print()
    else:
        for other in near[square]:
            if not visited[other]:
                visit(other)
    walk.pop()
    visited[square] = False


visit((row, column))
