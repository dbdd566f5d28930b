"""Why a result is another one than before: the case that makes the difference, and what of it was changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from judge.grading.verdict import Verdict
from judge.submissions.models import CaseResult, Judgement

BY_TIME = frozenset({Verdict.TIME_LIMIT_EXCEEDED.value})
BY_MEMORY = frozenset({Verdict.MEMORY_LIMIT_EXCEEDED.value})
CaseData = Mapping[str, tuple[str, str]]
"""Name of a case -> digests of its input and its answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What counts of a judgement."""

    verdict: str
    points: Decimal
    out_of: Decimal

    @classmethod
    def of(cls, judgement: Judgement) -> "Result":
        zero = Decimal(0)
        return cls(
            verdict=judgement.verdict,
            points=zero if judgement.points is None else judgement.points,
            out_of=zero if judgement.out_of is None else judgement.out_of,
        )


def gain(before: Result, after: Result) -> int:
    """1: better for the student, -1: worse, 0: as good."""
    one, other = ((each.points, each.verdict == Verdict.ACCEPTED) for each in (before, after))
    return (other > one) - (other < one)


def cause(
    before: Sequence[CaseResult], after: Sequence[CaseResult], old: CaseData, new: CaseData, *, same_check: bool
) -> dict[str, Any]:
    """The first case with another verdict: `case`, its `position`, verdicts `before` and `after`, digest of its
    `output`, and `kind`, the word for what was changed there. Without a case: `points`, or `compile` where one of them
    has no results at all.
    """
    if bool(before) != bool(after):
        return {"kind": "compile"}
    known = {row.name: row for row in before}
    for row in after:
        was = known.get(row.name)
        if was is not None and (was.verdict == row.verdict or not was.verdict):
            continue
        if was is None and row.verdict in ("", Verdict.ACCEPTED):
            continue
        return {
            "case": row.name,
            "position": row.position,
            "before": was.verdict if was else "",
            "after": row.verdict,
            "output": row.output if row.verdict == Verdict.WRONG_ANSWER else "",
            "kind": _kind(was, row, old, new, same_check=same_check),
        }
    now = {row.name for row in after}
    gone = next((row for row in before if row.name not in now and row.verdict not in ("", Verdict.ACCEPTED)), None)
    if gone is not None:
        return {"case": gone.name, "position": gone.position, "before": gone.verdict, "after": "", "kind": "removed"}
    return {"kind": "points"}


def _kind(was: CaseResult | None, row: CaseResult, old: CaseData, new: CaseData, *, same_check: bool) -> str:
    looked = row.name not in old and row.name not in new  # a static validation test case has no data
    if was is None or (row.name not in old and not looked):
        return "added"
    if looked:
        return "again" if same_check else "checker"
    one, other = old[row.name], new.get(row.name, ("", ""))
    if one[0] != other[0]:
        return "input"
    if one[1] != other[1]:
        return "answer"
    verdicts = {was.verdict, row.verdict}
    if verdicts & BY_TIME:
        return "time"
    if verdicts & BY_MEMORY:
        return "memory"
    return "again" if same_check else "checker"
