"""Print two random numbers; the first argument is the seed."""

import random
import sys

random.seed(sys.argv[1])
print(random.randint(0, 10**9), random.randint(0, 10**9))
