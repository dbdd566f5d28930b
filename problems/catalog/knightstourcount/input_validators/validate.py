"""One line `N R C`: the size of the board and the square of the start on it. Exits with 42 if so, with 43 if not."""

import re
import sys

LARGEST = 6

line = re.fullmatch(rb"([1-9][0-9]?) ([1-9][0-9]?) ([1-9][0-9]?)\n", sys.stdin.buffer.read(100))
if line is None:
    print("the input is not one line of three numbers, separated by single spaces")
    sys.exit(43)
size, row, column = map(int, line.groups())
if not (size <= LARGEST and row <= size and column <= size):
    print(f"not a board of at most {LARGEST} x {LARGEST} with the start on it")
    sys.exit(43)
sys.exit(42)
