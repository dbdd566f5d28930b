"""Who may call what: every call of the API, for everybody, by every kind of token; and what a refusal tells."""

import re
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from judge.api.service import api
from judge.people.models import User
from judge.people.tokens import Scope
from judge.regrades.models import Regrade
from judge.submissions.models import Submission
from tests.api.conftest import EVERY, Caller, token_of
from tests.web.test_access import ALL, AUTHOR, COURSE, DESK, PRIVATE, READERS, RUN, STAFF, everything

READ, SUBMIT, COURSE_READ, COURSE_WRITE = Scope.READ, Scope.SUBMIT, Scope.COURSE_READ, Scope.COURSE_WRITE
FORBIDDEN, NOT_FOUND = 403, 404
KNOWN = {"twice": ALL, "unlisted": (), "algorithms": COURSE, "elsewhere": {"otto", "stella", "ada"}}
Body = dict[str, Any] | Callable[[], dict[str, Any]] | None


def program() -> dict[str, Any]:
    return {"files": [SimpleUploadedFile("main.py", b"print(2 * int(input()))\n")]}


ROSTER = {"csv": "username\nnew\n"}
BY_HAND = {"entry": "ENTRY", "student": "sam", "points": "10", "reason": "friend"}
WRITTEN = {"title": "X", "opens": "2026-10-01T00:00:00Z", "deadline": "2026-11-01T00:00:00Z"}
EXEMPT = {"exempt": True, "reason": "friend"}
WISH = {"reason": "Because.", "problem": "twice"}

