# Prints every walk on which the knight gets stuck, complete or not. After a thousand of them it stops.
n, row, column = map(int, input().split())
walk = [(row, column)]
number = 0


def go():
    global number
    r, c = walk[-1]
    stuck = True
    for a in range(1, n + 1):
        for b in range(1, n + 1):
            if (a - r) ** 2 + (b - c) ** 2 == 5 and (a, b) not in walk:
                stuck = False
                walk.append((a, b))
                go()
                walk.pop()
    if stuck:
        number += 1
        if number > 1000:
            raise SystemExit
        print(f"Solution {number}:")
        print(*(f"{r}-{c}" for r, c in walk))
        print()


go()
