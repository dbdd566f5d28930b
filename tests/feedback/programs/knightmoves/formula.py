import sys

def moves(dx, dy):
    dx, dy = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    if (dx, dy) == (1, 0):
        return 3
    if (dx, dy) == (2, 2):
        return 4
    delta = dx - dy
    if dy > delta:
        return delta - 2 * ((delta - dy) // 3)
    return delta - 2 * ((delta - dy) // 4)

for line in sys.stdin:
    a, b = line.split()
    n = moves(ord(a[0]) - ord(b[0]), int(a[1]) - int(b[1]))
    print(f"To get from {a} to {b} takes {n} knight moves.")
