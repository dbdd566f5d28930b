"""A trace: what an algorithm does on a board, a grid or a graph, as a header and a list of typed steps.

It is written as JSON lines, the header first: see `problems/README.md`. `problems.package.replay` shows what it means.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from problems.package.claim import SIDES, Claim, Wrong
from problems.package.trace_line import Line, TraceFault
from problems.say import say

MAX_BYTES = 512 << 10
MAX_STEPS = 5_000
MAX_PLACES = 900
MAX_FLOODED = 10_000
"""Squares of a grid whose search is told by whole layers."""
MAX_NODES = 200
MAX_EDGES = 600
"""Of a graph of the author's own."""

NAME = re.compile(r"[A-Za-z0-9_,-]{1,16}")
FILES = "abcdefghijklmnopqrstuvwxyz"
CLOSED = 15


class Kind(StrEnum):
    BOARD = "board"
    GRID = "grid"
    GRAPH = "graph"


class Names(StrEnum):
    """How the squares of a board or grid are called."""

    CHESS = "chess"
    """`a1` is the lower left corner."""
    XY = "xy"
    """`3,2`: column from the left, row from the top, from 0."""
    ROW_COLUMN = "row-column"
    """`3-2`: row from the top, column from the left, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the steps happen on."""

    kind: Kind
    places: Mapping[str, tuple[float, float]]
    """Name -> column and row of a square, from 0, from the upper left; for a graph x and y, each from 0 to 100."""
    columns: int = 0
    rows: int = 0
    names: Names = Names.XY
    walls: tuple[int, ...] = ()
    """Of a grid, row by row: 1 north, 2 east, 4 south, 8 west; a set bit is a wall."""
    edges: tuple[tuple[str, str], ...] = ()
    """Of a graph."""
    start: str = ""
    goal: str = ""

    def closed(self, place: str) -> bool:
        """Whether it is a cell with a wall on all four sides."""
        column, row = self.places[place]
        return bool(self.walls) and self.walls[int(row) * self.columns + int(column)] == CLOSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Enqueue:
    """`at` is found at `distance` from where its search began, and goes to the back of the queue."""

    at: str
    distance: int
    parent: str = ""
    """From where; empty for a first place."""
    side: int = 0
    """0: the search from the start, 1: the one from the goal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dequeue:
    """`at` leaves the front of the queue and is the current place."""

    at: str
    side: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class See:
    """From the current place, `at` is looked at again: it is known already."""

    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """The places at `distance` come next."""

    distance: int
    side: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Flood:
    """In a grid, whole layers are found, one after the other: each is all that the one before it leads to."""

    layers: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meet:
    """From the current place, the search of the other side is met in `at`."""

    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrace:
    """The way back from the goal comes to `at`, where the distance is one less than before."""

    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """The way that was found, from start to goal."""

    places: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoPath:
    """Everything that can be reached has been, and the goal is not among it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """How many ways lead on from each place that can be visited next; `pick` is the one that is taken."""

    of: Mapping[str, int]
    pick: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A walk goes on to `at`, where it has not been."""

    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Back:
    """The walk takes its last step back: it leaves `at`."""

    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Jump:
    """Many steps at once: the walk is `tour` now, and from the beginning `visits` and `backs` steps were made."""

    tour: tuple[str, ...]
    visits: int
    backs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """A counter of the author's own gets a value."""

    name: str
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A sentence of the author's."""

    text: str


_OneByOne = Enqueue | Dequeue | See | Layer | Meet | Retrace | Ways | Visit | Back | Jump
Step = _OneByOne | Flood | Path | NoPath | Count | Note | Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    header: Header
    steps: tuple[Step, ...]
    lines: tuple[int, ...] = field(default=(), compare=False)
    """Of each step, its line."""

    @property
    def flooded(self) -> bool:
        return any(isinstance(step, Flood) for step in self.steps)


