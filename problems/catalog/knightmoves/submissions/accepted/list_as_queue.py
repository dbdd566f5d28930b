# A list as queue, pop(0): every removal moves the rest, which 64 squares do not feel.
def search(a, b):
    if a == b:
        return 0
    seen = [a]
    queue = [(a, 0)]
    while queue:
        (x, y), n = queue.pop(0)
        for dx, dy in ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)):
            to = (x + dx, y + dy)
            if to == b:
                return n + 1
            if 1 <= to[0] <= 8 and 1 <= to[1] <= 8 and to not in seen:
                seen.append(to)
                queue.append((to, n + 1))


known = {}
while True:
    try:
        line = input()
    except EOFError:
        break
    if line not in known:
        p, q = line.split()
        known[line] = search((ord(p[0]) - 96, int(p[1])), (ord(q[0]) - 96, int(q[1])))
    print("To get from", line[:2], "to", line[3:], "takes", known[line], "knight moves.")
