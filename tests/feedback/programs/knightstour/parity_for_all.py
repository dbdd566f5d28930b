def warnsdorff(n, r, c):
    moves = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
    grid = {(r, c): 1}
    stack = []
    here = (r, c)

    def options(square):
        x, y = square
        found = []
        for i, j in moves:
            t = (x + i, y + j)
            if 1 <= t[0] <= n and 1 <= t[1] <= n and t not in grid:
                found.append(t)
        return found

    stack.append((here, iter(sorted(options(here), key=lambda s: len(options(s))))))
    while stack:
        if len(grid) == n * n:
            return grid
        here, ways = stack[-1]
        nxt = next(ways, None)
        if nxt is None:
            stack.pop()
            del grid[here]
            continue
        grid[nxt] = len(grid) + 1
        stack.append((nxt, iter(sorted(options(nxt), key=lambda s: len(options(s))))))
    return None

n, r, c = map(int, input().split())
answer = None
if (r + c) % 2 == 0 and n not in (2, 3, 4):
    answer = warnsdorff(n, r, c)
if answer is None:
    print("NO TOUR")
else:
    for i in range(1, n + 1):
        print(" ".join(str(answer[i, j]) for j in range(1, n + 1)))
