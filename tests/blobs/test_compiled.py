"""The shared store of what was compiled: it may forget, and never does harm."""

import os
import time
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.files.storage import FileSystemStorage
from django.test import override_settings

from judge.blobs import compiled
from judge.blobs.compiled import FOLDERS, SharedStore

KEYS = [f"{number:02x}" + "0" * 62 for number in range(3)]


@pytest.fixture(params=["judge.blobs.folder.BlobFolder", "django.core.files.storage.FileSystemStorage"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, settings: LazySettings) -> Path:
    settings.STORAGES = {
        **settings.STORAGES,
        "blobs": {"BACKEND": request.param, "OPTIONS": {"location": str(tmp_path / "blobs")}},
    }
    return tmp_path / "blobs" / "compiled"


def entries(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_what_is_put_can_be_got(folder: Path) -> None:
    store = SharedStore()
    assert store.get(KEYS[0]) is None
    store.put(KEYS[0], b"entry")
    assert (store.get(KEYS[0]), store.get(KEYS[1])) == (b"entry", None)
    store.put(KEYS[0], b"entry")
    assert entries(folder) == [f"00/{KEYS[0]}"]


def test_a_store_that_fails_has_nothing(tmp_path: Path, settings: LazySettings) -> None:
    (tmp_path / "file").touch()
    options = {"location": str(tmp_path / "file" / "blobs")}
    for backend in ("judge.blobs.folder.BlobFolder", f"{__name__}.Unreachable"):
        blobs = {"BACKEND": backend, "OPTIONS": options}
        with override_settings(STORAGES={**settings.STORAGES, "blobs": blobs}):
            SharedStore().put(KEYS[0], b"entry")
            assert SharedStore().get(KEYS[0]) is None
            assert compiled.tidy(0) == 0


class Unreachable(FileSystemStorage):
    """As an object store behind a broken line, whose errors are no `OSError`."""

    def __getattribute__(self, name: str) -> object:
        if name in {"open", "save", "listdir"}:
            raise RuntimeError("the line is broken")
        return super().__getattribute__(name)


def test_what_is_old_goes(folder: Path) -> None:
    for key in KEYS[:2]:
        SharedStore().put(key, b"entry")
        SharedStore().put(f"{key[:2]}fff", b"entry")
        os.utime(folder / key[:2] / key, (time.time() - 61 * 24 * 3600,) * 2)
    assert [compiled.tidy(turn) for turn in (0, 0, FOLDERS + 1, 2, 3)] == [1, 0, 1, 0, 0]
    assert entries(folder) == ["00/00fff", "01/01fff"]


def test_what_is_too_much_goes_from_the_oldest_on(folder: Path, settings: LazySettings) -> None:
    settings.COMPILED_BYTES = 2500 * FOLDERS
    for age in (300, 100, 200):
        SharedStore().put(f"00{age}", bytes(1000))
        os.utime(folder / "00" / f"00{age}", (time.time() - age,) * 2)
    assert compiled.tidy(0) == 1
    assert entries(folder) == ["00/00100", "00/00200"]


def test_each_folder_has_its_turn() -> None:
    turns = {int(now // compiled.TURN_SECONDS) % FOLDERS for now in range(0, FOLDERS * 60, 60)}
    assert turns == set(range(FOLDERS))
