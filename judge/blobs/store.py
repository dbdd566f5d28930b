"""Content-addressed bytes.

The shared place is Django's storage `blobs` (a folder by default, an object store by setting); rows carry digests. A
host that needs bytes as a file gets a local copy, verified against its digest and kept in `PALFREY_CACHE`.
"""

import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages

FRESH = timedelta(days=1)
"""Bytes older than this are written anew when they are put again; a row that names them must come within it."""
WANTED = ".wanted"
"""Ending of the mark beside bytes that are being put again."""
DIGEST = re.compile("[0-9a-f]{64}")


class BlobMissing(Exception):
    """The store has no bytes, or other bytes, under this digest. A fault of the judge, never of a student."""


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def put(content: bytes) -> str:
    """Keep `content` and return its digest. Keeping the same bytes twice is harmless.

    What is there for long is written anew, so that its age tells when it was last asked to be kept: whoever collects
    what no row names leaves alone what is young, because the row may be on its way.
    """
    digest = digest_of(content)
    storage = storages["blobs"]
    name = _name(digest)
    if not storage.exists(name) or storage.size(name) != len(content):
        _save(name, content)
    elif age(name) > FRESH:
        _save(name + WANTED, b"")  # first this, then the bytes: `drop` looks for it after it has deleted
        _save(name, content)
    return digest


def age(name: str) -> timedelta:
    """How long ago the bytes of this name in the store were written, by the store's clock."""
    written = storages["blobs"].get_modified_time(name)
    return datetime.now(tz=written.tzinfo) - written


def stored() -> Iterator[str]:
    """Names in the store of all bytes that were `put`; nothing else that lies there."""
    folders, _ = storages["blobs"].listdir("")
    for first in sorted(name for name in folders if len(name) == 2):
        _, files = storages["blobs"].listdir(first)
        yield from (f"{first}/{name}" for name in sorted(files) if DIGEST.fullmatch(name))


def drop(name: str) -> bool:
    """Delete bytes that no row names, unless somebody has just asked to keep the same; False then.

    Nothing that is put meanwhile is lost: who puts old bytes marks them first and writes them then, so either the mark
    is seen here and the bytes are written back, or they are written after they were deleted.
    """
    storage = storages["blobs"]
    mark = name + WANTED
    if storage.exists(mark):
        if age(mark) < FRESH:
            return False
        storage.delete(mark)
    with storage.open(name) as stored_here:
        content = stored_here.read()
    storage.delete(name)
    if storage.exists(mark):
        _save(name, content)
        return False
    return True


def sweep(older_than: timedelta) -> None:
    """Delete what crashes left beside the bytes: marks, and files that were never whole."""
    folders, _ = storages["blobs"].listdir("")
    for first in (name for name in folders if len(name) == 2):
        _, files = storages["blobs"].listdir(first)
        for name in (f"{first}/{file}" for file in files if not DIGEST.fullmatch(file)):
            if age(name) > older_than:
                storages["blobs"].delete(name)


def _save(name: str, content: bytes) -> None:
    saved = storages["blobs"].save(name, ContentFile(content))
    if saved != name:  # a storage that replaces nothing keeps both: the older one goes
        storages["blobs"].delete(name)
        storages["blobs"].save(name, ContentFile(content))
        storages["blobs"].delete(saved)


def get(digest: str) -> bytes:
    """The bytes of `digest`. Raises `BlobMissing`."""
    return path(digest).read_bytes()


def path(digest: str) -> Path:
    """A read-only local file with the bytes of `digest`. Raises `BlobMissing`."""
    local = Path(settings.PALFREY_CACHE) / "blobs" / _name(digest)
    if not local.exists():
        try:
            with storages["blobs"].open(_name(digest)) as stored:
                content = stored.read()
        except OSError as error:
            raise BlobMissing(f"no bytes are stored under {digest}") from error
        if digest_of(content) != digest:
            raise BlobMissing(f"the bytes stored under {digest} are not the ones that were kept")
        local.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=local.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).chmod(0o444)
        Path(temporary).replace(local)
    return local


def remove(digest: str) -> None:
    """Remove the bytes of `digest` from the store and from this host. Whoever calls knows that nothing names them."""
    storages["blobs"].delete(_name(digest))
    (Path(settings.PALFREY_CACHE) / "blobs" / _name(digest)).unlink(missing_ok=True)


def _name(digest: str) -> str:
    return f"{digest[:2]}/{digest}"
