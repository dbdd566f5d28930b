"""What a submission's page tells: the answer in one sentence, the tiles, the steps, the figures.

Made from the snapshot that the submissions feature gives to this reader, so nothing is here that it does not show them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from judge.grading.languages import LANGUAGES
from judge.grading.verdict import Verdict
from judge.people.permissions import Viewer
from judge.regrades import queries as regrades
from judge.submissions import queries
from judge.submissions.models import Purpose, Submission
from judge.web import words
from judge.web.student.own_name import with_own_name
from judge.web.student.worth import Worth, worth_of
from judge.web.told import figure, tell, visible
from problems.models import Version

LAYERS = 6
ORDINALS = {2: _lazy("second"), 3: _lazy("third"), 4: _lazy("fourth"), 5: _lazy("fifth"), 6: _lazy("sixth")}
LOG_PLACE = re.compile(
    r"""^(?:\s*File\s+"|\s*-->\s)?(?:/box/|\./)?(?P<file>[^\s:"()]+)(?:",\s+line\s+|:|\()(?P<line>\d+)"""
)
"""Where a compiler's line points: `main.cpp:3:5: …`, `Main.java:3: …`, `File "main.py", line 3`, `/box/main.js:3`,
`./main.go:3:5: …`, ` --> main.rs:3:5`, `main.pas(3,5) Error: …`."""
LOG_LINES = 400
HARMLESS = re.compile(r"[:)]\s*(?:note|warning|remark|hint)\b", re.IGNORECASE)
NUMBER = re.compile(r"\d+")
PENDING = frozenset({"accepted", "waiting", "running", "not_run"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One case: its square exists before it runs."""

    number: int
    status: str
    """A verdict, or `waiting`, `running`, `not_run`."""
    layer: str
    """`l0` to `l6` for a case that was passed: how far the run has come."""
    facts: Mapping[str, Any] | None
    """The case's line of the snapshot, once it has one."""
    decides: bool = False
    """The first case that was not passed: it gives the verdict."""

    @property
    def said(self) -> bool:
        """Whether there is more to tell of the case than its verdict."""
        case = self.facts or {}
        notable = case.get("note") and case.get("verdict") != Verdict.ACCEPTED
        return bool(notable or case.get("team_note") or case.get("judge_note"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the table: one case, or several of which the same is told."""

    tiles: Sequence[Tile]

    @property
    def cpu_seconds(self) -> float | None:
        """Of the slowest; None where what a program costs is not shown."""
        most: float | None = self._most("cpu_seconds")
        return most

    @property
    def memory_bytes(self) -> int | None:
        """Of the one that took most; None likewise."""
        most: int | None = self._most("memory_bytes")
        return most

    def _most(self, figure: str) -> Any:
        told = (tile.facts[figure] for tile in self.tiles if tile.facts)
        return max((value for value in told if value is not None), default=None)

    @property
    def first(self) -> Tile:
        return self.tiles[0]

    @property
    def last(self) -> Tile:
        return self.tiles[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """A line of the compiler, and the line of the source it speaks of."""

    text: str
    file: int | None = None
    line: int | None = None

    @property
    def error(self) -> bool:
        """Whether this is the line to look at first, not a warning or a remark."""
        return self.line is not None and not HARMLESS.search(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """How far the judging has come, in words."""

    text: str
    status: str
    """`done`, `failed`, `now` or `later`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Everything the moving part of a submission's page shows."""

    status: str
    """The verdict when there is one, else the state."""
    final: bool
    headline: str
    facts: Mapping[str, Any]
    tiles: Sequence[Tile]
    steps: Sequence[Step]
    log: Sequence[LogLine]
    scoring: bool
    limit_seconds: float
    limit_bytes: int
    right: int
    sent: datetime
    started: datetime | None
    finished: datetime | None
    rows: Sequence[Row] = ()
    """The tiles as the table has them."""
    place: int | None = None
    judged_seconds: float | None = None
    history: Sequence[Any] = field(default_factory=tuple)
    worth: Sequence[Worth] = ()
    """Of the groups, with what it got in each."""
    events: Sequence[Any] = field(default_factory=tuple)
    """When another judgement began to count, and why."""

    @property
    def partial(self) -> bool:
        """Whether all cases were accepted and yet it has not all points."""
        points, of = self.facts["points"], self.facts["out_of"]
        return self.scoring and self.status == Verdict.ACCEPTED and points is not None and bool(of) and points < of

    @property
    def look(self) -> str:
        """What the sign and the colour go by."""
        return "partial" if self.partial else self.status

    @property
    def word(self) -> words.Word:
        return _("Accepted in part") if self.partial else words.word_of(self.status)


def story(viewer: Viewer, shown: Submission) -> Story | None:
    """The story of `shown` for this reader; None when it is not theirs to read."""
    facts = queries.snapshot(viewer, shown)
    if facts is None:
        return None
    judgement = shown.effective.judgement
    facts = {
        **facts,
        "note": with_own_name(facts.get("note", ""), shown),
        "judge_note": visible(tell(facts.get("judge_note", ""), judgement.version)),
        "cases": [
            told_case({**case, "note": with_own_name(case.get("note", ""), shown)}, judgement.version)
            for case in facts["cases"]
        ],
    }
    limits = judgement.version.facts
    tiles = _tiles(facts)
    sent, started, finished = (_moment(facts[key]) for key in ("sent", "started", "finished"))
    assert sent is not None
    events = regrades.events(viewer, shown)
    return Story(
        status=facts["verdict"] or facts["state"],
        final=facts["final"],
        headline=_headline(facts, tiles, judgement.version),
        facts=facts,
        tiles=tiles,
        rows=rows_of(tiles),
        steps=_steps(facts, regraded=judgement.purpose == Purpose.REGRADE, changed=any(one.visible for one in events)),
        log=[
            replace(line, text=with_own_name(line.text, shown))
            for line in log_lines(facts["compile_log"], [file["name"] for file in shown.files])
        ],
        scoring=bool(limits.get("scoring")),
        limit_seconds=float(limits.get("time_seconds", 0) or 0) * judgement.time_factor,
        limit_bytes=int(limits.get("memory_bytes", 0) or 0),
        right=sum(tile.status == Verdict.ACCEPTED for tile in tiles),
        sent=sent,
        started=started,
        finished=finished,
        place=facts["place"],
        judged_seconds=(finished - started).total_seconds() if started and finished else None,
        history=regrades.history(viewer, shown),
        events=events,
        worth=worth_of(judgement.version, facts["cases"]) if facts["final"] and facts["cases"] else (),
    )


def told_case(case: Mapping[str, Any], version: Version) -> dict[str, Any]:
    """A case of a snapshot, with what the judge and the package say of it in the reader's language."""
    said = {key: case[key] for key in ("note", "team_note", "judge_note") if case.get(key)}
    return {**case, **{key: visible(tell(text, version)) for key, text in said.items()}}


def log_lines(log: str, files: Sequence[str]) -> list[LogLine]:
    """The compiler's lines, each with the place in the source it points to, where it names one of `files`."""
    numbers = {name.rsplit("/", 1)[-1]: index for index, name in enumerate(files)}
    lines = []
    for text in log.rstrip().split("\n")[:LOG_LINES] if log.strip() else ():
        found = LOG_PLACE.match(text)
        file = numbers.get(found["file"].rsplit("/", 1)[-1]) if found else None
        if found and file is None and len(files) == 1 and not found["file"].startswith("/"):
            file = 0
        place = int(found["line"]) if found and file is not None and len(found["line"]) < 8 else None
        lines.append(LogLine(text=text, file=file if place else None, line=place))
    return lines


def _tiles(facts: Mapping[str, Any]) -> list[Tile]:
    cases = facts["cases"]
    total = max(facts["total"], len(cases))
    tiles: list[Tile] = []
    decided = False
    for index in range(total):
        case = cases[index] if index < len(cases) else None
        if case is not None:
            status = case["verdict"] or "not_run"
        elif facts["final"]:
            status = "not_run"
        else:
            status = (
                "running" if index == len(cases) and facts["state"] == "running" and facts["compiled"] else "waiting"
            )
        layer = f"l{round(LAYERS * index / max(total - 1, 1))}" if status == Verdict.ACCEPTED else ""
        decides = not decided and status not in PENDING
        decided = decided or decides
        tiles.append(Tile(number=index + 1, status=status, layer=layer, facts=case, decides=decides))
    return tiles


def rows_of(tiles: Sequence[Tile]) -> list[Row]:
    """Those one after the other that were not run for one reason, or of whose wrong answer the same is said, are put
    together."""
    return [Row(tiles=list(alike)) for _reason, alike in groupby(tiles, _reason_of)]


def _reason_of(tile: Tile) -> object:
    """The same for cases of which the same is told; for all others it is their own."""
    case = tile.facts or {}
    told = case.get("team_note") or ""
    alike = (tile.status == Verdict.WRONG_ANSWER and told) or (tile.status == "not_run" and not told)
    if not alike or case.get("judge_note") or case.get("has_output") or case.get("points"):
        return tile.number
    return tile.status, told, NUMBER.sub("", case.get("note") or "")  # what is left does not name the case


def _headline(facts: Mapping[str, Any], tiles: Sequence[Tile], version: Version) -> str:
    if facts["final"]:
        return visible(tell(facts["note"], version)) or _ending(facts)
    if facts["state"] == "queued":
        return _waiting(facts)
    if not facts["compiled"]:
        if _interpreted(facts):
            return _("The syntax of your program is being checked.")
        return _("Your program is being compiled.")
    right = sum(tile.status == Verdict.ACCEPTED for tile in tiles)
    if not tiles:
        return _("Your program is running.")
    now = len(facts["cases"]) + 1
    if now > len(tiles):
        return _("All cases have run; the verdict comes at once.")
    return _("Case %(now)d of %(all)d is running. %(right)s so far.") % {
        "now": now,
        "all": len(tiles),
        "right": ngettext("%(n)d is right", "%(n)d are right", right) % {"n": right} if right else _("None is right"),
    }


def _waiting(facts: Mapping[str, Any]) -> str:
    if facts["nobody_works"]:
        return _("No worker is at work just now. Your program waits safely and is judged when one is back.")
    if facts["lacks"] is not None:
        return _("Your program is kept. %(why)s") % {"why": words.waits_for(facts["lacks"])}
    place = facts["place"] or 1
    if place == 1:
        told = _("You are next.")
    elif place in ORDINALS:
        told = _("You are %(place)s in the queue.") % {"place": ORDINALS[place]}
    else:
        told = ngettext("%(n)d program is ahead of yours.", "%(n)d programs are ahead of yours.", place - 1) % {
            "n": place - 1
        }
    seconds = facts["wait_seconds"]
    return f"{told} {about(seconds)}" if seconds is not None and seconds >= 3 else told


def about(seconds: float) -> str:
    """A time to wait, as roughly as it is known."""
    if seconds < 55:
        return _("It should begin in about %(n)d seconds.") % {"n": max(5, 5 * round(seconds / 5))}
    minutes = max(1, round(seconds / 60))
    return ngettext("It should begin in about %(n)d minute.", "It should begin in about %(n)d minutes.", minutes) % {
        "n": minutes
    }


def _ending(facts: Mapping[str, Any]) -> str:
    """A sentence for a judgement that brought none."""
    if facts["state"] == "abandoned":
        return _("This judging was given up. That is not your fault, and it does not count.")
    if facts["verdict"] == Verdict.JUDGE_ERROR:
        return _("The judge failed. That is not your fault, and it does not count; staff have been told.")
    return str(words.word_of(facts["verdict"])) + "."


def _steps(facts: Mapping[str, Any], *, regraded: bool, changed: bool) -> list[Step]:
    """`regraded`: when it was begun and how long it took says nothing of what was sent; that stands in its history.

    `changed`: the result was ever another one by it.
    """
    sent, started, finished = (_moment(facts[key]) for key in ("sent", "started", "finished"))
    assert sent is not None
    steps = [Step(text=_("Received"), status="done")]
    if started is None:
        steps.append(Step(text=_("Waiting for a worker"), status="now"))
    elif not regraded:
        waited = max((started - sent).total_seconds(), 0)
        steps.append(Step(text=_("Started after %(s)s in the queue") % {"s": _seconds(waited)}, status="done"))
    checked = _interpreted(facts)
    if facts["compiled"]:
        steps.append(Step(text=_("Syntax checked") if checked else _("Compiled"), status="done"))
    elif facts["final"]:
        steps.append(Step(text=_("Stopped at the syntax check") if checked else _("Not compiled"), status="failed"))
    else:
        text = _("Checking the syntax") if checked else _("Compiling")
        steps.append(Step(text=text, status="now" if started else "later"))
    if not facts["final"]:
        steps.append(Step(text=_("Running the cases"), status="now" if facts["compiled"] else "later"))
    elif regraded:
        text = _("Regraded") if changed else _("Judged again, with the same result")
        steps.append(Step(text=text, status="done"))
    elif finished is not None and started is not None:
        steps.append(
            Step(text=_("Judged in %(s)s") % {"s": _seconds((finished - started).total_seconds())}, status="done")
        )
    return steps


def _interpreted(facts: Mapping[str, Any]) -> bool:
    """Whether there is nothing to compile, and only the syntax is checked."""
    language = LANGUAGES.get(facts["language"])
    return language is not None and language.interpreted


def _seconds(value: float) -> str:
    return _("%(n)s s") % {"n": figure(value, 1 if value < 10 else 0)}


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