def parse(printed: bytes) -> Trace:
    """The trace in `printed`. Raises `TraceFault` at the first thing that is wrong."""
    if len(printed) > MAX_BYTES:
        raise TraceFault(
            1, say("said", "It has more than %(kib)s KiB: show a smaller example, or fewer steps.", kib=MAX_BYTES >> 10)
        )
    lines = [(number, line) for number, line in enumerate(printed.split(b"\n"), 1) if line.strip()]
    if not lines:
        raise TraceFault(1, say("said", "Nothing was printed: print a header, then a step a line."))
    if len(lines) > MAX_STEPS + 1:
        raise TraceFault(
            MAX_STEPS + 2,
            say("said", "It has more than %(most)s steps: show a smaller example.", most=f"{MAX_STEPS:,}"),
        )
    header = _header(Line(*lines[0]))
    steps = tuple(_step(Line(number, line), header) for number, line in lines[1:])
    if not steps:
        raise TraceFault(lines[0][0], say("said", "There is no step after the header."))
    trace = Trace(header=header, steps=steps, lines=tuple(number for number, _ in lines[1:]))
    single = [line for step, line in zip(steps, trace.lines, strict=True) if isinstance(step, _OneByOne)]
    if trace.flooded and single:
        raise TraceFault(single[0], say("said", "Where whole layers are flooded, places are not told one by one."))
    if not trace.flooded and len(header.places) > MAX_PLACES:
        raise TraceFault(
            lines[0][0],
            say("said", "There may be 1 to %(most)s squares, more only in a grid that is flooded.", most=MAX_PLACES),
        )
    return trace


def square_name(names: Names, column: int, row: int, rows: int) -> str:
    """What the square in `column` and `row`, from 0 from the upper left, is called."""
    match names:
        case Names.CHESS:
            return f"{FILES[column]}{rows - row}"
        case Names.XY:
            return f"{column},{row}"
        case Names.ROW_COLUMN:
            return f"{row + 1}-{column + 1}"


def _header(given: Line) -> Header:
    if given.number("trace") != 1:
        raise given.fault(say("said", "`trace` must be 1, the number of this format."))
    kind = given.text("kind")
    if kind not in list(Kind):
        raise given.fault(say("said", "`kind` must be one of %(list)s.", list=", ".join(Kind)))
    header = _graph(given) if kind == Kind.GRAPH else _squares(given, Kind(kind))
    for place in (header.start, header.goal):
        if place and place not in header.places:
            raise given.fault(say("said", "There is no place `%(name)s`.", name=place[:40]))
    given.end()
    return header


def _squares(given: Line, kind: Kind) -> Header:
    walls: tuple[int, ...] = ()
    if kind == Kind.GRID:
        lines = given.listed("walls", MAX_FLOODED)
        if not lines or not all(isinstance(line, str) and re.fullmatch("[0-9A-Fa-f]+", line) for line in lines):
            raise given.fault(say("said", "`walls` must be a list of rows of hexadecimal digits, one a cell."))
        if len({len(line) for line in lines}) > 1:
            raise given.fault(say("said", "The rows of `walls` must be equally long."))
        columns, rows = len(lines[0]), len(lines)
        walls = tuple(int(digit, 16) for line in lines for digit in line)
    else:
        columns, rows = given.number("columns", most=MAX_PLACES), given.number("rows", most=MAX_PLACES)
    names = given.text("names", Names.XY)
    if names not in list(Names):
        raise given.fault(say("said", "`names` must be one of %(list)s.", list=", ".join(Names)))
    most = MAX_FLOODED if kind == Kind.GRID else MAX_PLACES
    if not 1 <= columns * rows <= most:
        raise given.fault(say("said", "There may be 1 to %(most)s squares.", most=most))
    if names == Names.CHESS and columns > len(FILES):
        raise given.fault(say("said", "A board with names of chess has at most %(most)s columns.", most=len(FILES)))
    return Header(
        kind=kind,
        places={
            square_name(Names(names), column, row, rows): (column, row)
            for row in range(rows)
            for column in range(columns)
        },
        columns=columns,
        rows=rows,
        names=Names(names),
        walls=walls,
        start=given.text("start", ""),
        goal=given.text("goal", ""),
    )


def _graph(given: Line) -> Header:
    places: dict[str, tuple[float, float]] = {}
    for name, at in given.mapped("nodes", MAX_PLACES).items():
        if not NAME.fullmatch(name):
            raise given.fault(say("said", "Names of nodes have 1 to 16 letters, digits, `_`, `,` or `-`."))
        if not isinstance(at, list) or len(at) != 2 or not all(isinstance(n, int) and 0 <= n <= 100 for n in at):
            raise given.fault(
                say("said", "The node `%(name)s` needs [x, y], two whole numbers from 0 to 100.", name=name)
            )
        places[name] = (at[0], at[1])
    edges = []
    for pair in given.listed("edges", MAX_EDGES):
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(e, str) and e in places for e in pair):
            raise given.fault(say("said", "An edge is a pair of names of nodes."))
        edges.append((pair[0], pair[1]))
    if not 1 <= len(places) <= MAX_NODES:
        raise given.fault(say("said", "There may be 1 to %(most)s nodes.", most=MAX_NODES))
    return Header(
        kind=Kind.GRAPH, places=places, edges=tuple(edges), start=given.text("start", ""), goal=given.text("goal", "")
    )


