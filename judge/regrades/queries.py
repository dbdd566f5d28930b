"""What is read of regrades: for admins and for whoever asked for them, but for what happened to one's own submission.

Every function takes a fixed number of queries, however many submissions there are.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum, prefetch_related_objects
from django.utils import timezone

from judge.grading.verdict import Verdict
from judge.people.models import User
from judge.people.permissions import Viewer, courses_staffed_by, is_admin, may_see_secret_data, may_see_work_of, person
from judge.regrades.models import Entry, Outcome, Regrade, RegradeItem, Target
from judge.submissions.models import Effective, Judgement, Purpose, State, Submission
from judge.submissions.queries import course_of, lacks, overseen
from problems.models import Problem

LATELY = timedelta(days=14)
"""For so long somebody is told on their own page that a result of theirs is another one."""
CONFLICT = "conflict"
"""In the place of an outcome: what was left alone because something else counted by then."""
MOST_ENTRIES, MOST_EVENTS = 200, 10
"""So much of the log is looked through for that, and so many submissions are named at most."""


def regrades(viewer: Viewer) -> QuerySet[Regrade, Regrade]:
    """One's own, as long as one owns all of their problems; for admins all. Newest first.

    What nobody planned who is here, as on the command line, is theirs who could have: who own its problems, and are
    staff of all the courses whose work is in it.
    """
    found = Regrade.objects.select_related("created_by")
    if is_admin(viewer):
        return found
    if person(viewer) is None:
        return found.none()
    owned = Problem.objects.filter(owners=viewer.pk).order_by().values("pk")
    foreign = Target.objects.filter(regrade=OuterRef("pk")).exclude(problem__in=owned)
    graded = RegradeItem.objects.filter(regrade=OuterRef("pk"), submission__assignment__isnull=False)
    seen = graded.filter(submission__assignment__course__in=courses_staffed_by(viewer).order_by().values("pk"))
    unseen = graded.exclude(submission__assignment__course__in=courses_staffed_by(viewer).order_by().values("pk"))
    theirs = Q(created_by=viewer.pk) | (Q(created_by=None) & Exists(seen) & ~Exists(unseen))
    return found.filter(~Exists(foreign), theirs)


def regrade(viewer: Viewer, pk: int) -> Regrade | None:
    return regrades(viewer).select_related("applied_by", "reverted_by").filter(pk=pk).first()


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a regrade is, in submissions."""

    done: int
    total: int
    seconds_left: float | None
    """By the pace so far; None while nothing is known of it, or nobody works on it."""


def lacked(shown: Regrade) -> list[str] | None:
    """What is lacking for its shifts that wait, as `judge.submissions.queries.lacks` tells it."""
    shift = shown.shifts.filter(state=State.QUEUED).first()
    return None if shift is None else lacks(shift)


def worked_on(shown: Regrade) -> bool:
    """Whether a worker has a shift of it now."""
    return shown.shifts.filter(state=State.RUNNING, lease_until__gt=timezone.now()).exists()


def progress(shown: Regrade) -> Progress:
    sums = shown.items.aggregate(
        total=Count("pk"),
        done=Count("pk", filter=~Q(outcome=Outcome.OPEN)),
        expected=Sum("cost"),
        spent=Sum("cost", filter=~Q(outcome=Outcome.OPEN)),
    )
    spent, cost = sums["spent"] or 0.0, sums["expected"] or 0.0
    left = None
    if shown.started and spent > 0 and worked_on(shown):
        pace = spent / max((timezone.now() - shown.started).total_seconds(), 0.1)
        left = (cost - spent) / pace
    return Progress(done=sums["done"], total=sums["total"], seconds_left=left)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Submissions with one verdict before and one after."""

    before: str
    after: str
    count: int
    level: int
    """0: none, or the diagonal; 1 to 4: more and more of those that changed."""
    way: int
    """1: better, -1: worse, 0: neither."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Verdicts before and after."""

    verdicts: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...], int], ...]
    after: tuple[int, ...]
    total: int


def matrix(shown: Regrade) -> Matrix:
    """Of all that was judged; what is unstable, or could not be judged, counts as before."""
    kept = (Outcome.SAME, Outcome.CHANGED, Outcome.UNSTABLE, Outcome.FAULT)
    counted = shown.items.filter(outcome__in=kept, base__isnull=False).values_list(
        "base__verdict", "new__verdict", "outcome"
    )
    pairs: Counter[tuple[str, str]] = Counter()
    for before, after, outcome, number in counted.annotate(number=Count("pk")):
        pairs[before, after if outcome == Outcome.CHANGED and after else before] += number
    found = {verdict for pair in pairs for verdict in pair}
    verdicts = tuple(verdict.value for verdict in Verdict if verdict.value in found)
    most = max((number for (one, other), number in pairs.items() if one != other), default=0)
    rows = tuple(
        (
            one,
            tuple(_cell(one, other, pairs[one, other], most) for other in verdicts),
            sum(pairs[one, other] for other in verdicts),
        )
        for one in verdicts
    )
    after = tuple(sum(pairs[one, other] for one in verdicts) for other in verdicts)
    return Matrix(verdicts=verdicts, rows=rows, after=after, total=sum(after))


