"""Points by group, exactly as the format adds them up; and which cases a verdict makes needless to run.

Everything is a `Fraction`: nothing is rounded here, so three thirds are the whole.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from judge.grading.check import Checked
from judge.grading.verdict import Verdict
from problems.package.model import Aggregation, Package, TestGroup
from problems.say import say

_SECRET = "secret"  # noqa: S105
_FULL = Fraction(100)


class ScoreFault(Exception):
    """The package's validator gave points that the format forbids; the text says which. The author's fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One case for the tally. `verdict` None: not run."""

    group: str
    verdict: Verdict | None
    points: Fraction


class Scoring:
    """The scoring rules of one package for cases that lie in given groups."""

    def __init__(self, package: Package, case_groups: Iterable[str]) -> None:
        self._scoring = package.scoring
        self._groups: Mapping[str, TestGroup] = {group.name: group for group in package.groups}
        self._cases = Counter(case_groups)
        self._subgroups = [
            group
            for group in package.groups
            if group.name.startswith(f"{_SECRET}/") and (self._cases[group.name] or group.static is not None)
        ]

    def aggregation(self, group: str) -> Aggregation:
        """How a group's cases are added up; in a pass-fail problem every group is all or nothing."""
        found = self._groups.get(group)
        return found.aggregation if self._scoring and found else Aggregation.PASS_FAIL

    def required(self, group: str) -> tuple[str, ...]:
        """The groups that must be right before `group` is run."""
        parts = (_SECRET, group) if group.startswith(f"{_SECRET}/") else (group,)
        names = [name for part in parts if part in self._groups for name in self._groups[part].require_pass]
        return tuple(f"{_SECRET}/{name}" if f"{_SECRET}/{name}" in self._groups else name for name in names)

    def case_points(self, group: str, checked: Checked) -> Fraction:
        """Points of a case that was checked. Raises `ScoreFault`."""
        return self._points(group, checked, self._case_highest(group), "output validator")

    def static_points(self, group: str, checked: Checked) -> Fraction:
        """Points for what a group's static validation test case came to. Raises `ScoreFault`."""
        static = self._groups[group].static
        assert static is not None
        highest = None if static.max_score is None else Fraction(static.max_score)
        return self._points(group, checked, highest, "static validator")

    def _points(self, group: str, checked: Checked, highest: Fraction | None, who: str) -> Fraction:
        scored = checked.score is not None or checked.multiplier is not None
        if not self._scoring and scored:
            raise ScoreFault(f"The {who} gave a score, but the problem is pass-fail.")
        if group == "sample" or not self._scoring:
            return Fraction(0)
        if self.aggregation(group) == Aggregation.PASS_FAIL:
            if scored:
                raise ScoreFault(f"The {who} gave a score in {group}, which is all or nothing.")
            return Fraction(0)
        if checked.verdict != Verdict.ACCEPTED:
            return Fraction(0)
        if highest is None:
            if checked.score is None:
                raise ScoreFault(f"{group} has no highest score, so the {who} must write score.txt.")
            return checked.score
        points = highest * checked.multiplier if checked.multiplier is not None else checked.score
        if points is None:
            return highest
        if points > highest:
            raise ScoreFault(f"The {who} gave {points} points to a case worth at most {highest}.")
        return points

    def out_of(self) -> Fraction:
        """The highest score there is; 100 for a pass-fail problem, 0 when the package sets no bound."""
        if not self._scoring:
            return _FULL
        return self._highest(_SECRET) or Fraction(0)

    def points(self, judged: Iterable[Judged]) -> Fraction:
        """Score of the whole submission. Raises `ScoreFault` when a group passes its highest score."""
        cases = list(judged)
        if not self._scoring:
            right = bool(cases) and all(case.verdict == Verdict.ACCEPTED for case in cases)
            return _FULL if right else Fraction(0)
        parts = self.by_group(cases)
        if not self._subgroups:
            return parts[_SECRET]
        aggregation = self.aggregation(_SECRET)
        if aggregation == Aggregation.PASS_FAIL:
            right = all(case.verdict == Verdict.ACCEPTED for case in cases if case.group in parts)
            return (self._highest(_SECRET) or Fraction(0)) if right else Fraction(0)
        total = min(parts.values()) if aggregation == Aggregation.MIN else sum(parts.values(), Fraction(0))
        return self._bounded(_SECRET, total)

    def by_group(self, judged: Iterable[Judged]) -> dict[str, Fraction]:
        """Score of each group that has cases of its own, in a scoring problem. Raises `ScoreFault`."""
        cases = list(judged)
        names = [group.name for group in self._subgroups] or [_SECRET]
        return {name: self._group_points(name, [case for case in cases if case.group == name]) for name in names}

    def _group_points(self, group: str, cases: list[Judged]) -> Fraction:
        if not cases:
            return Fraction(0)
        aggregation = self.aggregation(group)
        if aggregation == Aggregation.PASS_FAIL:
            right = all(case.verdict == Verdict.ACCEPTED for case in cases)
            return (self._highest(group) or Fraction(0)) if right else Fraction(0)
        points = [case.points for case in cases]
        return self._bounded(group, min(points) if aggregation == Aggregation.MIN else sum(points, Fraction(0)))

    def _bounded(self, group: str, points: Fraction) -> Fraction:
        highest = self._highest(group)
        if highest is not None and points > highest:
            raise ScoreFault(f"{group} came to {points} points; its max_score is {highest}.")
        return points

    def _highest(self, group: str) -> Fraction | None:
        found = self._groups.get(group)
        return Fraction(found.max_score) if found and found.max_score is not None else None

    def _case_highest(self, group: str) -> Fraction | None:
        highest = self._highest(group)
        if highest is None or self.aggregation(group) == Aggregation.MIN:
            return highest
        static = self._groups[group].static
        return (highest - (static.max_score or 0 if static else 0)) / max(self._cases[group], 1)


class Needless:
    """Keeps track of what need not be run: what requires a group that failed, and the rest after a failure by time."""

    def __init__(self, scoring: Scoring, *, run_everything: bool) -> None:
        self._scoring = scoring
        self._run_everything = run_everything
        self._failed: set[str] = set()
        self._closed: set[str] = set()

    def reason(self, group: str) -> str | None:
        """Why a case of `group` is not run, as the end of a sentence; None when it is."""
        missing = next((name for name in self._scoring.required(group) if name in self._failed), None)
        if missing is not None:
            return say(
                "case",
                "was not run: %(group)s counts only when all of %(other)s is right.",
                group=group,
                other=missing,
            )
        if not self._run_everything and (group in self._closed or (_SECRET in self._closed and group != "sample")):
            return say("case", "was not run, because an earlier case of its group took too long.")
        return None

    def saw(self, group: str, verdict: Verdict | None) -> None:
        """Take a case's verdict into account."""
        if verdict == Verdict.ACCEPTED:
            return
        self._failed.add(group)
        if verdict == Verdict.TIME_LIMIT_EXCEEDED and self._scoring.aggregation(group) != Aggregation.SUM:
            self._closed.add(group)
            if group.startswith(f"{_SECRET}/") and self._scoring.aggregation(_SECRET) != Aggregation.SUM:
                self._closed.add(_SECRET)
