"""Content-addressed bytes.

The shared place is Django's storage `blobs` (a folder by default, an object store by setting); rows carry digests. A
host that needs bytes as a file gets a local copy, verified against its digest and kept in `PALFREY_CACHE`.
"""

import hashlib
import os
import tempfile
from pathlib import Path

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages


class BlobMissing(Exception):
    """The store has no bytes, or other bytes, under this digest. A fault of the judge, never of a student."""


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def put(content: bytes) -> str:
    """Keep `content` and return its digest. Keeping the same bytes twice is harmless."""
    digest = digest_of(content)
    storage = storages["blobs"]
    name = _name(digest)
    if not storage.exists(name) or storage.size(name) != len(content):
        storage.save(name, ContentFile(content))
    return digest


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
