"""What is read of feedback. Every function takes the viewer first and gives only what they may see."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from statistics import quantiles

from django.conf import settings
from django.utils import timezone

from judge.assignments.models import Assignment
from judge.blobs.store import BlobMissing
from judge.feedback.actions import SEARCHED, source_of
from judge.feedback.ladder import LADDER, Rung
from judge.feedback.models import Search
from judge.grading.verdict import Verdict
from judge.people.models import CourseRole, Membership
from judge.people.permissions import Viewer, may_assist, may_see_work_of, sees_work_of_others
from judge.submissions.models import CaseResult, Judgement, Purpose, Submission
from judge.submissions.queries import course_of, shows_cost, sources, submissions
from problems.models import Problem

LATEST = 5_000
"""Submissions that are looked through for the last one of each student."""
CLASS, CLASS_PROGRAMS = 60, 600
"""So many of the newest people, among so many of the newest right programs, are a class to compare with."""
FEWEST = 5
"""People whose figures are put together at least, so that none is known again."""
PATIENCE = timedelta(minutes=15)
"""A page waits no longer for a search: perhaps no worker does any here. What is found shows when it is read again."""
SHARED = 1 / 3
"""Of the lines of the longer program, what must be in the other, too, to say what was changed."""
LOOKED_AT = 128 << 10
"""Bytes of a file."""
SOON = timedelta(seconds=5)
"""Between the end of a judgement and the row of its search there may be a moment."""


def search_of(viewer: Viewer, sent: Submission, judgement: Judgement) -> Search | None:
    """The search for what is wrong with `sent`; None where there is none, or it is not for the viewer."""
    if not may_see_work_of(viewer, sent.author_id, course_of(sent)) or judgement.verdict not in SEARCHED:
        return None
    return Search.objects.filter(source=source_of(sent), version=judgement.version_id).first()


def unfinished(sent: Submission, judgement: Judgement) -> bool:
    """Whether more feedback will come."""
    if not judgement.over or judgement.verdict not in SEARCHED or not settings.FEEDBACK_SECONDS:
        return False
    row = Search.objects.filter(source=source_of(sent), version=judgement.version_id).first()
    if row is not None:
        return not row.over and row.queued > timezone.now() - PATIENCE
    new = judgement.finished is not None and timezone.now() - judgement.finished < SOON
    return new and judgement.purpose == Purpose.LIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What is different from the attempt before, by the positions of the cases."""

    before: Submission
    fixed: Sequence[int]
    broken: Sequence[int]
    still: Sequence[int]


def changes(viewer: Viewer, sent: Submission, judgement: Judgement) -> Changes | None:
    """Compared with the last submission before it that was judged against the same version and that the viewer sees,
    too; None: there is none, or that was another program and no attempt at this one."""
    if not may_see_work_of(viewer, sent.author_id, course_of(sent)) or not judgement.compiled:
        return None
    earlier = submissions(viewer).filter(
        author=sent.author_id,
        problem=sent.problem_id,
        pk__lt=sent.pk,
        effective__judgement__version=judgement.version_id,
        effective__judgement__compiled=True,
    )
    before = earlier.exclude(effective__judgement__verdict=Verdict.JUDGE_ERROR).select_related("effective").first()
    if before is None or not _alike(viewer, before, sent):
        return None
    was, now = _verdicts(before.effective.judgement_id), _verdicts(judgement.pk)
    right = Verdict.ACCEPTED.value
    both = [position for position in now if was.get(position) and now[position]]
    return Changes(
        before=before,
        fixed=[position for position in both if now[position] == right != was[position]],
        broken=[position for position in both if was[position] == right != now[position]],
        still=[position for position in both if right not in (was[position], now[position])],
    )


def _alike(viewer: Viewer, before: Submission, after: Submission) -> bool:
    """Whether one may have been made of the other: the same language, and enough lines that are in both."""
    if before.language != after.language:
        return False
    if source_of(before) == source_of(after):
        return True
    try:
        was, now = _lines(viewer, before), _lines(viewer, after)
    except BlobMissing:
        return False
    return (was & now).total() >= SHARED * max(was.total(), now.total())


def _lines(viewer: Viewer, sent: Submission) -> Counter[bytes]:
    """How often each line stands in a program, whatever its indentation; those with hardly anything in them do not
    count."""
    lines = (line.strip() for content in sources(viewer, sent).values() for line in content[:LOOKED_AT].splitlines())
    return Counter(line for line in lines if len(line) > 2)


def _verdicts(judgement_id: int) -> Mapping[int, str]:
    rows = CaseResult.objects.filter(judgement=judgement_id).order_by("position")
    return dict(rows.values_list("position", "verdict"))


