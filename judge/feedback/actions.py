"""What sets a search off: a judgement that failed by the program's fault."""

import hashlib
from typing import Any

from django.conf import settings
from django.db import transaction

from judge.feedback.ladder import LADDER, Rung
from judge.feedback.models import Search, Shown
from judge.grading.verdict import Verdict
from judge.people.permissions import Viewer
from judge.submissions import hints
from judge.submissions.models import Judgement, Purpose, Submission

SEARCHED = frozenset(
    {
        Verdict.WRONG_ANSWER,
        Verdict.RUN_TIME_ERROR,
        Verdict.TIME_LIMIT_EXCEEDED,
        Verdict.MEMORY_LIMIT_EXCEEDED,
        Verdict.OUTPUT_LIMIT_EXCEEDED,
    }
)


def after_judging(judgement: Judgement, **_: Any) -> None:
    """Have it looked for what is wrong, if nobody has sent the same to the same version before."""
    if judgement.purpose == Purpose.LIVE and judgement.verdict in SEARCHED and settings.FEEDBACK_SECONDS > 0:
        look_for(judgement.submission, judgement.version_id)


def look_for(submission: Submission, version_id: int) -> Search:
    """The search for this program, which is owed from now on if it was not before."""
    with transaction.atomic():
        row, new = Search.objects.get_or_create(
            source=source_of(submission), version_id=version_id, defaults={"submission": submission}
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


def source_of(submission: Submission) -> str:
    """Names the program: two submissions with the same files in the same language are one."""
    total = hashlib.sha256(submission.language.encode())
    for file in sorted(submission.files, key=lambda file: str(file["name"])):
        total.update(f"\0{file['name']}\0{file['digest']}".encode("utf-8", "surrogateescape"))
    return total.hexdigest()
