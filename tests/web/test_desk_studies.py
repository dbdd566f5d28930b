"""The tabs Checker and Strength and the pictures of cases, by rows as errands leave them."""

from typing import Any

import pytest
from django.test import Client

from judge.authoring import drafts, editing
from judge.authoring.models import Errand, Kind
from judge.blobs import store
from judge.grades.models import Comparison
from judge.people.models import Course, User
from judge.submissions.models import State
from problems.models import Problem, Version
from tests.conftest import assign
from tests.web.conftest import live_version, published
from tests.web.test_desk import words

pytestmark = pytest.mark.django_db

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def test_its_place_in_the_queue_counts_all_that_the_same_workers_do_first(
    as_instructor: Client, twice: Problem, course: Course
) -> None:
    Comparison.objects.create(entry=assign(course, twice).entries.get(), state=State.RUNNING)
    made = Errand.objects.create(kind=Kind.MAKE, problem=twice, target="1")
    verify = Errand.objects.create(kind=Kind.VERIFY, problem=twice, target="2", version=twice.live)
    Errand.objects.create(kind=Kind.VERIFY, problem=twice, target="3")

    def told() -> str:
        return words(as_instructor.get(f"/desk/errands/{verify.pk}/story").content)

    assert "Waiting; 2 others are before it." in told()
    Comparison.objects.update(state=State.DONE)
    assert "Waiting; 1 other piece of work is before it." in told()
    Errand.objects.filter(pk=made.pk).update(state=State.RUNNING)
    assert "Waiting; 1 other piece of work is before it." in told()
    Errand.objects.filter(pk=made.pk).update(state=State.DONE)
    assert "Waiting for a worker." in told()


def row(name: str, expected: str, opinion: str, said: str, *answers: str) -> dict[str, Any]:
    cells = [{"case": f"secret/{at}", "answer": answer, "message": "<i>"} for at, answer in enumerate(answers)]
    return {"id": name, "words": name, "expected": expected, "opinion": opinion, "said": said, "cells": cells}


GROUND = {
    "checker": "output_validator/own.py",
    "cases": ["secret/0", "secret/1"],
    "rows": [
        row("crlf", "accepted", "fine", "", "accepted", "accepted"),
        row("twice", "wrong", "lenient", "What should be no answer is accepted.", "accepted", "wrong"),
        row("nan", "wrong", "broken", "The checker fails.", "crashed", "same"),
    ],
}


def mutant(name: str, fate: str, **more: Any) -> dict[str, Any]:
    facts = {"name": name, "line": 1, "said": "“2” became “3”", "own": False, "fate": fate, "killers": 0, "killer": ""}
    return facts | {"fault": ""} | more


STRENGTH = {
    "solution": "submissions/accepted/twice.py",
    "score": 0.5,
    "killed": 1,
    "survived": 1,
    "by_time": 1,
    "not_counted": {"equivalent": 2},
    "tried": [mutant("twice.py", "killed", killers=2, killer="secret/1"), mutant("twice.py", "survived")],
    "survivors": [
        mutant(
            "twice.py",
            "survived",
            diff="--- twice.py\n+++ twice.py\n@@ -1 +1 @@\n-print(2 * int(input()))\n+print(3 * int(input()))",
            suggestion=0,
        )
    ],
    "suggestions": [
        {
            "mutants": ["a"],
            "verdict": "wrong_answer",
            "command": "count.py 77",
            "like": "secret/3",
            "shown": "<b>77</b>\n",
            "bytes": 3,
            "input": "",
        }
    ],
    "cases": 3,
    "adds_nothing": ["secret/2"],
    "adds_nothing_in_all": 1,
    "smallest": ["secret/1"],
    "smallest_in_all": 1,
    "exact": True,
    "searched": {"valid": 3, "seconds": 1.0},
    "disagreement": None,
}


WISHES = {"mutants": 7, "budget": 3, "solution": ""}


def errand(version: Version, kind: str, **columns: Any) -> Errand:
    facts = {"state": "done", "succeeded": True, "finished": "2026-11-30T12:00:00Z"} | columns
    return Errand.objects.create(problem=version.problem, kind=kind, target="0" * 64, version=version, **facts)


def test_the_surprising_comes_first(as_instructor: Client, twice: Problem) -> None:
    errand(live_version(twice), "checker", succeeded=False, result=GROUND)
    content = as_instructor.get("/desk/twice/checker").content.decode()
    places = [content.index(f'<th scope="row">{name}<') for name in ("nan", "twice", "crlf")]
    assert places == sorted(places)
    assert 'title="&lt;i&gt;"' in content
    assert content.count('class="odd"') == 2, "what is accepted and should not be; where it fails"
    assert "Checked by output_validator/own.py." in words(content.encode())