# method, path, body: scope, who gets it, with which status, who is told 403; all others are told 404
TABLE: dict[tuple[str, str], tuple[Body, Scope, Iterable[str], tuple[int, ...], Iterable[str]]] = {
    ("get", "problems"): (None, READ, ALL, (200,), ()),
    ("get", "problems/twice"): (None, READ, ALL, (200,), ()),
    ("get", "problems/twice/statement"): (None, READ, ALL, (200,), ()),
    ("get", "problems/twice/samples"): (None, READ, ALL, (200,), ()),
    ("get", "problems/unlisted"): (None, READ, COURSE | DESK, (200,), ()),
    ("get", "problems/unlisted/statement"): (None, READ, COURSE | DESK, (200,), ()),
    ("get", "problems/unlisted/samples"): (None, READ, COURSE | DESK, (200,), ()),
    ("post", "problems/twice/submissions"): (program, SUBMIT, ALL, (201,), ()),
    ("post", "problems/unlisted/submissions"): (program, SUBMIT, COURSE | DESK, (201,), ()),
    ("get", "submissions"): (None, READ, ALL, (200,), ()),
    ("get", "submissions/SENT"): (None, READ, AUTHOR, (200,), ()),
    ("get", "submissions/SENT/source"): (None, READ, AUTHOR, (200,), ()),
    ("get", "submissions/SENT/feedback"): (None, READ, AUTHOR, (200,), ()),
    ("get", "submissions/PRACTICE/feedback"): (None, READ, PRIVATE, (200,), ()),
    ("get", "submissions/SENT/events"): (None, READ, AUTHOR, (200,), ()),
    ("get", "submissions/PRACTICE"): (None, READ, PRIVATE, (200,), ()),
    ("get", "submissions/PRACTICE/source"): (None, READ, PRIVATE, (200,), ()),
    ("get", "submissions/PRACTICE/events"): (None, READ, PRIVATE, (200,), ()),
    ("get", "courses"): (None, READ, ALL, (200,), ()),
    ("get", "courses/algorithms"): (None, READ, COURSE, (200,), ()),
    ("get", "courses/algorithms/assignments"): (None, READ, COURSE, (200,), ()),
    ("get", "courses/algorithms/assignments/OPEN"): (None, READ, COURSE, (200,), ()),
    ("get", "courses/algorithms/assignments/DRAFT"): (None, READ, STAFF, (200,), ()),
    ("get", "courses/elsewhere/assignments/OPEN"): (None, READ, (), (), ()),
    ("post", "courses/algorithms/assignments"): (WRITTEN, COURSE_WRITE, RUN, (201,), STAFF - RUN),
    ("get", "courses/algorithms/assignments/OPEN/settings"): (None, COURSE_READ, STAFF, (200,), ()),
    ("get", "courses/elsewhere/assignments/OPEN/settings"): (None, COURSE_READ, (), (), ()),
    ("put", "courses/algorithms/assignments/DRAFT/settings"): (WRITTEN, COURSE_WRITE, RUN, (200,), STAFF - RUN),
    ("put", "courses/elsewhere/assignments/DRAFT/settings"): (WRITTEN, COURSE_WRITE, (), (), ()),
    ("get", "courses/algorithms/assignments/OPEN/extensions"): (None, COURSE_READ, STAFF, (200,), ()),
    ("get", "courses/elsewhere/assignments/OPEN/extensions"): (None, COURSE_READ, (), (), ()),
    ("put", "courses/algorithms/assignments/OPEN/extensions/sam"): (EXEMPT, COURSE_WRITE, RUN, (200,), STAFF - RUN),
    ("put", "courses/elsewhere/assignments/OPEN/extensions/stella"): (EXEMPT, COURSE_WRITE, (), (), ()),
    ("delete", "courses/algorithms/assignments/OPEN/extensions/sam"): (
        None,
        COURSE_WRITE,
        RUN,
        (204, 404),
        STAFF - RUN,
    ),
    ("delete", "courses/algorithms/assignments/DRAFT"): (None, COURSE_WRITE, RUN, (204, 404), STAFF - RUN),
    ("delete", "courses/elsewhere/assignments/DRAFT"): (None, COURSE_WRITE, (), (), ()),
    ("get", "courses/algorithms/grades/own"): (None, READ, COURSE, (200,), ()),
    ("get", "courses/algorithms/people"): (None, COURSE_READ, STAFF, (200,), ()),
    ("post", "courses/algorithms/people/preview"): (ROSTER, COURSE_WRITE, RUN, (200,), STAFF - RUN),
    ("post", "courses/algorithms/people/apply"): (ROSTER | {"seal": "0"}, COURSE_WRITE, RUN, (409,), STAFF - RUN),
    ("get", "courses/algorithms/grades"): (None, COURSE_READ, STAFF, (200,), ()),
    ("get", "courses/algorithms/grades.csv"): (None, COURSE_READ, STAFF, (200,), ()),
    ("post", "courses/algorithms/grades"): (BY_HAND, COURSE_WRITE, RUN, (200,), STAFF - RUN),
    ("post", "courses/elsewhere/grades"): (BY_HAND, COURSE_WRITE, (), (), ()),
    ("get", "regrades"): (None, COURSE_READ, ALL, (200,), ()),
    ("post", "regrades"): (WISH, COURSE_WRITE, DESK, (201, 422), ALL - DESK),
    ("get", "regrades/REGRADE"): (None, COURSE_READ, DESK, (200,), ()),
    ("get", "regrades/REGRADE/diff"): (None, COURSE_READ, DESK, (200,), ()),
    ("get", "regrades/REGRADE/items"): (None, COURSE_READ, DESK, (200,), ()),
    ("post", "regrades/REGRADE/run"): ({}, COURSE_WRITE, DESK, (200,), ()),
    ("post", "regrades/REGRADE/pause"): ({}, COURSE_WRITE, DESK, (422,), ()),
    ("post", "regrades/REGRADE/resume"): ({}, COURSE_WRITE, DESK, (422,), ()),
    ("post", "regrades/REGRADE/apply"): ({"policy": "all"}, COURSE_WRITE, DESK, (200, 422), ()),
    ("post", "regrades/REGRADE/revert"): ({}, COURSE_WRITE, DESK, (200, 422), ()),
    ("post", "regrades/REGRADE/drop"): ({}, COURSE_WRITE, DESK, (422,), ()),
}


