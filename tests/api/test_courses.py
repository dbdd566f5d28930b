"""Courses, grades and regrades by the API: what is told, what is changed, and what is refused."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from judge.grades.models import Adjustment
from judge.people.models import Course, CourseRole, Membership, User
from judge.people.tokens import Scope
from judge.regrades.models import Regrade
from judge.submissions.models import Submission
from problems.models import Problem
from tests.api.conftest import Caller, token_of
from tests.conftest import assign
from tests.web.conftest import done, live_version

pytestmark = pytest.mark.django_db
AT = "courses/algorithms"


def test_assignments_are_told_as_they_are_for_the_reader(
    sam: Caller, ines: Caller, course: Course, student: User, paper_problem: Problem
) -> None:
    now = timezone.now()
    graphs = assign(course, paper_problem, late_percent="12.5", attempts=3)
    later = assign(course, paper_problem, title="Later", opens=now + timedelta(days=1))
    draft = assign(course, paper_problem, title="Draft", published=None)
    extended = now + timedelta(days=30)
    graphs.extensions.create(student=student, deadline=extended, extra_attempts=2, reason="ill")
    own = {one["id"]: one for one in sam.get(f"{AT}/assignments").json()["items"]}
    assert set(own) == {graphs.pk, later.pk}
    assert (own[graphs.pk]["attempts"], own[graphs.pk]["late_percent"]) == (5, 12.5)
    assert own[graphs.pk]["deadline"][:16] == extended.isoformat()[:16]
    assert [one["problem"] for one in own[graphs.pk]["problems"]] == ["paper"]
    assert (own[later.pk]["standing"], own[later.pk]["problems"]) == ("before", [])
    staff = {one["id"]: one for one in ines.get(f"{AT}/assignments").json()["items"]}
    assert set(staff) == {graphs.pk, later.pk, draft.pk}
    assert staff[graphs.pk]["attempts"] == 3
    assert staff[later.pk]["problems"]
    assert [(one["slug"], one["role"]) for one in sam.get("courses").json()["items"]] == [("algorithms", "student")]


def test_a_list_of_people_is_looked_at_and_then_applied(ines: Caller, course: Course) -> None:
    body = {"csv": "username,name,section\nlea,Lea Lind,A\nsam,,A\n", "remove": True}
    seen = ines.post(f"{AT}/people/preview", body).json()
    assert {one["username"]: one["fate"] for one in seen["changes"]} == {"lea": "add", "sam": "update", "kim": "remove"}
    assert seen["new_sections"] == ["A"]
    assert not User.objects.filter(username="lea").exists()
    assert ines.post(f"{AT}/people/apply", body | {"seal": seen["seal"], "remove": False}).status_code == 409
    assert ines.post(f"{AT}/people/apply", body | {"seal": seen["seal"]}).status_code == 200
    told = ines.get(f"{AT}/people").json()["items"]
    assert [(one["username"], one["section"], one["active"]) for one in told] == [
        ("ines", "", True),
        ("kim", "", False),
        ("lea", "A", True),
        ("sam", "A", True),
    ]
    part = ines.get(f"{AT}/people", limit=2, role="student").json()
    assert ([one["username"] for one in part["items"]], part["next"]) == (["kim", "lea"], "lea")


def test_a_list_with_faults_has_no_seal(ines: Caller, course: Course) -> None:
    seen = ines.post(f"{AT}/people/preview", {"csv": "username,role\nlea,king\n"}).json()
    assert (seen["seal"], seen["faults"][0]["line"]) == ("", 2)
    answer = ines.post(f"{AT}/people/apply", {"csv": "username,role\nlea,king\n", "seal": ""})
    assert (answer.status_code, answer.json()["error"]) == (422, "refused")
    bodies: tuple[Any, ...] = ({}, {"csv": 7}, {"csv": "\0"}, {"csv": "\ud800"}, [1], {"csv": "a", "remov": True})
    for odd in bodies:
        assert ines.post(f"{AT}/people/preview", odd).status_code == 422, odd
    answer = ines._client.post(f"/api/v1/{AT}/people/preview", "{", content_type="application/json")
    assert (answer.status_code, answer.json()["error"]) == (400, "bad_request")


def test_an_archived_course_is_only_read(ines: Caller, course: Course) -> None:
    course.archived = timezone.now()
    course.save()
    assert ines.get(f"{AT}/people").status_code == 200
    answer = ines.post(f"{AT}/people/preview", {"csv": "username\nlea\n"})
    assert answer.status_code == 422


def test_grades_are_those_of_the_gradebook(
    ines: Caller, course: Course, student: User, twice: Problem, send: Callable[..., Submission]
) -> None:
    graphs = assign(course, twice)
    entry = graphs.entries.get()
    best = send(student, assignment=graphs, **done("accepted", points=100, out_of=100))
    told = ines.get(f"{AT}/grades").json()
    assert [(one["username"], one["total"], one["of"]) for one in told["items"]] == [
        ("kim", "0.00", "10.00"),
        ("sam", "10.00", "10.00"),
    ]
    assert told["items"][1]["grades"][0]["submission"] == best.pk
    part = ines.get(f"{AT}/grades", limit=1).json()
    assert ([one["username"] for one in part["items"]], part["next"]) == (["kim"], "kim")
    assert [one["username"] for one in ines.get(f"{AT}/grades", after="kim").json()["items"]] == ["sam"]
    assert ines.get(f"{AT}/grades", assignment=999).json()["columns"] == []
    body: dict[str, Any] = {"entry": entry.pk, "student": "kim", "points": "7.5", "reason": "On paper."}
    given = ines.post(f"{AT}/grades", body).json()
    assert (given["points"], given["computed"], given["by_hand"]) == ("7.50", "0.00", True)
    assert b"kim,kim,,7.50,7.50,10.00,75.00" in ines.get(f"{AT}/grades.csv").content
    assert ines.post(f"{AT}/grades", body | {"points": None}).json()["points"] == "0.00"
    assert Adjustment.objects.count() == 2
    for odd in (
        {"points": -1},
        {"points": "NaN"},
        {"points": "1e9"},
        {"reason": " "},
        {"reason": ""},
        {"student": "ines"},
    ):
        assert ines.post(f"{AT}/grades", body | odd).status_code == 422, odd
    for gone in ({"student": "nobody"}, {"entry": 999}):
        assert ines.post(f"{AT}/grades", body | gone).status_code == 404, gone
    Membership.objects.filter(user__username="kim").update(active=False)
    assert ines.post(f"{AT}/grades", body).status_code == 404
    assert Adjustment.objects.count() == 2


def test_a_regrade_is_planned_compared_applied_and_taken_back(
    ines: Caller, admin: User, course: Course, twice: Problem, send: Callable[..., Submission]
) -> None:
    graphs, student = assign(course, twice), User.objects.get(username="sam")
    first = send(student, assignment=graphs, **done("wrong_answer", points=0, out_of=100))
    send(student, **done("wrong_answer", points=0, out_of=100))  # practice is not the instructor's to see
    wish = {"reason": "A case was wrong.", "problem": "twice", "key": "once"}
    made = ines.post("regrades", wish)
    assert made.status_code == 201, made.content
    told = made.json()
    assert (told["stage"], told["plan"]["submissions"], told["outcomes"]) == ("planned", 1, {"open": 1})
    assert ines.post("regrades", wish).json()["id"] == told["id"]
    at = f"regrades/{told['id']}"
    assert Caller(token_of(admin)).get(at).status_code == 200
    assert ines.post(f"{at}/run").json()["stage"] == "running"
    assert ines.post(f"{at}/pause").json()["paused"]
    assert not ines.post(f"{at}/resume").json()["paused"]
    refused = ines.post(f"{at}/apply", {"policy": "all"})
    assert (refused.status_code, refused.json()["error"]) == (422, "refused")

    regrade = Regrade.objects.get()
    better = first.judgements.create(
        version=live_version(twice), purpose="regrade", **done("accepted", points=100, out_of=100)
    )
    regrade.items.update(outcome="changed", gain=1, new=better, cause={"kind": "answer", "case": "secret/1"})
    Regrade.objects.update(stage="ready")
    assert ines.get(at).json()["would"]["all"] == {"moved": 1, "conflicts": 0, "archived": 0}
    diff = ines.get(f"{at}/diff").json()
    assert diff["matrix"]["wrong_answer"] == {"accepted": 1}
    assert diff["impact"]["up"] == 1
    items = ines.get(f"{at}/items", outcome="changed", now="accepted").json()["items"]
    assert [(one["submission"], one["points_after"]) for one in items] == [(first.pk, 100.0)]
    assert ines.post(f"{at}/apply", {"policy": "everything"}).status_code == 422
    done_ = ines.post(f"{at}/apply", {"policy": "increases"}).json()
    assert (done_["stage"], done_["moved"], done_["conflicts"]) == ("applied", 1, 0)
    assert Submission.objects.get(pk=first.pk).effective.judgement == better
    assert ines.post(f"{at}/revert").json()["moved"] == 1
    assert ines.post(f"{at}/burn").status_code == 422


def test_a_filter_that_means_nothing_is_refused_and_does_not_choose_everything(
    ines: Caller, course: Course, student: User, twice: Problem, send: Callable[..., Submission]
) -> None:
    send(student, assignment=assign(course, twice), **done("wrong_answer"))
    wish = {"reason": "Because.", "problem": "twice"}
    odd: tuple[dict[str, Any], ...] = (
        {"verdict": "wrong"},
        {"language": "basic"},
        {"since": "yesterday"},
        {"until": "9999-12-31"},
        {"since": "0001-01-01"},
        {"version": "new"},
        {"against": 9},
        {"problem": "other"},
        {"submissions": [10**6]},
        {"reason": " "},
        {"person": "\0"},
    )
    for changed in odd:
        assert ines.post("regrades", wish | changed).status_code == 422, changed
    assert not Regrade.objects.exists()
    given = Submission.objects.get().assignment_id
    for other in ({"course": "other"}, {"assignment": 10**6}):
        assert ines.post("regrades", wish | other).status_code == 422, other
    theirs = {"course": "algorithms", "assignment": given}
    made = ines.post("regrades", wish | theirs | {"verdict": "wrong_answer", "against": 1})
    assert made.status_code == 201, made.content
    assert made.json()["selection"] | {"course": "algorithms", "assignment": str(given)} == made.json()["selection"]


def test_role_and_scope_are_both_asked_for(course: Course, instructor: User) -> None:
    reading = Caller(token_of(instructor, [Scope.COURSE_READ]))
    assert reading.get(f"{AT}/people").status_code == 200
    assert reading.post(f"{AT}/people/preview", {"csv": "username\nlea\n"}).status_code == 403
    Membership.objects.filter(user=instructor).update(role=CourseRole.STUDENT)
    assert reading.get(f"{AT}/people").status_code == 404