def class_seconds(viewer: Viewer, sent: Submission, judgement: Judgement) -> Mapping[int, tuple[float, float]]:
    """Position of a case -> CPU seconds of the middle half of the right programs of others, one a person; empty where
    there are too few of them."""
    if not may_see_work_of(viewer, sent.author_id, course_of(sent)) or not shows_cost(viewer, sent, judgement):
        return {}
    rows = (
        Judgement.objects.filter(version=judgement.version_id, verdict=Verdict.ACCEPTED.value, effective__isnull=False)
        .exclude(submission__author=sent.author_id)
        .order_by("-pk")
        .values_list("submission__author", "pk")[:CLASS_PROGRAMS]
    )
    latest: dict[int, int] = {}
    for author, pk in rows:
        latest.setdefault(author, pk)
    if len(latest) < FEWEST:
        return {}
    figures: dict[int, list[float]] = {}
    results = CaseResult.objects.filter(judgement__in=list(latest.values())[:CLASS]).order_by()
    for position, seconds in results.values_list("position", "cpu_seconds"):
        figures.setdefault(position, []).append(seconds)
    middle = {position: quantiles(values, n=4) for position, values in figures.items() if len(values) >= FEWEST}
    return {position: (low, high) for position, (low, _, high) in middle.items()}


def failures(sent: Submission) -> tuple[int, datetime | None]:
    """How many failed attempts its author has made at the problem up to `sent`, and when the first was sent."""
    failed = Submission.objects.filter(
        author=sent.author_id, problem=sent.problem_id, pk__lte=sent.pk, effective__judgement__verdict__in=SEARCHED
    )
    first = failed.order_by("sent").values_list("sent", flat=True).first()
    return failed.count(), first


@dataclass(frozen=True, slots=True, kw_only=True)
class Helped:
    """How students came to solve a problem of an assignment."""

    at_once: int = 0
    """With their first program that was judged."""
    after: Mapping[Rung, int] = field(default_factory=dict)
    """The most that a page had shown of a failure before -> so many solved it then."""
    unsolved: Mapping[Rung, int] = field(default_factory=dict)
    """The same of those who have not solved it."""


def helped(viewer: Viewer, assignment: Assignment) -> Mapping[int, Helped]:
    """Problem id -> how much help its students have had. For staff; in two queries."""
    if not may_assist(viewer, assignment.course):
        return {}
    students = Membership.objects.filter(course=assignment.course_id, role=CourseRole.STUDENT, active=True)
    sent = Submission.objects.filter(assignment=assignment, author__in=students.order_by().values("user"))
    rows = sent.order_by("sent", "pk").values_list("problem", "author", "effective__judgement__verdict", "shown__rung")
    stands: dict[int, dict[int, _Stands]] = {}
    for problem, author, verdict, rung in rows:
        one = stands.setdefault(problem, {}).setdefault(author, _Stands())
        if one.solved or verdict not in _TOLD:
            continue
        one.solved = verdict == Verdict.ACCEPTED.value
        if not one.solved:
            one.failed = True
            one.most = max(one.most, Rung(rung or Rung.VERDICT), key=LADDER.index)
    return {problem: _counted(each.values()) for problem, each in stands.items()}


@dataclass(slots=True)
class _Stands:
    """One student with one problem."""

    failed: bool = False
    solved: bool = False
    most: Rung = Rung.VERDICT


_TOLD = frozenset({Verdict.ACCEPTED, *SEARCHED})


def _counted(each: Iterable[_Stands]) -> Helped:
    listed = list(each)
    return Helped(
        at_once=sum(one.solved and not one.failed for one in listed),
        after=Counter(one.most for one in listed if one.solved and one.failed),
        unsolved=Counter(one.most for one in listed if one.failed and not one.solved),
    )


def mistakes(viewer: Viewer, problem: Problem, assignment: Assignment | None = None) -> list[tuple[str, int]]:
    """Mutant -> how many students behave like it with their last submission, or the last one for `assignment`; most
    first. For staff, as far as seen."""
    if not sees_work_of_others(viewer):
        return []
    named = dict(Search.objects.filter(version__problem=problem).exclude(mutant="").values_list("source", "mutant"))
    if not named:
        return []
    last: dict[int, str] = {}
    seen = submissions(viewer, problem=problem).select_related(None).only("author", "language", "files")
    for sent in (seen.filter(assignment=assignment) if assignment else seen).order_by("-pk")[:LATEST]:
        if sent.author_id not in last:
            last[sent.author_id] = named.get(source_of(sent), "")
    counts: dict[str, int] = {}
    for mutant in last.values():
        if mutant:
            counts[mutant] = counts.get(mutant, 0) + 1
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))
