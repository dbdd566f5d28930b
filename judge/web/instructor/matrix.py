"""The table of examples and cases for the page: signs, what gives a program away, what is not as promised, margins."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from judge.authoring.models import Errand
from judge.web.told import tell

FOLDERS: Mapping[str, str | Promise] = {
    "accepted": _("accepted"),
    "rejected": _("rejected"),
    "wrong_answer": _("wrong answer"),
    "time_limit_exceeded": _("time limit"),
    "run_time_error": _("run-time error"),
    "brute_force": _("brute force"),
}
"""What a folder of examples promises; others are shown by their own name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One example on one case. `verdict` empty: not run."""

    verdict: str
    seconds: float
    hit: bool
    """The first case that gives the program away."""
    odd: bool
    """What it got there is not as promised."""

    @property
    def status(self) -> str:
        return self.verdict or "not_run"

    @property
    def look(self) -> str:
        return "odd" if self.odd else "hit" if self.hit else "same" if self.verdict == "accepted" else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One example."""

    name: str
    promised: str | Promise
    verdict: str
    judged: bool
    note: str
    cells: tuple[Cell, ...]
    slowest: float | None
    slowest_case: str
    first_case: str
    complaints: tuple[str, ...]
    odd: bool
    """What it got in all is not as promised, or on a case that has no column."""
    points: float | None
    """None: the problem has no points, or nothing is known."""
    out_of: float
    right: bool
    """It must be accepted: its slowest case is what the limit must leave room for."""

    @property
    def folder(self) -> str:
        """`accepted/`: what a narrow window leaves out."""
        return self.name.rpartition("/")[0] + "/" if "/" in self.name else ""

    @property
    def file(self) -> str:
        return self.name.rpartition("/")[2]

    @property
    def as_promised(self) -> bool:
        return self.judged and not self.complaints


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """An input or output that is there to try the validators."""

    name: str
    wanted: str | Promise
    said: str
    complaint: str
    judged: bool


WANTED: Mapping[str, str | Promise] = {
    "invalid_input": _("an input validator must refuse it"),
    "invalid_output": _("the output validator must refuse it"),
    "valid_output": _("the output validator must take it"),
}
"""Kind of a probe -> what must be said of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """All of it."""

    limit: float
    timed: bool
    """Programs are run: where answers are submitted, no time is taken."""
    cases: tuple[str, ...]
    more: int
    """Cases without a column."""
    rows: tuple[Row, ...]
    waiting: tuple[str, ...]
    proposed: Mapping[str, Any] | None
    probes: tuple[Probe, ...]
    more_probes: int
    """Probes that are not told one by one."""
    spare: float | None
    """How often the slowest example that must be fast enough goes into the limit."""
    slowest_right: Mapping[str, Any] | None
    """That example, which may be a wrong one: name, case, seconds. None: it was not told."""
    untried: bool
    """The checker is the author's own, and nothing tries whether it rejects anything."""
    fastest_slow: Mapping[str, Any] | None
    """Of the examples that must be too slow the fastest: name, case, seconds."""

    @property
    def odd_probes(self) -> tuple[Probe, ...]:
        return tuple(probe for probe in self.probes if probe.complaint)

    @property
    def odd(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.complaints)

    @property
    def judged(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.judged)

    @property
    def unjudged(self) -> tuple[Row, ...]:
        """In languages that are not judged here."""
        return tuple(row for row in self.rows if not row.judged)

    @property
    def accepted(self) -> tuple[Row, ...]:
        """The right ones, and the one that decides how much room there is; slowest first."""
        decides = self.slowest_right["name"].removeprefix("submissions/") if self.slowest_right else None
        right = [row for row in self.rows if (row.right or row.name == decides) and row.slowest is not None]
        return tuple(sorted(right, key=lambda row: -(row.slowest or 0)))

    @property
    def all_rows(self) -> int:
        return len(self.rows) + len(self.waiting)

    @property
    def is_wide(self) -> bool:
        return len(self.cases) > 14


def table_of(errand: Errand) -> Table | None:
    """The table that `judge.authoring.verdicts` kept; None before there is any."""
    result = errand.result
    if "rows" not in result:
        return None
    cases = tuple(str(case["name"]) for case in result["cases"])
    return Table(
        limit=result["limit"],
        timed=result.get("timed", True),
        cases=cases,
        more=max(result["all_cases"] - len(cases), 0),
        rows=tuple(_row(row, scoring=bool(result.get("scoring"))) for row in result["rows"]),
        waiting=tuple(result["waiting"]),
        proposed=result.get("proposed"),
        probes=tuple(_probe(kept) for kept in result.get("probes", ())),
        more_probes=max(result.get("all_probes", 0) - len(result.get("probes", ())), 0),
        spare=result.get("spare"),
        slowest_right=result.get("slowest_right"),
        untried=bool(result.get("checker_untried")),
        fastest_slow=result.get("fastest_slow"),
    )


def _probe(kept: Mapping[str, Any]) -> Probe:
    return Probe(
        name=kept["name"],
        wanted=WANTED[kept["kind"]],
        said=kept["said"],
        complaint=kept["complaint"],
        judged=kept["judged"],
    )


def _row(kept: Mapping[str, Any], *, scoring: bool) -> Row:
    odd = set(kept["odd"])
    cells = zip(kept["verdicts"], kept["seconds"], strict=True)
    return Row(
        name=kept["name"],
        promised=FOLDERS.get(kept["folder"], kept["folder"].replace("_", " ")),
        verdict=kept["verdict"],
        judged=kept["judged"],
        note=tell(kept["note"]),
        cells=tuple(
            Cell(verdict=verdict, seconds=seconds, hit=at == kept["first"], odd=at in odd)
            for at, (verdict, seconds) in enumerate(cells)
        ),
        slowest=kept["slowest"],
        slowest_case=kept["slowest_case"],
        first_case=kept["first_case"],
        complaints=tuple(kept["complaints"]),
        odd=bool(kept.get("odd_in_all")),  # results that were kept before it was told apart have none
        points=kept["points"] if scoring and kept["judged"] and kept["verdicts"] else None,
        out_of=kept.get("out_of", 0.0),  # results that were kept before points were told have none
        right=kept["right"],
    )
