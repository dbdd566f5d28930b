"""everything.py [SEED]: all 4,096 pairs, in order, or shuffled when there is a seed.

Only `Random.random` is used, which gives the same numbers in every version of Python.
"""

import random
import sys

SQUARES = [column + row for column in "abcdefgh" for row in "12345678"]

pairs = [(start, target) for start in SQUARES for target in SQUARES]
if len(sys.argv) > 1:
    draw = random.Random(int(sys.argv[1]))
    pairs.sort(key=lambda _: draw.random())
for start, target in pairs:
    print(start, target)