def filled(given: Any, rows: dict[str, int]) -> Any:
    """With the ids that the fixture knows in place of their names."""
    if isinstance(given, dict):
        return {key: rows.get(value, value) if isinstance(value, str) else value for key, value in given.items()}
    return re.sub(r"[A-Z]{2,}", lambda name: str(rows[name[0]]), given) if isinstance(given, str) else given


def user(name: str) -> User:
    return User.objects.get(username=name)


@pytest.mark.django_db(transaction=True)
def test_every_call_for_everybody(rows: dict[str, int]) -> None:
    callers = {name: Caller(token_of(user(name))) for name in READERS}
    for (method, path), (body, _scope, seen, codes, forbidden) in TABLE.items():
        for name in sorted(READERS, key=lambda one: one in seen):  # who may not comes first
            answer = callers[name].call(method, filled(path, rows), filled(body, rows))
            expected = codes if name in seen else (FORBIDDEN,) if name in forbidden else (NOT_FOUND,)
            assert answer.status_code in expected, (method, path, name, answer.content)


@pytest.mark.django_db(transaction=True)
def test_a_token_that_does_not_hold_opens_nothing(rows: dict[str, int]) -> None:
    ada = user("ada")
    gone = User.objects.create_user("gone", role="admin", is_superuser=True)
    closed = token_of(gone)
    gone.is_active = False
    gone.save()
    now = timezone.now()
    callers = {
        "nobody": Caller(),
        "unknown": Caller("palfrey_" + "x" * 43),
        "expired": Caller(token_of(ada, expires=now - timedelta(seconds=1))),
        "revoked": Caller(token_of(ada, revoked=now)),
        "closed": Caller(closed),
    }
    cookie = Caller()
    cookie._client.force_login(ada)
    callers["cookie"] = cookie
    before, regrade, sent = everything(), Regrade.objects.get().stage, Submission.objects.count()
    answers = set()
    for (method, path), (body, _scope, _seen, _codes, _forbidden) in TABLE.items():
        for name, caller in callers.items():
            answer = caller.call(method, filled(path, rows), filled(body, rows))
            assert answer.status_code == 401, (method, path, name)
            assert answer["WWW-Authenticate"] == "Bearer"
            answers.add(answer.content)
    assert len(answers) == 1, "nothing tells which of them it was"
    assert (everything(), Regrade.objects.get().stage, Submission.objects.count()) == (before, regrade, sent)


@pytest.mark.django_db(transaction=True)
def test_a_token_without_the_scope_is_told_so_and_nothing_else(rows: dict[str, int]) -> None:
    before, sent = everything(), Submission.objects.count()
    lacking = {scope: Caller(token_of(user("ada"), [one for one in EVERY if one is not scope])) for scope in EVERY}
    told: dict[Scope, set[bytes]] = {scope: set() for scope in EVERY}
    before = everything()
    for (method, path), (body, scope, _seen, _codes, _forbidden) in TABLE.items():
        answer = lacking[scope].call(method, filled(path, rows), filled(body, rows))
        assert answer.status_code == FORBIDDEN, (method, path)
        told[scope].add(answer.content)
    assert all(len(answers) == 1 for answers in told.values()), "the same for whatever is asked"
    assert (everything(), Submission.objects.count()) == (before, sent)


@pytest.mark.django_db(transaction=True)
def test_what_is_not_yours_is_answered_like_what_is_not_there(rows: dict[str, int]) -> None:
    """The same status, the same bytes, the same headers, and the same number of questions to the database."""
    strangers = {"stella", "otto", "kim", "tom"}  # students and staff, of another course and of this
    callers = {name: Caller(token_of(user(name))) for name in strangers}
    compared = 0
    for (method, path), (body, _scope, seen, _codes, forbidden) in TABLE.items():
        for name in sorted(strangers - set(seen) - set(forbidden)):
            for away, other in _nowhere(path, body, name):
                found = _told(callers[name], method, filled(path, rows), filled(body, rows))
                missing = _told(callers[name], method, filled(away, rows), filled(other, rows))
                assert found == missing, (method, path, away, name)
                assert found[0] == NOT_FOUND
                compared += 1
    assert compared > 60