def _cell(before: str, after: str, count: int, most: int) -> Cell:
    right = Verdict.ACCEPTED.value
    return Cell(
        before=before,
        after=after,
        count=count,
        level=0 if before == after or not count else max(1, round(4 * count / most)),
        way=0 if before == after else 1 if after == right else -1 if before == right else 0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Submissions that changed for the same reason."""

    kind: str
    """As in `judge.regrades.causes`."""
    case: str
    before: str
    after: str
    """Verdicts of that case; empty: it had none."""
    count: int
    alike: int
    """How many of them printed the same there; 0 where that says nothing."""
    problem: str

    @property
    def query(self) -> dict[str, str]:
        """How a list of its submissions is asked for."""
        return {"kind": self.kind, "on": self.case, "was": self.before, "now": self.after, "of": self.problem}


def clusters(shown: Regrade) -> list[Cluster]:
    """The reasons, those of most submissions first."""
    changed = shown.items.filter(outcome=Outcome.CHANGED).values_list("cause", "submission__problem__slug")
    outputs: dict[tuple[str, str, str, str, str], Counter[str]] = {}
    for cause, slug in changed:
        key = (cause["kind"], cause.get("case", ""), cause.get("before", ""), cause.get("after", ""), slug or "")
        outputs.setdefault(key, Counter())[cause.get("output", "")] += 1
    found = []
    for (kind, case, before, after, slug), counted in outputs.items():
        said = [number for output, number in counted.most_common() if output]
        alike = said[0] if said and said[0] > 1 else 0
        number = counted.total()
        found.append(Cluster(kind=kind, case=case, before=before, after=after, count=number, alike=alike, problem=slug))
    return sorted(found, key=lambda one: (-one.count, one.kind, one.case))


def items(viewer: Viewer | None, shown: Regrade, query: Any) -> QuerySet[RegradeItem, RegradeItem]:
    """Those that an address asks for: by verdicts, by reason, by outcome; without a filter those that changed.

    `viewer` None: the command line. Whoever has left a course since sees the sums of its work, and none of it.
    """
    found = shown.items.select_related(
        *("submission__author", "submission__problem", "submission__assignment__course"),
        *("base__version", "new__version"),
    )
    if viewer is not None and not is_admin(viewer):
        found = found.filter(submission__in=overseen(viewer).order_by().values("pk"))
    before, after, outcome = (str(query.get(name, "")) for name in ("before", "after", "outcome"))
    if outcome in Outcome.values:
        found = found.filter(outcome=outcome)
    elif outcome == CONFLICT:
        found = found.filter(conflict=True)
    elif outcome != "all":
        found = found.filter(outcome=Outcome.CHANGED)
    if before in set(Verdict):
        found = found.filter(base__verdict=before)
    if after in set(Verdict):
        found = found.filter(new__verdict=after)
    if query.get("kind"):
        found = found.filter(cause__kind=str(query["kind"])[:20])
        for name, key in (("on", "case"), ("was", "before"), ("now", "after")):
            if query.get(name):
                found = found.filter(**{f"cause__{key}": str(query[name])[:255]})
        if query.get("of"):
            found = found.filter(submission__problem__slug=str(query["of"])[:64])
    return found.order_by("gain", "submission__author__username", "number")


def instead(viewer: Viewer, conflicts: Iterable[RegradeItem]) -> dict[int, int]:
    """Submission -> the regrade by which another result of it counts, where the viewer may look at that."""
    counts = Effective.objects.filter(submission__in=[one.number for one in conflicts]).values("judgement")
    by = RegradeItem.objects.filter(new__in=counts, regrade__in=regrades(viewer).order_by().values("pk"))
    return dict(by.values_list("number", "regrade"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """What it means for students: by the best of their submissions to each problem."""

    students: int
    up: int
    down: int
    now_pass: int
    no_longer_pass: int


def impact(shown: Regrade) -> Impact:
    """If everything that changed were applied; of a regrade that is or was applied: by what was."""
    rows = list(
        shown.items.filter(submission__isnull=False, base__isnull=False).values_list(
            "submission",
            "submission__author",
            "submission__problem",
            *("base__points", "base__verdict", "new__points", "new__verdict", "outcome", "moved"),
        )
    )
    before: dict[tuple[int, int], tuple[Decimal, bool]] = {}
    after: dict[tuple[int, int], tuple[Decimal, bool]] = {}
    chosen = {row[0] for row in rows}
    counts = {row[0] for row in rows if (row[8] if shown.applied else row[7] == Outcome.CHANGED)}
    touched = {(row[1], row[2]) for row in rows if row[0] in counts}
    for pk, author, problem, old_points, old_verdict, new_points, new_verdict, *_ in rows:
        key = author, problem
        old = _standing(old_points, old_verdict)
        new = _standing(new_points, new_verdict) if pk in counts else old
        before[key], after[key] = max(before.get(key, old), old), max(after.get(key, new), new)
    others = Effective.objects.filter(
        submission__author__in={author for author, _ in touched}, submission__problem__in={one for _, one in touched}
    ).values_list("submission", "submission__author", "submission__problem", "judgement__points", "judgement__verdict")
    for submission, author, problem, points, verdict in others:
        key = author, problem
        if submission not in chosen and key in before:
            one = _standing(points, verdict)
            before[key], after[key] = max(before[key], one), max(after[key], one)
    return Impact(
        students=len({author for author, _ in before}),
        up=_people(key for key in touched if after[key] > before[key]),
        down=_people(key for key in touched if after[key] < before[key]),
        now_pass=_people(key for key in touched if after[key][1] and not before[key][1]),
        no_longer_pass=_people(key for key in touched if before[key][1] and not after[key][1]),
    )


def _people(keys: Iterable[tuple[int, int]]) -> int:
    return len({author for author, _ in keys})


def _standing(points: Decimal | None, verdict: str | None) -> tuple[Decimal, bool]:
    return points or Decimal(0), verdict == Verdict.ACCEPTED


def outcomes(shown: Regrade) -> dict[str, int]:
    """Outcome -> how many."""
    rows = shown.items.order_by().values_list("outcome").annotate(number=Count("pk"))
    return dict(rows)


def others(shown: Regrade) -> int:
    """Of the submissions to which it was applied, those that got another verdict or other points by it."""
    return shown.items.filter(moved__isnull=False).exclude(outcome=Outcome.SAME).count()


def work_done(shown: Regrade) -> dict[str, int]:
    """How many results were run, checked and taken as they were."""
    sums = shown.items.exclude(outcome=Outcome.OPEN).aggregate(runs=Sum("runs"), checks=Sum("checks"), kept=Sum("kept"))
    return {name: value or 0 for name, value in sums.items()}


# Of one submission ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened to the result of a submission."""

    entry: Entry
    before: Judgement | None
    after: Judgement | None
    open: bool
    """Whether the viewer may look at the regrade."""

    @property
    def with_points(self) -> bool:
        """Whether the results are told with their points, because the problem gives them in parts."""
        return any(one is not None and one.version.facts.get("scoring") for one in (self.before, self.after))

    @property
    def visible(self) -> bool:
        """Whether the result is another one, and not only its version."""
        results = [one and (one.verdict, one.points, one.out_of) for one in (self.before, self.after)]
        return results[0] != results[1]


def history(viewer: Viewer, shown: Submission) -> list[Judgement]:
    """The judgements that count or ever did, newest first; what is only being compared is nobody's business yet."""
    if not may_see_work_of(viewer, shown.author_id, course_of(shown)):
        return []
    counted = Q(purpose=Purpose.LIVE) | Q(regraded__moved__isnull=False)
    return list(shown.judgements.filter(counted).select_related("version"))


def events(viewer: Viewer, shown: Submission) -> list[Event]:
    """When another judgement began to count, and why; oldest first. Students are told where the result is another."""
    if not may_see_work_of(viewer, shown.author_id, course_of(shown)):
        return []
    entries = list(Entry.objects.filter(submission=shown.pk).select_related("by", "regrade"))
    judgements = {one.pk: one for one in shown.judgements.select_related("version")} if entries else {}
    theirs = set(regrades(viewer).filter(log__submission=shown.pk).values_list("pk", flat=True)) if entries else set()
    found = [
        Event(
            entry=entry,
            before=judgements.get(entry.before or 0),
            after=judgements.get(entry.after or 0),
            open=entry.regrade_id in theirs,
        )
        for entry in entries
    ]
    staff = may_see_secret_data(viewer, shown.problem, course_of(shown))
    return found if staff else [event for event in found if event.visible]


def lately(author: User) -> list[Event]:
    """What happened of late to results of somebody's own, newest first: of each submission the last. Three queries."""
    own = Submission.objects.filter(author=author.pk)
    since = timezone.now() - LATELY
    entries = list(Entry.objects.filter(submission__in=own.values("pk"), at__gte=since).order_by("-pk")[:MOST_ENTRIES])
    numbers = {number for one in entries for number in (one.before, one.after) if number}
    known = Judgement.objects.filter(pk__in=numbers, submission__author=author.pk)
    judgements = known.select_related("submission__problem__live").in_bulk() if entries else {}
    last: dict[int | None, Event] = {}
    for entry in entries:
        before, after = judgements.get(entry.before or 0), judgements.get(entry.after or 0)
        last.setdefault(entry.submission, Event(entry=entry, before=before, after=after, open=False))
    found = [one for one in last.values() if one.before and one.after and one.visible][:MOST_EVENTS]
    prefetch_related_objects([one for event in found for one in (event.before, event.after) if one], "version")
    return found


def log(shown: Regrade) -> Sequence[Entry]:
    """What was done with the regrade as a whole."""
    return list(shown.log.filter(submission=None).select_related("by"))
