"""given.py A B [A B ...]: the squares given, two a line."""

import sys

squares = sys.argv[1:]
for start, target in zip(squares[::2], squares[1::2], strict=True):
    print(start, target)
