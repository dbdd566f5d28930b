"""A picture of each problem, computed from what the problem is about; light is near, dark is far.

The kind follows the keywords of the package (a board, a tour over it, a maze); anything else gets a patch of layers
grown from its name, so that every problem has a picture of its own and always the same one.
"""

import random
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from itertools import pairwise

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

Square = tuple[int, int]
JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
TOUR_WORDS = {"backtracking", "tour", "hamiltonian", "hamiltonian path", "warnsdorff"}
DARKEST = 6


@lru_cache(maxsize=512)
def thumbnail(slug: str, keywords: tuple[str, ...]) -> SafeString:
    """The picture of a problem, as an SVG that says nothing to a screen reader."""
    subject = {word.casefold() for word in keywords}
    chance = random.Random(slug)  # noqa: S311
    if "maze" in subject or "maze" in slug:
        return _maze(chance)
    if not (subject & {"knight", "chess"} or "knight" in slug):
        return _patch(chance)
    if not subject & TOUR_WORDS:
        return _picture(8, _cells(_reach((4, 6), lambda square: _jumps(square, 8))))
    if subject & {"counting", "count"}:
        return _picture(5, _cells({square: _freedom(square, 5) for square in _board(5)}))
    return _tour(chance, 5 if "enumeration" in subject else 8)


@cache
def beside_the_board() -> SafeString:
    """The error page's picture: a knight's distances on a board, and a square beside it that no move reaches."""
    cells = _cells(_reach((7, 4), lambda square: _jumps(square, 8)))
    return format_html(
        '<svg class="lost" viewBox="0 0 9 8" aria-hidden="true">{}<rect x="8.12" y="1.12" width=".76" height=".76"'
        ' class="off"/><path class="casing" d="M7.5 4.5V1.5H8"/><path class="mark" d="M7.5 4.5V1.5H8"/>'
        '<use href="#i-knight" x="7.1" y="4.1" width=".8" height=".8"/></svg>',
        cells,
    )


def _board(side: int) -> list[Square]:
    return [(x, y) for y in range(side) for x in range(side)]


def _jumps(square: Square, side: int) -> list[Square]:
    x, y = square
    return [(x + a, y + b) for a, b in JUMPS if 0 <= x + a < side and 0 <= y + b < side]


def _freedom(square: Square, side: int) -> int:
    """Layer of a square by how few ways lead on from it."""
    return DARKEST - 2 * (len(_jumps(square, side)) // 3)


def _reach(start: Square, onward: Callable[[Square], Iterable[Square]]) -> dict[Square, int]:
    """Distance of every square that can be reached from `start`."""
    distance, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in onward(here):
            if there not in distance:
                distance[there] = distance[here] + 1
                queue.append(there)
    return distance


def _cells(distance: Mapping[Square, int]) -> SafeString:
    far = max(DARKEST, *distance.values())
    return format_html_join(
        "",
        '<rect x="{}" y="{}" width="1.02" height="1.02" class="f{}"/>',
        ((x, y, round(DARKEST * d / far)) for (x, y), d in distance.items()),
    )


def _picture(side: int, inside: SafeString) -> SafeString:
    return format_html('<svg class="thumb" viewBox="0 0 {} {}" aria-hidden="true">{}</svg>', side, side, inside)


def _tour(chance: random.Random, side: int) -> SafeString:
    """A knight's tour by Warnsdorff's rule, drawn as a line that grows darker; tried until one comes through."""
    way: list[Square] = []
    while len(way) < side * side:
        way, free = [(0, side - 1)], set(_board(side)) - {(0, side - 1)}
        while onward := [square for square in _jumps(way[-1], side) if square in free]:
            way.append(min(onward, key=lambda s: (sum(t in free for t in _jumps(s, side)), chance.random())))
            free.discard(way[-1])
    lines = format_html_join(
        "",
        '<line x1="{}.5" y1="{}.5" x2="{}.5" y2="{}.5" class="t{}"/>',
        ((*a, *b, round(4 * i / len(way))) for i, (a, b) in enumerate(pairwise(way))),
    )
    return _picture(side, format_html('<rect width="{}" height="{}" class="f6"/>{}', side, side, lines))


def _maze(chance: random.Random) -> SafeString:
    """A small maze carved depth first, its ways coloured by distance from a corner."""
    side, start = 9, (0, 0)
    open_cells, stack = {start}, [start]
    while stack:
        x, y = stack[-1]
        beyond = [
            (x + 2 * a, y + 2 * b, x + a, y + b)
            for a, b in STEPS
            if 0 <= x + 2 * a < side and 0 <= y + 2 * b < side and (x + 2 * a, y + 2 * b) not in open_cells
        ]
        if not beyond:
            stack.pop()
            continue
        there_x, there_y, wall_x, wall_y = chance.choice(beyond)
        open_cells |= {(there_x, there_y), (wall_x, wall_y)}
        stack.append((there_x, there_y))
    distance = _reach(start, lambda s: ((s[0] + a, s[1] + b) for a, b in STEPS if (s[0] + a, s[1] + b) in open_cells))
    return _picture(side, format_html('<rect width="{}" height="{}" class="wall"/>{}', side, side, _cells(distance)))


def _patch(chance: random.Random) -> SafeString:
    """Layers that grow at random from one square until the picture is full."""
    side = 8
    cost = {square: chance.choice((1, 1, 2)) for square in _board(side)}
    start = (chance.randrange(side), chance.randrange(side))
    distance, edge = {start: 0}, {start: 0}
    while edge:
        here = min(edge, key=lambda square: edge[square])
        so_far = edge.pop(here)
        for a, b in STEPS:
            there = (here[0] + a, here[1] + b)
            if there in cost and there not in distance:
                distance[there] = edge[there] = so_far + cost[there]
    return _picture(side, _cells(distance))
