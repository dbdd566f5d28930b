"""Bytes that no row names go, and nothing else ever does, whoever puts the same bytes at that moment."""

import os
import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.storage import storages
from django.core.management import call_command
from django.utils import timezone
from pytest_django import Settings

from judge.blobs import store
from judge.operations import collect as collecting
from judge.operations.collect import collect
from judge.people.models import User
from judge.submissions import actions
from judge.submissions.models import CaseResult, Judgement, Submission
from problems.models import Problem, Version

WEEK = timedelta(days=7)
OLD = 30 * 24 * 3600


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.PALFREY_CACHE = tmp_path / "cache"
    settings.STORAGES = {
        **settings.STORAGES,
        "blobs": {"BACKEND": "judge.blobs.folder.BlobFolder", "OPTIONS": {"location": str(tmp_path / "blobs")}},
    }
    return tmp_path / "blobs"


def path_of(digest: str) -> Path:
    return Path(storages["blobs"].path(f"{digest[:2]}/{digest}"))


def old(content: bytes, seconds: float = OLD) -> str:
    """Put, and make it look as if that were long ago."""
    digest = store.put(content)
    os.utime(path_of(digest), (time.time() - seconds,) * 2)
    return digest


@pytest.fixture
def named(student: User, paper_problem: Problem) -> list[str]:
    """Digests that rows name, in a column or in JSON; all of them old."""
    digests = [old(b"archive"), old(b"program"), old(b"input"), old(b"answer"), old(b"output"), old(b"stderr")]
    archive, program, given, answer, output, stderr = digests
    Version.objects.update(archive=archive)
    assert paper_problem.live is not None
    paper_problem.live.cases.update(input=given, answer=answer)
    sent = actions.submit(student, paper_problem, "cpp17", {"main.cpp": b"int main() {}"}, "1")
    Submission.objects.update(files=[{"name": "main.cpp", "digest": program, "size": 7}])
    facts = {"cpu_seconds": 0.1, "wall_seconds": 0.1, "memory_bytes": 1, "points": 0, "name": "1", "group": "sample"}
    CaseResult.objects.create(
        judgement=sent.judgements.get(), position=1, verdict="accepted", output=output, stderr=stderr, **facts
    )
    return digests


def test_what_no_row_names_goes_once_it_is_old(named: list[str]) -> None:
    lost, young = old(b"nobody"), old(b"just put", 3 * 24 * 3600)
    (path_of(lost).parent / ".new-crashed").write_bytes(b"half")
    os.utime(path_of(lost).parent / ".new-crashed", (time.time() - OLD,) * 2)
    dry = collect(WEEK, really=False)
    assert (dry.deleted, dry.freed_bytes) == (1, 6)
    assert path_of(lost).exists()
    done = collect(WEEK)
    assert (done.deleted, done.freed_bytes, done.looked_at) == (1, 6, len(named) + 3)
    assert not path_of(lost).exists()
    assert not (path_of(lost).parent / ".new-crashed").exists()
    assert all(path_of(digest).exists() for digest in [*named, young])
    call_command("collect", "--grace-days", "0")
    assert not path_of(young).exists(), "no grace is shorter than two days"
    assert all(path_of(digest).exists() for digest in named)


def test_bytes_put_again_are_young_again(named: list[str]) -> None:
    digest = old(b"again")
    assert store.put(b"again") == digest
    assert collect(WEEK).deleted == 0
    assert store.get(digest) == b"again"


def test_bytes_put_while_they_are_deleted_are_kept(named: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever moment the other chooses: before the look at the mark, between it and the deletion, after both."""
    storage = type(storages["blobs"])
    for moment in ("open", "delete"):
        digest = old(b"at the same time")
        real = getattr(storage, moment)

        def meanwhile(self: object, name: str, *rest: object, real: object = real, moment: str = moment) -> object:
            monkeypatch.undo()
            putting = threading.Thread(target=store.put, args=(b"at the same time",))
            putting.start()
            putting.join()
            assert callable(real)
            return real(self, name, *rest)

        monkeypatch.setattr(storage, moment, meanwhile)
        assert not store.drop(f"{digest[:2]}/{digest}"), moment
        assert path_of(digest).read_bytes() == b"at the same time"
        (path_of(digest).parent / f"{digest}{store.WANTED}").unlink()


def test_a_row_that_came_while_the_rows_were_read(
    named: list[str], student: User, paper_problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = old(b"int main() { return 7; }")
    read = collecting._named_by_rows

    def reading() -> object:
        yield from read()
        actions.submit(student, paper_problem, "cpp17", {"main.cpp": b"int main() { return 7; }"}, "2")

    monkeypatch.setattr(collecting, "_named_by_rows", reading)
    assert collect(WEEK).deleted == 0
    assert path_of(digest).exists()


def test_outputs_are_forgotten_when_that_is_wanted(named: list[str], settings: Settings) -> None:
    Judgement.objects.update(state="done", finished=timezone.now() - timedelta(days=40))
    assert collect(WEEK).outputs_forgotten == 0
    settings.OUTPUTS_KEPT_DAYS = 30
    done = collect(WEEK)
    assert (done.outputs_forgotten, done.deleted) == (1, 2)
    assert CaseResult.objects.get().verdict == "accepted"
    assert [path_of(digest).exists() for digest in named] == [True] * 4 + [False] * 2
