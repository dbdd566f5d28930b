# Distances from the exit with a list as queue and pop(0), then downhill from the entry. A queue in a maze stays short,
# so that moving it at every step is not felt much.
rows = []
while True:
    line = input()
    if line == "":
        break
    rows.append([int(c, 16) for c in line])
ex, ey = map(int, input().split(","))
gx, gy = map(int, input().split(","))
far = [[-1] * len(row) for row in rows]
far[gy][gx] = 0
queue = [(gx, gy)]
while queue:
    x, y = queue.pop(0)
    for dx, dy, wall in ((0, -1, 1), (1, 0, 2), (0, 1, 4), (-1, 0, 8)):
        if not rows[y][x] & wall and far[y + dy][x + dx] < 0:
            far[y + dy][x + dx] = far[y][x] + 1
            queue.append((x + dx, y + dy))
if far[ey][ex] < 0:
    print("NO PATH")
else:
    x, y = ex, ey
    path = []
    while (x, y) != (gx, gy):
        for letter, dx, dy, wall in (("W", -1, 0, 8), ("S", 0, 1, 4), ("E", 1, 0, 2), ("N", 0, -1, 1)):
            if not rows[y][x] & wall and far[y + dy][x + dx] == far[y][x] - 1:
                path.append(letter)
                x, y = x + dx, y + dy
                break
    print("".join(path))
