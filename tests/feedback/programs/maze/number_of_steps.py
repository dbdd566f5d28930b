import sys
data = sys.stdin.read().splitlines()
blank = data.index("")
maze = data[:blank]
sx, sy = (int(v) for v in data[blank + 1].split(","))
tx, ty = (int(v) for v in data[blank + 2].split(","))
dist = {(sx, sy): 0}
frontier = [(sx, sy)]
while frontier and (tx, ty) not in dist:
    new = []
    for x, y in frontier:
        c = int(maze[y][x], 16)
        for b, (i, j) in enumerate([(0, -1), (1, 0), (0, 1), (-1, 0)]):
            if c >> b & 1 == 0 and (x + i, y + j) not in dist:
                dist[x + i, y + j] = dist[x, y] + 1
                new.append((x + i, y + j))
    frontier = new
print(dist.get((tx, ty), "NO PATH"))
