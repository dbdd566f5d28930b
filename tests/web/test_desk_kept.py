"""Work at the desk is not lost, and what came of it stays to be read: uploads, names of files, makings."""

from urllib.parse import quote

import pytest
from django.test import Client

from judge.authoring import drafts, editing
from judge.authoring.models import Draft, Errand
from judge.people.models import User
from problems.models import Problem
from tests.problems.package.older import current, zipped
from tests.web.test_desk import STATEMENT, about, package, words

pytestmark = pytest.mark.django_db


def test_work_that_no_version_has_is_not_replaced_by_the_way(
    as_instructor: Client, instructor: User, twice: Problem
) -> None:
    editing.save(instructor, twice, "generators/mine.py", b"print(1)\n", "")
    before = Draft.objects.get()

    def send(**more: str) -> str:
        sent = package(current({"problem.yaml": about(twice, "Twice")}))
        answer = as_instructor.post("/desk/new", {"do": "upload", "upload-package": sent, **more})
        assert (answer.status_code == 302) is bool(more)
        return answer["Location"] if more else answer.content.decode()

    page = send()
    assert "has changes that no version has: they would be lost" in words(page.encode())
    assert 'href="/desk/twice/#replace"' in page
    after = Draft.objects.get()
    assert (after.archive, after.revision) == (before.archive, before.revision)
    assert send(**{"upload-as_its_own": "on", "upload-slug": "other"}) == "/desk/other/"
    assert "What was written in it is gone then" in words(as_instructor.get("/desk/twice/").content)
    sent = package(current({"problem.yaml": about(twice, "Twice")}))
    assert as_instructor.post("/desk/twice/", {"package": sent}).status_code == 302
    assert "generators/mine.py" not in drafts.working_copy(twice).files


def test_how_a_package_was_taken_in_stays_with_the_working_copy(
    as_instructor: Client, instructor: User, twice: Problem
) -> None:
    content = zipped({"input_format_validators/digits.py": None, "notes.docx": b"x"})
    as_instructor.post("/desk/new", {"do": "upload", "upload-package": package(content)}, follow=True)
    everything = "input_validators/anything.py There is no input validator: one that takes everything"
    for _reload in range(2):
        page = words(as_instructor.get("/desk/doubles/").content)
        assert "When it was taken in, today" in page
        assert "8 of 9 files are used." in page
        assert "notes.docx nothing there has this name." in page
        assert everything in page.partition("When it was taken in")[0]
        assert page.count(everything) == 1
        assert "Nothing is wrong with it." not in page
    problem = Problem.objects.get(slug="doubles")
    name = "input_validators/anything.py"
    before = drafts.working_copy(problem).files[name].read_bytes()
    editing.save(instructor, problem, name, before + b"# mine\n", editing.base_of(before))
    page = words(as_instructor.get("/desk/doubles/").content)
    assert everything in page.partition("When it was taken in")[2], "that was so then"
    assert page.count(everything) == 1
    assert "notes.docx" in page
    sent = package(current({"problem.yaml": about(twice, "Twice"), "odd.txt": "x"}))
    as_instructor.post("/desk/twice/", {"package": sent})
    assert "odd.txt" in words(as_instructor.get("/desk/twice/").content)
    assert twice.live is not None
    editing.take(instructor, twice, twice.live, drafts.working_copy(twice).revision)
    assert "When it was taken in" not in words(as_instructor.get("/desk/twice/").content)


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ("data/secret/x\ny", "cannot be a file of a package"),
        ("data/secret/x\ry.in", "cannot be a file of a package"),
        ("a\u2028b", "cannot be a file of a package"),
        ("\x1b[31m", "cannot be a file of a package"),
        ("../../x", "cannot be a file of a package"),
        ("a//b", "cannot be a file of a package"),
        ("a b.py", "cannot be a file of a package"),
        ("über.py", "cannot be a file of a package"),
        ("a" * 280, "cannot be a file of a package"),
        ("a/" * 199 + "b", "is too long or nested too deeply"),
        ("a" * 400, "is too long or nested too deeply"),
        ("a/" * 20 + "b", "is too long or nested too deeply"),
    ],
)
def test_a_name_that_no_file_can_have_is_told_before_anything_is_written(
    as_instructor: Client, sums: Problem, new: str, message: str
) -> None:
    answer = as_instructor.get("/desk/sums/files/", {"new": new})
    assert (answer.status_code, message in words(answer.content)) == (422, True)
    if "\n" in new:
        return
    address = f"/desk/sums/files/{quote(new)}"
    assert as_instructor.get(address).status_code == 404
    written = as_instructor.post(address, {"do": "save", "text": "long work", "base": ""})
    assert (written.status_code, message in words(written.content)) == (422, True)
    assert ">\nlong work</textarea>" in written.content.decode(), "what was written is not lost"


def test_a_making_is_shown_also_when_the_working_copy_was_changed_meanwhile(
    as_instructor: Client, instructor: User, twice: Problem
) -> None:
    def page() -> str:
        return words(as_instructor.get("/desk/twice/").content).replace(": ", ":")

    def edit(text: str) -> None:
        before = drafts.working_copy(twice).files[STATEMENT].read_bytes()
        editing.save(instructor, twice, STATEMENT, text.encode(), editing.base_of(before))

    older = "Of an older state of the working copy:"
    edit("One\n")
    as_instructor.post("/desk/twice/ask/make")
    first = Errand.objects.get()
    assert older not in page()
    edit("Two\n")
    Errand.objects.filter(pk=first.pk).update(state="running", done=2, total=5, now="secret/zero")
    shown = page()
    assert f"{older}At work 2 of 5 done; now secret/zero" in shown
    assert "Stop it" in shown
    as_instructor.post("/desk/twice/ask/make")
    assert "Waiting; 1 other piece of work is before it." in page()
    assert "2 of 5 done; now secret/zero" in page(), "both are at work"
    Errand.objects.exclude(pk=first.pk).delete()
    Errand.objects.filter(pk=first.pk).update(state="done", succeeded=False, message="secret/zero: mend it.")
    assert f"{older}No version was madesecret/zero:mend it." in page()
    printed = "Traceback (most recent call last):\n    1/0\n    ~^~"
    Errand.objects.filter(pk=first.pk).update(message=f"secret/zero: mend it.\n{printed}")
    quoted = f'<pre class="output" tabindex="0">{printed}</pre>'
    assert quoted in as_instructor.get("/desk/twice/").content.decode(), "signs stand in their columns"
    Errand.objects.filter(pk=first.pk).update(succeeded=True, version=twice.live, result={"cases": 3})
    assert older not in page(), "that version is live already"
    Problem.objects.update(live=None)
    assert f"{older}Version 1 is made" in page()
    as_instructor.post("/desk/twice/ask/make")
    assert older not in page(), "a newer one is the last"
