"""A maze as the statement describes it, and nothing else. Exits 42 (valid) or 43 (not, with the reason).

Allowed, and not looked at: entry = exit, an exit out of reach, loops, closed cells, lower-case digits.
"""

import re
import sys
from itertools import pairwise

LONGEST = 1000
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
PLACE = re.compile(rb"(0|[1-9][0-9]{0,2}),(0|[1-9][0-9]{0,2})")
VALUES = bytes(int(chr(byte), 16) if chr(byte) in "0123456789abcdefABCDEF" else 255 for byte in range(256))


def has(wall: int) -> bytes:
    """A table for `bytes.translate`: cell -> 1 where that wall is closed, 0 where it is open."""
    return bytes(1 if value & wall else 0 for value in range(256))


HAS = {wall: has(wall) for wall in (NORTH, EAST, SOUTH, WEST)}


def differs(one: bytes, other: bytes) -> int:
    """The first place where two rows differ."""
    return next(place for place, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)


def fault_of_rows(rows: list[bytes]) -> str | None:
    """What is wrong with the rows, given as values 0 to 15; None when nothing is."""
    for y, row in enumerate(rows):
        if 255 in row:
            return f"row {y}, column {row.index(255)} is not a hexadecimal digit"
        if len(row) != len(rows[0]):
            return f"row {y} has {len(row)} cells, row 0 has {len(rows[0])}"
        east, west = row.translate(HAS[EAST]), row.translate(HAS[WEST])
        if not west[0] or not east[-1]:
            return f"row {y} is open at the {'left' if not west[0] else 'right'} border"
        if east[:-1] != west[1:]:
            x = differs(east[:-1], west[1:])
            return f"row {y}: columns {x} and {x + 1} do not agree about the wall between them"
    if 0 in rows[0].translate(HAS[NORTH]):
        return f"column {rows[0].translate(HAS[NORTH]).index(0)} is open at the upper border"
    if 0 in rows[-1].translate(HAS[SOUTH]):
        return f"column {rows[-1].translate(HAS[SOUTH]).index(0)} is open at the lower border"
    for y, (above, below) in enumerate(pairwise(rows)):
        south, north = above.translate(HAS[SOUTH]), below.translate(HAS[NORTH])
        if south != north:
            return f"column {differs(south, north)}: rows {y} and {y + 1} do not agree about the wall between them"
    return None


def fault(data: bytes) -> str | None:
    """What is wrong with an input, as a sentence; None when nothing is."""
    lines = data.split(b"\n")
    if len(lines) < 5 or lines[-1] != b"" or lines[-4] != b"" or b"" in lines[:-4]:
        return "not rows, one empty line, entry and exit, with a line feed at the end of each line"
    rows = [line.translate(VALUES) for line in lines[:-4]]
    if len(rows) > LONGEST or len(rows[0]) > LONGEST:
        return f"more than {LONGEST} rows or columns"
    for name, line in (("entry", lines[-3]), ("exit", lines[-2])):
        place = PLACE.fullmatch(line)
        if not place:
            return f"the {name} is not x,y: {line[:40]!r}"
        if int(place[1]) >= len(rows[0]) or int(place[2]) >= len(rows):
            return f"the {name} lies outside of the maze"
    return fault_of_rows(rows)


def main() -> int:
    """Judge standard input."""
    found = fault(sys.stdin.buffer.read())
    if found is None:
        return 42
    print(found)
    return 43


if __name__ == "__main__":
    sys.exit(main())
