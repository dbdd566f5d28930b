"""The limits of a problem by their form: what fits is written, the rest is refused at its field or told beside it."""

import pytest
from django.test import Client

from judge.authoring import drafts, editing
from judge.people.models import User
from problems.models import Problem

pytestmark = pytest.mark.django_db


def test_limits_by_their_form(as_instructor: Client, sums: Problem) -> None:
    assert b'value="256"' in as_instructor.get("/desk/sums/limits").content
    sent = {
        "time_seconds": "2.50",
        "memory_bytes": "",
        "output_bytes": "16",
        "code_bytes": "",
        "time_resolution": "0.5",
    }
    assert as_instructor.post("/desk/sums/limits", sent).status_code == 302
    about = drafts.working_copy(sums).files["problem.yaml"].read_text()
    assert "  time_limit: 2.5\n" in about
    assert "  time_resolution: 0.5\n" in about
    assert "memory:" not in about
    package = drafts.working_copy(sums).reading.package
    assert package is not None
    assert (package.limits.time_seconds, package.limits.output_bytes) == (2.5, 16 << 20)
    rewritten = about.replace("time_resolution: 0.5", "time_resolution: 0.50 # s")
    before = editing.base_of(about.encode())
    as_instructor.post("/desk/sums/files/problem.yaml", {"do": "save", "text": rewritten, "base": before})
    assert as_instructor.post("/desk/sums/limits", {**sent, "output_bytes": "8"}).status_code == 302
    about = drafts.working_copy(sums).files["problem.yaml"].read_text()
    assert about == rewritten.replace("output: 16", "output: 8"), "what was not changed stays as it was written"
    for bad in ("-1", "0", "1e9", "NaN", "fast", "1" * 400, "2.25", "0.0015"):
        answer = as_instructor.post("/desk/sums/limits", {**sent, "time_seconds": bad})
        assert answer.status_code == 422, bad
    assert drafts.working_copy(sums).files["problem.yaml"].read_text() == about
    brazil = {"Accept-Language": "pt-br"}
    assert b'value="2,5"' in as_instructor.get("/desk/sums/limits", headers=brazil).content
    comma = {**sent, "time_seconds": "1,5", "output_bytes": "8"}
    assert as_instructor.post("/desk/sums/limits", comma, headers=brazil).status_code == 302
    assert "  time_limit: 1.5\n" in drafts.working_copy(sums).files["problem.yaml"].read_text()


@pytest.mark.parametrize(
    ("seconds", "step", "written"), [("2.5", "", "0.5"), ("0.3", "", "0.1"), ("1.25", "", "0.05"), ("3", "", "")]
)
def test_a_step_of_the_time_that_fits_is_written_where_none_is(
    as_instructor: Client, sums: Problem, seconds: str, step: str, written: str
) -> None:
    answer = as_instructor.post("/desk/sums/limits", {"time_seconds": seconds, "time_resolution": step}, follow=True)
    said = b"The step of the time is " + written.encode()
    assert (said in answer.content) is bool(written)
    limits = drafts.working_copy(sums).reading.package
    assert limits is not None, "a version can be made of it"
    assert limits.limits.time_resolution == float(written or 1)


def test_a_limit_that_is_no_multiple_of_its_step_is_refused(as_instructor: Client, sums: Problem) -> None:
    before = drafts.working_copy(sums).archive
    for seconds, step, said in (
        ("2.5", "1", b"A step of 0.5 s fits, or leave that empty."),
        ("0.0015", "", b"Give it in whole thousandths of a second."),
    ):
        answer = as_instructor.post("/desk/sums/limits", {"time_seconds": seconds, "time_resolution": step})
        assert answer.status_code == 422
        assert said in answer.content
    brazil = {"time_seconds": "2,5", "time_resolution": "1"}
    answer = as_instructor.post("/desk/sums/limits", brazil, headers={"Accept-Language": "pt-br"})
    assert "0,5 s" in answer.content.decode(), "numbers are shown as their reader writes them"
    assert drafts.working_copy(sums).archive == before


def test_what_is_wrong_with_the_limits_is_told_beside_them(
    as_instructor: Client, instructor: User, sums: Problem
) -> None:
    told = b"No version can be made with what the working copy has now"
    assert told not in as_instructor.get("/desk/sums/limits").content
    about = drafts.working_copy(sums).files["problem.yaml"].read_bytes()
    wrong = about.replace(b"  time_limit: 1\n", b"  time_limit: 1\n  validation_time: 9999\n")
    editing.save(instructor, sums, "problem.yaml", wrong, editing.base_of(about))
    page = as_instructor.get("/desk/sums/limits").content
    assert told in page
    assert b"validation_time" in page
