import sys
sys.setrecursionlimit(10**6)
lines = sys.stdin.read().split("\n")
grid = lines[:lines.index("")]
ex, ey = map(int, lines[len(grid) + 1].split(","))
gx, gy = map(int, lines[len(grid) + 2].split(","))
seen = set()
def dfs(x, y, path):
    if (x, y) == (gx, gy):
        return path
    seen.add((x, y))
    cell = int(grid[y][x], 16)
    for bit, dx, dy, letter in ((1, 0, -1, "N"), (2, 1, 0, "E"), (4, 0, 1, "S"), (8, -1, 0, "W")):
        if not cell & bit and (x + dx, y + dy) not in seen:
            found = dfs(x + dx, y + dy, path + letter)
            if found is not None:
                return found
    return None
found = dfs(ex, ey, "")
print("NO PATH" if found is None else found)
