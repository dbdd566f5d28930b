"""The problem desk by its forms: what is sent is taken or refused with words, and what was there stays in force."""

import re
from collections.abc import Callable
from html import unescape
from uuid import UUID

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from judge.authoring import actions, drafts, editing
from judge.authoring.models import Draft, Errand
from judge.people.models import User
from problems.models import Problem
from tests.problems.package.older import current, zipped
from tests.problems.package.polygon_small import FILES as POLYGON
from tests.problems.package.test_bad import ARCHIVES
from tests.problems.package.test_bad import _low_bounds as low_bounds  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db
LISTED = "generators/generators.yaml"
STATEMENT = "statement/problem.en.md"
THIRD = ARCHIVES[::3]
"""Every third of the packages that are refused: from each of the four tables."""


def package(content: bytes, name: str = "doubles.zip") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, "application/zip")


def words(content: bytes) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", content.decode())))


# Uploads --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("make", "message"), [(row[1], row[3]) for row in THIRD], ids=[row[0] for row in THIRD])
@pytest.mark.usefixtures("low_bounds")
def test_a_bad_package_is_refused_by_the_form(as_instructor: Client, make: Callable[[], bytes], message: str) -> None:
    answer = as_instructor.post("/desk/new", {"do": "upload", "upload-package": package(make())})
    assert answer.status_code == 422
    assert message in unescape(answer.content.decode()).replace("\xa0", " ")
    assert "nothing was changed" in words(answer.content)
    assert not Problem.objects.exists()


GOOD: dict[str, Callable[[], bytes]] = {
    "2025-09": current,
    "older": zipped,
    "Polygon": lambda: zipped(of=POLYGON),
}


@pytest.mark.parametrize("kind", GOOD)
def test_a_package_becomes_a_problem_that_no_student_sees(
    kind: str, as_instructor: Client, instructor: User, student: User
) -> None:
    sent = package(GOOD[kind](), "Doubles (1).ZIP")
    answer = as_instructor.post("/desk/new", {"do": "upload", "upload-package": sent})
    assert (answer.status_code, answer["Location"]) == (302, "/desk/doubles1/")
    problem = Problem.objects.get()
    assert (problem.live, list(problem.owners.all())) == (None, [instructor])
    assert drafts.working_copy(problem).reading.package is not None
    assert b"Make a version" in as_instructor.get("/desk/doubles1/").content
    other = Client()
    other.force_login(student)
    for address in ("/", "/problems/doubles1/", "/problems/doubles1/submissions/", "/desk/doubles1/", "/desk/"):
        shown = other.get(address)
        assert shown.status_code == (200 if address == "/" else 403 if address == "/desk/" else 404), address
        assert b"Doubles" not in shown.content, address


def test_a_known_uuid_updates_that_problem_and_what_is_live_stays(as_instructor: Client, twice: Problem) -> None:
    files = {"problem.yaml": about(twice, "Twice anew")}
    live = twice.live
    answer = as_instructor.post("/desk/new", {"do": "upload", "upload-package": package(current(files), "other.zip")})
    assert answer["Location"] == "/desk/twice/"
    twice.refresh_from_db()
    assert twice.live == live
    reading = drafts.working_copy(twice).reading
    assert reading.package is not None
    assert reading.package.names == {"en": "Twice anew"}
    answer = as_instructor.post(
        "/desk/new", {"do": "upload", "upload-package": package(current(files)), "upload-slug": "another"}
    )
    assert "This package is of the problem twice, by its uuid." in words(answer.content)


def about(problem: Problem, name: str) -> str:
    return (
        f"problem_format_version: 2025-09\nname: {name}\nuuid: {problem.uuid}\nlicense: public domain\n"
        "limits: {time_limit: 1}\n"
    )


def test_a_known_uuid_of_a_problem_of_others_is_refused(
    client: Client, student: User, twice: Problem, sums: Problem
) -> None:
    sums.owners.add(student)
    client.force_login(student)
    before = Draft.objects.get().archive
    files = {"problem.yaml": about(twice, "Mine now")}
    answer = client.post("/desk/sums/", {"package": package(current(files))})
    assert answer.status_code == 422
    assert "This package is of another problem" in words(answer.content)
    assert Draft.objects.get().archive == before


