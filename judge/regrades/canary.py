"""What goes first, so that a broken version is noticed before it has cost anything: the package's own examples.

A part of the submissions, chosen by lot, follows (`RegradeItem.canary`). The regrade stops in `failed` when an example
that must be right is not, or when the judge fails on more than one submission in a hundred.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from judge.authoring import queries as authoring
from judge.grading.verdict import Verdict
from judge.grading.verify import verify_one
from judge.regrades.models import Outcome, Regrade
from judge.regrades.planning import Shelf
from problems.models import Version
from problems.package.model import Example, Package
from problems.say import say
from sandbox.contract import Sandbox

WRONG = 8
"""Examples that must be found wrong: so many of a version that was not verified."""
FAULTS = 0.01
"""The judge may fail on this part of what was judged."""


def examples(
    regrade: Regrade, versions: Iterable[Version], shelf: Shelf, box: Sandbox, *, known: int = 0
) -> Iterator[dict[str, Any]]:
    """Judge them one by one: `problem`, `version`, `name`, `right` (it must be accepted), `verdict`, `complaint`.

    Of a version that was verified at the desk only the reference is judged once more. The first `known` are left out.
    Raises `SandboxFault`.
    """
    number = 0
    for version in versions:
        if not regrade.items.filter(canary=True, submission__problem=version.problem_id).exists():
            continue
        package, cases = shelf.of(version)
        for example in _chosen(package, verified=authoring.standing(version) == authoring.AS_PROMISED):
            number += 1
            if number <= known:
                continue
            one = verify_one(package, cases, box, example)
            yield {
                "problem": version.problem.slug,
                "version": version.number,
                "name": example.program.name.removeprefix("submissions/"),
                "right": example.folder == "accepted",
                "verdict": one.report.verdict if one.judged else "",
                "complaint": " ".join(one.complaints)[:500],
            }


def objection(told: Iterable[dict[str, Any]]) -> str:
    """Why the regrade must not go on, in a sentence; empty when it may."""
    for one in told:
        if one["right"] and one["complaint"]:
            return say(
                "said",
                "%(name)s must be right, and version %(version)s of %(problem)s says otherwise: %(complaint)s Mend the "
                "version first; nothing was changed.",
                name=one["name"],
                version=one["version"],
                problem=one["problem"],
                complaint=one["complaint"],
            )
    return ""


def faults(regrade: Regrade) -> str:
    """Why it must not go on, by what the judge could not do; empty when it may."""
    over = regrade.items.exclude(outcome__in=(Outcome.OPEN, Outcome.GONE))
    failed = over.filter(outcome=Outcome.FAULT).exclude(base__verdict=Verdict.JUDGE_ERROR.value)
    number, judged = failed.count(), over.count()
    if number <= FAULTS * judged:
        return ""
    first = failed.order_by("position").first()
    note = first.cause.get("note", "") if first else ""
    return say(
        "said",
        "The judge failed on %(number)d of %(all)d submissions, which is more than one in a hundred. Nothing was "
        "changed. The first is submission %(first)s: %(note)s",
        number=number,
        all=judged,
        first=first.number if first else "",
        note=note,
    )


def _chosen(package: Package, *, verified: bool) -> list[Example]:
    if verified:
        return [package.model_solution]
    right = [one for one in package.examples if one.folder == "accepted"]
    wrong = [one for one in package.examples if one.folder != "accepted"]
    return right + wrong[:WRONG]
