"""Programs sent by the API: as by the form, with its bounds and its sentences; and what is read of them."""

import base64
import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings

from judge.assignments.models import Kind, When
from judge.people.models import Course, User
from judge.submissions import queries
from judge.submissions.models import Judgement, Submission
from problems.models import Problem
from tests.api.conftest import Caller, token_of
from tests.conftest import assign
from tests.web.conftest import done

PROGRAM = b"print(2 * int(input()))\n"
PATH = "problems/twice/submissions"
pytestmark = pytest.mark.django_db


def form(files: Mapping[str, bytes] | None = None, **fields: str) -> dict[str, Any]:
    named = {"main.py": PROGRAM} if files is None else files
    return {"files": [SimpleUploadedFile(name, content) for name, content in named.items()], **fields}


def sent(caller: Caller, files: Mapping[str, bytes] | None = None, **fields: str) -> Any:
    answer = caller.post(PATH, form=form(files, **fields))
    assert answer.status_code == 201, answer.content
    return answer.json()


def refused(caller: Caller, files: Mapping[str, bytes] | None = None, **fields: str) -> str:
    answer = caller.post(PATH, form=form(files, **fields))
    assert answer.status_code in (422, 429), answer.content
    assert not Submission.objects.exists()
    told = answer.json()
    return str(told["message"]) + str(told["details"])


def test_a_program_becomes_a_submission(sam: Caller, student: User, twice: Problem) -> None:
    told = sent(sam)
    kept = Submission.objects.get()
    assert (kept.author, kept.problem, kept.language, kept.assignment) == (student, twice, "python3", None)
    assert queries.sources(student, kept) == {"main.py": PROGRAM}
    assert told["id"] == kept.pk
    assert told["state"] == "queued"
    assert told["address"] == f"http://testserver/submissions/{kept.pk}/"


def test_several_files_and_a_zip_are_the_same_program(sam: Caller, student: User, twice: Problem) -> None:
    files = {"main.cpp": b'#include "a.h"\nint main() {}\n', "a.h": b"\n"}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    assert sent(sam, files, key="a")["language"] == "cpp17"
    assert sent(sam, {"it.zip": packed.getvalue()}, key="a")["id"] == Submission.objects.get().pk
    assert queries.sources(student, Submission.objects.get()) == files


def test_the_same_key_with_the_same_content_is_one_submission(sam: Caller, ines: Caller, twice: Problem) -> None:
    first = sent(sam, key="a")["id"]
    assert sent(sam, key="a")["id"] == first
    others = [sent(sam), sent(sam), sent(sam, key="b"), sent(sam, key="a", language="pypy3"), sent(ines, key="a")]
    others.append(sent(sam, {"main.py": b"print(1)\n"}, key="a"))
    assert len({first, *(one["id"] for one in others)}) == 7


def test_what_the_form_refuses_the_api_refuses_in_its_words(sam: Caller, twice: Problem) -> None:
    assert "The program is empty" in refused(sam, {"main.py": b" \n"})
    assert "at most 128 KiB" in refused(sam, {"main.py": b"#" * (129 << 10)})
    assert "NUL character in line 2" in refused(sam, {"main.py": b"\n\0"})
    assert "language is not known" in refused(sam, language="basic")
    assert "no language" in refused(sam, {"notes.txt": b"hello"})
    assert "cannot be named" in refused(sam, {"main.py": b"1", "a*b": b"2"})
    assert "no zip" in refused(sam, {"it.zip": b"PK\x03\x04"})
    assert "files" in refused(sam, {})
    assert "key" in refused(sam, key="k" * 65)
    assert "not open for you" in refused(sam, assignment="7")
    assert "not open for you" in refused(sam, assignment="\0")


def test_rates_are_those_of_the_form(sam: Caller, twice: Problem) -> None:
    with override_settings(SUBMISSIONS_A_MINUTE=2):
        sent(sam)
        sent(sam)
        answer = sam.post(PATH, form=form())
        assert (answer.status_code, answer.json()["error"]) == (429, "too_many")
        assert "within a minute" in answer.json()["message"]
        assert answer["Retry-After"]
    with override_settings(UNFINISHED_SUBMISSIONS=2):
        assert sam.post(PATH, form=form()).status_code == 429
    assert Submission.objects.count() == 2


