"""Bars as a picture: where each stands and how long it is. What is written on them is the template's.

Lengths are in per cent, so that a picture is as wide as the page lets it, and its letters stay as large as all others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from judge.web.words import Word

GAP = 0.16
"""Of the place of a bar, left free between it and the next."""
TALLEST = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What a part of a bar stands for; its `css` is a class of statistics.css."""

    label: Word
    css: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar, of one part for each kind, from the ground up."""

    label: Word
    """Below the bar, as short as can be."""
    says: Word
    """The same in words, for the table."""
    parts: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One part of a bar as a rectangle; everything in per cent of the picture."""

    css: str
    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A bar in its place."""

    bar: Bar
    middle: str
    top: str
    """Where its figure stands."""
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A histogram."""

    name: str
    """Names the picture on its page."""
    title: Word
    says: Word
    """What it shows, in a sentence."""
    axis: Word
    """What stands below."""
    kinds: Sequence[Kind]
    bars: Sequence[Bar]

    @property
    def empty(self) -> bool:
        return not any(bar.total for bar in self.bars)

    @property
    def columns(self) -> list[Column]:
        peak, place = max((bar.total for bar in self.bars), default=0) or 1, 100 / max(len(self.bars), 1)
        found = []
        for number, bar in enumerate(self.bars):
            height, blocks = 0.0, []
            for kind, part in zip(self.kinds, bar.parts, strict=True):
                if part:
                    tall = TALLEST * part / peak
                    height += tall
                    blocks.append(
                        Block(
                            css=kind.css,
                            x=_per_cent((number + GAP / 2) * place),
                            y=_per_cent(TALLEST - height),
                            width=_per_cent((1 - GAP) * place),
                            height=_per_cent(tall),
                        )
                    )
            found.append(
                Column(
                    bar=bar,
                    middle=_per_cent((number + 0.5) * place),
                    top=_per_cent(TALLEST - height),
                    blocks=tuple(blocks),
                )
            )
        return found


def spread(values: Sequence[float], limit: float, bars: int = 10) -> list[int]:
    """How many of `values` lie in each of `bars` equal steps from 0 to `limit`; what is above is in one more."""
    counted = [0] * (bars + 1)
    for value in values:
        counted[min(int(value / limit * bars), bars) if limit else bars] += 1
    return counted


def _per_cent(value: float) -> str:
    return f"{value:.2f}%"
