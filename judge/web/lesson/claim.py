"""What a program said, drawn over the last frame of a trace: its way dashed, and a cross where it goes wrong."""

from collections.abc import Callable, Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from problems.package.claim import SIDES, Claim, Wrong
from problems.package.trace import Header, Kind

Point = tuple[float, float]
_ASIDE = 5
"""So far the way is drawn beside the right one, which may be the same."""
_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))


def draw_claim(claim: Claim, header: Header, middle: Callable[[str], Point], cell: float, *, aside: bool) -> SafeString:
    """A group to be put over the picture. `middle`: of a place; `cell`: width of a square; `aside`: the right way is
    drawn there, and the program's beside it; else the picture shows its way already."""
    shift = _ASIDE if aside and header.kind != Kind.GRAPH else 0
    path = [(x - shift, y - shift) for x, y in map(middle, claim.path)]
    walked, wrong = path, list[Point]()
    if claim.wrong in (Wrong.WALL, Wrong.STEP, Wrong.TWICE) and len(path) > 1:
        walked, wrong = path[:-1], path[-2:]
    if claim.wrong == Wrong.OUTSIDE:
        (x, y), (dx, dy) = path[-1], _STEPS[SIDES.index(claim.side)]
        wrong = [(x, y), (x + dx * cell * 0.8, y + dy * cell * 0.8)]
    places = {*claim.at, *(claim.path[-1:] if claim.wrong in (Wrong.TWICE, Wrong.END) else ())}
    places |= {claim.path[0]} if claim.wrong == Wrong.START else set()
    pieces = [_hatched(header, middle(place), cell) for place in sorted(places)]
    if aside:
        pieces.append(_line("claim-line", walked))
    if claim.wrong == Wrong.WALL:
        pieces.append(_wall(middle(claim.path[-2]), middle(claim.path[-1]), cell))
    pieces.append(_line("claim-wrong", wrong))
    if wrong:
        pieces.append(_cross((wrong[0][0] + wrong[1][0]) / 2, (wrong[0][1] + wrong[1][1]) / 2))
    for place in sorted(places):
        x, y = middle(place)
        if claim.wrong in (Wrong.DISTANCE, Wrong.NUMBER, Wrong.SAME):
            pieces.append(_said(x, y, claim.said))
        pieces.append(_cross(x + cell / 2 - 9, y - cell / 2 + 9))
    return format_html('<g class="claim" data-claim>{}</g>', mark_safe("".join(pieces)))  # noqa: S308 - made above


def _line(kind: str, points: Sequence[Point]) -> SafeString:
    if len(points) < 2:
        return SafeString("")
    drawn = " ".join(f"{x:g},{y:g}" for x, y in points)
    return format_html('<polyline class="casing" points="{0}"/><polyline class="{1}" points="{0}"/>', drawn, kind)


def _hatched(header: Header, at: Point, cell: float) -> SafeString:
    x, y = at
    if header.kind == Kind.GRAPH:
        return format_html('<circle class="claim-place" cx="{}" cy="{}" r="18" fill="url(#claim-hatch)"/>', x, y)
    return format_html(
        '<rect class="claim-place" x="{0}" y="{1}" width="{2}" height="{2}" fill="url(#claim-hatch)"/>',
        x - cell / 2 + 1, y - cell / 2 + 1, cell - 2,
    )  # fmt: skip


def _wall(here: Point, there: Point, cell: float) -> SafeString:
    """The side between two squares."""
    x, y = (here[0] + there[0]) / 2, (here[1] + there[1]) / 2
    along = (0, cell / 2) if here[1] == there[1] else (cell / 2, 0)
    ends = (x - along[0], y - along[1], x + along[0], y + along[1])
    return format_html('<path class="claim-wall" d="M{} {}L{} {}"/>', *(f"{part:g}" for part in ends))


def _said(x: float, y: float, number: int) -> SafeString:
    wide = 12 + 9 * len(str(number))
    return format_html(
        '<rect class="claim-said" x="{}" y="{}" width="{}" height="20"/><text class="claim-number" x="{}" y="{}">{}'
        "</text>",
        x - wide / 2, y - 10, wide, x, y + 0.5, number,
    )  # fmt: skip


def _cross(x: float, y: float) -> SafeString:
    arms = "M{} {}l8 8m0 -8l-8 8"
    return format_html(
        '<circle class="claim-sign" cx="{0}" cy="{1}" r="8.5"/><path class="claim-cross" d="{2}"/>',
        f"{x:g}", f"{y:g}", arms.format(f"{x - 4:g}", f"{y - 4:g}"),
    )  # fmt: skip
