import sys

MOVES = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]

def solve(a, b):
    layer, n = {a}, 0
    while True:
        n += 1
        layer = {(x + i, y + j) for x, y in layer for i, j in MOVES if 0 <= x + i < 8 and 0 <= y + j < 8}
        if b in layer:
            return n

for line in sys.stdin:
    p, q = line.split()
    n = solve((ord(p[0]) - ord("a"), int(p[1]) - 1), (ord(q[0]) - ord("a"), int(q[1]) - 1))
    print("To get from %s to %s takes %d knight moves." % (p, q, n))
