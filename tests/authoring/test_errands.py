"""What is asked for at the desk is done once, to its end, and its faults are told to whoever can mend them."""

import io
import re
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from judge.authoring import actions, drafts, editing, errands, queries
from judge.authoring.models import Errand
from judge.people.models import User
from judge.people.refusal import Refused
from judge.submissions import ledger
from judge.submissions.ledger import FenceLost
from judge.submissions.models import State
from judge.submissions.tasks import open_box, work
from problems.models import Problem
from tests.authoring.conftest import Do

pytestmark = pytest.mark.django_db(transaction=True)


def test_from_the_template_to_a_live_version(sums: Problem, instructor: User, do: Do) -> None:
    assert sums.live is None
    made = do(actions.ask(instructor, sums, "make"))
    assert (made.state, made.succeeded, made.message) == (State.DONE, True, "")
    version = made.version
    assert version is not None
    assert (version.number, version.facts["cases"], version.made_by) == (1, 5, instructor)
    sums.refresh_from_db()
    assert sums.live is None, "made is not live"

    verify = Errand.objects.get(kind="verify")
    assert (verify.version, queries.standing(version)) == (version, queries.BEING_VERIFIED)
    do(verify)
    assert (verify.succeeded, verify.message) == (True, "")
    assert queries.standing(version) == queries.AS_PROMISED
    rows = {row["name"]: row for row in verify.result["rows"]}
    assert set(rows) == {"accepted/sum.py", "wrong_answer/joins_text.py"}
    assert rows["accepted/sum.py"]["verdicts"] == ["accepted"] * 5
    assert rows["wrong_answer/joins_text.py"]["first_case"] == "sample/1"
    assert verify.result["proposed"]["seconds"] == 1.0
    assert verify.result["waiting"] == []

    actions.make_live(instructor, version, seen=None)
    sums.refresh_from_db()
    assert sums.live == version


def test_the_same_asked_for_twice_is_one(sums: Problem, instructor: User, do: Do) -> None:
    first = actions.ask(instructor, sums, "make")
    assert actions.ask(instructor, sums, "make") == first
    do(first)
    again = do(actions.ask(instructor, sums, "make"))
    assert again.version == first.version, "the same content is the same version"
    assert list(Errand.objects.filter(kind="make")) == [again], "the older one tells nothing more"
    assert Errand.objects.filter(kind="verify").count() == 1


def test_an_own_export_uploaded_again_changes_nothing(sums: Problem, instructor: User, do: Do, client: Client) -> None:
    client.force_login(instructor)
    version = do(actions.ask(instructor, sums, "make")).version
    assert version is not None
    export = b"".join(client.get("/desk/sums/versions/1/download"))
    archive = drafts.working_copy(sums).archive
    assert "data/secret" in str(zipfile.ZipFile(io.BytesIO(export)).namelist())
    editing.save(instructor, sums, "statement/problem.en.md", b"Else.\n", editing.base_of(_statement(sums)))
    page = client.post("/desk/sums/", {"package": SimpleUploadedFile("sums.zip", export)}, follow=True)
    assert b"This is version 1 as it was exported" in page.content
    assert drafts.working_copy(sums).archive == archive == version.archive
    assert do(actions.ask(instructor, sums, "make")).version == version

    folder = drafts.working_copy(sums).folder
    changed = io.BytesIO(export)
    with zipfile.ZipFile(changed, "a") as added:
        added.writestr("attachments/more.txt", "x")
    assert actions.upload(instructor, changed.getvalue(), "sums.zip").version is None
    assert drafts.working_copy(sums).folder != folder


def _statement(problem: Problem) -> bytes:
    return drafts.working_copy(problem).files["statement/problem.en.md"].read_bytes()


