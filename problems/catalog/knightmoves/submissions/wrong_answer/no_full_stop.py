"""Right numbers, but no full stop at the end of the sentence."""

import sys
from collections import deque
from functools import cache


@cache
def distance(a, b):
    queue, seen = deque([(a, 0)]), {a}
    while queue:
        (x, y), n = queue.popleft()
        if (x, y) == b:
            return n
        for dx, dy in (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2):
            to = x + dx, y + dy
            if to not in seen and 0 < to[0] < 9 and 0 < to[1] < 9:
                seen.add(to)
                queue.append((to, n + 1))


for line in sys.stdin:
    a, b = line.split()
    n = distance((ord(a[0]) - 96, int(a[1])), (ord(b[0]) - 96, int(b[1])))
    print("To get from", a, "to", b, "takes", n, "knight moves")
