"""The one way by which a regrade goes from stage to stage, and the log of it."""

from collections.abc import Collection
from typing import Any

import structlog
from django.db import transaction

from judge.people.models import User
from judge.regrades.models import Entry, Regrade, Stage
from judge.submissions import hints

log = structlog.get_logger(__name__)


def move(
    regrade: Regrade, came_from: Collection[str], to: str, *, by: User | None = None, why: str = "", **columns: Any
) -> bool:
    """Go to `to` if it stands at one of `came_from`, with `columns` set; False, and nothing is changed, when not."""
    with transaction.atomic():
        changed = Regrade.objects.filter(pk=regrade.pk, stage__in=list(came_from)).update(stage=to, **columns)
        if not changed:
            return False
        Entry.objects.create(regrade=regrade, by=by, what=to, why=why)
        transaction.on_commit(lambda: hints.announce_on(regrade.channel), robust=True)
    regrade.refresh_from_db()
    log.info("regrade", row=str(regrade), stage=to, by=str(by or ""), why=why)
    return True


def fail(regrade: Regrade, why: str) -> bool:
    """End it by itself; what was judged stays beside what counts."""
    return move(regrade, (Stage.DRAFT, Stage.RUNNING), Stage.FAILED, why=why, failure=why, paused=False)