FAULTS: dict[str, tuple[str, Any, str, str]] = {
    "a package with errors": ("problem.yaml", b"name: [\n", "cannot be published", "problem.yaml"),
    "an invalid case": (
        "generators/random_pair.py",
        b"print('many numbers')\n",
        "secret/random1: input_validators/two_numbers.py ended with exit code 43",
        "",
    ),
    "a solution that fails": ("submissions/accepted/sum.py", b"1 / 0\n", "sum.py", ""),
    "no time limit": ("problem.yaml", lambda old: old.replace(b"  time_limit: 1\n", b""), "states no time limit", ""),
    "another uuid": (
        "problem.yaml",
        lambda old: re.sub(rb"uuid: ........", b"uuid: 00000000", old),
        "Put that back",
        "",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_author_is_told_and_makes_nothing(fault: str, sums: Problem, instructor: User, do: Do) -> None:
    name, new, message, where = FAULTS[fault]
    before = drafts.working_copy(sums).files[name].read_bytes()
    editing.save(instructor, sums, name, new(before) if callable(new) else new, editing.base_of(before))
    done = do(actions.ask(instructor, sums, "make"))
    assert (done.state, done.succeeded, done.version) == (State.DONE, False, None)
    assert message in done.message
    assert where in {one["where"].partition(":")[0] for one in done.result["findings"]} | {""}
    assert not sums.versions.exists()
    assert not Errand.objects.filter(kind="verify").exists()


def test_an_example_that_breaks_its_promise(sums: Problem, instructor: User, do: Do) -> None:
    editing.add(instructor, sums, {"submissions/wrong_answer/right.py": b"print(sum(map(int, input().split())))\n"})
    do(actions.ask(instructor, sums, "make"))
    verify = do(Errand.objects.get(kind="verify"))
    assert (verify.state, verify.succeeded) == (State.DONE, False)
    assert "submissions/wrong_answer/right.py: no case gets WA, and one must." in verify.message
    (row,) = [row for row in verify.result["rows"] if row["complaints"]]
    assert (row["name"], row["odd"], row["odd_in_all"]) == ("wrong_answer/right.py", [], True)
    version = verify.version
    assert version is not None
    with pytest.raises(Refused, match="not verified as good"):
        actions.make_live(instructor, version, seen=None)
    actions.make_live(instructor, version, seen=None, even_so=True)


def test_a_limit_is_measured_and_written_where_it_was_left_open(sums: Problem, instructor: User, do: Do) -> None:
    editing.set_values(instructor, sums, {"problem.yaml": {("limits", "time_limit"): None}})
    measured = do(actions.ask(instructor, sums, "limit"))
    assert (measured.succeeded, measured.message) == (True, "")
    text = drafts.working_copy(sums).files["problem.yaml"].read_text()
    assert "  time_limit: 1\n" in text
    assert "# MiB" in text
    assert do(actions.ask(instructor, sums, "make")).succeeded


def test_stopped_while_it_waits_and_while_it_runs(sums: Problem, instructor: User) -> None:
    waiting = actions.ask(instructor, sums, "make")
    actions.stop(instructor, waiting)
    assert not work(Errand, waiting.pk, errands.run, "here")
    waiting.refresh_from_db()
    assert (waiting.state, waiting.message) == (State.ABANDONED, "Stopped by ines.")

    running = actions.ask(instructor, sums, "make")
    claim = ledger.claim(Errand, running.pk, "here")
    assert claim is not None
    actions.stop(instructor, running)
    with pytest.raises(FenceLost):
        errands.run(claim, open_box())
    assert not sums.versions.exists()
    actions.stop(instructor, running)  # once more does nothing


def test_one_person_has_not_too_many(
    sums: Problem, instructor: User, monkeypatch: pytest.MonkeyPatch, student: User
) -> None:
    monkeypatch.setattr("django.conf.settings.UNFINISHED_ERRANDS", 1)
    actions.ask(instructor, sums, "make")
    editing.add(instructor, sums, {"attachments/a.txt": b"a\n"})
    with pytest.raises(Refused, match="not done yet"):
        actions.ask(instructor, sums, "make")
    with pytest.raises(Refused, match="Only admins and the owners"):
        actions.ask(student, sums, "make")
    with pytest.raises(Refused, match="cannot be asked for"):
        actions.ask(instructor, sums, "verify")
    with pytest.raises(Refused, match="cannot be asked for"):
        actions.ask(instructor, sums, "nothing")


def test_a_judge_that_fails_three_times_says_so(sums: Problem, instructor: User) -> None:
    errand = actions.ask(instructor, sums, "make")
    Errand.objects.update(target="ab" * 32)
    for _ in range(3):
        assert work(Errand, errand.pk, errands.run, "here")
    errand.refresh_from_db()
    assert (errand.state, errand.succeeded) == (State.ABANDONED, False)
    assert "no fault of the package" in errand.message
