"""What was compiled, kept in the shared store beside the blobs, for all workers of the site.

Everything here may be deleted at any time: it is only compiled again. A store that fails is a store that has nothing.
"""

import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import structlog
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from judge.grading.ahead import MadeAhead
from judge.grading.kept import Kept
from judge.grading.workshop import Workshop

log = structlog.get_logger(__name__)

FOLDER = "compiled"
FOLDERS = 256
KEPT_DAYS = 60
"""What was of no use for so long may go. An entry that is used is written anew each week."""
TURN_SECONDS = 60
"""Whoever tidies looks into one folder at a time, and into another after this time: all of them in four hours."""

_T = TypeVar("_T")


class SharedStore:
    """`judge.grading.kept.Store` in Django's storage `blobs`."""

    def get(self, key: str) -> bytes | None:
        """The entry of `key`, or None."""

        def read() -> bytes | None:
            try:
                with storages["blobs"].open(_name(key)) as stored:
                    content: bytes = stored.read()
                    return content
            except FileNotFoundError:
                return None

        return _or_none(read, "could not read what was compiled")

    def put(self, key: str, entry: bytes) -> None:
        """Keep `entry`."""

        def write() -> None:
            saved = storages["blobs"].save(_name(key), ContentFile(entry))
            if saved != _name(key):  # a storage that replaces nothing: the older one does as well
                storages["blobs"].delete(saved)

        _or_none(write, "could not keep what was compiled")


def workshop() -> Workshop:
    """What the workers of this site compile with."""
    return Workshop(kept=Kept(SharedStore()), ahead=made_ahead())


def made_ahead() -> MadeAhead:
    """What was made ahead on this host."""
    return MadeAhead(Path(settings.PALFREY_CACHE) / "ahead")


def tidy(turn: int | None = None) -> int:
    """Remove from one of the folders what is too old or too much; gives how many entries. Time says from which."""
    number = int(time.time() // TURN_SECONDS if turn is None else turn) % FOLDERS
    return _or_none(lambda: _tidied(f"{FOLDER}/{number:02x}"), "could not tidy what was compiled") or 0


def _tidied(folder: str) -> int:
    storage = storages["blobs"]
    removed = total = 0
    for age, size, name in sorted(_entries(folder)):
        total += size
        if age > KEPT_DAYS * 24 * 3600 or total > settings.COMPILED_BYTES // FOLDERS:
            storage.delete(name)
            removed += 1
    return removed


def _entries(folder: str) -> Iterator[tuple[float, int, str]]:
    """Age in seconds, size and name."""
    storage = storages["blobs"]
    try:
        _, names = storage.listdir(folder)
    except FileNotFoundError:
        return
    for name in names:
        path = f"{folder}/{name}"
        written = storage.get_modified_time(path)
        yield (datetime.now(tz=written.tzinfo) - written).total_seconds(), storage.size(path), path


def _name(key: str) -> str:
    return f"{FOLDER}/{key[:2]}/{key}"


def _or_none(action: Callable[[], _T], what: str) -> _T | None:
    try:
        return action()
    except Exception as error:  # noqa: BLE001 - each storage has errors of its own, and none of them matters here
        log.warning(what, error=f"{type(error).__name__}: {error}")
        return None
