"""Small mazes, smallest first: one row, one column, all of 2 x 2, then some with more cells, open, loose and tight.

Each is a JSON string on a line of its own. Only `Random.random` is used, which gives the same numbers everywhere.
"""

import json
import random
from collections.abc import Iterator
from itertools import product

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
Place = tuple[int, int]
draw = random.Random(42)


def sides(width: int, height: int) -> list[tuple[Place, Place]]:
    """The pairs of cells that have a wall or an opening between them."""
    across = [((x, y), (x + 1, y)) for y in range(height) for x in range(width - 1)]
    return across + [((x, y), (x, y + 1)) for y in range(height - 1) for x in range(width)]


def maze(width: int, height: int, opened: list[tuple[Place, Place]], entry: Place, goal: Place) -> str:
    """The text of a maze with these openings."""
    walls = {(x, y): 15 for y in range(height) for x in range(width)}
    for (x, y), (u, v) in opened:
        walls[x, y] &= ~(EAST if u > x else SOUTH)
        walls[u, v] &= ~(WEST if u > x else NORTH)
    rows = ["".join("0123456789ABCDEF"[walls[x, y]] for x in range(width)) for y in range(height)]
    return "\n".join([*rows, "", f"{entry[0]},{entry[1]}", f"{goal[0]},{goal[1]}", ""])


def some(width: int, height: int, share: float) -> list[tuple[Place, Place]]:
    """About this share of all openings."""
    return [side for side in sides(width, height) if draw.random() < share]


def inputs() -> Iterator[str]:
    """All of them."""
    for width in (1, 2, 3):
        for opened in (sides(width, 1), []):
            for entry, goal in ((0, 0), (0, width - 1), (width - 1, 0)):
                if width > 1 or opened == [] == sides(width, 1):
                    yield maze(width, 1, opened, (entry, 0), (goal, 0))
    yield maze(2, 1, sides(2, 1), (0, 0), (1, 0)).lower()
    yield maze(6, 1, sides(6, 1), (5, 0), (0, 0)).lower()
    for opened, (entry, goal) in product((sides(1, 2), []), ((0, 1), (1, 0))):
        yield maze(1, 2, opened, (0, entry), (0, goal))
    corners = [((0, 0), (1, 0)), ((0, 0), (0, 1)), ((0, 0), (1, 1)), ((1, 1), (0, 0)), ((1, 0), (0, 1))]
    for entry, goal in corners:
        yield maze(2, 2, sides(2, 2), entry, goal)
    for kept in product((True, False), repeat=4):
        opened = [side for side, keep in zip(sides(2, 2), kept, strict=True) if keep]
        if len(opened) < 4:
            yield maze(2, 2, opened, (0, 0), (1, 1))
            yield maze(2, 2, opened, (1, 0), (0, 1))
    for width, height in ((3, 2), (4, 2), (1, 3), (2, 3), (3, 3), (5, 3), (2, 4), (4, 4), (6, 5), (9, 7)):
        yield maze(width, height, sides(width, height), (0, 0), (width - 1, height - 1))
        yield maze(width, height, sides(width, height), (width - 1, 0), (0, height - 1))
        for share in (0.85, 0.6):
            yield maze(width, height, some(width, height, share), (0, 0), (width - 1, height - 1))
            yield maze(width, height, some(width, height, share), (width - 1, height - 1), (0, height // 2))
    # Harmless but for whoever adds a cell several times, and for recursion along the path.
    yield maze(14, 14, sides(14, 14), (0, 0), (13, 13))
    yield maze(16, 13, sides(16, 13), (0, 0), (15, 12))
    yield maze(1000, 1, sides(1000, 1), (0, 0), (999, 0))


seen: set[str] = set()
for text in inputs():
    if text not in seen:
        seen.add(text)
        print(json.dumps(text))
