import sys
from collections import deque
for line in sys.stdin:
    if not line.strip():
        continue
    a, b = line.split()
    queue = deque([(a, 1)])
    seen = {a}
    while queue:
        here, count = queue.popleft()
        if here == b:
            print("To get from " + a + " to " + b + " takes " + str(count) + " knight moves.")
            break
        for dx, dy in ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)):
            x, y = chr(ord(here[0]) + dx), chr(ord(here[1]) + dy)
            if "a" <= x <= "h" and "1" <= y <= "8" and x + y not in seen:
                seen.add(x + y)
                queue.append((x + y, count + 1))
