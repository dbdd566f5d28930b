"""Points of one student for one problem, from what was judged. Pure and exact; rounded in one place, by `rounded`.

What is stored of a judgement are twelve digits after the point. The share of the points that it means is a fraction
with a small denominator, which is found again here: two of three equal groups are 2/3 and not 0.666666666667.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache

from judge.assignments.models import Counts
from judge.assignments.rules import Rules
from judge.grading.verdict import Verdict
from judge.submissions.admission import FREE

CENT = Decimal("0.01")
DENOMINATOR = 100_000
STORED = Fraction(1, 10**12)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A submission and what the judgement that counts says of it."""

    pk: int
    sent: datetime
    verdict: str
    """Empty: not judged yet."""
    points: Decimal | None
    out_of: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What somebody has for a problem."""

    points: Fraction
    worth: Fraction
    attempts: int
    """Those that cost one; what waits to be judged is among them."""
    counted: int | None = None
    """The submission that gives the points; None: there is none."""
    verdict: str = ""
    """Of that submission."""
    days_late: int = 0
    """Of that submission."""
    pending: bool = False
    """Something is not judged yet: the points may still change."""
    exempt: bool = False
    free: str = field(default="", compare=False)
    """Where nothing was run: the verdict of the last one sent, which cost no attempt. It changes no grade."""


def score(attempts: Iterable[Attempt], rules: Rules, worth: Decimal | Fraction) -> Score:
    """What counts of `attempts`, which may come in any order.

    Faults of the judge's and programs that did not compile are no attempts and give nothing. Of equally good ones the
    first counts. What came when nothing was taken any more counts for nothing.
    """
    worth = Fraction(worth)
    sent = sorted(attempts, key=lambda one: (one.sent, one.pk))
    run = [one for one in sent if one.verdict not in FREE]
    judged = [one for one in run if one.verdict and one.sent <= rules.closes]
    if rules.counts == Counts.LAST_BEFORE_DEADLINE:
        judged = [one for one in judged if not rules.days_late(one.sent)]
    reached = [(_kept(one, rules), one) for one in judged]
    if rules.counts == Counts.BEST:
        share, chosen = max(reached, key=lambda pair: pair[0], default=(Fraction(0), None))
    else:
        share, chosen = reached[-1] if reached else (Fraction(0), None)
    return Score(
        points=Fraction(0) if rules.exempt else share * worth,
        worth=worth,
        attempts=len(run),
        counted=chosen.pk if chosen else None,
        verdict=chosen.verdict if chosen else "",
        days_late=rules.days_late(chosen.sent) if chosen else 0,
        pending=any(not one.verdict for one in run),
        exempt=rules.exempt,
        free=sent[-1].verdict if sent and not run else "",
    )


def rounded(points: Fraction | Decimal) -> Decimal:
    """Two digits after the point, halves up: the only place where grades are rounded."""
    exact = Fraction(points)
    # Halves are decided on the fraction, not on a decimal that is already rounded.
    hundredths = (abs(exact) * 100 + Fraction(1, 2)).__floor__()
    return (Decimal(hundredths) * CENT * (-1 if exact < 0 else 1)).quantize(CENT, rounding=ROUND_HALF_UP)


def _kept(one: Attempt, rules: Rules) -> Fraction:
    """From 0 to 1: what is left of its share after the late rule."""
    kept = rules.share(one.sent)
    return _share(one) if kept == 1 else _share(one) * kept


def _share(one: Attempt) -> Fraction:
    """From 0 to 1: what the judgement gives of what there is."""
    if one.points is None or not one.out_of:
        return Fraction(int(one.verdict == Verdict.ACCEPTED))
    return _exactly(one.points, one.out_of)


@lru_cache(maxsize=4096)
def _exactly(points: Decimal, out_of: Decimal) -> Fraction:
    stored = Fraction(points) / Fraction(out_of)
    simple = stored.limit_denominator(DENOMINATOR)
    exact = simple if abs(simple - stored) * Fraction(out_of) <= STORED else stored
    return min(max(exact, Fraction(0)), Fraction(1))
