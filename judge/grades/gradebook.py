"""The gradebook: students x problems, computed from the judgements that count. Nothing of it is stored.

However many students, problems and submissions there are, it takes the same number of queries.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from django.db.models import Prefetch
from django.utils import timezone

from judge.assignments.models import Assignment, AssignmentProblem
from judge.assignments.queries import Given, entries, extensions_of
from judge.assignments.rules import Rules, extended, rules_of
from judge.grades.models import Adjustment
from judge.grades.score import Attempt, Score, score
from judge.people.models import Course, CourseRole, Membership, Section, User
from judge.submissions.models import Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a judgement says, as far as grades ask."""

    verdict: str
    points: Decimal | None
    out_of: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One student and one problem."""

    entry: AssignmentProblem
    score: Score
    asked: bool
    """Whether the problem was given to them."""
    adjustment: Adjustment | None = None

    @property
    def points(self) -> Fraction:
        """What holds: the hand's correction where there is one, else what is computed."""
        if self.adjustment is not None and self.adjustment.points is not None:
            return Fraction(self.adjustment.points)
        return self.score.points

    @property
    def adjusted(self) -> bool:
        return self.adjustment is not None and self.adjustment.points is not None

    @property
    def counts(self) -> bool:
        """Whether it is part of the sum: it was asked of them, and they are not exempt."""
        return self.asked and not self.score.exempt

    @property
    def layer(self) -> int:
        """1 to 5 by the share reached, for the colour; 0 for nothing."""
        worth = self.score.worth
        return 0 if not worth else min(5, int(5 * self.points / worth + Fraction(1, 2)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One student."""

    membership: Membership
    cells: Sequence[Cell]

    @property
    def total(self) -> Fraction:
        return sum((cell.points for cell in self.cells if cell.counts), Fraction(0))

    @property
    def worth(self) -> Fraction:
        return sum((cell.score.worth for cell in self.cells if cell.counts), Fraction(0))

    @property
    def percent(self) -> Fraction | None:
        """None: nothing is asked of them."""
        return 100 * self.total / self.worth if self.worth else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gradebook:
    """Columns by assignment and position, lines by name."""

    entries: Sequence[AssignmentProblem]
    lines: Sequence[Line]
    rules: Mapping[tuple[int, int], Rules] = field(repr=False)
    """(assignment, student) -> the rules as they hold for them."""


def gradebook(
    course: Course,
    *,
    assignments: Iterable[int] | None = None,
    students: Iterable[int] | None = None,
    instead: Mapping[int, Judged] | None = None,
) -> Gradebook:
    """The grades of the course, of some assignments or students only where these are given (by id).

    Without `assignments` these are all that have been published and opened: a draft, and what is not open yet, is no
    part of anybody's sum, as the students' own pages have it.
    `instead`: submission -> what would be said of it, to see what grades a regrade would give. Who may see it is for
    the caller to ask.
    """
    given = _assignments(course, assignments)
    members = _members(course, students)
    extensions = extensions_of(given)
    columns = [entry for assignment in given for entry in assignment.entries.all()]
    adjustments = _adjustments(columns, students)
    sent = _attempts(given, students, instead or {})
    common = {assignment.pk: rules_of(assignment) for assignment in given}
    sections = {one.pk: frozenset(section.pk for section in one.sections.all()) for one in given}
    rules: dict[tuple[int, int], Rules] = {}
    lines = []
    for member in members:
        for assignment in given:
            key = (assignment.pk, member.user_id)
            extension = extensions.get(key)
            rules[key] = extended(common[assignment.pk], extension) if extension else common[assignment.pk]
        cells = [
            Cell(
                entry=entry,
                score=score(
                    sent.get((member.user_id, entry.assignment_id, entry.problem_id), ()),
                    rules[entry.assignment_id, member.user_id],
                    entry.points,
                ),
                asked=not sections[entry.assignment_id] or member.section_id in sections[entry.assignment_id],
                adjustment=adjustments.get((entry.pk, member.user_id)),
            )
            for entry in columns
        ]
        lines.append(Line(membership=member, cells=cells))
    return Gradebook(entries=columns, lines=lines, rules=rules)


def scores_of(student: User, given: Sequence[Given]) -> dict[tuple[int, int], Score]:
    """(assignment, problem) -> what the student has, without corrections by hand; one query."""
    sent = _attempts([one.assignment for one in given], [student.pk], {})
    return {
        (one.assignment.pk, entry.problem_id): score(
            sent.get((student.pk, one.assignment.pk, entry.problem_id), ()), one.rules, entry.points
        )
        for one in given
        for entry in one.entries
    }


def _assignments(course: Course, wanted: Iterable[int] | None) -> list[Assignment]:
    found = Assignment.objects.filter(course=course).select_related("course").order_by("deadline", "pk")
    now = timezone.now()
    shown = {"opens__lte": now, "published__lte": now} if wanted is None else {"pk__in": list(wanted)}
    found = found.filter(**shown)
    return list(found.prefetch_related(entries(), Prefetch("sections", Section.objects.only("pk"))))


def _members(course: Course, wanted: Iterable[int] | None) -> list[Membership]:
    found = Membership.objects.filter(course=course, role=CourseRole.STUDENT, active=True)
    if wanted is not None:
        found = found.filter(user__in=list(wanted))
    return list(
        found.select_related("user", "section").order_by("user__last_name", "user__first_name", "user__username")
    )


def _adjustments(columns: list[AssignmentProblem], students: Iterable[int] | None) -> dict[tuple[int, int], Adjustment]:
    """(entry, student) -> the newest."""
    found = Adjustment.objects.filter(entry__in=columns)
    if students is not None:
        found = found.filter(student__in=list(students))
    return {(one.entry_id, one.student_id): one for one in found.order_by("pk")}


def _attempts(
    given: list[Assignment], students: Iterable[int] | None, instead: Mapping[int, Judged]
) -> dict[tuple[int, int, int], list[Attempt]]:
    """(student, assignment, problem) -> what was sent."""
    found = Submission.objects.filter(assignment__in=given).order_by("sent", "pk")
    if students is not None:
        found = found.filter(author__in=list(students))
    columns = ("pk", "author", "assignment", "problem", "sent")
    judged = ("effective__judgement__verdict", "effective__judgement__points", "effective__judgement__out_of")
    attempts: dict[tuple[int, int, int], list[Attempt]] = defaultdict(list)
    for pk, author, assignment, problem, moment, verdict, points, out_of in found.values_list(*columns, *judged):
        said = instead.get(pk) or Judged(verdict=verdict or "", points=points, out_of=out_of)
        assert assignment is not None
        attempts[author, assignment, problem].append(
            Attempt(pk=pk, sent=moment, verdict=said.verdict, points=said.points, out_of=said.out_of)
        )
    return attempts
