"""What goes through Redis: ids for workers, and a nudge for open pages. All of it may be lost, none of it may hurt.

The database knows what is owed and what is known; whoever misses a hint finds out there (the sweeper, a page that
polls). So nothing here raises, and nothing here waits for long.
"""

import threading
import time
from functools import cache
from typing import Any

import redis
import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from judge.config.celery import LIVE_QUEUE, app
from judge.submissions.models import Owed

log = structlog.get_logger(__name__)

CHANNELS = "palfrey:*"
"""What an open page's process subscribes to, as a pattern."""

FIRST, NORMAL, LATER = 0, 3, 6
"""Priorities of Redis messages (0 is taken first), for work that is taken by the message's id; the last is of rows that
are not due yet. Live work is not taken so: whatever message comes, the row that is due first is done first."""

_QUICK = {
    "socket_timeout": 2,
    "socket_connect_timeout": 1,
    "max_retries": 0,
    "interval_start": 0,
    "interval_step": 0,
    "interval_max": 0,
}
_PAUSE_SECONDS = 5.0
"""After a nudge failed, none is tried for this long, so that a broker that hangs does not slow the judging down."""

_Unreachable = (OperationalError, redis.RedisError, OSError)


def submission_channel(pk: int) -> str:
    """Where the judgements of a submission are announced."""
    return f"palfrey:submission:{pk}"


def trial_channel(pk: int) -> str:
    return f"palfrey:trial:{pk}"


def send_on_commit(row: Owed) -> None:
    """Tell the workers about `row` once the transaction stands."""
    transaction.on_commit(lambda: _send_quietly(row), robust=True)


def send(row: Owed, *, first: bool = False) -> bool:
    """Tell the workers that `row` is owed; `first`: ahead of what is new. False when the broker was not reached."""
    try:
        with app.connection(transport_options=_QUICK) as connection:
            app.send_task(
                row.TASK,
                args=[row.pk],
                queue=row.QUEUE,
                priority=FIRST if first else LATER if row.due > timezone.now() else NORMAL,
                connection=connection,
                retry=False,
            )
    except _Unreachable as error:
        log.warning("broker not reached; the sweeper will send it again", row=str(row), error=str(error))
        return False
    return True


def waiting(queue: str = LIVE_QUEUE) -> int | None:
    """How many messages wait in `queue` for a worker; None when the broker was not reached."""
    try:
        with app.connection(transport_options=_QUICK) as connection:
            at: Any = connection.default_channel
            return int(at.queue_declare(queue=queue).message_count)
    except _Unreachable:
        return None


class _Announcer:
    """Publishes nudges over one client of this process."""

    def __init__(self) -> None:
        self._client = redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1, retry=None, health_check_interval=0
        )
        self._not_before = 0.0
        self._lock = threading.Lock()

    def publish(self, name: str) -> None:
        if time.monotonic() < self._not_before:
            return
        try:
            self._client.publish(name, b"")
        except (redis.RedisError, OSError) as error:
            with self._lock:
                self._not_before = time.monotonic() + _PAUSE_SECONDS
            log.debug("nudge lost", channel=name, error=str(error))


@cache
def _announcer() -> _Announcer:
    return _Announcer()


def announce(row: Owed) -> None:
    """Nudge the open pages of `row`: something of it changed."""
    _announcer().publish(row.channel)


def announce_on(channel: str) -> None:
    """The same for a page of something that is not owed itself."""
    _announcer().publish(channel)


def _send_quietly(row: Owed) -> None:
    send(row)
