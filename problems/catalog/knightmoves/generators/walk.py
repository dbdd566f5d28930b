"""walk.py LINES SEED: one long walk of a knight told in legs of at most two moves.

Each line starts where the one before it ended. Short legs keep a plain search for each line quick in every language, so
that a long input asks for care with reading and writing, not for a trick.

Only `Random.random` is used, which gives the same numbers in every version of Python.
"""

import random
import sys

MOVES = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))

lines, seed = map(int, sys.argv[1:])
draw = random.Random(seed)
column, row = 0, 0
for _ in range(lines):
    start = "abcdefgh"[column] + "12345678"[row]
    for _ in range(int(draw.random() * 3)):
        reached = [(column + dc, row + dr) for dc, dr in MOVES if 0 <= column + dc < 8 and 0 <= row + dr < 8]
        column, row = reached[int(draw.random() * len(reached))]
    print(start, "abcdefgh"[column] + "12345678"[row])