def test_it_is_sent_for_what_the_page_would_choose(sam: Caller, course: Course, twice: Problem) -> None:
    graphs = assign(course, twice, attempts=2)
    offered = sam.get("problems/twice").json()
    assert offered["sent_for"] == graphs.pk
    assert offered["assignments"][0]["attempts_left"] == 2
    assert sent(sam)["assignment"] == graphs.pk
    answer = sam.post(PATH, form=form(assignment="practice"))
    assert answer.status_code == 422
    assert "you have one left" in answer.json()["message"], "practice is no way round the attempts"
    assert sent(sam, assignment=str(graphs.pk))["assignment"] == graphs.pk
    Judgement.objects.update(state="done", verdict="wrong_answer")
    assert sent(sam, assignment="practice")["assignment"] is None
    answer = sam.post(PATH, form=form())
    assert answer.status_code == 422
    assert "all 2 attempts" in answer.json()["message"]


def test_a_submission_is_told_as_its_page_tells_it(
    sam: Caller, ines: Caller, student: User, course: Course, send: Callable[..., Submission]
) -> None:
    results = [("accepted", {}), ("wrong_answer", {"note": "It printed too much.", "judge_note": "expected 42"})]
    shown = send(student, results=results, **done("wrong_answer", points=0, out_of=100))
    told = sam.get(f"submissions/{shown.pk}").json()
    hidden = assign(course, Problem.objects.get(), feedback={Kind.WHAT_HAPPENED: When.NEVER})
    concealed = send(student, results=results, assignment=hidden, **done("wrong_answer"))
    assert (told["verdict"], told["final"], told["points"]) == ("wrong_answer", True, 0)
    assert [one["verdict"] for one in told["cases"]] == ["accepted", "wrong_answer"]
    assert told["cases"][1]["note"] == "It printed too much."
    assert sam.get(f"submissions/{concealed.pk}").json()["cases"] == []
    staff = ines.get(f"submissions/{concealed.pk}").json()
    assert staff["cases"][1]["judge_note"] == "expected 42"


def test_own_submissions_come_in_parts_newest_first(
    sam: Caller, student: User, classmate: User, send: Callable[..., Submission]
) -> None:
    mine = [send(student, **done(verdict)).pk for verdict in ("accepted", "wrong_answer", "accepted")]
    send(classmate, **done("accepted"))
    first = sam.get("submissions", limit=2).json()
    assert [one["id"] for one in first["items"]] == [mine[2], mine[1]]
    second = sam.get("submissions", limit=2, after=first["next"]).json()
    assert ([one["id"] for one in second["items"]], second["next"]) == ([mine[0]], None)
    assert [one["id"] for one in sam.get("submissions", verdict="wrong_answer").json()["items"]] == [mine[1]]
    assert sam.get("submissions", problem="other").json()["items"] == []
    for odd in ({"limit": 101}, {"limit": 0}, {"after": -1}, {"after": "9" * 30}, {"verdict": "x"}, {"problem": "\0"}):
        answer = sam.get("submissions", **odd)
        assert (answer.status_code, answer.json()["details"][0]["at"]) == (422, next(iter(odd))), odd


def test_the_source_is_given_to_the_byte(sam: Caller, student: User, send: Callable[..., Submission]) -> None:
    odd = send(student, files={"a.py": b"caf\xe9", "b.py": "é\n".encode()}, **done("accepted"))
    items = sam.get(f"submissions/{odd.pk}/source").json()["items"]
    assert [(one["name"], one["text"]) for one in items] == [("a.py", None), ("b.py", "é\n")]
    assert base64.b64decode(items[0]["base64"]) == b"caf\xe9"


def test_a_statement_comes_without_what_its_author_noted(sam: Caller, twice: Problem) -> None:
    told = sam.get("problems/twice/statement", language="fr").json()
    assert (told["language"], told["format"], told["constants"]) == ("en", "md", {"most": "1000"})
    assert "Read a number $n$" in told["text"]
    names = {one["name"]: one["text"] for one in sam.get("problems/twice/samples").json()["items"]}
    assert names == {"1.in": "2\n", "1.ans": "4\n", "2.in": "3\n", "2.ans": "6\n"}


def test_problems_are_listed_with_how_far_one_is(
    sam: Caller, student: User, twice: Problem, paper_problem: Problem, send: Callable[..., Submission]
) -> None:
    send(student, **done("accepted"))
    first = sam.get("problems", limit=1).json()
    assert [(one["slug"], one["state"]) for one in first["items"]] == [("paper", "none")]
    second = sam.get("problems", after=first["next"]).json()
    assert [(one["slug"], one["state"]) for one in second["items"]] == [("twice", "solved")]
    assert [one["slug"] for one in sam.get("problems", q="TWI").json()["items"]] == ["twice"]


def test_no_token_of_others_is_needed_to_be_refused(twice: Problem, classmate: User) -> None:
    assert Caller(token_of(classmate)).post("problems/twice/submissions", {"files": 1}).status_code == 422
