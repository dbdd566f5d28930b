"""A trace as pictures: SVG of its last frame, and what changes in it from frame to frame for the player in the page.

What a place looks like is decided here alone, so what the script shows and what the server draws are the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from judge.web.lesson.claim import draw_claim
from judge.web.lesson.drawn import Drawn
from judge.web.lesson.flooded import draw_flooded
from judge.web.lesson.scale import LAYERS, dark, paint, tone
from judge.web.lesson.sentences import sentence
from judge.web.lesson.walls import walls_path
from judge.web.told import grouped
from problems.package.claim import Claim
from problems.package.replay import Beat, Stage, frames
from problems.package.trace import FILES, Count, Dequeue, Enqueue, Jump, Kind, Meet, Names, See, Trace, Visit

CELL = 40
MARGIN = 22
GRAPH_WIDTH, GRAPH_HEIGHT = 640, 380
DEPTHS = 12
"""Searches with more layers show no table of them."""

GRAPH_PLACES = 100
"""A search that finds more is not drawn as a graph: nobody could read it."""
WIDE = 14
"""Grids with more columns take the whole width of the page."""

Look = tuple[str, str, str]
"""Classes, fill, text."""
Point = tuple[float, float]


def draw(trace: Trace, *, graph: bool) -> Drawn:
    """Everything the page needs, in the language that is active now."""
    return draw_flooded(trace) if trace.flooded else _Artist(trace, graph=graph).drawn()


class _Artist:
    def __init__(self, trace: Trace, *, graph: bool) -> None:
        self.trace, self.header = trace, trace.header
        self.names = list(trace.header.places)
        self.index = {name: number for number, name in enumerate(self.names)}
        self.found = {step.at: step for step in trace.steps if isinstance(step, Enqueue)}
        self.farthest = max((step.distance for step in self.found.values()), default=0)
        self.open = sum(not self.header.closed(name) for name in self.names)
        """How many places are not walled in."""
        self.walks = any(isinstance(step, Visit | Jump) for step in trace.steps)
        self.sided = any(step.side for step in self.found.values())
        self.with_graph = graph and self.header.kind != Kind.GRAPH and len(self.found) <= GRAPH_PLACES
        self.edges = self._edges() if self.with_graph or self.header.kind == Kind.GRAPH else {}
        self.looks: dict[str, Look] = {}
        self.edge_looks: dict[int, str] = {}

    def drawn(self) -> Drawn:
        told: list[str] = []
        shown: list[dict[str, Any]] = []
        before: dict[str, Any] = {}
        facts: list[str] = []
        stage: Stage | None = None
        line = token = ""
        for stage in frames(self.trace):
            told.append(sentence(stage))
            facts = self._facts(stage)
            line, token = self._line(stage), self._token(stage)
            whole = {
                "q": [self.index[name] for queue in stage.queues for name in queue],
                "f": facts,
                "l": line,
                "k": self.index.get(token, -1),
                "w": int(stage.claim is not None),
                "d": self._depths(stage),
            }
            frame: dict[str, Any] = {key: value for key, value in whole.items() if before.get(key) != value}
            frame["b"] = stage.beat
            frame["t"] = self._tone(stage)
            frame["c"] = self._changed(stage, self.names if not shown else stage.touched)
            if self.edges:
                frame["e"] = self._changed_edges(stage)
            before = whole
            shown.append(frame)
        assert stage is not None
        return Drawn(
            picture=self._picture(line, token, stage.claim),
            graph=self._graph() if self.with_graph else None,
            labels=tuple(self._labels()),
            facts=tuple(facts),
            queue=tuple((self.names[number], self._chip(self.names[number])) for number in before["q"]),
            depths=tuple(before["d"]),
            sentences=tuple(told),
            searches=bool(self.found),
            score=stage.visits if self.walks else len(stage.taken),
            places=self.open,
            wide=self.header.kind == Kind.GRID and self.header.columns > WIDE,
            claimed=stage.claim is not None,
            data={
                "names": self.names,
                "chips": {self.index[name]: self._chip(name) for name in self.found},
                "spots": [[*self._middle(name)] for name in self.names],
                "frames": shown,
            },
        )

    # What a place looks like ------------------------------------------------------------------------------------------

    def _changed(self, stage: Stage, places: Iterable[str]) -> dict[int, Look]:
        changed = {}
        for place in places:
            look = self._look(stage, place)
            if self.looks.get(place) != look:
                self.looks[place] = look
                changed[self.index[place]] = look
        return changed

    def _look(self, stage: Stage, place: str) -> Look:
        kinds, fill, text = [], "", ""
        found = stage.found.get(place)
        if found is not None:
            kinds.append("found")
            fill, text = paint(found.distance, self.farthest), str(found.distance)
            kinds += ["on-dark"] * dark(found.distance, self.farthest)
            kinds += ["fine"] * (self.farthest >= LAYERS)
            kinds += ["far"] * found.side
            kinds += ["q"] * (place not in stage.taken)
            kinds += ["way"] * (place in stage.path or place in stage.trail)
            kinds += ["first"] * (place == self.header.start)
            kinds += ["new"] * (place in stage.fresh)
            kinds += ["see"] * (place in stage.seen or place == stage.met)
        if place in stage.walked:
            number = stage.walked[place]
            fill, text = paint(number - 1, len(self.names) - 1), str(number)
            kinds += ["walked"] + ["head"] * (place == stage.tour[-1])
        elif place in stage.ways:
            text = str(stage.ways[place])
            kinds += ["ways"] + ["pick"] * (place == stage.pick)
        elif place == stage.left:
            kinds.append("left")
        if place == stage.current and stage.beat not in (Beat.PATH, Beat.CLAIM):
            kinds.append("now")
        return " ".join(kinds), fill, text

    def _chip(self, name: str) -> str:
        return f"l{tone(self.found[name].distance, self.farthest)}"

    def _tone(self, stage: Stage) -> int:
        """Of the layer that the search is in, for the track of the scrubber."""
        if self.walks:
            return round(6 * len(stage.tour) / len(self.names))
        return tone(stage.layers[stage.side], self.farthest)

    def _token(self, stage: Stage) -> str:
        return stage.tour[-1] if stage.tour else ""

    def _line(self, stage: Stage) -> str:
        """The walk, the way back so far, or the whole way, as points."""
        way = stage.path or stage.tour or stage.trail
        if len(way) < 2:
            return ""
        return " ".join(f"{x:g},{y:g}" for x, y in map(self._middle, way))

    # What stands beside it --------------------------------------------------------------------------------------------

    def _labels(self) -> list[str]:
        labels = []
        if self.found:
            labels += [_("Current"), _("Distance"), _("Taken from the queue"), _("In the queue")]
        if self.walks:
            labels += [_("Visited"), _("Squares tried"), _("Steps back")]
        return labels + list(self._counters())

    def _counters(self) -> Sequence[str]:
        return list(dict.fromkeys(step.name for step in self.trace.steps if isinstance(step, Count)))

    def _facts(self, stage: Stage) -> list[str]:
        facts: list[str] = []
        if self.found:
            current = stage.found.get(stage.current)
            waiting = sum(map(len, stage.queues))
            facts += [stage.current or "–", str(current.distance) if current else "–"]
            facts += [_("%(n)d of %(all)d") % {"n": len(stage.taken), "all": self.open}, str(waiting)]
        if self.walks:
            visited = _("%(n)d of %(all)d") % {"n": len(stage.tour), "all": len(self.names)}
            facts += [visited, grouped(stage.visits), grouped(stage.backs)]
        return facts + [grouped(stage.counts.get(name, 0)) for name in self._counters()]

    def _depths(self, stage: Stage) -> list[int]:
        if not self.found or self.farthest >= DEPTHS:
            return []
        counts = [0] * (self.farthest + 1)
        for each in stage.found.values():
            counts[each.distance] += 1
        return counts

    # The board ----------------------------------------------------------------------------------------------------

    def _corner(self, name: str) -> Point:
        column, row = self.header.places[name]
        left = MARGIN
        above = 2 if self.header.names == Names.CHESS else MARGIN
        return left + column * CELL, above + row * CELL

    def _middle(self, name: str) -> Point:
        if self.header.kind == Kind.GRAPH:
            x, y = self.header.places[name]
            return 30 + x * (GRAPH_WIDTH - 60) / 100, 30 + y * (GRAPH_HEIGHT - 60) / 100
        x, y = self._corner(name)
        return x + CELL / 2, y + CELL / 2

    def _picture(self, line: str, token: str, claim: Claim | None) -> SafeString:
        over = draw_claim(claim, self.header, self._middle, CELL, aside=not self.walks) if claim else SafeString("")
        if self.header.kind == Kind.GRAPH:
            return self._nodes(GRAPH_WIDTH, GRAPH_HEIGHT, {name: self._middle(name) for name in self.names}, (), over)
        header = self.header
        width, height = MARGIN + header.columns * CELL + 4, MARGIN + header.rows * CELL + 4
        pieces = [self._cell(name) for name in self.names]
        pieces += [self._labels_around(), self._walls()]
        pieces.append(format_html('<polyline class="casing" points="{0}"/><polyline class="line" points="{0}"/>', line))
        pieces += [self._over(name) for name in self.names]
        pieces.append(self._marks())
        pieces.append(
            format_html(
                '<use class="token" href="#i-knight" width="{0}" height="{0}" x="{1}" y="{2}" display="{3}"/>',
                CELL * 0.72,
                *self._at_token(token or self.names[0]),
                "inline" if token else "none",
            )
        )
        pieces.append(over)
        return _svg(f"board {header.kind}-squares", width, height, pieces)

    def _at_token(self, name: str) -> Point:
        x, y = self._corner(name)
        return x + CELL * 0.14, y + CELL * 0.14

    def _cell(self, name: str) -> SafeString:
        """The ground of a square, its colour and its frame."""
        kinds, fill, _text = self.looks[name]
        x, y = self._corner(name)
        column, row = map(int, self.header.places[name])
        gap = 8 if self.header.kind == Kind.GRID else 3  # a frame beside walls would look like one
        hatched = self.header.closed(name) or self._is_dark(column, row)
        return format_html(
            '<g class="cell {}" data-at="{}" data-name="{}" data-row="{}" data-column="{}">'
            '<rect class="ground" x="{x}" y="{y}" width="{s}" height="{s}"{hatch}/>'
            '<rect class="c" x="{x}" y="{y}" width="{s}" height="{s}" fill="{}"/>'
            '<rect class="f" x="{}" y="{}" width="{inner}" height="{inner}"/>'
            '<path class="corner" d="M{} {y}h12v12z"/></g>',
            kinds,
            self.index[name],
            name,
            row + 1,
            column + 1,
            fill or "none",
            x + gap,
            y + gap,
            x + CELL - 12,
            x=x,
            y=y,
            s=CELL,
            inner=CELL - 2 * gap,
            hatch=mark_safe(' fill="url(#hatch)"') if hatched else "",
        )

    def _over(self, name: str) -> SafeString:
        """What stands over the line of a way: the number."""
        kinds, _fill, text = self.looks[name]
        x, y = self._corner(name)
        low = self.header.kind == Kind.GRID or (name == self.header.start and not self.walks)
        return format_html(
            '<g class="cell over {}" data-at="{}"><circle class="o" cx="{}" cy="{}" r="12"/>'
            '<text class="{}" x="{}" y="{}">{}</text></g>',
            kinds,
            self.index[name],
            x + CELL / 2,
            y + CELL / 2,
            "low" if low else "",
            x + CELL - 5 if low else x + CELL / 2,
            y + CELL - 10 if low else y + CELL / 2 + 0.5,
            text,
        )

    def _is_dark(self, column: int, row: int) -> bool:
        return self.header.kind == Kind.BOARD and (column + self.header.rows - 1 - row) % 2 == 0

    def _labels_around(self) -> SafeString:
        header = self.header
        texts: list[tuple[float, float, str]] = []
        for column in range(header.columns):
            x = MARGIN + (column + 0.5) * CELL
            match header.names:
                case Names.CHESS:
                    texts.append((x, header.rows * CELL + 15, FILES[column]))
                case Names.XY:
                    texts.append((x, MARGIN - 10, str(column)))
                case Names.ROW_COLUMN:
                    texts.append((x, MARGIN - 10, str(column + 1)))
        above = 2 if header.names == Names.CHESS else MARGIN
        for row in range(header.rows):
            name = {Names.CHESS: header.rows - row, Names.XY: row, Names.ROW_COLUMN: row + 1}[header.names]
            texts.append((MARGIN - 10, above + (row + 0.5) * CELL, str(name)))
        return format_html_join("", '<text class="ax" x="{}" y="{}">{}</text>', texts)

    def _walls(self) -> SafeString:
        header = self.header
        if not header.walls:
            above = 2 if header.names == Names.CHESS else MARGIN
            return format_html(
                '<rect class="frame" x="{}" y="{}" width="{}" height="{}"/>',
                MARGIN, above, header.columns * CELL, header.rows * CELL,
            )  # fmt: skip
        drawn = walls_path(header, MARGIN, 2 if header.names == Names.CHESS else MARGIN, CELL)
        return format_html('<path class="walls" d="{}"/>', drawn)

    def _marks(self) -> SafeString:
        """Start and goal, which do not move: a knight and a ring on a board, two flags in a grid."""
        header, marks = self.header, SafeString("")
        if header.kind == Kind.BOARD and self.found:
            if header.start:
                marks += format_html(
                    '<use class="start" href="#i-knight" x="{}" y="{}" width="{}" height="{}"/>',
                    *(part - 3 for part in self._at_token(header.start)), CELL * 0.68, CELL * 0.68,
                )  # fmt: skip
            if header.goal:
                x, y = self._middle(header.goal)
                marks += format_html(
                    '<circle class="goal-casing" cx="{0}" cy="{1}" r="16"/>'
                    '<circle class="goal" cx="{0}" cy="{1}" r="16"/>',
                    x,
                    y,
                )
        if header.kind == Kind.GRID:
            for name, word in ((header.start, _("in")), (header.goal, _("out"))):
                if name:
                    x, y = self._corner(name)
                    marks += format_html(
                        '<rect class="flag" x="{}" y="{}" width="24" height="14"/>'
                        '<text class="flag-t" x="{}" y="{}">{}</text>',
                        x + 2, y + 2, x + 14, y + 9.5, word,
                    )  # fmt: skip
        return marks

    # The same as a graph ------------------------------------------------------------------------------------------

    def _edges(self) -> dict[frozenset[str], int]:
        """Every pair between which a step leads at any time."""
        pairs: dict[frozenset[str], int] = {frozenset(pair): number for number, pair in enumerate(self.header.edges)}
        current = ""
        for step in self.trace.steps:
            if isinstance(step, Enqueue) and step.parent:
                pairs.setdefault(frozenset((step.parent, step.at)), len(pairs))
            elif isinstance(step, See | Meet):
                pairs.setdefault(frozenset((current, step.at)), len(pairs))
            elif isinstance(step, Dequeue):
                current = step.at
        return pairs

    def _changed_edges(self, stage: Stage) -> dict[int, str]:
        way = {frozenset(pair) for pair in pairwise(stage.path or stage.trail or stage.tour)}
        hot = {frozenset((stage.current, place)) for place in stage.fresh if stage.found[place].parent}
        old = {frozenset((stage.current, place)) for place in (*stage.seen, stage.met) if place}
        tree = {frozenset((each.parent, place)) for place, each in stage.found.items() if each.parent}
        changed = {}
        for pair, number in self.edges.items():
            kind = "way" if pair in way else "hot" if pair in hot else "old" if pair in old else ""
            kind = kind or ("on" if pair in tree else "all" if self.header.edges else "")
            if self.edge_looks.get(number, "") != kind:
                self.edge_looks[number] = kind
                changed[number] = kind
        return changed

    def _graph(self) -> SafeString:
        """One column a layer; what was found from the goal stands on the right. Nothing moves while it grows."""
        columns: dict[int, list[str]] = {}
        last = self.farthest
        if self.sided:
            ends = [max((e.distance for e in self.found.values() if e.side == side), default=0) for side in (0, 1)]
            last = ends[0] + ends[1] + 1
        for name, each in self.found.items():
            columns.setdefault(last - each.distance if each.side else each.distance, []).append(name)
        step = (GRAPH_WIDTH - 100) / max(last, 2)
        spots: dict[str, Point] = {}
        for column, names in columns.items():
            gap = (GRAPH_HEIGHT - 50) / len(names)
            swing = 15 if gap < 24 else 0
            for place, name in enumerate(names):
                x = 50 + column * step + (swing if place % 2 else -swing)
                spots[name] = (x, 36 + (place + 0.5) * gap)
        heads = [] if self.sided else [
            (50 + column * step, _("layer %(n)d") % {"n": column} if column else _("start")) for column in columns
        ]  # fmt: skip
        return self._nodes(GRAPH_WIDTH, GRAPH_HEIGHT, spots, heads)

    def _nodes(
        self,
        width: int,
        height: int,
        spots: Mapping[str, Point],
        heads: Sequence[tuple[float, str]],
        over: SafeString | None = None,
    ) -> SafeString:
        pieces = [format_html_join("", '<text class="ax" x="{}" y="14">{}</text>', heads)]
        for pair, number in self.edges.items():
            a, b = sorted(pair) if len(pair) == 2 else (*pair, *pair)
            if a in spots and b in spots:
                pieces.append(
                    format_html(
                        '<line class="edge {}" data-edge="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>',
                        self.edge_looks.get(number, ""), number, *(f"{part:.1f}" for part in (*spots[a], *spots[b])),
                    )
                )  # fmt: skip
        for name, (x, y) in spots.items():
            kinds, fill, text = self.looks[name]
            pieces.append(
                format_html(
                    '<g class="cell node {}" data-at="{}"><circle class="c" cx="{x}" cy="{y}" r="11" fill="{}"/>'
                    '<circle class="f" cx="{x}" cy="{y}" r="14"/><text class="name" x="{x}" y="{}">{}</text>{}</g>',
                    kinds,
                    self.index[name],
                    fill or "none",
                    f"{y + 0.5:.1f}",
                    name,
                    format_html('<text class="number" x="{}" y="{}">{}</text>', f"{x + 19:.1f}", f"{y - 12:.1f}", text)
                    if self.header.kind == Kind.GRAPH
                    else "",
                    x=f"{x:.1f}",
                    y=f"{y:.1f}",
                )
            )
        return _svg("graph", width, height, [*pieces, *([over] if over else [])])


def _svg(kind: str, width: float, height: float, pieces: Iterable[SafeString]) -> SafeString:
    inside = mark_safe("".join(pieces))  # noqa: S308 - every piece is made by format_html
    return format_html(
        '<svg class="{}" viewBox="0 0 {w} {h}" width="{w}" height="{h}" aria-hidden="true" focusable="false">{}</svg>',
        kind, inside, w=f"{width:g}", h=f"{height:g}",
    )  # fmt: skip
