"""The table of examples and cases: what each example of a package got on each case, ready for JSON."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from judge.grading.job import ReadyCase, tests_of
from judge.grading.probe import Probed
from judge.grading.verify import Verified
from judge.submissions.text import storable
from problems.package.model import Example, Package

COLUMNS = 300
"""Cases that have a column of their own; of the others the table says only what decided."""
TEXT = 2_000
PROBES, PROBE_TEXT = 300, 500
"""Inputs and outputs that try the validators: so many are told, with so many characters each."""


class Matrix:
    """Filled row by row while a version is verified. `facts` is the same again, for the page."""

    def __init__(self, package: Package, cases: Sequence[ReadyCase]) -> None:
        self._limit = package.limits.time_seconds
        self._timed = not package.submit_answer
        self._untried = not package.checker_is_tried
        self._tests = tests_of(package, cases)
        self._scoring = package.scoring
        self._rows: list[dict[str, Any]] = []
        self._waiting = [_name(example) for example in package.examples]
        self._probes: list[dict[str, Any]] = []
        self.verified: list[Verified] = []
        self.complaints: list[str] = []

    def add(self, one: Verified) -> None:
        light = tuple(replace(result, output=b"", stderr=b"") for result in one.results)
        self.verified.append(replace(one, results=light))
        self.complaints += one.complaints
        self._rows.append(_row(one))

    def probed(self, one: Probed) -> None:
        if one.complaint:
            self.complaints.append(one.complaint)
        self._probes.append(
            {
                "name": one.name,
                "kind": one.kind,
                "said": storable(one.said, PROBE_TEXT),
                "complaint": storable(one.complaint, PROBE_TEXT),
                "judged": one.judged,
            }
        )

    def facts(self) -> dict[str, Any]:
        return {
            "limit": self._limit,
            "timed": self._timed,
            "cases": [{"name": test.name, "group": test.group} for test in self._tests[:COLUMNS]],
            "all_cases": len(self._tests),
            "scoring": self._scoring,
            "rows": list(self._rows),
            "probes": self._probes[:PROBES],
            "all_probes": len(self._probes),
            "checker_untried": self._untried and not any("wrong_answer" in row["verdicts"] for row in self._rows),
            "waiting": self._waiting[len(self._rows) :],
        }


def _name(example: Example) -> str:
    return example.program.name.removeprefix("submissions/")


def _row(one: Verified) -> dict[str, Any]:
    results = one.results
    slowest = max(range(len(results)), key=lambda at: results[at].cpu_seconds, default=None)
    first = next((at for at, result in enumerate(results) if result.verdict not in ("accepted", None)), None)
    odd = [at for at, cell in enumerate(one.cells) if not cell.allowed]
    return {
        "name": _name(one.example),
        "folder": one.example.folder,
        "promised": sorted(one.example.required or one.example.permitted),
        "judged": one.judged,
        "verdict": one.report.verdict,
        "points": float(one.report.points),
        "out_of": float(one.report.out_of),
        "note": storable(one.report.note, TEXT) if not one.judged or not results else "",
        "verdicts": [result.verdict or "" for result in results[:COLUMNS]],
        "seconds": [round(result.cpu_seconds, 3) for result in results[:COLUMNS]],
        "slowest": None if slowest is None else results[slowest].cpu_seconds,
        "slowest_case": "" if slowest is None else results[slowest].name,
        "first": first,
        "first_case": "" if first is None else results[first].name,
        "odd": [at for at in odd if at < COLUMNS],
        "odd_in_all": one.of_all or any(at >= COLUMNS for at in odd),
        "complaints": [storable(text, TEXT) for text in one.complaints[:10]],
        "right": one.example.folder == "accepted",
    }