def test_an_output_is_asked_about_and_told(as_instructor: Client, twice: Problem) -> None:
    sent = {"version": "1", "case": "sample/1", "output": "5\r\n"}
    answer = as_instructor.post("/desk/twice/ask/try", sent)
    assert answer["Location"] == "/desk/twice/checker?version=1"
    asked = Errand.objects.get()
    assert asked.wishes == {"case": "sample/1", "output": "5\n"}
    assert "Waiting for a worker." in words(as_instructor.get(answer["Location"]).content)
    result = {"answer": "wrong", "judge_note": "In line 1 <b>", "team_note": ""}
    Errand.objects.update(state="done", succeeded=True, result=result)
    page = as_instructor.get("/desk/twice/checker")
    assert "sample/1: rejected" in words(page.content)
    assert b"In line 1 &lt;b&gt;" in page.content
    as_instructor.post("/desk/twice/ask/try", {"version": "1", "case": "no", "output": ""})
    assert Errand.objects.count() == 1


def test_strength_is_told_and_a_case_is_added(as_instructor: Client, twice: Problem) -> None:
    measured = errand(
        live_version(twice), "strength", result=STRENGTH, wishes={"mutants": 7, "budget": 3, "solution": ""}
    )
    content = as_instructor.get("/desk/twice/strength").content
    told = words(content)
    assert "1 of 2 found out (50 %)" in told
    assert "1 of 3 cases finds out as many: secret/1." in told
    assert b'href="/desk/twice/files/submissions/accepted/twice.py#L1"' in content
    assert b"&lt;b&gt;77" in content
    assert b'value="7"' in content
    before = drafts.working_copy(twice).files["generators/generators.yaml"].read_text()
    sent = {"errand": str(measured.pk), "number": "0"}
    answer = as_instructor.post("/desk/twice/strength/add", sent)
    assert answer["Location"] == "/desk/twice/strength?version=1#suggestion-0"
    after = drafts.working_copy(twice).files["generators/generators.yaml"].read_text()
    assert after == before + "      suggested-1: count.py 77\n"
    again = as_instructor.post("/desk/twice/strength/add", sent, follow=True)
    assert "This case is in the working copy already: it is secret/suggested-1." in words(again.content)
    assert drafts.working_copy(twice).files["generators/generators.yaml"].read_text() == after
    content = as_instructor.get("/desk/twice/strength").content
    assert "in the working copy" in words(content)
    assert b"Add this case" not in content
    for bad in ({}, sent | {"number": "1"}, sent | {"number": "x"}, sent | {"errand": "9999"}, sent | {"errand": "²"}):
        assert as_instructor.post("/desk/twice/strength/add", bad).status_code == 404


def test_what_is_half_done_or_failed_is_shown(as_instructor: Client, twice: Problem) -> None:
    version = live_version(twice)
    half = {"tried": STRENGTH["tried"]}
    running = errand(version, "strength", state="running", succeeded=None, result=half, wishes=WISHES, done=2, total=9)
    content = as_instructor.get("/desk/twice/strength").content
    assert b"Stop it" in content
    assert b"found out" in content
    Errand.objects.filter(pk=running.pk).update(state="abandoned", succeeded=False, message="Stopped by ines.")
    assert "Stopped by ines." in words(as_instructor.get("/desk/twice/strength").content)
    errand(version, "checker", succeeded=False, message="The validator talks to the program here.")
    assert "talks to the program" in words(as_instructor.get("/desk/twice/checker").content)


def test_wishes_come_from_the_form(as_instructor: Client, twice: Problem) -> None:
    sent = {"version": "1", "mutants": "9", "budget": "0", "solution": "submissions/accepted/twice.py"}
    as_instructor.post("/desk/twice/ask/strength", sent)
    assert Errand.objects.get().wishes == {"mutants": 9, "budget": 0, "solution": "submissions/accepted/twice.py"}
    refused = as_instructor.post("/desk/twice/ask/strength", sent | {"mutants": "1000"}, follow=True)
    assert "a whole number from 0 to 300" in words(refused.content)


def test_a_wish_that_is_no_number_is_told_by_the_name_of_its_field(as_instructor: Client, twice: Problem) -> None:
    answer = as_instructor.post("/desk/twice/ask/strength", {"version": "1", "mutants": "x"}, follow=True)
    assert "Mistakes to try: give a whole number" in words(answer.content)


