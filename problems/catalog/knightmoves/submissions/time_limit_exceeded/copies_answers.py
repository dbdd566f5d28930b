"""A right search, but each step copies the list of lines left and the list of answers: the work grows with the square."""

import sys
from collections import deque
from functools import cache


@cache
def distance(start, target):
    dist = {start: 0}
    queue = deque([start])
    while target not in dist:
        column, row = queue.popleft()
        for dc, dr in ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)):
            square = column + dc, row + dr
            if square not in dist and 0 <= square[0] < 8 and 1 <= square[1] <= 8:
                dist[square] = dist[column, row] + 1
                queue.append(square)
    return dist[target]


def square(name):
    return "abcdefgh".index(name[0]), int(name[1])


lines = sys.stdin.readlines()
answers = []
while lines:
    a, b = lines[0].split()
    lines = lines[1:]
    answers = answers + [f"To get from {a} to {b} takes {distance(square(a), square(b))} knight moves."]
print("\n".join(answers))
