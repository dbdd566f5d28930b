"""Where somebody stands in the assignments that they have been given: what is solved, and the points once these are
published. The pages put it into words; the API tells it as it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from django.utils import timezone

from judge.assignments.models import AssignmentProblem
from judge.assignments.queries import Given
from judge.assignments.rules import Standing
from judge.grades.gradebook import scores_of
from judge.grades.models import Adjustment
from judge.grades.score import Score
from judge.grading.verdict import Verdict
from judge.people.models import User


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One problem of an assignment, and how far the student is with it."""

    entry: AssignmentProblem
    score: Score
    left: int | None
    """Attempts; None: without bound."""
    adjusted: Fraction | None
    missing: bool
    """The time is over and nothing was sent."""

    @property
    def state(self) -> str:
        """`solved`, `tried` or `none`, as on the shelf."""
        if self.score.verdict == Verdict.ACCEPTED:
            return "solved"
        return "tried" if self.score.attempts else "none"

    @property
    def points(self) -> Fraction:
        return self.score.points if self.adjusted is None else self.adjusted


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An assignment as one person has it."""

    given: Given
    standing: Standing
    parts: Sequence[Part]
    shows_points: bool
    staff: bool = False

    @property
    def solved(self) -> int:
        return sum(part.state == "solved" for part in self.parts)

    @property
    def worth(self) -> Fraction:
        """As in the gradebook, nothing is asked of who is exempt."""
        return sum((part.score.worth for part in self.parts if not part.score.exempt), Fraction(0))

    @property
    def points(self) -> Fraction:
        return sum((part.points for part in self.parts if not part.score.exempt), Fraction(0))

    @property
    def missing(self) -> int:
        return sum(part.missing for part in self.parts)

    @property
    def late(self) -> int:
        return sum(part.score.days_late > 0 for part in self.parts)

    @property
    def opens_problems(self) -> bool:
        """Whether the reader may go to the problems."""
        return self.staff or self.standing is not Standing.BEFORE


def standings(student: User, given: Sequence[Given], *, staff: bool = False) -> list[Row]:
    """The assignments with the student's own work; two queries. `given` is what they may see."""
    now = timezone.now()
    scores = scores_of(student, given)
    entries = [entry.pk for one in given for entry in one.entries]
    by_hand = {
        one.entry_id: None if one.points is None else Fraction(one.points)
        for one in Adjustment.objects.filter(entry__in=entries, student=student).order_by("pk")
    }
    return [_row(one, now, scores, by_hand, staff=staff) for one in given]


def _row(
    given: Given,
    now: datetime,
    scores: Mapping[tuple[int, int], Score],
    by_hand: Mapping[int, Fraction | None],
    *,
    staff: bool,
) -> Row:
    published, allowed = given.assignment.grades_published, given.rules.attempts
    over = now > given.rules.in_time_until
    parts = []
    for entry in given.entries:
        score = scores[given.assignment.pk, entry.problem_id]
        parts.append(
            Part(
                entry=entry,
                score=score,
                left=None if allowed is None else max(allowed - score.attempts, 0),
                adjusted=by_hand.get(entry.pk),
                missing=over and not score.attempts and not given.rules.exempt and not staff,
            )
        )
    return Row(
        given=given,
        standing=given.standing(now),
        parts=parts,
        shows_points=published is not None and published <= now,
        staff=staff,
    )