@pytest.mark.parametrize("made", [UUID("12345678-0000-4000-8000-000000000001"), UUID("f" * 32)])
def test_a_problem_of_others_as_one_of_its_own(
    made: UUID, as_instructor: Client, instructor: User, twice: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "uuid4", lambda: made)
    twice.owners.clear()
    sent = {"do": "upload", "upload-slug": "mine"}
    files = {"problem.yaml": about(twice, "Twice")}
    answer = as_instructor.post("/desk/new", {**sent, "upload-package": package(current(files))})
    assert answer.status_code == 422
    assert "only admins and the owners of that may change it. To have a copy of your own" in words(answer.content)
    own = {**sent, "upload-as_its_own": "on"}
    answer = as_instructor.post("/desk/new", {**own, "upload-package": package(current(files))})
    assert answer["Location"] == "/desk/mine/"
    mine = Problem.objects.get(slug="mine")
    reading = drafts.working_copy(mine).reading
    assert reading.package is not None
    assert reading.package.uuid == mine.uuid == str(made)
    assert list(mine.owners.all()) == [instructor]


def test_a_short_name_that_is_taken(as_instructor: Client, twice: Problem) -> None:
    sent = {"do": "upload", "upload-package": package(current(), "twice.zip")}
    answer = as_instructor.post("/desk/new", sent)
    assert answer.status_code == 422
    assert "There is another problem called twice, with another uuid." in words(answer.content)
    assert "give the package the uuid of that one" in words(answer.content)
    twice.owners.clear()
    answer = as_instructor.post("/desk/new", {**sent, "upload-package": package(current(), "twice.zip")})
    assert "with another uuid. Choose another short name." in words(answer.content)
    assert "give the package the uuid" not in words(answer.content), "that is for its owners"
    answer = as_instructor.post("/desk/new", {"do": "start", "start-title": "Twice", "start-slug": "twice"})
    assert "There is another problem called twice" in words(answer.content)


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"do": "upload"}, "This field is required."),
        ({"do": "upload", "upload-package": package(b"")}, "The file is empty"),
        ({"do": "upload", "upload-package": package(b"PK", "über.zip"), "upload-slug": "Über"}, "short name of a-z"),
        ({"do": "start", "start-title": "A", "start-slug": "a b"}, "use only a-z and 0-9"),
        ({"do": "start", "start-title": " ", "start-slug": "a"}, "This field is required."),
        ({"do": "start", "start-title": "a" * 201, "start-slug": "a"}, "at most 200 characters"),
        ({"do": "start", "start-title": "a\u2028b", "start-slug": "a"}, "one line of at most 200"),
        ({"do": "start", "start-title": "a\0b", "start-slug": "a"}, "Null characters are not allowed."),
        ({"do": "nothing"}, "This field is required."),
    ],
)
def test_what_begins_no_problem(as_instructor: Client, sent: dict[str, object], message: str) -> None:
    answer = as_instructor.post("/desk/new", sent)
    assert answer.status_code == 422
    assert message in words(answer.content)
    assert not Problem.objects.exists()


def test_a_package_that_is_too_long(as_instructor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "PACKAGE_BYTES", 100)
    answer = as_instructor.post("/desk/new", {"do": "upload", "upload-package": package(current())})
    assert "at most 100 bytes are taken" in words(answer.content)


def test_what_means_nothing_is_told(as_instructor: Client) -> None:
    content = current({"notes.docx": b"x", "data/.hidden": "x"})
    answer = as_instructor.post("/desk/new", {"do": "upload", "upload-package": package(content)}, follow=True)
    assert "left out: data/.hidden, notes.docx" in words(answer.content)


# Writing --------------------------------------------------------------------------------------------------------------


def base(content: bytes) -> str:
    found = re.search(rb'name="base" value="([0-9a-f]*)"', content)
    assert found
    return found[1].decode()


