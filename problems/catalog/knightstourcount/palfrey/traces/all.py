"""all.py: every tour from a start, as a trace of the backtracking that finds them. Reads `N R C`, with N at most 5.

The first steps are told one by one; after these the first tours, and what the walk looks like now and then. Where a
student's program answered, its number lies in `.judge/output`.
"""

import json
import sys
from collections import Counter
from pathlib import Path

MOVES = [(-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)]
DETAILED = 60
"""Steps that are told one by one."""
TOURS = frozenset({1, 2, 3, 5, 10, 20, 50, 100, 200, 300})
"""The tours that are shown."""
NOW_AND_THEN = 100_000


def say(do, **facts):
    print(json.dumps({"do": do, **facts}))


def name(square):
    return f"{square // n + 1}-{square % n + 1}"


def jump(tour):
    say("jump", tour=[name(square) for square in tour], visits=done["visits"], backs=done["backs"])
    say("count", name="Tours", value=done["tours"])


def walk(square):
    done["visits"] += 1
    visited[square] = True
    tour.append(square)
    if done["visits"] + done["backs"] <= DETAILED:
        say("visit", at=name(square))
    elif done["visits"] % NOW_AND_THEN == 0:
        jump(tour)
    if len(tour) == n * n:
        done["tours"] += 1
        if done["tours"] in TOURS:
            jump(tour)
    else:
        for other in near[square]:
            if not visited[other]:
                walk(other)
    visited[square] = False
    tour.pop()
    done["backs"] += 1
    if done["visits"] + done["backs"] <= DETAILED:
        say("back", at=name(square))


n, row, column = map(int, sys.stdin.readline().split())
start = (row - 1) * n + column - 1
near = [
    [(r + dr) * n + c + dc for dr, dc in MOVES if 0 <= r + dr < n and 0 <= c + dc < n]
    for r in range(n)
    for c in range(n)
]
visited, tour = [False] * (n * n), []
done = Counter()
print(json.dumps({"trace": 1, "kind": "board", "columns": n, "rows": n, "names": "row-column", "start": name(start)}))
walk(start)
jump([])
say("note", text=f"Everything has been tried: {done['tours']:,} tours, {done['visits']:,} squares tried.")
said = Path(".judge/output").read_text().split() if Path(".judge/output").exists() else []
if len(said) == 1 and said[0].isdecimal() and len(said[0]) < 10 and int(said[0]) != done["tours"]:
    say("claim", wrong="count", name="Tours", said=int(said[0]))
