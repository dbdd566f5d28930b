"""Assignments written by the API as by the page, extensions, and what a student is told of their own grades."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from judge.assignments.models import Assignment, Extension
from judge.grades.models import Adjustment
from judge.people.models import AuditEntry, Course, User
from judge.submissions.models import Submission
from problems.models import Problem
from tests.api.conftest import Caller
from tests.conftest import assign
from tests.web.conftest import done

pytestmark = pytest.mark.django_db
Send = Callable[..., Submission]
AT = "courses/algorithms"
BODY: dict[str, Any] = {
    "title": "Graphs",
    "published": "2026-10-01T08:00:00+02:00",
    "opens": "2026-10-02T08:00:00+02:00",
    "deadline": "2026-10-25T23:59:00+01:00",
    "cutoff": "2026-11-01T23:59:00Z",
    "grace_minutes": 5,
    "late_percent": "12.5",
    "attempts": 7,
    "counts": "last",
    "languages": ["python3"],
    "time_factors": {"python3": 1.5, "cpp17": 1},
    "feedback": {"replay": "after_deadline", "secret": "never"},
    "sections": ["B"],
    "problems": [{"problem": "paper", "points": "2.5"}, {"problem": "twice"}],
}


@pytest.fixture
def graphs(ines: Caller, course: Course, twice: Problem, paper_problem: Problem) -> int:
    course.sections.create(name="A")
    course.sections.create(name="B")
    made = ines.post(f"{AT}/assignments", BODY)
    assert made.status_code == 201, made.content
    return int(made.json()["id"])


def test_an_assignment_is_written_and_sent_back_changed(ines: Caller, graphs: int, course: Course) -> None:
    kept = Assignment.objects.get()
    assert (kept.course, kept.attempts, kept.counts, str(kept.late_percent)) == (course, 7, "last", "12.50")
    assert kept.deadline.isoformat() == "2026-10-25T22:59:00+00:00"
    assert (kept.feedback, kept.time_factors) == ({"replay": "after_deadline"}, {"python3": "1.5"})
    assert [one.name for one in kept.sections.all()] == ["B"]
    assert [(one.problem.slug, str(one.points)) for one in kept.entries.all()] == [
        ("paper", "2.50"),
        ("twice", "100.00"),
    ]
    told = ines.get(f"{AT}/assignments/{graphs}/settings").json()["settings"]
    assert (told["feedback"]["replay"], told["feedback"]["cost"]) == ("after_deadline", "always")
    entries = list(kept.entries.values_list("pk", flat=True))
    again = ines.put(f"{AT}/assignments/{graphs}/settings", told)
    assert again.json()["settings"] == told, "what is told can be sent back"
    changed = told | {"title": "Trees", "attempts": None, "sections": [], "problems": told["problems"][::-1]}
    assert ines.put(f"{AT}/assignments/{graphs}/settings", changed).json()["settings"] == changed
    assert sorted(Assignment.objects.get().entries.values_list("pk", flat=True)) == entries, "no entry is a new one"
    assert AuditEntry.objects.filter(course=course, what__contains="Trees").exists()
    assert ines.delete(f"{AT}/assignments/{graphs}").status_code == 204
    assert not Assignment.objects.exists()


def test_what_the_page_refuses_is_refused(ines: Caller, graphs: int) -> None:
    before = ines.get(f"{AT}/assignments/{graphs}/settings").json()
    hidden = Problem.objects.create(slug="hidden", uuid="5bd0a0a6-2f4b-4c1e-9a53-7f4f0f1f2a12", listed=False)
    hidden.live = Problem.objects.get(slug="twice").live
    hidden.save()
    odd: tuple[dict[str, Any], ...] = (
        {"title": " "},
        {"title": "a\0b"},
        {"title": "x" * 201},
        {"deadline": BODY["opens"]},
        {"deadline": "2026-12-04T23:59"},  # in no time zone
        {"deadline": "9999-12-31T23:59:59Z"},
        {"deadline": None},
        {"cutoff": BODY["opens"]},
        {"grace_minutes": 10_081},
        {"cutoff": None},
        {"late_percent": 101},
        {"late_percent": "NaN"},
        {"attempts": 0},
        {"attempts": 1 << 20},
        {"counts": "first"},
        {"languages": ["basic"]},
        {"time_factors": {"python3": 0}},
        {"time_factors": {"basic": 2}},
        {"feedback": {"replay": "sometimes"}},
        {"feedback": {"answers": "always"}},
        {"sections": ["C"]},
        {"problems": [{"problem": "paper", "points": -1}]},
        {"problems": [{"problem": "paper"}, {"problem": "paper"}]},
        {"problems": [{"problem": "nothing"}]},
        {"problems": [{"problem": "hidden"}]},
        {"problems": [{"problem": "paper", "entry": 1}]},
        {"course": 1},
        {"id": 1},
    )
    for change in odd:
        answer = ines.put(f"{AT}/assignments/{graphs}/settings", BODY | change)
        assert (answer.status_code, answer.json()["error"]) == (422, "refused"), change
    assert ines.post(f"{AT}/assignments", BODY | odd[-1]).status_code == 422
    for change, at in (
        ({"problems": [{"problem": "paper"}, {"problem": "twice", "points": -1}]}, "problems.1.points"),
        ({"time_factors": {"python3": 0}}, "time_factors.python3"),
        ({"title": "a\0b"}, "title"),
    ):
        (detail,) = ines.put(f"{AT}/assignments/{graphs}/settings", BODY | change).json()["details"]
        assert detail["at"] == at
        assert "pattern" not in detail["message"], "a sentence for people"
    assert ines.get(f"{AT}/assignments/{graphs}/settings").json() == before
    assert Assignment.objects.count() == 1
    told = [
        ines.put(f"{AT}/assignments/{graphs}/settings", BODY | {"problems": [{"problem": slug}]}).content
        for slug in ("hidden", "nothing")
    ]
    assert told[0].replace(b"hidden", b"") == told[1].replace(b"nothing", b"")


def test_work_keeps_its_assignment_and_its_problem(ines: Caller, graphs: int, student: User, send: Send) -> None:
    send(student, assignment=Assignment.objects.get(), **done("accepted"))
    answer = ines.put(f"{AT}/assignments/{graphs}/settings", BODY | {"problems": [{"problem": "paper"}]})
    assert (answer.status_code, "twice stays" in answer.json()["message"]) == (422, True)
    assert ines.delete(f"{AT}/assignments/{graphs}").status_code == 422
    Course.objects.update(archived=timezone.now())
    assert ines.put(f"{AT}/assignments/{graphs}/settings", BODY).status_code == 422
    assert ines.get(f"{AT}/assignments/{graphs}/settings").status_code == 200


def test_what_is_different_for_one_student(ines: Caller, sam: Caller, graphs: int) -> None:
    at = f"{AT}/assignments/{graphs}/extensions"
    body: dict[str, Any] = {"deadline": "2026-10-27T12:00:00Z", "extra_attempts": 2, "reason": "Ill."}
    told = ines.put(f"{at}/sam", body).json()
    assert (told["student"], told["deadline"], told["given_by"]) == ("sam", "2026-10-27T12:00:00Z", "ines")
    assert ines.put(f"{at}/sam", body | {"extra_attempts": 3}).json()["extra_attempts"] == 3
    assert [(one["student"], one["extra_attempts"]) for one in ines.get(at).json()["items"]] == [("sam", 3)]
    odd: tuple[dict[str, Any], ...] = (
        {"deadline": "2026-10-01T12:00:00Z"}, {"extra_attempts": -1}, {"extra_attempts": 1001}, {"reason": " "},
        {"reason": "x" * 501}, {"student": "kim"}, {"deadline": None, "extra_attempts": 0},
    )  # fmt: skip
    for change in odd:
        assert ines.put(f"{at}/sam", body | change).status_code == 422, change
    for nobody in ("ines", "nobody"):
        assert ines.put(f"{at}/{nobody}", body).status_code == 404
        assert ines.delete(f"{at}/{nobody}").status_code == 404
    assert ines.put(f"{at}/a%00", body).status_code == 422
    assert ines.delete(f"{at}/sam").status_code == 204
    assert not Extension.objects.exists()


def test_ones_own_grades_come_when_they_are_published(
    sam: Caller, ines: Caller, as_student: Client, student: User, *, course: Course, twice: Problem, send: Send
) -> None:
    now = timezone.now()
    known = assign(course, twice, title="Known", attempts=3, grades_published=now)
    unknown = assign(course, twice, title="Unknown", deadline=now + timedelta(days=8))
    exempt = assign(course, twice, title="Exempt", deadline=now + timedelta(days=9), grades_published=now)
    assign(course, twice, title="Later", opens=now + timedelta(days=1), deadline=now + timedelta(days=10),
           grades_published=now)  # fmt: skip
    exempt.extensions.create(student=student, exempt=True, reason="ill")
    best = send(student, assignment=known, **done("accepted", points=100, out_of=100))
    for assignment in (unknown, exempt):
        send(student, assignment=assignment, **done("accepted", points=100, out_of=100))
    told = sam.get(f"{AT}/grades/own").json()
    assert (told["total"], told["of"], told["percent"]) == ("10.00", "10.00", "100.00")
    first, second, third, last = told["items"]
    (grade,) = first["grades"]
    assert (first["points"], grade["points"], grade["submission"], grade["attempts_left"]) == (
        "10.00",
        "10.00",
        best.pk,
        2,
    )
    (grade,) = second["grades"]
    assert (second["points"], grade["points"], grade["submission"]) == (None, None, None)
    assert (grade["state"], grade["of"], grade["by_hand"]) == ("solved", "10.00", False)
    assert (third["exempt"], third["points"], third["of"]) == (True, "0.00", "0.00")
    assert (last["standing"], last["grades"], last["points"]) == ("before", [], None)
    Adjustment.objects.create(entry=known.entries.get(), student=student, points=4, reason="Copied.", made_by=student)
    told = sam.get(f"{AT}/grades/own")
    assert (told.json()["total"], told.json()["items"][0]["grades"][0]["by_hand"]) == ("4.00", True)
    assert b"Copied" not in told.content
    line = next(
        one for one in ines.get(f"{AT}/grades", assignment=known.pk).json()["items"] if one["username"] == "sam"
    )
    assert line["total"] == "4.00", "the gradebook says the same"
    page = as_student.get(f"/courses/algorithms/assignments/{exempt.pk}/").content.decode()
    assert "Together 0 of 0 points." in page
    assert ines.get(f"{AT}/grades/own").json()["items"] == []
