"""The walls of a grid as one path, the pieces that lie in one line drawn as one."""

from collections.abc import Iterator

from problems.package.trace import Header

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8


def walls_path(header: Header, left: float, above: float, cell: float) -> str:
    """Of an SVG. `left`, `above`: the upper left corner of the grid; `cell`: width of a square."""
    lying = _runs(header, header.rows, header.columns, NORTH, SOUTH)
    standing = _runs(header, header.columns, header.rows, WEST, EAST)
    pieces = [f"M{left + a * cell:g} {above + at * cell:g}H{left + b * cell:g}" for at, a, b in lying]
    pieces += [f"M{left + at * cell:g} {above + a * cell:g}V{above + b * cell:g}" for at, a, b in standing]
    return "".join(pieces)


def _runs(header: Header, lines: int, length: int, before: int, behind: int) -> Iterator[tuple[int, int, int]]:
    """Line between squares, and from where to where a wall stands on it. `before`: the bit of the side that lies on
    the line before a square."""

    def walls(line: int, place: int) -> int:
        row, column = (line, place) if before == NORTH else (place, line)
        return header.walls[row * header.columns + column]

    for line in range(lines + 1):
        begun = None
        for place in range(length + 1):
            stands = place < length and (
                (line < lines and walls(line, place) & before) or (line > 0 and walls(line - 1, place) & behind)
            )
            if stands and begun is None:
                begun = place
            elif not stands and begun is not None:
                yield line, begun, place
                begun = None
