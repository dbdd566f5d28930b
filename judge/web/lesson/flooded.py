"""A grid that is flooded layer by layer, as pictures: too many squares for an element each.

Its last frame is an SVG with one path for each distance; the player paints the others into a canvas below it, each
frame only with what is new.
"""

from collections.abc import Iterator
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from judge.web.lesson.claim import draw_claim
from judge.web.lesson.drawn import Drawn
from judge.web.lesson.scale import paint, tone
from judge.web.lesson.sentences import sentence
from judge.web.lesson.walls import walls_path
from judge.web.told import grouped
from problems.package.claim import Claim
from problems.package.replay import Stage, frames
from problems.package.trace import Count, Flood, Trace

MARGIN = 22
WIDTH, HEIGHT = 832, 1_664
"""Of the squares together, where they need not be larger for it than `MOST` nor smaller than `LEAST`."""
LEAST, MOST = 3, 24
EVERY = 10
"""Columns and rows are numbered so often."""
FLAG = (24, 14)


def draw_flooded(trace: Trace) -> Drawn:
    """Everything the page needs, in the language that is active now."""
    return _Map(trace).drawn()


class _Map:
    def __init__(self, trace: Trace) -> None:
        self.trace, self.header = trace, trace.header
        self.names = list(trace.header.places)
        self.index = {name: number for number, name in enumerate(self.names)}
        self.cell = max(LEAST, min(MOST, WIDTH // self.header.columns, HEIGHT // self.header.rows))
        self.width = MARGIN + self.header.columns * self.cell + 4
        self.height = MARGIN + self.header.rows * self.cell + 4
        self.open = sum(not self.header.closed(name) for name in self.names)
        self.farthest = sum(len(step.layers) for step in trace.steps if isinstance(step, Flood)) - 1
        self.counters = list(dict.fromkeys(step.name for step in trace.steps if isinstance(step, Count)))

    def drawn(self) -> Drawn:
        told: list[str] = []
        shown: list[dict[str, Any]] = []
        facts: list[str] = []
        stage: Stage | None = None
        for stage in frames(self.trace):
            told.append(sentence(stage))
            facts = self._facts(stage)
            shown.append(
                {
                    "b": stage.beat,
                    "t": tone(stage.layers[0], self.farthest),
                    "f": facts,
                    "l": self._line(stage),
                    "w": int(stage.claim is not None),
                    "n": list(self._new(stage)),
                    "m": [self.index[name] for name in stage.queues[0]],
                }
            )
        assert stage is not None
        return Drawn(
            picture=self._picture(stage),
            graph=None,
            labels=(_("Distance"), _("Found"), _("In the queue"), *self.counters),
            facts=tuple(facts),
            queue=(),
            depths=(),
            sentences=tuple(told),
            searches=False,
            score=len(stage.taken),
            places=self.open,
            wide=True,
            claimed=stage.claim is not None,
            flooded=True,
            data={
                "frames": shown,
                "water": {
                    "columns": self.header.columns,
                    "cell": self.cell,
                    "margin": MARGIN,
                    "fills": [paint(distance, self.farthest) for distance in range(self.farthest + 1)],
                },
            },
        )

    def _new(self, stage: Stage) -> Iterator[tuple[int, list[int]]]:
        """Distance and places of each layer that this frame brings."""
        layers: dict[int, list[int]] = {}
        for name in stage.fresh:
            layers.setdefault(stage.found[name].distance, []).append(self.index[name])
        yield from layers.items()

    def _facts(self, stage: Stage) -> list[str]:
        found = _("%(n)d of %(all)d") % {"n": len(stage.found), "all": self.open}
        facts = [str(stage.layers[0]), found, str(len(stage.queues[0]))]
        return facts + [grouped(stage.counts.get(name, 0)) for name in self.counters]

    def _line(self, stage: Stage) -> str:
        return " ".join(f"{x:g},{y:g}" for x, y in map(self._middle, stage.path)) if len(stage.path) > 1 else ""

    def _corner(self, name: str) -> tuple[float, float]:
        column, row = self.header.places[name]
        return MARGIN + column * self.cell, MARGIN + row * self.cell

    def _middle(self, name: str) -> tuple[float, float]:
        x, y = self._corner(name)
        return x + self.cell / 2, y + self.cell / 2

    def _picture(self, stage: Stage) -> SafeString:
        pieces = [self._still(stage), self._closed(), self._numbers()]
        walls = walls_path(self.header, MARGIN, MARGIN, self.cell)
        pieces.append(format_html('<path class="walls" d="{}"/>', walls))
        line = self._line(stage)
        pieces.append(format_html('<polyline class="casing" points="{0}"/><polyline class="line" points="{0}"/>', line))
        pieces.append(self._marks())
        if stage.claim is not None:
            pieces.append(self._claim(stage.claim))
        size, inside = (self.width, self.height), mark_safe("".join(pieces))  # noqa: S308 - made by format_html
        return format_html(
            '<div class="flooded{2}"><canvas data-water width="{0}" height="{1}" aria-hidden="true"></canvas>'
            '<svg class="board grid-squares" viewBox="0 0 {0} {1}" width="{0}" height="{1}" aria-hidden="true"'
            ' focusable="false">{3}</svg></div>',
            *size, " fine" if self.cell < MOST else "", inside,
        )  # fmt: skip

    def _still(self, stage: Stage) -> SafeString:
        """What is found, for readers without script."""
        layers: dict[int, list[str]] = {}
        for name, each in stage.found.items():
            layers.setdefault(each.distance, []).append(name)
        paths = [(paint(distance, self.farthest), self._squares(names)) for distance, names in layers.items()]
        return format_html("<g data-still>{}</g>", format_html_join("", '<path fill="{}" d="{}"/>', paths))

    def _closed(self) -> SafeString:
        closed = self._squares([name for name in self.names if self.header.closed(name)])
        return format_html('<path fill="url(#hatch)" d="{}"/>', closed)

    def _squares(self, names: list[str]) -> str:
        return "".join(f"M{x:g} {y:g}h{self.cell}v{self.cell}h-{self.cell}z" for x, y in map(self._corner, names))

    def _numbers(self) -> SafeString:
        columns, rows = range(0, self.header.columns, EVERY), range(0, self.header.rows, EVERY)
        outside = MARGIN - 10.0
        texts = [(MARGIN + (column + 0.5) * self.cell, outside, column) for column in columns]
        texts += [(outside, MARGIN + (row + 0.5) * self.cell, row) for row in rows]
        return format_html_join("", '<text class="ax" x="{}" y="{}">{}</text>', texts)

    def _marks(self) -> SafeString:
        """Two flags, inside the picture."""
        marks = SafeString("")
        for name, word in ((self.header.start, _("in")), (self.header.goal, _("out"))):
            if name:
                x, y = self._corner(name)
                x, y = min(x + 1, self.width - FLAG[0] - 5), min(y + 1, self.height - FLAG[1] - 5)
                marks += format_html(
                    '<rect class="flag" x="{}" y="{}" width="{}" height="{}"/><text class="flag-t" x="{}" y="{}">{}'
                    "</text>",
                    x, y, *FLAG, x + FLAG[0] / 2, y + FLAG[1] / 2 + 0.5, word,
                )  # fmt: skip
        return marks

    def _claim(self, claim: Claim) -> SafeString:
        return draw_claim(claim, self.header, self._middle, self.cell, aside=True)
