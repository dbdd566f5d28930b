"""Who works on what is owed: claim, renew, write, finish, give back.

The database alone knows what is owed. A claim is one conditional UPDATE that raises the row's fence; whatever the
claim's holder writes later goes through `Claim.write`, whose first statement says `WHERE fence = mine` and so both
proves and locks the row. A worker that slept past its lease finds that it may write nothing. Times are the database's
own, so that the clocks of the workers do not matter.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Generic, TypeVar

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from judge.submissions.models import Owed, State
from judge.submissions.signals import given_up

log = structlog.get_logger(__name__)

Row = TypeVar("Row", bound=Owed)

_QUEUED: dict[str, Any] = {"state": State.QUEUED, "hinted": Now(), "lease_until": None, "progress": ""}


class FenceLost(Exception):
    """The row is no longer ours: its lease ran out and somebody else got it. Nothing was written."""


class Claim(Generic[Row]):
    """Work on one row, ours until the lease runs out or we give it up."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.fence = row.fence

    def renew(self) -> bool:
        """Make the lease long again; False when the row is no longer ours."""
        return self._ours().update(lease_until=_lease_end()) == 1

    def holds(self) -> bool:
        """Whether a write now would succeed."""
        return self._ours().exists()

    @contextmanager
    def write(self, **columns: Any) -> Iterator[None]:
        """One transaction in which the row is ours, with `columns` set on it and the lease renewed.

        Raises `FenceLost` before the body runs when it is not, and nothing is written.
        """
        with transaction.atomic():
            if self._ours().update(**{"lease_until": _lease_end(), **columns}) != 1:
                raise FenceLost(f"{self.row} is no longer held under fence {self.fence}")
            yield
        for name, value in columns.items():
            setattr(self.row, name, value)

    @contextmanager
    def finish(self, **columns: Any) -> Iterator[None]:
        """`write`, and with it the row is done."""
        with self.write(state=State.DONE, finished=Now(), lease_until=None, progress="", **columns):
            yield
        self.row.refresh_from_db(fields=["finished"])

    def give_back(self, reason: str) -> bool:
        """Return the row to the queue after a fault of ours, or end it when that was the last attempt.

        True when the row waits in the queue again.
        """
        return hand_on(self.row, self._ours(), reason)

    def _ours(self) -> QuerySet[Row]:
        rows: QuerySet[Row] = _rows(type(self.row)).filter(pk=self.row.pk, state=State.RUNNING, fence=self.fence)
        return rows


def claim(model: type[Row], pk: int, worker: str) -> Claim[Row] | None:
    """Take the row if it is owed and nobody holds it; None when there is nothing to do (a message came twice)."""
    with transaction.atomic():
        taken = (
            _rows(model)
            .filter(Q(state=State.QUEUED) | _expired(), pk=pk, attempt__lt=settings.ATTEMPTS)
            .update(
                state=State.RUNNING,
                fence=F("fence") + 1,
                attempt=F("attempt") + 1,
                lease_until=_lease_end(),
                started=Now(),
                worker=worker[:128],
                progress="",
                **model.BLANK,
            )
        )
        if not taken:
            return None
        row = _rows(model).get(pk=pk)
        if row.fence > 1:  # somebody held it before, also when that cost no attempt
            row.forget()
    return Claim(row)


def claimable(model: type[Row], pk: int) -> Row | None:
    """The row, if it is owed and nobody holds it; of its columns only what tells who can do it is read at once."""
    return _rows(model).filter(Q(state=State.QUEUED) | _expired(), pk=pk).only("needs").first()


def first_waiting(models: Iterable[type[Owed]], fits: Callable[[Owed], bool] = lambda _: True) -> Owed | None:
    """The row that is to be worked on next, of any of these kinds, among those that `fits` allows by what they need."""
    kinds = tuple(models)
    unfit: set[str] = set()
    while True:
        found = (_waiting(model).exclude(needs__in=unfit).first() for model in kinds)
        row = min((row for row in found if row is not None), key=lambda row: (row.due, row.pk), default=None)
        if row is None or fits(row):
            return row
        unfit.add(row.needs)


def claim_next(
    models: Iterable[type[Owed]], worker: str, fits: Callable[[Owed], bool] = lambda _: True
) -> Claim[Any] | None:
    """Take the row that is next; None when nothing waits that fits."""
    kinds = tuple(models)
    while (row := first_waiting(kinds, fits)) is not None:
        if (taken := claim(type(row), row.pk, worker)) is not None:
            return taken
    return None


def expired(model: type[Row], limit: int = 1000) -> list[Row]:
    """Rows whose worker has gone silent, longest first."""
    return list(_rows(model).filter(_expired()).order_by("lease_until")[:limit])


def take_from_the_silent(row: Row) -> bool:
    """Return a row of `expired` to the queue, or end it after its last attempt; True when it waits again."""
    held = _rows(type(row)).filter(_expired(), pk=row.pk, fence=row.fence)
    return hand_on(row, held, f"its worker {row.worker or 'without a name'} went silent")


def hand_back(row: Row) -> bool:
    """Return a running row to the queue as if nobody had begun it, because its worker stops in good order."""
    held = _rows(type(row)).filter(pk=row.pk, state=State.RUNNING, fence=row.fence)
    return held.update(**_QUEUED, attempt=F("attempt") - 1) == 1


def stop(row: Row, **columns: Any) -> bool:
    """End a row that is not over, with `columns` set on it: whoever works on it may write nothing more.

    False when it was over already.
    """
    ended = _rows(type(row)).filter(pk=row.pk, state__in=(State.QUEUED, State.RUNNING))
    return ended.update(state=State.ABANDONED, finished=Now(), lease_until=None, progress="", **columns) == 1


def hand_on(row: Row, held: QuerySet[Row], reason: str) -> bool:
    """The one place where an attempt ends without a result; `held` is the row, if it may be taken."""
    again = row.attempt < settings.ATTEMPTS
    with transaction.atomic():
        if again:
            changed = held.update(**_QUEUED)
        else:
            changed = held.update(**(_QUEUED | {"state": State.ABANDONED, "finished": Now()} | row.GIVEN_UP))
        if not changed:
            return False
        if not again:
            transaction.on_commit(lambda: _tell_given_up(row, reason), robust=True)
    log.warning("attempt failed", row=str(row), attempt=row.attempt, reason=reason, again=again)
    return again


def _tell_given_up(row: Owed, reason: str) -> None:
    row.refresh_from_db()
    log.error("given up after the last attempt: staff must look", row=str(row), attempts=row.attempt, reason=reason)
    for receiver, answer in given_up.send_robust(sender=type(row), row=row, reason=reason):
        if isinstance(answer, Exception):
            log.error("a receiver of given_up failed", receiver=repr(receiver), exc_info=answer)


def _rows(model: type[Row]) -> QuerySet[Row]:
    return model.objects.all()


def _waiting(model: type[Row]) -> QuerySet[Row]:
    return _rows(model).filter(state=State.QUEUED, attempt__lt=settings.ATTEMPTS).order_by("due", "pk")


def _expired() -> Q:
    return Q(state=State.RUNNING, lease_until__lt=Now())


def _lease_end() -> Any:
    return Now() + timedelta(seconds=settings.LEASE_SECONDS)
