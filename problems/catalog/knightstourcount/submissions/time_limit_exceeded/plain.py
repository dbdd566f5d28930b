"""Plain backtracking with a list of neighbours: a second or two for a corner of 5 x 5, hours for 6 x 6."""

n, row, column = map(int, input().split())
squares = [(r, c) for r in range(1, n + 1) for c in range(1, n + 1)]
near = [[i for i, (a, b) in enumerate(squares) if (a - r) ** 2 + (b - c) ** 2 == 5] for r, c in squares]
visited = [False] * len(squares)


def count(square, left):
    if left == 0:
        return 1
    visited[square] = True
    tours = 0
    for other in near[square]:
        if not visited[other]:
            tours += count(other, left - 1)
    visited[square] = False
    return tours


print(count(squares.index((row, column)), n * n - 1))
