"""A figure of a lesson as the page shows it: what may be chosen, one player or two, code beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import structlog
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from judge.lessons import queries
from judge.lessons.models import LessonTrace
from judge.people.permissions import Viewer, may_create_problems
from judge.web.lesson.code import Code, shown_code
from judge.web.lesson.drawing import draw
from judge.web.lesson.drawn import Drawn
from judge.web.told import Phrases, phrases_of, tell
from problems.models import Version
from problems.package.claim import Claim
from problems.package.lesson import Choice, TraceBlock
from problems.package.model import Package
from problems.package.trace import Count, Note, Step
from problems.package.trace_line import TraceFault

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A choice with the value that it has now."""

    choice: Choice
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """One player."""

    title: str
    drawn: Drawn

    @property
    def facts(self) -> Sequence[tuple[str, str]]:
        return list(zip(self.drawn.labels, self.drawn.facts, strict=True))

    @property
    def share(self) -> float:
        """Width of a bar of 100 for `drawn.score` out of all places."""
        return min(100.0, 100 * self.drawn.score / self.drawn.places)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A trace block with values."""

    number: int
    """Its place among the figures of the lesson, from 1."""
    block: TraceBlock
    fields: Sequence[Field]
    shows: Sequence[Show]
    """Empty when there is nothing to play."""
    code: Sequence[Code]
    waiting: bool
    """Whether it is being made now."""
    missing: bool
    """Whether nobody has asked for these values yet."""
    fault: str
    """Why there is no trace, in a sentence for the reader."""

    @property
    def final(self) -> bool:
        return not self.waiting

    @property
    def data(self) -> Mapping[str, Any]:
        """For the script."""
        return {
            "shows": [show.drawn.data for show in self.shows],
            "code": [code.beats for code in self.code],
            "last": self.block.last,
        }

    @property
    def compared(self) -> bool:
        """Whether how much each has looked at is put beside each other: only where both count the same."""
        return len(self.shows) > 1 and all(show.drawn.searches for show in self.shows)


def figure(
    viewer: Viewer, version: Version, package: Package, *, block: TraceBlock, number: int, values: Mapping[str, str]
) -> Figure:
    """The figure with `values`, which `block.values()` gave."""
    commands = block.commands(values)
    rows = queries.traces(version, commands)
    found = [rows.get(queries.key_of(command)) for command in commands]
    made = [row for row in found if row is not None and row.trace]
    complete = len(made) == len(commands)
    return Figure(
        number=number,
        block=block,
        fields=[Field(choice=choice, value=values[choice.key]) for choice in block.choices],
        shows=[
            Show(title=title, drawn=_drawn(bytes(row.trace), block.graph, get_language() or "en", phrases_of(version)))
            for title, row in zip(block.titles, made, strict=True)
        ]
        if complete
        else [],
        code=shown_code(package.code[block.code], f"code-{number}") if block.code in package.code else [],
        waiting=any(row is not None and not row.over for row in found),
        missing=any(row is None for row in found),
        fault=_fault(viewer, found),
    )


@lru_cache(maxsize=32)
def _drawn(kept: bytes, graph: bool, _language: str, phrases: Phrases) -> Drawn:
    trace = queries.unpacked(kept)
    steps = tuple(_told(step, phrases) for step in trace.steps)
    try:
        return draw(replace(trace, steps=steps), graph=graph)
    except TraceFault:
        # What should have happened is worth seeing also without what the program said.
        log.exception("a trace cannot be drawn with its claim", language=_language)
        unmarked = tuple(step for step in steps if not isinstance(step, Claim))
        return draw(replace(trace, steps=unmarked, lines=()), graph=graph)


def _told(step: Step, phrases: Phrases) -> Step:
    """A step with the author's words in the reader's language."""
    match step:
        case Note():
            return replace(step, text=phrases.find(step.text) or step.text)
        case Count():
            return replace(step, name=phrases.find(step.name) or step.name)
        case Claim():  # it speaks of the counter by its name
            return replace(step, name=phrases.find(step.name) or step.name, text=phrases.find(step.text) or step.text)
    return step


def _fault(viewer: Viewer, rows: Sequence[LessonTrace | None]) -> str:
    failed = next((row for row in rows if row is not None and row.fault), None)
    if failed is None:
        return ""
    if failed.refused:
        return _("These values do not go together: the problem allows no such input. Choose others.")
    text = _("This figure could not be made. The fault is not yours; try other values.")
    return f"{text} {tell(failed.fault)}" if may_create_problems(viewer) else text
