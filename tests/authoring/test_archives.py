"""Archives of older working copies go from the store, but never one that something still names."""

from datetime import timedelta

import pytest
from django.utils import timezone

from judge.authoring import actions, archives, drafts, editing
from judge.authoring.models import Draft, Errand, Superseded
from judge.blobs import store
from judge.people.models import User
from judge.submissions.models import Submission
from problems.models import Case, Problem, Version

pytestmark = pytest.mark.django_db


def later() -> None:
    """The time of grace goes by."""
    Superseded.objects.update(since=timezone.now() - archives.GRACE - timedelta(minutes=1))


def edited(problem: Problem, by: User, text: bytes) -> str:
    """The archive that takes the place of the working copy."""
    editing.add(by, problem, {"attachments/a.txt": text}, replace=True)
    return drafts.working_copy(problem).archive


def there(archive: str) -> bool:
    try:
        return bool(store.get(archive))
    except store.BlobMissing:
        return False


def test_what_nothing_names_goes_after_a_while(sums: Problem, instructor: User) -> None:
    first = drafts.working_copy(sums).archive
    second = edited(sums, instructor, b"two")
    assert archives.forget() == 0, "somebody may still look at it"
    later()
    assert archives.forget() == 1
    assert (there(first), there(second)) == (False, True)
    assert drafts.working_copy(sums).reading.package is not None
    assert not Superseded.objects.exists(), "the working copy is looked at again when it is superseded"


def test_back_to_an_older_state(sums: Problem, instructor: User) -> None:
    edited(sums, instructor, b"one")
    second = edited(sums, instructor, b"two")
    first = edited(sums, instructor, b"one")
    later()
    archives.forget()
    assert (there(first), there(second)) == (True, False)
    assert edited(sums, instructor, b"two") == second
    assert there(second)


@pytest.mark.parametrize("by", ["a version", "an errand", "another problem", "a case", "an answer"])
def test_what_is_named_stays(by: str, sums: Problem, instructor: User) -> None:
    old = drafts.working_copy(sums).archive
    match by:
        case "a version":
            Version.objects.create(problem=sums, number=1, digest="d" * 64, archive=old, titles={}, facts={})
        case "an errand":
            actions.ask(instructor, sums, "make")
        case "another problem":
            other = Problem.objects.create(slug="other", uuid="7e57d004-2b97-4e7a-b45f-5387367791cd")
            Draft.objects.create(problem=other, archive=old, changed=timezone.now())
        case "a case":
            version = Version.objects.create(problem=sums, number=1, digest="d" * 64, titles={}, facts={})
            Case.objects.create(
                version=version, position=1, group="secret", name="secret/1", input=old, answer="", input_bytes=1
            )
        case "an answer":
            files = [{"name": "1.out", "digest": old, "size": 3}]
            Submission.objects.create(author=instructor, problem=sums, language="answers", files=files, token="t")
    edited(sums, instructor, b"two")
    later()
    assert archives.forget() == 0
    assert there(old)
    if by == "an errand":
        Errand.objects.all().delete()
        later()
        assert archives.forget() == 1
        assert not there(old)


def test_a_step_is_bounded(sums: Problem, instructor: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        edited(sums, instructor, str(number).encode())
    later()
    monkeypatch.setattr(archives, "AT_ONCE", 3)
    assert (archives.forget(), archives.forget(), archives.forget()) == (3, 1, 0)


def test_a_problem_that_was_deleted(sums: Problem, instructor: User) -> None:
    archive = drafts.working_copy(sums).archive
    later()
    archives.forget()
    actions.discard(instructor, sums, called="sums")
    later()
    assert archives.forget() == 1
    assert not there(archive)
