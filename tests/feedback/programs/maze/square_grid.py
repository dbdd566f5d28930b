import sys
from collections import deque
tokens = sys.stdin.read().split()
size = len(tokens) - 2
grid = [[int(ch, 16) for ch in row] for row in tokens[:size]]
start = tuple(int(v) for v in tokens[-2].split(","))
end = tuple(int(v) for v in tokens[-1].split(","))
parent = {start: None}
queue = deque([start])
while queue:
    x, y = queue.popleft()
    for bit, letter, dx, dy in ((1, "N", 0, -1), (2, "E", 1, 0), (4, "S", 0, 1), (8, "W", -1, 0)):
        u, v = x + dx, y + dy
        if u < 0 or v < 0 or u >= size or v >= size or grid[y][x] & bit or (u, v) in parent:
            continue
        parent[u, v] = (x, y, letter)
        queue.append((u, v))
if end in parent:
    letters = []
    while parent[end] is not None:
        x, y, letter = parent[end]
        letters.append(letter)
        end = (x, y)
    print("".join(reversed(letters)))
else:
    print("NO PATH")
