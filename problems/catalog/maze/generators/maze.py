"""maze.py KIND WIDTH HEIGHT ENTRY EXIT [SEED [lower]]: a maze of the A-Maze-ing kind.

KIND is
    perfect   exactly one way between any two cells
    looped    a perfect maze that has lost its dead ends and some walls more ("Pac-Man")
    split     looped, with a wall through the middle from top to bottom
    open      no inner walls at all
    single    like perfect, but without the "42"

All but the last two have in their middle the closed cells that draw "42" when they fit with a margin of one cell. ENTRY
and EXIT are `x,y`; `-` stands for the upper left and the lower right corner. `lower` writes lower-case digits. Only
`Random.random` is used, which gives the same numbers in every version of Python.
"""

import random
import sys

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
CLOSED = 15

FORTY_TWO = (
    "#...###",
    "#.....#",
    "###.###",
    "..#.#..",
    "..#.###",
)


def forty_two(width: int, height: int) -> set[int]:
    """The cells (numbered row by row) that stay closed; none when the drawing does not fit."""
    if width < 9 or height < 7:
        return set()
    left, top = (width - 7) // 2, (height - 5) // 2
    return {
        (top + y) * width + left + x for y, row in enumerate(FORTY_TWO) for x, mark in enumerate(row) if mark == "#"
    }


def steps(width: int, height: int) -> tuple[tuple[int, int, int], ...]:
    """For each side: how the number of a cell changes, the wall to open here, the wall to open there."""
    sides = ((-width, NORTH, SOUTH), (1, EAST, WEST), (width, SOUTH, NORTH), (-1, WEST, EAST))
    return sides if width > 1 else (sides[0], sides[2]) if height > 1 else ()


def inner(width: int, height: int) -> list[int]:
    """For each cell the walls that are not the border, as bits."""
    bits = [CLOSED] * (width * height)
    for x in range(width):
        bits[x] &= ~NORTH
        bits[(height - 1) * width + x] &= ~SOUTH
    for y in range(height):
        bits[y * width] &= ~WEST
        bits[(y + 1) * width - 1] &= ~EAST
    return bits


def perfect(width: int, height: int, draw: random.Random, closed: set[int]) -> list[int]:
    """Carve depth first, with a stack of our own, until every cell that is not closed has been reached."""
    walls = [CLOSED] * (width * height)
    allowed = inner(width, height)
    untouched = bytearray([1]) * (width * height)
    for cell in closed:
        untouched[cell] = 0
    untouched[0] = 0
    sides = steps(width, height)
    stack = [0]
    while stack:
        cell = stack[-1]
        ways = [side for side in sides if allowed[cell] & side[1] and untouched[cell + side[0]]]
        if not ways:
            stack.pop()
            continue
        step, here, there = ways[int(draw.random() * len(ways))]
        walls[cell] &= ~here
        walls[cell + step] &= ~there
        untouched[cell + step] = 0
        stack.append(cell + step)
    return walls


def looped(width: int, height: int, draw: random.Random, closed: set[int]) -> list[int]:
    """Open one more wall of each dead end, and of every tenth other cell."""
    walls = perfect(width, height, draw, closed)
    allowed = inner(width, height)
    sides = steps(width, height)
    for cell in range(width * height):
        if cell in closed or not (walls[cell].bit_count() == 3 or draw.random() < 0.1):
            continue
        ways = [side for side in sides if allowed[cell] & walls[cell] & side[1] and cell + side[0] not in closed]
        if ways:
            step, here, there = ways[int(draw.random() * len(ways))]
            walls[cell] &= ~here
            walls[cell + step] &= ~there
    return walls


def split(width: int, height: int, draw: random.Random, closed: set[int]) -> list[int]:
    """Two halves that nothing joins."""
    walls = looped(width, height, draw, closed)
    for y in range(height):
        walls[y * width + width // 2 - 1] |= EAST
        walls[y * width + width // 2] |= WEST
    return walls


def main() -> None:
    """Write one maze to standard output."""
    kind, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    entry, goal = sys.argv[4:6]
    draw = random.Random(int(sys.argv[6])) if len(sys.argv) > 6 else random.Random(0)
    closed = forty_two(width, height)
    match kind:
        case "perfect":
            walls = perfect(width, height, draw, closed)
        case "looped":
            walls = looped(width, height, draw, closed)
        case "split":
            walls = split(width, height, draw, closed)
        case "single":
            walls = perfect(width, height, draw, set())
        case "open":
            walls = [CLOSED & ~bits for bits in inner(width, height)]
        case _:
            sys.exit(f"no such kind of maze: {kind}")
    digits = "0123456789abcdef" if sys.argv[7:] == ["lower"] else "0123456789ABCDEF"
    for y in range(height):
        print("".join(digits[bits] for bits in walls[y * width : (y + 1) * width]))
    print()
    print("0,0" if entry == "-" else entry)
    print(f"{width - 1},{height - 1}" if goal == "-" else goal)


if __name__ == "__main__":
    main()
