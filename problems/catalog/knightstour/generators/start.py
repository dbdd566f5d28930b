"""A board of the given size and a start on it, taken at random: `start.py SIZE tour|any SEED`.

With `tour` the start has the colour that a tour can start on, which matters when the size is odd.
"""

import random
import sys

size, kind, seed = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
generator = random.Random(seed)
starts = [
    (row, column)
    for row in range(1, size + 1)
    for column in range(1, size + 1)
    if kind == "any" or size % 2 == 0 or (row + column) % 2 == 0
]
print(size, *generator.choice(starts))
