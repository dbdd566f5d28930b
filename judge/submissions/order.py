"""In which order live work is done: by `Owed.due`, earliest first, with the same formula for everybody.

    due = moment of sending
        + 10 minutes for each submission of the same student that waits or runs, at most 30 minutes
        + the seconds that judging took for them in the last 10 minutes, at most 4 minutes
        + 1 second for each submission of the same course that waits or runs, at most 5 minutes

So whoever sends one program goes ahead of every second program of anybody else, a course with a deadline holds up no
other course for long, and nobody waits for ever: a row's moment stays, and the clock comes nearer. Trial runs are short
and count as sent half a minute earlier; only other trial runs of the same person put them back.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, DurationField, ExpressionWrapper, F, Q, QuerySet, Sum
from django.utils import timezone

from judge.submissions.models import Judgement, Owed, State

OWN, OWN_MOST = timedelta(minutes=10), timedelta(minutes=30)
LATELY, USED_MOST = timedelta(minutes=10), timedelta(minutes=4)
COURSE, COURSE_MOST = timedelta(seconds=1), timedelta(minutes=5)
TRIAL_AHEAD = timedelta(seconds=30)
"""A first trial run goes ahead of submissions sent in the half minute before it."""
JUST_COME = timedelta(seconds=0.2)

UNFINISHED = Q(state__in=(State.QUEUED, State.RUNNING))


def due(own: QuerySet[Judgement], course: QuerySet[Judgement] | None = None) -> datetime:
    """The moment for a submission sent now. `own`: judgements of its author, `course`: those of its course."""
    now = timezone.now()
    took = ExpressionWrapper(F("finished") - F("started"), output_field=DurationField())
    counted: dict[str, Any] = own.filter(UNFINISHED | Q(finished__gt=now - LATELY)).aggregate(
        unfinished=Count("pk", filter=UNFINISHED),
        used=Sum(took, filter=Q(finished__gt=now - LATELY, started__isnull=False)),
    )
    back: timedelta = min(counted["unfinished"] * OWN, OWN_MOST) + min(counted["used"] or timedelta(), USED_MOST)
    if course is not None:
        back += min(course.filter(UNFINISHED).count() * COURSE, COURSE_MOST)
    return now + back


def trial_due(own: QuerySet[Any]) -> datetime:
    """The moment for a trial run, or something as short. `own`: those of its author."""
    return timezone.now() - TRIAL_AHEAD + min(own.filter(UNFINISHED).count() * OWN, OWN_MOST)


def is_first(row: Owed) -> bool:
    """Whether its author had nothing else waiting or running when it was sent."""
    return row.due - row.queued < OWN


def goes_before(waiting: Owed, running: Judgement) -> bool:
    """Whether a submission that is being judged rests after its case for one that waits.

    It does for one that is due earlier, and, when its author has more waiting, for the first one of anybody else.
    What has only just come is left to a worker that is free.
    """
    if timezone.now() - waiting.hinted < JUST_COME:
        return False
    author = running.submission.author_id
    asker = waiting.submission.author_id if isinstance(waiting, Judgement) else getattr(waiting, "author_id", None)
    if author == asker:
        return False
    if waiting.due < running.due:
        return True
    more = Judgement.objects.filter(submission__author=author, state=State.QUEUED)
    return is_first(waiting) and more.exists()
