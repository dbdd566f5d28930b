"""Breadth-first search from both ends at once: a whole layer of the smaller side at a time, until the sides touch."""

import sys

SQUARES = [column + row for column in "abcdefgh" for row in "12345678"]
MOVES = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
NEIGHBOURS = {
    a: {b for b in SQUARES if (ord(b[0]) - ord(a[0]), int(b[1]) - int(a[1])) in MOVES}
    for a in SQUARES
}


def distance(start, target):
    if start == target:
        return 0
    seen = [{start}, {target}]
    layer = [{start}, {target}]
    taken = 0
    while True:
        taken += 1
        mine = 0 if len(layer[0]) <= len(layer[1]) else 1
        reached = set().union(*(NEIGHBOURS[square] for square in layer[mine]))
        if reached & layer[1 - mine]:
            return taken
        layer[mine] = reached - seen[mine]
        seen[mine] |= reached


for line in sys.stdin:
    a, b = line.split()
    print(f"To get from {a} to {b} takes {distance(a, b)} knight moves.")