def _nowhere(path: str, body: Body, name: str) -> Iterable[tuple[str, Body]]:
    """Addresses like `path` with something in them that is not there: what stands first of what `name` knows not."""
    for there, known in KNOWN.items():
        if f"/{there}" in path and name not in known:
            yield path.replace(f"/{there}", "/nothing"), body
            return
    if re.search(r"[A-Z]{2,}", path):
        yield re.sub(r"[A-Z]{2,}", str(1 << 40), path), body
    elif isinstance(body, dict) and "entry" in body:
        yield path, body | {"entry": 1 << 40}


def _told(caller: Caller, method: str, path: str, body: Any) -> tuple[int, bytes, list[tuple[str, str]], int]:
    with CaptureQueriesContext(connection) as asked:
        answer = caller.call(method, path, body)
    headers = sorted((name, value) for name, value in answer.items() if name not in ("X-Request-Id", "Date"))
    return answer.status_code, answer.content, headers, len(asked)


@pytest.mark.django_db(transaction=True)
def test_nobody_changes_what_they_may_not(rows: dict[str, int]) -> None:
    callers = {name: Caller(token_of(user(name))) for name in READERS}
    before, stage = everything(), Regrade.objects.get().stage
    for (method, path), (body, _scope, seen, _codes, _forbidden) in TABLE.items():
        if method != "get":
            for name in sorted(ALL - set(seen)):
                callers[name].call(method, filled(path, rows), filled(body, rows))
    assert everything() == before
    assert (Regrade.objects.get().stage, Submission.objects.count()) == (stage, 2)


@pytest.mark.django_db(transaction=True)
def test_work_of_others_needs_the_scope_of_courses(rows: dict[str, int]) -> None:
    for name in ("ines", "ada"):
        reading = Caller(token_of(user(name), [READ]))
        for path in ("", "/source", "/feedback", "/events"):
            assert reading.get(f"submissions/{rows['SENT']}{path}").status_code == NOT_FOUND
    assert Caller(token_of(user("sam"), [READ])).get(f"submissions/{rows['SENT']}").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_secrets_of_a_case_are_for_staff(rows: dict[str, int]) -> None:
    own = Caller(token_of(user("sam"))).get(f"submissions/{rows['SENT']}").content
    staff = Caller(token_of(user("ines"))).get(f"submissions/{rows['SENT']}").content
    assert b"expected 42" in staff
    assert b"expected 42" not in own
    for word in (b"judge_note", b"worker", b"attempt"):
        assert word in staff
        assert word not in own
    samples = Caller(token_of(user("sam"))).get("problems/twice/samples").content
    assert b"secret" not in samples


def test_the_table_has_every_call() -> None:
    described = {
        (method, re.sub(r"\{\w+\}", "*", path.removeprefix("/api/v1/")))
        for path, methods in api.get_openapi_schema()["paths"].items()
        for method in methods
    }
    names = r"(?<=/)(twice|unlisted|algorithms|elsewhere|sam|stella|[A-Z]{2,}|run|pause|resume|drop)(?=/|$)"
    assert {(method, re.sub(names, "*", path)) for method, path in TABLE} == described


def test_addresses_below_the_api_are_in_its_shape(client: Client) -> None:
    for path in ("nothing", "v1/nothing", "v1/problems/a b", "v1/", "v2/problems"):
        answer = client.get(f"/api/{path}")
        assert (answer.status_code, answer.json()["error"]) == (404, "not_found"), path
    answer = client.delete("/api/v1/problems")
    assert (answer.status_code, answer.json()["error"]) == (405, "method_not_allowed")
    assert "GET" in answer["Allow"]