def test_two_tabs(as_instructor: Client, sums: Problem) -> None:
    old = base(as_instructor.get("/desk/sums/statement").content)
    address = f"/desk/sums/files/{STATEMENT}"
    assert as_instructor.post(address, {"do": "save", "text": "Theirs\r\n", "base": old}).status_code == 302
    assert drafts.working_copy(sums).files[STATEMENT].read_bytes() == b"Theirs\n"
    answer = as_instructor.post(address, {"do": "save", "text": "Mine <b>\r\n", "base": old})
    assert answer.status_code == 409
    shown = answer.content.decode()
    assert "Somebody else has changed statement/problem.en.md while you were writing." in shown
    assert ">\nMine &lt;b&gt;\n</textarea>" in shown
    assert '<pre class="output" tabindex="0">Theirs\n</pre>' in shown
    assert '<span class="del">' in shown
    answer = as_instructor.post(address, {"do": "save", "text": "Mine <b>\r\n", "base": base(answer.content)})
    assert answer.status_code == 302
    assert drafts.working_copy(sums).files[STATEMENT].read_bytes() == b"Mine <b>\n"


def test_the_preview_shows_what_was_typed_and_can_do_no_harm(as_instructor: Client, sums: Problem) -> None:
    text = "Now $x^2$ <script>alert(1)</script> [a](javascript:alert(1)) ![b](https://example.org/b.png)\n"
    shown = as_instructor.post("/desk/sums/preview", {"text": text}).content.decode()
    assert "<math" in shown
    assert "<script" not in shown
    assert "javascript:" not in shown.replace("[a](javascript:alert(1))", "")
    assert "example.org" not in shown
    assert "1 2" in shown, "the sample"
    assert drafts.working_copy(sums).files[STATEMENT].read_text() != text, "nothing is kept"
    assert as_instructor.post("/desk/sums/preview", {"text": "a" * (300 << 10)}).status_code == 413
    page = as_instructor.post("/desk/sums/statement", {"do": "preview", "text": "Without *script*", "base": ""})
    assert b"<em>script</em>" in page.content


def test_whoever_may_edit_a_problem_finds_its_desk(
    client: Client, twice: Problem, instructor: User, student: User
) -> None:
    link = b'href="/desk/twice/"'
    for reader, there in ((None, False), (student, False), (instructor, True)):
        if reader is not None:
            client.force_login(reader)
        assert (link in client.get("/problems/twice/").content) is there, reader
    twice.owners.add(student)
    client.force_login(student)
    assert link in client.get("/problems/twice/").content


def test_findings_stand_beside_the_file_with_their_lines(as_instructor: Client, sums: Problem) -> None:
    about = drafts.working_copy(sums).files["problem.yaml"].read_bytes()
    sent = {"do": "save", "text": about.decode() + "colour: red\n", "base": editing.base_of(about)}
    answer = as_instructor.post("/desk/sums/files/problem.yaml", sent, follow=True)
    line = about.count(b"\n") + 1
    assert f'data-line="{line}"' in answer.content.decode()
    assert "Unknown key `colour`" in words(answer.content)
    hub = as_instructor.get("/desk/sums/")
    assert "No version can be made: the package has 1 error" in words(hub.content)
    assert b"/ask/make" not in hub.content
    refused = as_instructor.post("/desk/sums/ask/make", follow=True)
    assert "mend them first" in words(refused.content)
    assert not Errand.objects.exists()


