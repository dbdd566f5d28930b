"""given.py ROW ... ENTRY EXIT: the maze given, row by row."""

import sys

*rows, entry, goal = sys.argv[1:]
print(*rows, "", entry, goal, sep="\n")
