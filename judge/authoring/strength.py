"""Long work that measures how many programs with a mistake the cases of a version find out, and suggests new cases."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any

from django.utils.translation import gettext as _

from judge.authoring.models import Errand
from judge.authoring.work import Progress, Result, Work
from judge.blobs import compiled
from judge.blobs.versions import package_of, ready_cases
from judge.grading.check import CheckerBroken
from judge.grading.strength import measure as meter
from judge.grading.strength.measure import CannotMeasure, Fate, Strength, Tried
from judge.grading.strength.mutants import Origin, solution_called
from judge.grading.strength.suggest import Suggestion
from judge.people.refusal import Refused
from judge.submissions.text import storable
from problems.models import Version
from problems.package.model import Package
from sandbox.contract import Sandbox

MOST_MUTANTS = 300
MOST_BUDGET = 300
MOST_SECONDS = 600.0
"""When so much time has gone by no further mutant is tried: others wait for the same worker."""
SURVIVORS = 60
"""Survivors that are told one by one."""
TRIED = 600
NAMES = 300
"""Names of cases in one list."""
DIFF, SHOWN, NOTE = 3_000, 1_500, 600
INPUT_BYTES = 4 << 10
"""A longer input that no generator made is not kept, so it cannot be added by a button."""
_UNCOUNTED = (Fate.EQUIVALENT, Fate.NOT_COMPILED, Fate.NOT_TRIED, Fate.FAULT)


def wishes(version: Version | None, sent: Mapping[str, Any]) -> dict[str, Any]:
    """`mutants`: how many are made; `budget`: CPU seconds to look for new cases; `solution`: which one is changed
    (empty: whichever fits). Raises `Refused`.
    """
    assert version is not None
    plain = meter.Wishes()
    solution = str(sent.get("solution", ""))[:300]
    if solution and solution not in solutions(package_of(version)):
        raise Refused(_("Choose one of the accepted examples that mistakes can be put into."))
    return {
        "mutants": _whole(sent.get("mutants", plain.mutants), _("Mistakes to try"), MOST_MUTANTS),
        "budget": _whole(
            sent.get("budget", int(plain.suggest_seconds)), _("CPU seconds to look for new cases"), MOST_BUDGET
        ),
        "solution": solution,
    }


def solutions(package: Package) -> list[str]:
    """The accepted examples that mistakes can be put into; the one that is taken by itself first."""
    names = [one.program.name for one in package.examples if one.folder == "accepted"]
    fit = [name for name in names if solution_called(package, name) is not None]
    first = solution_called(package)
    return sorted(fit, key=lambda name: first is None or name != first.program.name)


def _whole(sent: Any, what: str, most: int) -> int:
    try:
        number = Decimal(str(sent)[:20].strip())
    except InvalidOperation:
        number = Decimal(-1)
    if not number.is_finite() or number != int(number) or not 0 <= number <= most:
        raise Refused(_("%(what)s: give a whole number from 0 to %(most)s.") % {"what": what, "most": most})
    return int(number)


def measure(errand: Errand, box: Sandbox) -> Work:
    """Put mistakes into a right solution of a version, one by one, and see which of them no case finds out."""
    version = errand.version
    assert version is not None
    asked = meter.Wishes(
        mutants=errand.wishes["mutants"],
        suggest_seconds=errand.wishes["budget"],
        solution=errand.wishes["solution"],
        most_seconds=MOST_SECONDS,
    )
    tried: list[dict[str, Any]] = []
    last = Progress(done=0, total=0)
    try:
        for step in meter.measure_strength(package_of(version), ready_cases(version), box, compiled.workshop(), asked):
            match step:
                case meter.Progress():
                    last = Progress(done=step.done, total=step.total, now=step.what)
                    yield last
                case Tried():
                    tried.append(_tried(step))
                    yield replace(last, result={"tried": tried[:TRIED]})
                case Strength():
                    right, facts = step.disagreement is None, _facts(step)
    except (CannotMeasure, CheckerBroken) as error:
        return Result(succeeded=False, message=str(error), facts={"tried": tried[:TRIED]} if tried else {})
    return Result(succeeded=right, facts=facts)


def _facts(strength: Strength) -> dict[str, Any]:
    """What is kept: for the page, and to add a suggested case by."""
    suggestions = _suggestions(strength.suggestions)
    of = {mutant: place for place, one in enumerate(suggestions) for mutant in one["mutants"]}
    survivors = [
        _tried(one) | {"diff": storable(one.mutant.diff, DIFF), "suggestion": of.get(one.mutant.id)}
        for one in strength.survivors[:SURVIVORS]
    ]
    found = strength.disagreement
    return {
        "solution": strength.solution,
        "score": strength.score,
        "killed": strength.killed,
        "survived": len(strength.survivors),
        "by_time": strength.count(Fate.KILLED_BY_TIME),
        "not_counted": {str(fate): strength.count(fate) for fate in _UNCOUNTED if strength.count(fate)},
        "tried": [_tried(one) for one in strength.tried[:TRIED]],
        "survivors": survivors,
        "suggestions": suggestions,
        "cases": len(strength.cases),
        "adds_nothing": list(strength.adds_nothing[:NAMES]),
        "adds_nothing_in_all": len(strength.adds_nothing),
        "smallest": list(strength.smallest.cases[:NAMES]),
        "smallest_in_all": len(strength.smallest.cases),
        "exact": strength.smallest.exact,
        "searched": {"valid": strength.searched.valid, "seconds": round(strength.searched.cpu_seconds, 1)},
        "disagreement": None
        if found is None
        else {
            "command": storable(found.command, NOTE),
            "like": found.like,
            "shown": storable(found.shown, SHOWN),
            "note": storable(found.note, NOTE),
        },
    }


def _tried(one: Tried) -> dict[str, Any]:
    mutant, killers = one.mutant, one.killers
    case, note = next(iter(one.notes.items()), ("", ""))
    return {
        "name": storable(mutant.name, 255),
        "line": mutant.line,
        "said": storable(mutant.said, NOTE),
        "own": mutant.origin != Origin.MADE,
        "fate": str(one.fate),
        "killers": len(killers),
        "killer": killers[0] if killers else "",
        "fault": storable(f"{case}: {note}", NOTE) if note else "",
    }


def _suggestions(found: Sequence[Suggestion]) -> list[dict[str, Any]]:
    """Each new case once, with the mutants that it finds out."""
    by_input: dict[bytes, dict[str, Any]] = {}
    for one in found:
        if one.input not in by_input:
            by_input[one.input] = {
                "mutants": [],
                "verdict": str(one.verdict),
                "command": storable(one.command, NOTE),
                "like": one.like,
                "shown": storable(one.shown, SHOWN),
                "bytes": len(one.input),
                "input": "" if one.command else _text(one.input),
            }
        by_input[one.input]["mutants"].append(one.mutant)
    return list(by_input.values())[:SURVIVORS]


def _text(content: bytes) -> str:
    """The whole input, where it is short and a text that YAML and JSON hold as it is; else nothing."""
    try:
        text = content.decode("utf-8") if len(content) <= INPUT_BYTES else ""
    except UnicodeDecodeError:
        return ""
    return text if text.replace("\n", "").replace("\t", "").isprintable() else ""
