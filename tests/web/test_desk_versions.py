"""Versions at the desk: what making one live changes, what differs, where cases come from, taking them along."""

import io
import zipfile
from collections.abc import Callable

import pytest
from django.test import Client

from judge.authoring import drafts, editing, queries
from judge.authoring.models import Draft, Errand, Superseded
from judge.people.models import User
from judge.submissions.models import Effective, Submission
from problems.models import Problem, Version
from tests.web.conftest import done
from tests.web.test_desk import STATEMENT, words

pytestmark = pytest.mark.django_db


def second(problem: Problem, instructor: User) -> Version:
    """A second version, of rows, whose package has another statement and one case more."""
    files = drafts.working_copy(problem).files
    before = files[STATEMENT].read_bytes()
    editing.save(instructor, problem, STATEMENT, b"Print it thrice.\n", editing.base_of(before))
    old = problem.live
    assert old is not None
    facts = {**old.facts, "time_seconds": 3.0}
    archive = drafts.working_copy(problem).archive
    new = Version.objects.create(
        problem=problem, number=2, digest="2" * 64, archive=archive, titles=old.titles, facts=facts
    )
    for case in [*old.cases.all(), old.cases.all()[0]]:
        case.pk, case.version = None, new
        if new.cases.filter(position=case.position).exists():
            case.position, case.name = 9, "secret/new"
        case.save()
    return new


def test_making_live_says_what_it_changes_and_asks_for_a_tick(
    as_instructor: Client, instructor: User, student: User, twice: Problem, send: Callable[..., Submission]
) -> None:
    send(student, **done("accepted"))
    new = second(twice, instructor)
    page = words(as_instructor.get("/desk/twice/versions/2/live").content)
    assert "It takes the place of version 1." in page
    assert "The verdict of 1 submission stands against another version" in page
    assert "Time1 s3 s" in page
    assert "secret/new" in page
    assert "1 file differs." in page
    assert "although it was not verified" in page
    seen = twice.live_id
    address = "/desk/twice/versions/2/live"
    refused = as_instructor.post(address, {"seen": seen})
    assert (refused.status_code, "not verified as good" in words(refused.content)) == (422, True)
    late = as_instructor.post(address, {"seen": new.pk, "even_so": "1"})
    assert "Somebody else has just made another version live." in words(late.content)
    Errand.objects.create(problem=twice, kind="verify", target=new.digest, version=new, state="done", succeeded=False)
    assert "although some examples are not as promised" in words(as_instructor.get(address).content)
    assert as_instructor.post(address, {"seen": seen, "even_so": "1"}).status_code == 302
    twice.refresh_from_db()
    assert twice.live == new
    assert queries.judged_against_others(new) == 1, "nothing that was judged is touched"


def test_compare_shows_lines_cases_and_limits(as_instructor: Client, instructor: User, twice: Problem) -> None:
    second(twice, instructor)
    page = as_instructor.get("/desk/twice/compare?from=1&to=2").content.decode()
    assert "Print it thrice." in page
    assert '<span class="del">' in page
    assert "secret/new" in page
    assert "No file differs." in as_instructor.get("/desk/twice/compare?from=2&to=draft").content.decode()
    for bad in ("from=9", "from=x", "from=1&to=7", "from=" + "9" * 30):
        assert as_instructor.get(f"/desk/twice/compare?{bad}").status_code == 404


def test_start_again_from_a_version(as_instructor: Client, instructor: User, twice: Problem) -> None:
    second(twice, instructor)
    revision = Draft.objects.get().revision
    for sent in (
        {},
        {"version": "x", "seen": "1"},
        {"version": "1", "seen": str(revision + 1)},
        {"version": "7", "seen": "1"},
    ):
        as_instructor.post("/desk/twice/take", sent)
        assert drafts.working_copy(twice).revision == revision, sent
    as_instructor.post("/desk/twice/take", {"version": "1", "seen": str(revision)})
    assert twice.live is not None
    assert drafts.working_copy(twice).archive == twice.live.archive
    refused = as_instructor.post("/desk/twice/discard", {"called": "twice"}, follow=True)
    assert "A problem that was live, or that somebody sent a program to, stays." in words(refused.content)


def test_downloads(as_instructor: Client, twice: Problem, sums: Problem) -> None:
    for address in ("/desk/sums/download", "/desk/twice/versions/1/download"):
        answer = as_instructor.get(address)
        assert "problem.yaml" in zipfile.ZipFile(io.BytesIO(answer.content)).namelist(), address
    older = as_instructor.get("/desk/twice/versions/1/download?format=legacy")
    assert "problem_statement/problem.en.md" in zipfile.ZipFile(io.BytesIO(older.content)).namelist()
    assert as_instructor.get("/desk/twice/versions/1/download?format=tar").status_code == 404
    assert as_instructor.get("/desk/twice/versions/7/download").status_code == 404
    assert as_instructor.get("/desk/twice/versions/99999999999999999999/download").status_code == 404


def test_cases_say_where_they_come_from(as_instructor: Client, twice: Problem) -> None:
    case = twice.live.cases.get(position=3) if twice.live else None
    assert case is not None
    case.provenance = {"generator": "count.py", "arguments": ["300", "<b>"], "seed": 42}
    case.save()
    page = as_instructor.get("/desk/twice/cases").content.decode()
    assert "count.py 300 &lt;b&gt;" in page
    assert "seed 42" in page
    assert "21 secret input" in page
    data = as_instructor.get("/desk/twice/versions/1/cases/3/in")
    assert data.content == b"21 secret input\n"


def test_a_problem_that_was_never_live_can_be_deleted_with_its_versions(
    as_instructor: Client, instructor: User, student: User, twice: Problem, send: Callable[..., Submission]
) -> None:
    second(twice, instructor)
    assert b"/desk/twice/discard" not in as_instructor.get("/desk/twice/").content
    Problem.objects.update(live=None)
    sent = send(student)
    address, called = "/desk/twice/discard", {"called": "twice"}
    assert b"/desk/twice/discard" not in as_instructor.get("/desk/twice/").content
    assert "somebody sent a program to, stays" in words(as_instructor.post(address, called, follow=True).content)
    Effective.objects.all().delete()
    sent.judgements.all().delete()
    sent.delete()
    assert b"/desk/twice/discard" in as_instructor.get("/desk/twice/").content
    for wrong in ({}, {"called": "twic"}):
        refused = as_instructor.post(address, wrong, follow=True)
        assert "Write twice, the short name of this problem" in words(refused.content)
    archives = {*Version.objects.values_list("archive", flat=True)}
    assert as_instructor.post(address, called)["Location"] == "/desk/"
    assert not Problem.objects.exists()
    assert not Version.objects.exists()
    assert archives <= {*Superseded.objects.values_list("archive", flat=True)}


def test_making_live_needs_the_form_as_it_was_shown(as_instructor: Client, twice: Problem) -> None:
    Problem.objects.update(live=None)
    address, sent = "/desk/twice/versions/1/live", {"even_so": "1"}
    for odd in (
        {},
        {"seen": "abc"},
        {"seen": "-1"},
        {"seen": "²"},
        {"seen": " "},
        {"seen": "9" * 30},
        {"seen": "None"},
    ):
        answer = as_instructor.post(address, sent | odd)
        assert (answer.status_code, "This form is not whole." in words(answer.content)) == (422, True), odd
        assert Problem.objects.get().live is None
    assert as_instructor.post(address, sent | {"seen": ""}).status_code == 302
    assert Problem.objects.get().live == Version.objects.get()
