"""The form of the problem page: what it takes, what it refuses and in which words, and that nothing typed is lost."""

import contextlib
import io
import random
import zipfile
from collections.abc import Mapping
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings
from django.utils.html import escape

from judge.blobs import store
from judge.people.models import User
from judge.submissions import queries, upload
from judge.submissions.models import Submission, Trial
from problems.models import Problem

ADDRESS = "/problems/twice/"
PROGRAM = "print(2 * int(input()))\n"


def form(**changes: Any) -> dict[str, Any]:
    return {"language": "python3", "text": PROGRAM, "token": "made-with-the-page", "do": "submit"} | changes


def uploads(files: Mapping[str, bytes]) -> list[SimpleUploadedFile]:
    return [SimpleUploadedFile(name, content) for name, content in files.items()]


def packed(files: Mapping[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return held.getvalue()


def kept(user: User) -> dict[str, bytes]:
    return queries.sources(user, Submission.objects.get())


def refused(client: Client, **changes: Any) -> str:
    """The page that comes instead of a submission."""
    answer = client.post(ADDRESS, form(**changes))
    assert answer.status_code == 422, answer
    assert not Submission.objects.exists()
    return answer.content.decode()


def test_a_pasted_program_becomes_a_submission(as_student: Client, student: User, twice: Problem) -> None:
    answer = as_student.post(ADDRESS, form(text="a = 1\r\nprint(a)\r\n"))
    sent = Submission.objects.get()
    assert answer["Location"] == f"/submissions/{sent.pk}/"
    assert (sent.author, sent.problem, sent.language) == (student, twice, "python3")
    assert kept(student) == {"main.py": b"a = 1\nprint(a)\n"}


def test_the_same_form_twice_is_one_submission_and_other_code_another(as_student: Client, twice: Problem) -> None:
    first, again = (as_student.post(ADDRESS, form())["Location"] for _ in range(2))
    assert first == again
    assert as_student.post(ADDRESS, form(text="print(1)"))["Location"] != first
    assert as_student.post(ADDRESS, form(token="another page"))["Location"] != first
    assert Submission.objects.count() == 3


def test_a_file_is_sent_as_it_is_and_says_its_language(as_student: Client, student: User, twice: Problem) -> None:
    content = b"\xef\xbb\xbf// caf\xe9 \xff\xfe is no UTF-8\r\nint main() {}\r\n"
    as_student.post(ADDRESS, form(language="", uploads=uploads({"my program.cpp": content})))
    assert Submission.objects.get().language == "cpp17"
    assert kept(student) == {"my program.cpp": content}


def test_several_files(as_student: Client, student: User, twice: Problem) -> None:
    files = {"main.cpp": b'#include "a.h"\nint main() {}\n', "a.h": b"\n"}
    as_student.post(ADDRESS, form(language="cpp20", uploads=uploads(files)))
    assert kept(student) == files


def test_a_zip_is_unpacked_without_its_outer_folder_and_litter(
    as_student: Client, student: User, twice: Problem
) -> None:
    files = {
        "mine/main.py": b"import a.b\n",
        "mine/a/b.py": b"",
        "__MACOSX/mine/._main.py": b"x",
        "mine/.DS_Store": b"x",
    }
    as_student.post(ADDRESS, form(uploads=uploads({"mine.ZIP": packed(files)})))
    assert kept(student) == {"main.py": b"import a.b\n", "a/b.py": b""}


def test_every_folder_around_everything_is_taken_off_but_never_a_name() -> None:
    assert upload.unzip("x.zip", packed({"a/b/m.py": b"1", "a/b/c/m.py": b"2"}), 99) == {"m.py": b"1", "c/m.py": b"2"}
    assert upload.unzip("x.zip", packed({"a/b/m.py": b"1"}), 99) == {"m.py": b"1"}
    assert upload.unzip("x.zip", packed({"a/m.py": b"1", "m.py": b"2"}), 99) == {"a/m.py": b"1", "m.py": b"2"}


def test_a_zip_damaged_anywhere_is_refused_or_read() -> None:
    whole, chance = packed({"a/main.py": PROGRAM.encode(), "a/b.py": b"1"}), random.Random(3)
    for _ in range(400):
        broken = bytearray(whole)
        for _ in range(chance.randint(1, 3)):
            broken[chance.randrange(len(broken))] = chance.choice((0, 255, chance.randrange(256)))
        with contextlib.suppress(upload.Unusable):
            upload.unzip("x.zip", bytes(broken), 1000)


LINK = zipfile.ZipInfo("link.py")
LINK.external_attr = 0o120777 << 16


def odd(kind: str) -> bytes:
    whole = packed({"main.py": PROGRAM.encode()})
    match kind:
        case "bzip2" | "lzma":
            held = io.BytesIO()
            method = zipfile.ZIP_BZIP2 if kind == "bzip2" else zipfile.ZIP_LZMA
            with zipfile.ZipFile(held, "w", method) as archive:
                archive.writestr("packed.py", b"#" * (50 << 20))
            return held.getvalue()
        case "unknown method":
            return whole.replace(b"\x08\x00", b"\x63\x00")
        case "no name":
            return packed({"xxxx": b"x = 1"}).replace(b"xxxx", bytes(4))
        case "blank name":
            return packed({" ": b"x = 1"})
        case "deep":
            return packed({"a/" * 3000 + "m.py": b"x = 1"})
        case "deep backwards":
            return packed({"a\\" * 50 + "m.py": b"x = 1"})
        case "long name":
            return packed({"a" * 300: b"x = 1"})
        case "damaged content":
            return whole.replace(PROGRAM.encode(), b"").replace(whole[40:50], bytes(range(240, 250)))
    raise AssertionError(kind)


def damaged(kind: str) -> bytes:
    whole = packed({"main.py": PROGRAM.encode()})
    match kind:
        case "cut off":
            return whole[:-30]
        case "password":
            return whole.replace(whole[:8], whole[:6] + b"\x01\x00", 1).replace(
                b"PK\x01\x02\x14\x03\x14\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01\x00", 1
            )
        case "link":
            held = io.BytesIO()
            with zipfile.ZipFile(held, "w") as archive:
                archive.writestr(LINK, "/etc/passwd")
            return held.getvalue()
        case "another kind":
            return b"Rar!\x1a\x07\x00 and so on"
        case "empty":
            return packed({})
        case "nothing":
            return b""
        case "bomb":
            return packed({"main.py": b"#" * (50 << 20)})
        case "crowd":
            return packed({f"{number}.py": b"1" for number in range(500)})
    return odd(kind)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("cut off", "no zip that can be read"),
        ("another kind", "no zip that can be read"),
        ("nothing", "no zip that can be read"),
        ("password", "asks for a password"),
        ("link", "is a link"),
        ("empty", "There is no file in"),
        ("bomb", "at most 128 KiB"),
        ("bzip2", "“packed.py” is compressed by a method"),
        ("lzma", "“packed.py” is compressed by a method"),
        ("unknown method", "“main.py” is compressed by a method"),
        ("no name", "an entry without a name"),
        ("blank name", "an entry without a name"),
        ("deep", "too long or too deep"),
        ("deep backwards", "too long or too deep"),
        ("long name", "too long or too deep"),
        ("damaged content", "no zip that can be read"),
        ("crowd", "holds 500 entries"),
    ],
)
def test_a_zip_that_cannot_be_taken(as_student: Client, twice: Problem, kind: str, words: str) -> None:
    assert words in refused(as_student, uploads=uploads({"mine.zip": damaged(kind)}))


