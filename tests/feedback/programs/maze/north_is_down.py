import sys
inp = sys.stdin.read().split("\n")
i = inp.index("")
rows = [[int(c, 16) for c in r] for r in inp[:i]]
e = [int(v) for v in inp[i + 1].split(",")]
g = [int(v) for v in inp[i + 2].split(",")]
W, H = len(rows[0]), len(rows)
D = {"N": (0, -1, 1), "E": (1, 0, 2), "S": (0, 1, 4), "W": (-1, 0, 8)}
best = {tuple(e): ""}
queue = [tuple(e)]
for x, y in queue:
    for letter in "NESW":
        dx, dy, bit = D[letter]
        if rows[y][x] & bit == 0 and (x + dx, y + dy) not in best:
            shown = {"N": "S", "S": "N"}.get(letter, letter)
            best[x + dx, y + dy] = best[x, y] + shown
            queue.append((x + dx, y + dy))
print(best.get(tuple(g), "NO PATH"))
