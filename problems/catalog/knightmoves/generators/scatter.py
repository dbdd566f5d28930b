"""scatter.py LINES SEED: squares drawn at random.

Only `Random.random` is used, which gives the same numbers in every version of Python.
"""

import random
import sys

SQUARES = [column + row for column in "abcdefgh" for row in "12345678"]

lines, seed = map(int, sys.argv[1:])
draw = random.Random(seed)
for _ in range(lines):
    print(SQUARES[int(draw.random() * 64)], SQUARES[int(draw.random() * 64)])