def _claim(given: Line, place: Callable[[str], str]) -> Claim:
    wrong = given.text("wrong")
    if wrong not in list(Wrong):
        raise given.fault(say("said", "`wrong` must be one of %(list)s.", list=", ".join(Wrong)))
    kind = Wrong(wrong)
    at: list[Any] = []
    if kind in (Wrong.DISTANCE, Wrong.NUMBER) or given.has("at"):
        at = [given.text("at")]
    if kind == Wrong.SAME:
        at = given.listed("both", 2)
    side = given.text("side") if kind == Wrong.OUTSIDE else ""
    if side and side not in SIDES:
        raise given.fault(say("said", "`side` must be one of %(list)s.", list=", ".join(SIDES)))
    return Claim(
        wrong=kind,
        path=tuple(map(place, given.listed("path", MAX_FLOODED + 1))) if given.has("path") else (),
        at=tuple(map(place, at)),
        said=given.number("said") if kind in (Wrong.DISTANCE, Wrong.COUNT, Wrong.NUMBER, Wrong.SAME) else 0,
        name=given.text("name") if kind == Wrong.COUNT else "",
        side=side,
        text=given.text("text") if kind == Wrong.OTHER else "",
    )


Make = Callable[[Line, Callable[[str], str]], Step]
_STEPS: Mapping[str, Make] = {
    "enqueue": lambda o, place: Enqueue(
        at=place(o.text("at")),
        distance=o.number("distance", most=MAX_PLACES),
        parent=place(parent) if (parent := o.text("from", "")) else "",
        side=o.number("side", 0, most=1),
    ),
    "dequeue": lambda o, place: Dequeue(at=place(o.text("at")), side=o.number("side", 0, most=1)),
    "see": lambda o, place: See(at=place(o.text("at"))),
    "layer": lambda o, _: Layer(distance=o.number("distance", most=MAX_PLACES), side=o.number("side", 0, most=1)),
    "flood": lambda o, place: Flood(layers=tuple(_layers(o, place))),
    "meet": lambda o, place: Meet(at=place(o.text("at"))),
    "retrace": lambda o, place: Retrace(at=place(o.text("at"))),
    "path": lambda o, place: Path(places=tuple(map(place, o.listed("places", MAX_FLOODED)))),
    "no-path": lambda _o, _place: NoPath(),
    "ways": lambda o, place: Ways(of=dict(_ways(o, place)), pick=place(pick) if (pick := o.text("pick", "")) else ""),
    "visit": lambda o, place: Visit(at=place(o.text("at"))),
    "back": lambda o, place: Back(at=place(o.text("at"))),
    "jump": lambda o, place: Jump(
        tour=tuple(map(place, o.listed("tour", MAX_PLACES))), visits=o.number("visits"), backs=o.number("backs")
    ),
    "count": lambda o, _: Count(name=o.text("name"), value=o.number("value")),
    "note": lambda o, _: Note(text=o.text("text")),
    "claim": _claim,
}
STEPS = tuple(_STEPS)
"""What a step may `do`."""


def _layers(given: Line, place: Callable[[str], str]) -> Iterator[tuple[str, ...]]:
    for layer in given.listed("layers", MAX_FLOODED):
        if not isinstance(layer, list):
            raise given.fault(say("said", "`layers` must be a list of lists of places."))
        yield tuple(map(place, layer))


def _ways(given: Line, place: Callable[[str], str]) -> Iterator[tuple[str, int]]:
    for name, number in given.mapped("of", MAX_PLACES).items():
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= MAX_PLACES:
            raise given.fault(say("said", "The ways of `%(name)s` must be a whole number.", name=name[:40]))
        yield place(name), number


def _step(given: Line, header: Header) -> Step:
    do = given.text("do")
    if do not in _STEPS:
        raise given.fault(
            say("said", "There is no step `%(step)s`; steps are: %(list)s.", step=do[:40], list=", ".join(STEPS))
        )

    def place(name: object) -> str:
        if not isinstance(name, str) or name not in header.places:
            raise given.fault(say("said", "There is no place `%(name)s`.", name=str(name)[:40]))
        return name

    step = _STEPS[do](given, place)
    given.end()
    return step
