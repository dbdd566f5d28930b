"""scatter.py LINES SEED: squares drawn at random."""

import random
import sys

SQUARES = [column + row for column in "abcdefgh" for row in "12345678"]

lines, seed = map(int, sys.argv[1:])
draw = random.Random(seed)
for _ in range(lines):
    print(draw.choice(SQUARES), draw.choice(SQUARES))
