"""What a program said, as a trace tells it, and whether that is so: nobody is told of a mistake that is none."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from problems.say import say

if TYPE_CHECKING:
    from problems.package.replay import Stage
    from problems.package.trace import Header

SIDES = ("north", "east", "south", "west")
_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Of `SIDES`: columns and rows; the wall on a side is the bit of its number."""
Pairs = Collection[frozenset[str]]
"""Of places between which a step has led."""


class Wrong(StrEnum):
    """What is wrong with what a program said."""

    DISTANCE = "distance"
    """`said` is not the distance of `at`."""
    COUNT = "count"
    """`said` is not what the counter `name` came to."""
    NUMBER = "number"
    """`said` stands on `at`, and is no number of a place."""
    SAME = "same"
    """`said` stands on `both`; the places of the numbers before it may be the `path`."""
    NONE = "none"
    """It said that there is no way, and there is one."""
    START = "start"
    END = "end"
    WALL = "wall"
    """The last step of the path goes through a wall."""
    OUTSIDE = "outside"
    """After its last place the path leaves to `side`."""
    STEP = "step"
    """The last step of the path is none that may be made."""
    TWICE = "twice"
    """The last place of the path has been visited before."""
    SHORT = "short"
    """The path leaves places out."""
    LONGER = "longer"
    OTHER = "other"
    """`text` says it, in words of the author's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a program said whose output is looked at: the last step, drawn over what should have happened."""

    wrong: Wrong
    path: tuple[str, ...] = ()
    """Where it went, up to the first step or place that is wrong."""
    at: tuple[str, ...] = ()
    """Places that are wrong, beside the path."""
    said: int = 0
    name: str = ""
    side: str = ""
    text: str = ""


def doubt(claim: Claim, stage: "Stage", near: Pairs) -> str:
    """Why the claim cannot stand as it is, to be mended by the author of the tracer; empty when it may."""
    return (_before(claim, stage) if claim.path else "") or _CHECKS[claim.wrong](claim, stage, near)


def _before(claim: Claim, stage: "Stage") -> str:
    """What is wrong in the path before its end: the first mistake is the one to tell."""
    header, path = stage.header, claim.path
    if claim.wrong != Wrong.START and path[0] != (header.start or path[0]):
        return say("said", "The path does not begin at the start: that is `start`.")
    if header.walls:
        squares = _squares(header)
        for here, there in pairwise(path[:-1] if claim.wrong in (Wrong.WALL, Wrong.STEP) else path):
            if (there, False) not in _sides(header, squares, here).values():
                return say(
                    "said", "The path cannot go from %(here)s to %(there)s: claim that first.", here=here, there=there
                )
    if stage.visits and len(set(path[:-1])) < len(path[:-1]):
        return say("said", "A place stands twice in the path before its end.")
    return ""


Squares = Mapping[tuple[float, float], str]
"""Column and row -> name."""


def _squares(header: "Header") -> Squares:
    return {at: name for name, at in header.places.items()}


def _sides(header: "Header", squares: Squares, place: str) -> Mapping[str, tuple[str, bool]]:
    """Side -> the square there, empty outside, and whether a wall is between."""
    column, row = header.places[place]
    walls = header.walls[int(row) * header.columns + int(column)] if header.walls else 0
    return {
        side: (squares.get((column + dx, row + dy), ""), bool(walls & 1 << number))
        for number, (side, (dx, dy)) in enumerate(zip(SIDES, _STEPS, strict=True))
    }


def open_sides(header: "Header", squares: Squares, place: str) -> list[str]:
    """The squares of a grid to which no wall bars the way."""
    return [there for there, wall in _sides(header, squares, place).values() if there and not wall]


def _distance(claim: Claim, stage: "Stage", _near: Pairs) -> str:
    found = stage.found.get(claim.at[0])
    if found is None:
        return say("said", "%(at)s has not been found.", at=claim.at[0]) if any(stage.queues) or not stage.found else ""
    return say("said", "That is the distance.") if found.distance == claim.said or found.side else ""


