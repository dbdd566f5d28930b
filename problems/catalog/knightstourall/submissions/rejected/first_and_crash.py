# Prints the first tour, then raises an exception to get out of the recursion and does not catch it.
n, row, column = map(int, input().split())
walk = [(row, column)]


def go():
    if len(walk) == n * n:
        print("Solution 1:")
        print(*(f"{r}-{c}" for r, c in walk))
        print(flush=True)
        raise StopIteration
    r, c = walk[-1]
    for a in range(1, n + 1):
        for b in range(1, n + 1):
            if (a - r) ** 2 + (b - c) ** 2 == 5 and (a, b) not in walk:
                walk.append((a, b))
                go()
                walk.pop()


go()