def test_pictures_of_cases_are_shut_in(as_instructor: Client, client: Client, twice: Problem, student: User) -> None:
    version = live_version(twice)
    assert b"case-picture" not in as_instructor.get("/desk/twice/cases").content
    drawn = {"drawn": {"secret/1": {"digest": store.put(SVG), "type": "image/svg+xml"}}}
    errand(version, "pictures", result=drawn)
    content = as_instructor.get("/desk/twice/cases").content
    assert content.count(b'src="/desk/twice/versions/1/cases/3.picture"') == 1
    assert content.count(b"<img") == 1
    picture = as_instructor.get("/desk/twice/versions/1/cases/3.picture")
    assert (picture.content, picture["Content-Type"]) == (SVG, "image/svg+xml")
    assert "default-src 'none'" in picture["Content-Security-Policy"]
    assert "sandbox" in picture["Content-Security-Policy"]
    assert picture["X-Content-Type-Options"] == "nosniff"
    assert as_instructor.get("/desk/twice/versions/1/cases/1.picture").status_code == 404
    assert as_instructor.get("/desk/twice/versions/1/cases/9.picture").status_code == 404


def test_the_picture_beside_a_case_goes_first(as_instructor: Client, instructor: User, twice: Problem) -> None:
    png = b"\x89PNG\r\n\x1a\n and more"
    for number, content in ((2, png), (3, b"no picture")):
        editing.add(instructor, twice, {"data/sample/1.png": content}, replace=True)
        published(twice, drafts.working_copy(twice).folder, number)
    assert b'src="/desk/twice/versions/2/cases/1.picture"' in as_instructor.get("/desk/twice/cases?version=2").content
    picture = as_instructor.get("/desk/twice/versions/2/cases/1.picture")
    assert (picture.content, picture["Content-Type"]) == (png, "image/png")
    assert as_instructor.get("/desk/twice/versions/3/cases/1.picture").status_code == 404, "its bytes are no picture"


PROBES = [
    {"name": "invalid_input/a", "kind": "invalid_input", "said": "43", "complaint": "", "judged": True},
    {
        "name": "valid_output/b",
        "kind": "valid_output",
        "said": "no",
        "complaint": "valid_output/b: no!",
        "judged": True,
    },
]


def test_verify_tells_of_the_validators(as_instructor: Client, twice: Problem) -> None:
    kept = {"limit": 1.0, "cases": [], "all_cases": 0, "rows": [], "waiting": [], "probes": PROBES, "all_probes": 3}
    slow = {"name": "time_limit_exceeded/slow.py", "case": "secret/1", "seconds": 1.3}
    errand(live_version(twice), "verify", succeeded=False, result=kept | {"spare": 4.0, "fastest_slow": slow})
    told = words(as_instructor.get("/desk/twice/verify").content)
    assert "The validators are wrong on 1 input or output" in told
    assert "valid_output/b: no!" in told
    assert "an input validator must refuse it" in told
    assert "And 1 more." in told
    assert "has not been tried" not in told


def test_verify_names_what_must_be_fast_enough_and_a_checker_that_nothing_tries(
    as_instructor: Client, twice: Problem
) -> None:
    decides = {"name": "submissions/wrong_answer/odd.py", "case": "secret/9", "seconds": 0.124}
    rows = [
        {"name": name, "folder": name.partition("/")[0], "verdict": "", "judged": True, "note": "", "odd": []}
        | {"verdicts": [], "seconds": [], "slowest": slowest, "slowest_case": "secret/9", "first": None}
        | {"first_case": "", "complaints": [], "right": name.startswith("accepted")}
        for name, slowest in (("accepted/a.py", 0.107), ("wrong_answer/odd.py", 0.124), ("wrong_answer/b.py", 0.01))
    ]
    kept = {"limit": 1.0, "cases": [], "all_cases": 0, "rows": rows, "waiting": [], "checker_untried": True}
    proposed = {"proposed": {"seconds": 1.0, "slowest_right": 0.124}}
    errand(live_version(twice), "verify", result=kept | proposed | {"spare": 8.06, "slowest_right": decides})
    told = words(as_instructor.get("/desk/twice/verify").content)
    assert "The slowest that must be fast enough is submissions/wrong_answer/odd.py: 0.124 s on secret/9" in told
    table = told.partition("How near the limit")[2]
    assert "Must be fast enough" in table
    assert table.index("wrong_answer/odd.py") < table.index("accepted/a.py")
    assert "wrong_answer/b.py" not in table
    assert "Right example" not in told
    assert "The checker has not been tried" in told
    Problem.objects.update(live=None)
    assert "The checker has not been tried" in words(as_instructor.get("/desk/twice/versions/1/live").content)
