"""What helps with a submission that failed: as far as its page shows it to the reader, by the same rules."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from django.http import HttpRequest
from ninja import Router

from judge.api.access import READ, reader
from judge.api.errors import ERRORS, Failure
from judge.api.lists import Number
from judge.api.problems import COMMENTS
from judge.api.shape import Told
from judge.api.submissions import visible
from judge.feedback import queries
from judge.feedback.actions import note_shown
from judge.feedback.ladder import Rung
from judge.feedback.parts import Parts, parts
from judge.grading.feedback.compile_errors import Fault
from judge.grading.feedback.crash import Crash
from problems.package.model import Way

router = Router(tags=["submissions"], auth=READ)


class Place(Told):
    """Of the program, as its compiler or interpreter names it."""

    file: str
    line: int | None


class Crashing(Place):
    """How the program ended itself."""

    kind: Crash


class CompilerFault(Place):
    """What the compiler means by its first message."""

    kind: Fault
    name: str
    """The word of the program that it is about."""
    more: str


class Looked(Told):
    """How small inputs were tried."""

    tried: int
    of: int
    wrong: int | None
    """On how many of them the program is wrong; null: they were tried only until one was found."""
    smallest: bool
    """Whether they were tried from the smallest on."""
    spent: bool
    """Whether the time for it was used up."""


class Counterexample(Told):
    """A small input that the program gets wrong. It is no secret case."""

    verdict: str
    input: str
    answer: str
    """A right output."""
    output: str
    """What the program printed."""
    stderr: str
    mistake: str
    """In what the output differs, such as `off_by_one`; empty: in nothing that has a name."""
    said: str
    """By the checker."""
    crash: Crashing | None


class Direction(Told):
    """Which way the program is wrong on every small input on which it was seen to be wrong."""

    way: Way
    """A number is `larger` or `smaller` than the right one; or the program `says` the same everywhere, or `misses` what
    is right everywhere."""
    wrong: int
    """So many those inputs are."""
    line: str
    range: tuple[int, int] | None
    """By so much numbers are wrong; null: there are none, or it is not told."""
    hints: dict[str, str]
    """Language -> what its author says of that, as Markdown; empty where `hints` has the known mistake."""


class Growth(Told):
    """How the time of the program grows with the input: about as n to the `exponent`."""

    exponent: float | None
    range: tuple[float, float] | None
    expected: str
    """Of a good solution."""
    too_slow_at: int | None
    """The n with which it needs more time than there is."""


class Changes(Told):
    """What is different from the attempt before, by the positions of the cases."""

    before: int
    """The submission that it is compared with."""
    fixed: list[int]
    broken: list[int]
    still: list[int]


class Next(Told):
    """How more is opened."""

    attempts: int | None
    """By so many more failed attempts."""
    opens: datetime | None
    """By itself at this time."""


class FeedbackFacts(Told):
    """What helps. What is not there, or not open for the reader now, is empty."""

    rung: Rung
    """The most that this answer tells."""
    waiting: bool
    """More will come: ask again."""
    looked: Looked | None
    counterexample: Counterexample | None
    replay: bool
    """Whether what should happen can be played on the page of the submission."""
    crash: Crashing | None
    """Of a case; that of the counterexample stands there."""
    hints: dict[str, str]
    """Language -> what is said of the known mistake that the program behaves like, as Markdown."""
    exact: bool
    """Whether it does the same as one with that mistake on every input that was tried."""
    direction: Direction | None
    growth: Growth | None
    changes: Changes | None
    compiler: CompilerFault | None
    next: Next | None


@router.get("/submissions/{pk}/feedback", response={200: FeedbackFacts, ERRORS: Failure})
def feedback(request: HttpRequest, pk: Number) -> Any:
    """What helps with a submission that failed: a small input that it gets wrong, a hint, what changed.

    What its assignment does not show on the page is not here, and what is read here counts as shown. Scope: as for the
    submission.
    """
    sent = visible(request, pk)
    seen = parts(reader(request), sent)
    rung = _rung(seen)
    note_shown(reader(request), sent, rung)
    found, growth, changes, fault = seen.counterexample, seen.growth, seen.changes, seen.fault
    return {
        "rung": rung,
        "waiting": seen.waiting,
        "looked": seen.looked or None,
        "counterexample": {**found, "crash": found.get("crash")} if found else None,
        "replay": bool(seen.replay),
        "crash": seen.crash and {"kind": seen.crash.kind, "file": seen.crash.file, "line": seen.crash.line},
        "hints": _texts(seen.hints),
        "exact": seen.exact,
        "direction": seen.direction and _direction(seen.direction, seen.meaning),
        "growth": growth and _growth(growth),
        "changes": changes and _changes(changes),
        "compiler": fault
        and {"kind": fault.fault, "file": fault.file, "line": fault.line, "name": fault.name, "more": fault.more},
        "next": {"attempts": seen.ladder.attempts, "opens": seen.ladder.opens} if seen.ladder.next else None,
    }


def _rung(seen: Parts) -> Rung:
    """A replay that may be played is none yet: it is on a page of its own."""
    if seen.counterexample:
        return Rung.COUNTEREXAMPLE
    return Rung.HINT if seen.hints or seen.meaning else Rung.KIND if seen.crash else Rung.VERDICT


def _texts(files: Mapping[str, Path]) -> dict[str, str]:
    return {language: COMMENTS["md"].sub("", path.read_text(encoding="utf-8")) for language, path in files.items()}


def _direction(found: Mapping[str, Any], meaning: Mapping[str, Path]) -> dict[str, Any]:
    return {
        "way": found["way"],
        "wrong": found["wrong"],
        "line": found["line"],
        "range": (found["least"], found["most"]) if found["most"] else None,
        "hints": _texts(meaning),
    }


def _growth(found: Mapping[str, Any]) -> dict[str, Any]:
    exponent, low, high = found["exponent"] or (None, None, None)
    return {
        "exponent": exponent,
        "range": None if exponent is None else (low, high),
        "expected": found["expected"],
        "too_slow_at": found["too_slow_at"],
    }


def _changes(found: queries.Changes) -> dict[str, Any]:
    return {"before": found.before.pk, "fixed": found.fixed, "broken": found.broken, "still": found.still}
