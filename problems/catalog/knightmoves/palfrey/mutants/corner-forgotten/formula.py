"""A formula for a board without an end."""

import sys


def distance(start: str, target: str) -> int:
    far, near = sorted((abs(ord(start[0]) - ord(target[0])), abs(int(start[1]) - int(target[1]))), reverse=True)
    if (far, near) in {(1, 0), (2, 2)}:
        return far + 2
    moves = max((far + 1) // 2, (far + near + 2) // 3)
    return moves + (moves + far + near) % 2


for line in sys.stdin:
    a, b = line.split()
    print(f"To get from {a} to {b} takes {distance(a, b)} knight moves.")
