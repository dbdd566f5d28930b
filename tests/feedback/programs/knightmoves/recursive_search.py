import sys

sys.setrecursionlimit(10000)


def visit(x, y, steps, seen):
    seen[x, y] = steps
    for dx, dy in ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)):
        a, b = x + dx, y + dy
        if 0 <= a < 8 and 0 <= b < 8 and (a, b) not in seen:
            visit(a, b, steps + 1, seen)


for line in sys.stdin:
    a, b = line.split()
    seen = {}
    visit(ord(a[0]) - 97, int(a[1]) - 1, 0, seen)
    print(f"To get from {a} to {b} takes {seen[ord(b[0]) - 97, int(b[1]) - 1]} knight moves.")