def test_files_by_their_forms(as_instructor: Client, sums: Problem) -> None:
    files = [package(b"7 8\n", "7.in"), package(b"15\n", "7.ans")]
    assert as_instructor.post("/desk/sums/files/", {"uploads": files, "folder": "data/sample/"}).status_code == 302
    assert "data/sample/7.in" in drafts.working_copy(sums).files
    again = as_instructor.post("/desk/sums/files/", {"uploads": package(b"x", "7.in"), "folder": "data/sample"})
    assert "There is a file data/sample/7.in already." in words(again.content)
    bad = as_instructor.post("/desk/sums/files/", {"uploads": package(b"x", "a b.in")})
    assert "cannot be a file of a package" in words(bad.content)
    none = as_instructor.post("/desk/sums/files/", {"folder": "a"})
    assert (none.status_code, "Choose at least one file." in words(none.content)) == (422, True)

    address, seen = "/desk/sums/files/data/sample/7.in", editing.base_of(b"7 8\n")
    refused = as_instructor.post(address, {"do": "rename", "new": "/etc/x", "base": seen})
    assert (refused.status_code, "cannot be a file of a package" in refused.content.decode()) == (422, True)
    renamed = as_instructor.post(address, {"do": "rename", "new": "data/sample/8.in", "base": seen})
    assert renamed["Location"] == "/desk/sums/files/data/sample/8.in"
    address = renamed["Location"]
    replaced = as_instructor.post(address, {"do": "replace", "upload": package(b"8 7\n", "x"), "base": seen})
    assert replaced.status_code == 302
    assert as_instructor.post(address, {"do": "remove", "base": seen}).status_code == 409
    assert as_instructor.post(address, {"do": "remove", "base": editing.base_of(b"8 7\n")}).status_code == 302
    assert "data/sample/8.in" not in drafts.working_copy(sums).files
    assert as_instructor.get("/desk/sums/files/?new=a/b.py")["Location"] == "/desk/sums/files/a/b.py"
    assert b"(new)" in as_instructor.get("/desk/sums/files/a/b.py").content
    assert as_instructor.post("/desk/sums/files/a/b.py", {"text": "x\r\n", "base": ""}).status_code == 302


def test_bytes_that_are_no_text_are_not_put_into_an_editor(
    as_instructor: Client, sums: Problem, instructor: User
) -> None:
    picture = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    editing.add(instructor, sums, {"data/secret/a.in": b"\xff\0", "statement/a.svg": picture})
    page = as_instructor.get("/desk/sums/files/data/secret/a.in").content
    assert b"<textarea" not in page
    raw = as_instructor.get("/desk/sums/raw/data/secret/a.in")
    assert (raw.content, raw["Content-Disposition"]) == (b"\xff\0", 'attachment; filename="a.in"')
    shown = as_instructor.get("/desk/sums/raw/statement/a.svg")
    assert "sandbox" in shown["Content-Security-Policy"]


def test_points_of_groups(as_instructor: Client, sums: Problem, instructor: User) -> None:
    about = drafts.working_copy(sums).files["problem.yaml"].read_bytes()
    editing.save(instructor, sums, "problem.yaml", about + b"type: scoring\n", editing.base_of(about))
    editing.add(instructor, sums, {"data/secret/test_group.yaml": b"# all of it\nmax_score: 100\n"})
    assert b"group:secret" in as_instructor.get("/desk/sums/limits").content
    sent = {"time_seconds": "1", "memory_bytes": "256", "group:secret": "60"}
    assert as_instructor.post("/desk/sums/limits", sent).status_code == 302
    group = drafts.working_copy(sums).files["data/secret/test_group.yaml"].read_text()
    assert group == "# all of it\nmax_score: 60\n"


GROUPED = b"""\
solution: /submissions/accepted/sum.py
data:
  secret:
    data:
      small:  # few
        data:
          one: random_pair.py 5 {seed}
"""


def test_points_of_groups_that_stand_in_generators_yaml(as_instructor: Client, sums: Problem, instructor: User) -> None:
    for name, text in (
        ("problem.yaml", lambda old: old + b"type: scoring\n"),
        (LISTED, lambda _old: GROUPED),
    ):
        before = drafts.working_copy(sums).files[name].read_bytes()
        editing.save(instructor, sums, name, text(before), editing.base_of(before))
    listed = drafts.working_copy(sums).files[LISTED].read_text()
    sent = {"time_seconds": "1", "memory_bytes": "256", "group:secret/small": "40"}
    assert as_instructor.post("/desk/sums/limits", sent).status_code == 302
    after = drafts.working_copy(sums).files[LISTED].read_text()
    assert after == listed.replace("few\n", "few\n        test_group.yaml:\n          max_score: 40\n")
    package = drafts.working_copy(sums).reading.package
    assert package is not None
    assert {group.name: group.max_score for group in package.groups}["secret/small"] == 40
    assert b'value="40"' in as_instructor.get("/desk/sums/limits").content


