"""`./palfrey verify SLUG`: does every example of a package, and every validator, do what the package says it must?"""

import json
from argparse import ArgumentParser
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import closing
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from judge.grading.authored import BuildFailed
from judge.grading.job import ReadyCase
from judge.grading.lesson import TraceFailed, trace_lessons
from judge.grading.limit import Margins, Timed, margins
from judge.grading.probe import Probed, probe
from judge.grading.repeat import repeat
from judge.grading.verify import Verified, verify
from judge.management.by_hand import cases_of, package_called, workshop_of_this_machine
from problems.package.model import Limits, Package
from sandbox.box import open_sandbox
from sandbox.contract import SandboxFault

_MOST_LETTERS = 40


class Command(BaseCommand):
    help = "Judge every example submission of a package and try its validators, and say what is not as it must be."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="a problem of the catalog, or a folder")
        parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")

    def handle(self, *_: Any, slug: str, **options: Any) -> None:
        package = package_called(slug)
        told = _Told() if options["json"] else _Lines()
        try:
            with closing(open_sandbox(settings.PALFREY_CACHE / "sandbox", pinned=True, laptop=settings.LAPTOP)) as box:
                cases = cases_of(package, box)
                workshop = workshop_of_this_machine()
                deque(repeat(package, cases, box, workshop), maxlen=0)
                for one in probe(package, box, workshop):
                    told.probed(one)
                for example in verify(package, cases, box, workshop=workshop):
                    told.verified(example)
                traces = sum(1 for _ in trace_lessons(package, box))
        except (BuildFailed, TraceFailed, SandboxFault) as error:
            raise CommandError(str(error), returncode=2) from error
        told.end(package, cases, margins(package.limits, told.examples), traces)
        if told.wrong:
            raise SystemExit(1)


class _Told:
    """Takes in what is found, and says it at the end as one object."""

    def __init__(self) -> None:
        self.probes: list[Probed] = []
        self.examples: list[Verified] = []

    @property
    def wrong(self) -> int:
        return sum(bool(one.complaints) for one in self.examples) + sum(bool(one.complaint) for one in self.probes)

    def probed(self, one: Probed) -> None:
        self.probes.append(one)

    def verified(self, one: Verified) -> None:
        self.examples.append(one)

    def end(self, package: Package, cases: Sequence[ReadyCase], time: Margins, traces: int) -> None:
        answer = {
            "problem": package.slug,
            "as_expected": not self.wrong,
            "cases": [case.name for case in cases],
            "examples": [_example(one) for one in self.examples],
            "probes": [
                {"name": one.name, "judged": one.judged, "complaint": one.complaint, "said": one.said}
                for one in self.probes
            ],
            "traces": traces,
            "time": {
                "limit_seconds": time.limit_seconds,
                "slowest_right": _timed(time.slowest_right),
                "fastest_slow": _timed(time.fastest_slow),
                "proposed_seconds": None if time.proposed is None else float(time.proposed),
            },
        }
        print(json.dumps(answer))


class _Lines(_Told):
    """Says each thing when it is found: a line, and the complaints about it below."""

    def probed(self, one: Probed) -> None:
        super().probed(one)
        _say(_mark(one.judged, [one.complaint] if one.complaint else []), f"data/{one.name}")
        for line in [one.complaint, one.said] if one.complaint else [] if one.judged else [one.said]:
            _below(line)

    def verified(self, one: Verified) -> None:
        super().verified(one)
        name = one.example.program.name.removeprefix("submissions/")
        slowest = one.slowest.cpu_seconds if one.slowest else 0.0
        letters = _letters(one)
        given_away = f"  {letters}  first in {one.given_away_by}" if one.given_away_by else f"  {letters}"
        verdict = one.report.verdict.replace("_", " ")
        _say(
            _mark(one.judged, one.complaints), f"{name:40} {verdict:22} {slowest:6.2f} s{given_away if letters else ''}"
        )
        for line in one.complaints or (() if one.judged else (one.report.note,)):
            _below(line)

    def end(self, package: Package, cases: Sequence[ReadyCase], time: Margins, traces: int) -> None:
        left_out = sum(not one.judged for one in self.examples)
        not_judged = f", {left_out} of them not judged here" if left_out else ""
        probes = f" and {len(self.probes)} probes" if self.probes else ""
        for line in _time(time, package.limits):
            print(line)
        if traces:
            print(f"{traces} traces of lessons can be played.")
        judged = f"{len(self.examples)} examples over {len(cases)} cases{not_judged}{probes}"
        print(f"{judged}, {self.wrong} not as they must be.")


def _mark(judged: bool, complaints: Sequence[str]) -> str:
    return "WRONG" if complaints else "ok   " if judged else "-    "


def _letters(one: Verified) -> str:
    """A letter for each case; where there are many cases, how often each letter stands."""
    letters = [cell.letters[:1] or "." for cell in one.cells]
    if len(letters) <= _MOST_LETTERS:
        return "".join(letters)
    return " ".join(f"{count} {letter}" for letter, count in Counter(letters).most_common())


def _say(mark: str, line: str) -> None:
    print(f"{mark}  {line}", flush=True)


def _below(text: str) -> None:
    for line in text.splitlines()[:12]:
        print(f"       {line[:300]}", flush=True)


def _time(time: Margins, limits: Limits) -> list[str]:
    lines = []
    if time.slowest_right is not None:
        times = f", {time.spare:.1f} times less" if time.spare else ""
        lines.append(
            f"The limit is {time.limit_seconds:g} s; who must be fast enough takes {_took(time.slowest_right)}{times}."
        )
    if time.fastest_slow is not None:
        lines.append(f"Who must be too slow takes {_took(time.fastest_slow)} at least.")
    if time.proposed is None:
        lines.append("No time limit keeps those that must be fast enough from those that must be too slow.")
    elif float(time.proposed) > limits.time_seconds:
        lines.append(
            f"By the format's rule the limit should be {time.proposed} s: give more time, or mend what is slow."
        )
    elif float(time.proposed) < limits.time_seconds:
        lines.append(f"By the format's rule {time.proposed} s would do.")
    return lines


def _took(one: Timed) -> str:
    return f"{one.seconds:.2f} s ({one.program.removeprefix('submissions/')} on {one.case})"


def _example(one: Verified) -> dict[str, Any]:
    return {
        "name": one.example.program.name,
        "judged": one.judged,
        "verdict": one.report.verdict if one.judged else None,
        "points": float(one.report.points),
        "out_of": float(one.report.out_of),
        "note": one.report.note,
        "complaints": list(one.complaints),
        "given_away_by": one.given_away_by or None,
        "cases": [
            {
                "name": cell.case,
                "verdict": cell.verdict,
                "letters": cell.letters,
                "cpu_seconds": round(cell.cpu_seconds, 4),
                "permitted": sorted(cell.permitted),
                "required": sorted(cell.required),
                "allowed": cell.allowed,
                "telling": cell.telling,
            }
            for cell in one.cells
        ],
    }


def _timed(one: Timed | None) -> dict[str, Any] | None:
    return None if one is None else {"program": one.program, "case": one.case, "cpu_seconds": round(one.seconds, 4)}
