"""Work on one problem whose judging failed, for who writes the problem: its own programs are the usual cause."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from judge.grading.verdict import Verdict
from judge.people.models import User
from judge.people.permissions import Viewer, may_have_errors_judged_again
from judge.people.refusal import Refused
from judge.submissions.actions import once_more
from judge.submissions.models import Judgement, Submission
from problems.models import Problem

AT_ONCE = 500
"""Submissions whose notes are read, and that are judged again by one click."""
NOTES = 5
NOTE = 300
"""Characters of a note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failures:
    """How many submissions have a judge error now, and why; nothing of whose they are."""

    number: int
    notes: Sequence[tuple[str, int]]
    """What failed, and how often; the commonest first. Empty: nobody has said."""
    more: int
    """Submissions whose notes are not told."""


def failures(viewer: Viewer, problem: Problem) -> Failures | None:
    """None: there are none, or the viewer does not write the problem.

    Of a note only its first line is told, which is the judge's own: what the failed program said may quote
    a program that the viewer may not see.
    """
    if not may_have_errors_judged_again(viewer, problem):
        return None
    found = list(_failed(problem).order_by("-finished").values_list("judge_note", "version__number")[: AT_ONCE + 1])
    if not found:
        return None
    number = len(found) if len(found) <= AT_ONCE else _failed(problem).count()
    notes = Counter(_told(note, version) for note, version in found).most_common(NOTES)
    return Failures(number=number, notes=notes, more=number - sum(count for _note, count in notes))


def judge_again(by: User, problem: Problem) -> int:
    """Judge these once more, the oldest `AT_ONCE` at most; how many. Raises `Refused`."""
    if not may_have_errors_judged_again(by, problem):
        raise Refused(_("Only the owners of a problem can have submissions to it judged again."))
    failed = Submission.objects.select_related("problem__live", "assignment").filter(
        pk__in=_failed(problem).order_by().values("submission")
    )
    number = 0
    for submission in failed.order_by("pk")[:AT_ONCE]:
        try:
            once_more(submission)
        except Refused:  # somebody else was quicker
            continue
        number += 1
    return number


def _failed(problem: Problem) -> QuerySet[Judgement, Judgement]:
    return Judgement.objects.filter(
        verdict=Verdict.JUDGE_ERROR.value, effective__isnull=False, submission__problem=problem
    )


def _told(note: str, version: int) -> str:
    line = note.strip().partition("\n")[0][:NOTE]
    return f"v{version}: {line}" if line else f"v{version}"