# The list -------------------------------------------------------------------------------------------------------------


def test_the_list_takes_no_more_queries_for_more_problems(
    as_instructor: Client, twice: Problem, instructor: User
) -> None:
    def count() -> int:
        with CaptureQueriesContext(
            connection,
        ) as caught:
            assert as_instructor.get("/desk/").status_code == 200
        return len(caught)

    before = count()
    for number in range(4):
        actions.start(instructor, f"more{number}", f"More {number}")
    assert count() == before


def test_the_list_calls_a_draft_by_its_name(as_instructor: Client, sums: Problem, instructor: User) -> None:
    actions.start(instructor, "late", "Late again")
    page = as_instructor.get("/desk/").text
    assert '>Late again</a><span class="soft small case-name">late</span>' in page
    Draft.objects.filter(problem=sums).update(archive="0" * 64)
    assert ">sums</a>" in as_instructor.get("/desk/").text, "what cannot be read"


@pytest.mark.parametrize("tab", ["", "statement", "files/", "limits", "cases", "verify", "versions", "people"])
def test_a_problem_without_versions_has_every_page(as_instructor: Client, sums: Problem, tab: str) -> None:
    assert as_instructor.get(f"/desk/sums/{tab}").status_code == 200


@pytest.mark.parametrize("tab", ["", "statement", "files/", "limits", "files/problem.yaml", "cases", "verify"])
def test_a_package_full_of_errors_has_every_page(
    as_instructor: Client, sums: Problem, instructor: User, tab: str
) -> None:
    files = drafts.working_copy(sums).files
    for name in (STATEMENT, "generators/generators.yaml", "problem.yaml"):
        editing.save(instructor, sums, name, b"\xff\0[", editing.base_of(files[name].read_bytes()))
    assert as_instructor.get(f"/desk/sums/{tab}").status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "files/a%00b",
        "files/..%2f..%2fetc%2fpasswd",
        "files/" + "a/" * 200 + "b",
        "files/?page=x%00&q=%00",
        "raw/..%2f..%2f..%2fetc%2fpasswd",
        "raw/a%00",
        "statement?language=%00",
        "cases?version=99999999999999999999&page=x",
        "cases?page=-1",
        "verify?version=%00",
        "compare?to=%00",
        "versions/99999999999999999999/live",
        "versions/1/cases/99999999999999999999/in",
        "ask/nothing",
    ],
)
def test_an_odd_address_is_no_fault(as_instructor: Client, twice: Problem, address: str) -> None:
    assert as_instructor.get(f"/desk/twice/{address}").status_code in (200, 400, 404, 405)


def test_an_errand_is_asked_for_and_stopped_by_buttons(as_instructor: Client, twice: Problem) -> None:
    assert as_instructor.post("/desk/twice/ask/make")["Location"] == "/desk/twice/"
    assert as_instructor.post("/desk/twice/ask/verify", {"version": "1"})["Location"] == "/desk/twice/verify?version=1"
    make, verify = Errand.objects.order_by("kind")
    for page in ("/desk/twice/", f"/desk/errands/{make.pk}/story"):
        assert "Waiting for a worker." in words(as_instructor.get(page).content)
    assert "1 other piece of work is before it." in words(as_instructor.get("/desk/twice/verify").content)
    assert as_instructor.post(f"/desk/errands/{verify.pk}/stop")["Location"] == "/desk/twice/verify?version=1"
    assert "Stopped by ines." in words(as_instructor.get("/desk/twice/verify").content)
    for bad in ("nothing", "verify"):
        assert "cannot be asked for" in words(as_instructor.post(f"/desk/twice/ask/{bad}", follow=True).content)