def _count(claim: Claim, stage: "Stage", _near: Pairs) -> str:
    return (
        say("said", "The counter says the same, or there is none.")
        if stage.counts.get(claim.name) in (None, claim.said)
        else ""
    )


def _number(claim: Claim, stage: "Stage", _near: Pairs) -> str:
    return say("said", "That is a number of a place.") if 1 <= claim.said <= len(stage.header.places) else ""


def _same(claim: Claim, _stage: "Stage", _near: Pairs) -> str:
    return "" if len(set(claim.at)) == 2 else say("said", "`both` must be two places.")


def _none(_claim: Claim, stage: "Stage", _near: Pairs) -> str:
    there_is = stage.path or len(stage.tour) == len(stage.header.places) or stage.header.goal in stage.found
    return "" if there_is else say("said", "No way has been found.")


def _start(claim: Claim, stage: "Stage", _near: Pairs) -> str:
    return (
        ""
        if claim.path and stage.header.start not in ("", claim.path[0])
        else say("said", "The path begins at the start.")
    )


def _end(claim: Claim, stage: "Stage", _near: Pairs) -> str:
    return (
        ""
        if claim.path and stage.header.goal not in ("", claim.path[-1])
        else say("said", "The path ends at the goal.")
    )


def _wall(claim: Claim, stage: "Stage", _near: Pairs) -> str:
    if len(claim.path) < 2 or not stage.header.walls:
        return say("said", "There is no wall.")
    here, there = claim.path[-2:]
    return (
        ""
        if (there, True) in _sides(stage.header, _squares(stage.header), here).values()
        else say("said", "No wall is there.")
    )


def _outside(claim: Claim, stage: "Stage", _near: Pairs) -> str:
    if not claim.path or not stage.header.columns:
        return say("said", "There is no outside.")
    there, _wall = _sides(stage.header, _squares(stage.header), claim.path[-1])[claim.side]
    return say("said", "%(square)s is there.", square=there) if there else ""


def _step(claim: Claim, stage: "Stage", near: Pairs) -> str:
    if len(claim.path) < 2:
        return say("said", "The path has no step.")
    here, there = claim.path[-2:]
    led = frozenset((here, there)) in near
    if stage.header.walls:
        led = led or (there, False) in _sides(stage.header, _squares(stage.header), here).values()
    return say("said", "A step does lead from %(here)s to %(there)s.", here=here, there=there) if led else ""


def _twice(claim: Claim, _stage: "Stage", _near: Pairs) -> str:
    return "" if claim.path[-1:] and claim.path[-1] in claim.path[:-1] else say("said", "No place is visited twice.")


def _short(claim: Claim, stage: "Stage", _near: Pairs) -> str:
    return "" if 0 < len(set(claim.path)) < len(stage.header.places) else say("said", "No place is left out.")


def _longer(claim: Claim, stage: "Stage", _near: Pairs) -> str:
    goal = stage.found.get(stage.header.goal)
    right = goal is not None and claim.path[-1:] == (stage.header.goal,) and not goal.side
    return (
        ""
        if right and goal and len(claim.path) - 1 > goal.distance
        else say("said", "The path is not longer than the shortest.")
    )


def _other(claim: Claim, _stage: "Stage", _near: Pairs) -> str:
    return "" if claim.text.strip() else say("said", "`text` must say what is wrong.")


_CHECKS: Mapping[Wrong, Callable[[Claim, "Stage", Pairs], str]] = {
    Wrong.DISTANCE: _distance,
    Wrong.COUNT: _count,
    Wrong.NUMBER: _number,
    Wrong.SAME: _same,
    Wrong.NONE: _none,
    Wrong.START: _start,
    Wrong.END: _end,
    Wrong.WALL: _wall,
    Wrong.OUTSIDE: _outside,
    Wrong.STEP: _step,
    Wrong.TWICE: _twice,
    Wrong.SHORT: _short,
    Wrong.LONGER: _longer,
    Wrong.OTHER: _other,
}
