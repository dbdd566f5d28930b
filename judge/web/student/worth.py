"""What the groups of a problem with points are worth, and what a submission got in each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from judge.blobs.store import BlobMissing
from judge.blobs.versions import VersionUnreadable, package_of
from judge.grading.score import Judged, ScoreFault, Scoring
from judge.grading.verdict import Verdict
from problems.models import Version
from problems.package.model import Aggregation, Package

WAYS: Mapping[Aggregation, str | Promise] = {
    Aggregation.PASS_FAIL: _("all or nothing"),
    Aggregation.SUM: _("by the case"),
    Aggregation.MIN: _("as its worst case"),
}
"""How the points of a group come from its cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """A group that gives points."""

    name: str
    """Without the folder in which all stand: `1-small`."""
    of: Fraction | None
    """The most there are. None: no bound is set."""
    way: str | Promise
    got: Fraction | None = None
    """None: this is of no submission."""


def worth_of(version: Version, cases: Sequence[Mapping[str, Any]] = ()) -> Sequence[Worth]:
    """The groups of a problem with points, in order, with what these `cases` of a snapshot got in each.

    Nothing where there are no points or no groups, and for a version that cannot be read.
    """
    if not version.facts.get("scoring"):
        return ()
    try:
        return worth_of_package(package_of(version), cases)
    except (BlobMissing, VersionUnreadable, OSError):
        return ()


def worth_of_package(package: Package, cases: Sequence[Mapping[str, Any]]) -> Sequence[Worth]:
    scoring = Scoring(package, [case.group for case in package.cases])
    groups = {group.name: group for group in package.groups}
    judged = [
        Judged(
            group=case["group"],
            verdict=Verdict(case["verdict"]) if case["verdict"] else None,
            points=Fraction(str(case["points"])),
        )
        for case in cases
    ]
    try:
        got = scoring.by_group(judged)
    except ScoreFault:  # it has no points then, and says why
        return ()
    return [
        Worth(
            name=name.removeprefix("secret/"),
            of=None if groups[name].max_score is None else Fraction(groups[name].max_score or 0),
            way=WAYS[scoring.aggregation(name)],
            got=points if cases else None,
        )
        for name, points in got.items()
        if name != "secret"
    ]
