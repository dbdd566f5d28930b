"""What the page of a lesson has of a trace."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A trace as the page has it."""

    picture: SafeString
    graph: SafeString | None
    labels: tuple[str, ...]
    facts: tuple[str, ...]
    """Of the last frame, one for each label."""
    queue: tuple[tuple[str, str], ...]
    """Of the last frame: name and class of each that waits."""
    depths: tuple[int, ...]
    """Of the last frame: how many places were found at each distance; empty where that is not shown."""
    sentences: tuple[str, ...]
    searches: bool
    """Whether there is a queue."""
    score: int
    """How many places were looked at; what two runs beside each other are compared by."""
    places: int
    wide: bool
    """Whether the picture wants the whole width of the page."""
    flooded: bool = False
    """Whether its squares are painted, not elements."""
    claimed: bool
    """Whether what a program said is marked in it."""
    data: Mapping[str, Any]
    """For the script: see `player.js`."""
