"""Archives of older states of working copies: they go from the store, some time after nothing names them any more."""

import shutil
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from judge.authoring.models import Draft, Errand, Superseded
from judge.blobs import store
from judge.grading.job import ANSWERS
from judge.submissions.models import Submission
from problems.models import Case, Version

GRACE = timedelta(days=2)
"""So long an archive stays after it was the working copy: pages and errands that are open may still read it."""
AT_ONCE = 20
"""Archives that one step looks at."""

_NAMES: Sequence[Callable[[str], bool]] = (
    lambda digest: Draft.objects.filter(archive=digest).exists(),
    lambda digest: Version.objects.filter(archive=digest).exists(),
    lambda digest: Case.objects.filter(Q(input=digest) | Q(answer=digest)).exists(),
    lambda digest: (
        Submission.objects.filter(language=ANSWERS)
        .annotate(names=Cast("files", TextField()))
        .filter(names__contains=digest)
        .exists()
    ),
)
"""Whether an archive is named by some row, beside errands, which go. Programs hold no NUL, so none of them is an
archive; what a program prints is none that is kept here, to the byte."""


def may_go(archive: str) -> None:
    """`archive` is looked at once `GRACE` has gone by, and removed if nothing names it then. To be called before its
    bytes are put, and when it is the working copy no more.
    """
    Superseded.objects.update_or_create(archive=archive, defaults={"since": timezone.now()})


def forget() -> int:
    """One step: remove some of the archives that nothing names; gives how many."""
    found = _old().order_by("since").values_list("archive", flat=True)
    return sum(_forget(archive) for archive in found[:AT_ONCE])


def _old() -> "QuerySet[Superseded]":
    return Superseded.objects.filter(since__lt=timezone.now() - GRACE)


def _forget(archive: str) -> bool:
    with transaction.atomic():
        # Whoever keeps the same archive now waits here for the row, and then puts the bytes anew.
        skip = connection.features.has_select_for_update_skip_locked
        held = _old().select_for_update(skip_locked=skip).filter(archive=archive).first()
        if held is None:
            return False
        if Errand.objects.filter(target=archive).exists():
            held.since = timezone.now()
            held.save()
            return False
        named = any(names(archive) for names in _NAMES)
        if not named:
            store.remove(archive)
            shutil.rmtree(Path(settings.PALFREY_CACHE) / "packages" / archive, ignore_errors=True)
        held.delete()
    return not named
