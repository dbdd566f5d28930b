"""Prints an input: `numbers.py COUNT LOWEST HIGHEST SEED`. Called by the lines of generators.yaml."""

import random
import sys

count, lowest, highest, seed = map(int, sys.argv[1:])
random.seed(seed)  # so that the same line makes the same input, wherever it is made
print(count)
for _ in range(count):
    print(random.randint(lowest, highest))
