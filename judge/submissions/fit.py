"""Which worker can do what is owed: a row asks for words, a worker offers some (`judge.grading.needs`)."""

from collections.abc import Collection, Iterable
from datetime import timedelta
from functools import cache as once

from django.core.cache import cache
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from judge.grading.needs import languages_among, offer
from judge.submissions.models import Owed, State, Worker

HEARD_OF = timedelta(seconds=30)
"""A worker says every five seconds that it lives; after this time it is taken to be gone."""
LOOK_SECONDS = 5
"""So long it is remembered who is at work."""
BREAKS = "_breaks"
"""Ending of a migration after which older code cannot work on the tables."""

_here: list[frozenset[str]] = []
"""What this process offers; nothing told: it does whatever it is asked for, as a command by hand does."""


def offer_here(languages: Iterable[str]) -> None:
    """This process, and those that it forks, take only what needs no more than these languages and this code."""
    _here[:] = [offer(languages)]


def fits(row: Owed) -> bool:
    """Whether this process can do `row`."""
    return not _here or set(row.needs.split()) <= _here[0]


def at_work() -> list[Worker]:
    """The workers that live and take work."""
    return list(Worker.objects.filter(seen__gt=timezone.now() - HEARD_OF, trouble=""))


def lacking(needs: str, offers: Collection[frozenset[str]]) -> list[str] | None:
    """The languages without which none of `offers` is enough for `needs`; None: one is.

    Empty: what is lacking is a worker of newer code.
    """
    asked = set(needs.split())
    if any(asked <= one for one in offers):
        return None
    nowhere = asked.difference(*offers)
    return languages_among(nowhere or asked)


def undoable(queue: str, models: Iterable[type[Owed]], workers: Iterable[Worker]) -> dict[str, list[str]]:
    """What rows of these kinds need that wait in `queue` and that none of `workers` can do -> the languages lacking.

    Nothing, where none of them takes that queue.
    """
    offers = [worker.offers() for worker in workers if worker.takes(queue)]
    if not offers:
        return {}
    waiting = (model.objects.filter(state=State.QUEUED).exclude(needs="") for model in models)
    needs = {row for rows in waiting for row in rows.order_by().values_list("needs", flat=True).distinct()}
    found = {one: lacking(one, offers) for one in needs}
    return {one: lacks for one, lacks in found.items() if lacks is not None}


def lacked_by(row: Owed) -> list[str] | None:
    """`lacking`, of a row that waits and the workers that take its queue now, as looked up some seconds ago at most.

    None also where no worker is at work at all.
    """
    key = f"offers-{row.QUEUE}"
    offers: list[frozenset[str]] | None = cache.get(key)
    if offers is None:
        offers = [worker.offers() for worker in at_work() if worker.takes(row.QUEUE)]
        cache.set(key, offers, LOOK_SECONDS)
    return lacking(row.needs, offers) if offers else None


def as_far_as_there(languages: frozenset[str], queue: str) -> frozenset[str]:
    """Those of `languages` that the best worker for `queue` has now: for work that does without the others, and says
    so, where waiting for them might take for ever."""
    there = (languages & set(worker.languages) for worker in at_work() if worker.takes(queue))
    return max(there, key=len, default=frozenset())


def unknown_tables() -> str:
    """Why code of this age cannot work on the tables as they are, in a sentence; empty when it can.

    Newer tables do no harm, unless a migration says by its name (`…_breaks`) that older code cannot go on with them.
    """
    applied = set(MigrationRecorder(connection).applied_migrations())
    if _known() - applied:
        return "The tables are older than this code: run ./palfrey upgrade."
    if any(name.endswith(BREAKS) for _, name in applied - _known()):
        return "The tables were changed for newer code: start this worker again with that."
    return ""


def breaking_ahead() -> bool:
    """Whether a migration of this code is not applied yet after which older code cannot work."""
    missing = _known() - set(MigrationRecorder(connection).applied_migrations())
    return any(name.endswith(BREAKS) for _, name in missing)


@once
def _known() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)
