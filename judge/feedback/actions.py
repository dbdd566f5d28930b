"""What sets a search off: a judgement that failed by the program's fault."""

import hashlib
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from judge.blobs.versions import programs_of
from judge.config.celery import FEEDBACK_QUEUE
from judge.feedback.ladder import LADDER, Rung
from judge.feedback.models import Search, Shown
from judge.grading.needs import feedback, judging, words
from judge.grading.verdict import Verdict
from judge.people.permissions import Viewer
from judge.submissions import hints
from judge.submissions.fit import as_far_as_there
from judge.submissions.models import Judgement, Purpose, Submission
from problems.models import Version

SEARCHED = frozenset(
    {
        Verdict.WRONG_ANSWER,
        Verdict.RUN_TIME_ERROR,
        Verdict.TIME_LIMIT_EXCEEDED,
        Verdict.MEMORY_LIMIT_EXCEEDED,
        Verdict.OUTPUT_LIMIT_EXCEEDED,
    }
)


LATER = timedelta(days=1)
"""For so long what is looked for after a regrade stands behind what has just been sent."""
BATCH = 500


def after_judging(judgement: Judgement, **_: Any) -> None:
    """Have it looked for what is wrong, if nobody has sent the same to the same version before."""
    if judgement.purpose == Purpose.LIVE and judgement.verdict in SEARCHED and settings.FEEDBACK_SECONDS > 0:
        look_for(judgement.submission, judgement.version_id)


def look_for(submission: Submission, version_id: int) -> Search:
    """The search for this program, which is owed from now on if it was not before."""
    version = Version.objects.select_related("problem").get(pk=version_id)
    needs = _needs_of(version, submission.language)
    with transaction.atomic():
        row, new = Search.objects.get_or_create(
            source=source_of(submission), version=version, defaults={"submission": submission, "needs": needs}
        )
        if new:
            hints.send_on_commit(row)
    return row


def note_shown(viewer: Viewer, sent: Submission, rung: Rung) -> None:
    """That a page shows its author so much; what is less than was shown before changes nothing."""
    if viewer.pk != sent.author_id or rung == Rung.VERDICT:
        return
    before = Shown.objects.filter(submission=sent).values_list("rung", flat=True).first()
    if before is None or LADDER.index(Rung(before)) < LADDER.index(rung):
        Shown.objects.update_or_create(submission=sent, defaults={"rung": rung})


def look_for_all(judgements: Iterable[Judgement]) -> None:
    """The same for many that begin to count at once, with their submissions and versions at hand. No messages are
    sent: the sweeper sends them, as such that wait until nothing newer does."""
    if settings.FEEDBACK_SECONDS <= 0:
        return
    due = timezone.now() + LATER
    needs: dict[tuple[int, str], str] = {}
    rows = []
    for judgement in judgements:
        if judgement.verdict not in SEARCHED:
            continue
        sent, version = judgement.submission, judgement.version
        key = version.pk, sent.language
        if key not in needs:
            needs[key] = _needs_of(version, sent.language)
        rows.append(Search(source=source_of(sent), version=version, submission=sent, due=due, needs=needs[key]))
    Search.objects.bulk_create(rows, batch_size=BATCH, ignore_conflicts=True)


def _needs_of(version: Version, language: str) -> str:
    wished = as_far_as_there(programs_of(version, feedback), FEEDBACK_QUEUE)
    return words({language} | programs_of(version, judging) | wished)


def source_of(submission: Submission) -> str:
    """Names the program: two submissions with the same files in the same language are one."""
    total = hashlib.sha256(submission.language.encode())
    for file in sorted(submission.files, key=lambda file: str(file["name"])):
        total.update(f"\0{file['name']}\0{file['digest']}".encode("utf-8", "surrogateescape"))
    return total.hexdigest()
