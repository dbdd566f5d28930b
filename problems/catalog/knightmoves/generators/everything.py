"""everything.py [SEED]: all 4,096 pairs, in order, or shuffled when there is a seed."""

import random
import sys

SQUARES = [column + row for column in "abcdefgh" for row in "12345678"]

pairs = [(start, target) for start in SQUARES for target in SQUARES]
if len(sys.argv) > 1:
    random.Random(int(sys.argv[1])).shuffle(pairs)
for start, target in pairs:
    print(start, target)