@pytest.mark.parametrize("name", ["../up.py", "/etc/up.py", "a/../../up.py", "C:/up.py", "..\\up.py"])
def test_a_zip_that_leads_out_of_its_folder(as_student: Client, twice: Problem, name: str) -> None:
    assert "leads out of its folder" in refused(as_student, uploads=uploads({"mine.zip": packed({name: b"x = 1"})}))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"text": ""}, "The program is empty"),
        ({"text": " \n\t\n"}, "The program is empty"),
        ({"text": "x = 'a\0b'\n"}, "has a NUL character in line 1"),
        ({"text": "# caf\u00e9\n" * (10 << 17)}, "this problem takes at most"),
        ({"language": "cobol"}, "This language is not known here"),
        ({"language": ""}, "Choose the language of the program"),
        ({"token": ""}, ""),
        ({"token": "x" * 500}, "at most 64"),
        ({"filename": "x" * 500}, "at most 200"),
    ],
)
def test_what_is_refused_is_said_and_nothing_is_lost(
    as_student: Client, twice: Problem, changes: dict[str, str], words: str
) -> None:
    if not words:
        assert as_student.post(ADDRESS, form(**changes)).status_code == 302
        return
    page = refused(as_student, **changes)
    assert words in page
    assert escape(form(**changes)["text"]).strip("\n\t ").replace("\0", "") in page.replace("\0", "")


