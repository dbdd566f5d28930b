import sys
from collections import deque

def neighbours(square):
    x, y = square
    for dx, dy in [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]:
        if 1 <= x + dx <= 8 and 1 <= y + dy <= 8:
            yield x + dx, y + dy

def read(text):
    return "abcdefgh".index(text[0]) + 1, int(text[1])

for row in sys.stdin.read().splitlines():
    first, second = row.split()
    todo = deque([(read(first), 0)])
    known = {read(first)}
    while todo:
        here, steps = todo.popleft()
        if here == read(second):
            break
        for there in neighbours(here):
            if there not in known:
                known.add(there)
                todo.append((there, steps + 1))
    print("To get from", first, "to", second, "takes", steps, "knight moves")
