"""Problems of every kind through form, queue, worker and page: what the student sends, and what is shown afterwards."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from judge.authoring.actions import publish
from judge.people.models import User
from judge.submissions import queries
from judge.submissions.models import Submission
from problems.models import Problem
from sandbox.box import open_sandbox
from tests.broker import Broker
from tests.grading.kinds import KINDS, write_kind
from tests.workers import Process, all_over, eventually, worker

pytestmark = pytest.mark.django_db(transaction=True)
SAMPLE: dict[str, str | None] = {"data/sample/1.in": "encode abc\n", "data/sample/1.ans": ""}


@pytest.fixture(scope="module")
def standing_worker(running_broker: Broker, django_db_setup: None) -> Iterator[Process]:
    with worker() as process:
        yield process


@pytest.fixture
def as_student(client: Client, student: User) -> Client:
    client.force_login(student)
    return client


def published(folder: Path, slug: str, changes: dict[str, str | None] | None = None) -> Problem:
    box = open_sandbox(settings.PALFREY_CACHE / "sandbox")
    try:
        return publish(write_kind(folder, slug, changes), box).problem
    finally:
        box.close()


def judged(client: Client, user: User, problem: Problem, **fields: Any) -> tuple[dict[str, Any], str]:
    """Send the form; gives the snapshot of what came of it, and the page."""
    answer = client.post(f"/problems/{problem.slug}/", {"token": "of-the-page", "do": "submit", **fields})
    assert answer.status_code == 302, answer.content.decode()
    eventually(all_over)
    facts = queries.snapshot(user, Submission.objects.get())
    assert facts is not None
    return dict(facts), client.get(answer["Location"]).content.decode()


@pytest.mark.usefixtures("broker", "standing_worker")
@pytest.mark.parametrize(("slug", "heard"), [("guess", b">50\n<lower\n"), ("codes", b"<encode abc\n")])
def test_what_both_sides_said_is_shown_of_samples_only(
    slug: str, heard: bytes, as_student: Client, student: User, tmp_path: Path
) -> None:
    problem = published(tmp_path, slug, None if slug == "guess" else SAMPLE)
    files = KINDS[slug][1]
    (program,) = (text for name, text in files.items() if "/accepted/" in name)
    facts, page = judged(as_student, student, problem, language="python3", text=program)
    assert facts["verdict"] == "accepted", facts
    assert "Accepted" in page
    groups = [case["group"] for case in facts["cases"]]
    assert groups.count("sample") == 1
    for case in facts["cases"]:
        said = queries.case_output(student, facts["judgement"], case["position"])
        address = f"/submissions/{Submission.objects.get().pk}/cases/{case['position']}/stdout"
        if case["group"] == "sample":
            assert said is not None
            assert heard in said
            assert case["has_output"]
            assert heard in as_student.get(address).content
        else:
            assert (said, case["has_output"]) == (None, False)
            assert as_student.get(address).status_code == 404


ANSWERS: dict[str, tuple[dict[str, Any], str, int]] = {
    "files": ({"uploads": [("1.out", b"4\n"), ("2.out", b"9\n")]}, "accepted", 100),
    "one of them": ({"uploads": [("2.out", b"9\n")]}, "wrong_answer", 50),
    "one that is pasted": ({"case": "secret/1", "text": "4\r\n"}, "wrong_answer", 50),
    "with a nul": ({"uploads": [("1.out", b"4\n"), ("2.out", b"9\0\n")]}, "wrong_answer", 50),
}


@pytest.mark.usefixtures("broker", "standing_worker")
@pytest.mark.parametrize("name", ANSWERS)
def test_answers(name: str, as_student: Client, student: User, tmp_path: Path) -> None:
    fields, verdict, points = ANSWERS[name]
    problem = published(tmp_path, "squares")
    page = as_student.get(f"/problems/{problem.slug}/").content.decode()
    assert '<select name="language"' not in page
    assert "Run on samples" not in page
    assert '<option value="secret/1">1</option>' in page
    sent = {**fields, "uploads": [SimpleUploadedFile(*one) for one in fields.get("uploads", ())]}
    facts, page = judged(as_student, student, problem, **sent)
    assert (facts["verdict"], facts["points"], facts["language"]) == (verdict, points, "answers")
    assert "Answers" in page


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"text": ""}, "There is no answer in it."),
        ({"text": "4", "case": "secret/7"}, "There is no such case any more."),
        ({"uploads": [("1.out", b"x" * (1 << 21) + b"y")]}, "an answer to this problem has at most 2"),
    ],
)
def test_answers_that_are_refused(fields: dict[str, Any], told: str, as_student: Client, tmp_path: Path) -> None:
    yaml = (write_kind(tmp_path, "squares") / "problem.yaml").read_text()
    problem = published(tmp_path / "again", "squares", {"problem.yaml": yaml + "  output: 2\n"})
    sent = {**fields, "uploads": [SimpleUploadedFile(*one) for one in fields.get("uploads", ())]}
    answer = as_student.post(f"/problems/{problem.slug}/", {"token": "of-the-page", "do": "submit", **sent})
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert not Submission.objects.exists()
