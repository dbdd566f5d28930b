"""Bytes are kept once, come back as they were or not at all, and a crash in the middle of writing does no harm."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import LazySettings

from judge.blobs import store
from judge.blobs.store import BlobMissing


@pytest.fixture(autouse=True)
def folders(settings: LazySettings, tmp_path: Path) -> Path:
    settings.PALFREY_CACHE = tmp_path / "cache"
    settings.STORAGES = {
        **settings.STORAGES,
        "blobs": {"BACKEND": "judge.blobs.folder.BlobFolder", "OPTIONS": {"location": str(tmp_path / "blobs")}},
    }
    return tmp_path / "blobs"


def kept(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("content", [b"", b"a\0b\xff", b"x" * (5 << 20)], ids=["empty", "odd", "5 MiB"])
def test_what_was_put_comes_back(folders: Path, content: bytes) -> None:
    digest = store.put(content)
    assert store.put(content) == digest
    assert store.get(digest) == content
    assert store.path(digest).read_bytes() == content
    assert len(kept(folders)) == 1


def test_nothing_there(folders: Path) -> None:
    with pytest.raises(BlobMissing):
        store.get("ab" * 32)


def test_other_bytes_under_a_digest_are_not_given_out(folders: Path) -> None:
    digest = store.put(b"42\n")
    (path,) = kept(folders)
    path.unlink()
    path.write_bytes(b"17\n")
    with pytest.raises(BlobMissing, match="not the ones"):
        store.get(digest)


def test_half_written_bytes_are_written_again(folders: Path) -> None:
    digest = store.put(b"a whole program")
    (path,) = kept(folders)
    path.unlink()
    path.write_bytes(b"a who")
    assert store.put(b"a whole program") == digest
    assert store.get(digest) == b"a whole program"


def test_the_cache_may_be_deleted_at_any_time(folders: Path) -> None:
    digest = store.put(b"42\n")
    assert store.get(digest) == b"42\n"
    shutil.rmtree(folders.parent / "cache")
    assert store.get(digest) == b"42\n"


def test_many_put_the_same_at_once(folders: Path) -> None:
    content = b"x" * 100_000
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(lambda _: store.put(content), range(32))) == {store.digest_of(content)}
    assert len(kept(folders)) == 1
    assert store.get(store.digest_of(content)) == content