def test_files_that_are_no_program(as_student: Client, twice: Problem) -> None:
    assert "saved as UTF-16" in refused(as_student, uploads=uploads({"a.py": "print(1)".encode("utf-16")}))
    assert "NUL character in line 2" in refused(as_student, uploads=uploads({"a.out": b"\x7fELF\n\0\0"}))
    assert "has 10 MiB" in refused(as_student, uploads=uploads({"a.py": b"#" * (10 << 20)}))
    assert "The program is empty" in refused(as_student, uploads=uploads({"a.py": b""}))
    assert "Two files are named" in refused(as_student, uploads=uploads({"a.py": b"1"}) + uploads({"a.py": b"2"}))


@override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=1000)
def test_a_form_that_is_too_big_gets_a_page_of_its_own(as_student: Client, twice: Problem) -> None:
    answer = as_student.post(ADDRESS, form(text="#" * 5000))
    assert answer.status_code == 413
    assert "too big" in answer.content.decode()


def test_markup_in_a_program_or_its_name_stays_text(as_student: Client, twice: Problem) -> None:
    page = refused(as_student, text="</textarea><script>alert(1)</script>", language="", filename='"><script>')
    assert "<script>alert" not in page
    assert "&lt;/textarea&gt;&lt;script&gt;" in page


def test_who_is_signed_out_keeps_the_program(client: Client, twice: Problem) -> None:
    page = refused(client)
    assert "You are signed out" in page
    assert escape(PROGRAM.strip()) in page


def test_no_such_problem(as_student: Client) -> None:
    assert as_student.post("/problems/none/", form()).status_code == 404


def test_a_form_without_its_secret_is_told_why(student: User, twice: Problem) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(student)
    answer = client.post(ADDRESS, form())
    assert answer.status_code == 403
    assert "form had grown old" in answer.content.decode()


def test_a_trial_run_is_no_submission(as_student: Client, twice: Problem) -> None:
    answer = as_student.post(ADDRESS, form(do="samples"))
    run = Trial.objects.get()
    assert answer["Location"] == f"{ADDRESS}?trial={run.pk}#desk"
    assert not run.own_input
    page = as_student.get(answer["Location"]).content.decode()
    assert escape(PROGRAM.strip()) in page, "without script the program comes back with the result"
    assert f"/trials/{run.pk}/live" in page
    assert '<noscript><meta http-equiv="refresh"' in page


def test_a_trial_run_on_an_own_input(as_student: Client, twice: Problem) -> None:
    as_student.post(ADDRESS, form(do="own", own_input="21\r\n22"))
    assert store.get(Trial.objects.get().own_input) == b"21\n22\n"


def test_the_script_gets_parts_of_the_page(as_student: Client, twice: Problem) -> None:
    part = as_student.post(ADDRESS, form(do="samples"), headers={"X-Fragment": "1"})
    assert part.status_code == 200
    assert part.content.lstrip().startswith(b"<div data-live=")
    bad = as_student.post(ADDRESS, form(do="samples", text=""), headers={"X-Fragment": "1"})
    assert bad.status_code == 422
    assert b"<html" not in bad.content
    assert b"The program is empty" in bad.content


def test_one_byte_too_many_is_said_so_that_it_differs(as_student: Client, twice: Problem) -> None:
    page = refused(as_student, text="x" * ((128 << 10) + 1))
    assert "has 131,073 bytes; this problem takes at most 131,072 bytes" in page
    assert "has 129 KiB; this problem takes at most 128 KiB" in refused(as_student, text="x" * (129 << 10))
