"""Reads lines until an empty one, which never comes: everything is answered, then EOFError."""

MOVES = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
known = {}


def distance(a, b):
    layer, seen, n = {a}, {a}, 0
    while b not in seen:
        layer = {(x + dx, y + dy) for x, y in layer for dx, dy in MOVES if 0 <= x + dx < 8 and 0 <= y + dy < 8}
        seen |= layer
        n += 1
    return n


while True:
    line = input()
    if line == "":
        break
    if line not in known:
        a, b = line.split()
        known[line] = distance(*[("abcdefgh".index(s[0]), int(s[1]) - 1) for s in (a, b)])
    print(f"To get from {line[:2]} to {line[3:]} takes {known[line]} knight moves.")
