"""Who may open what: every address of the pages, for everybody."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from judge.authoring.models import Draft, Errand
from judge.blobs import store
from judge.people.models import User
from judge.regrades.models import Regrade, RegradeItem
from judge.submissions.models import Effective, State, Submission, Trial
from problems.models import Problem
from tests.web.conftest import done, live_version

SIGN_IN = 302
TABLE = {
    # name, arguments: nobody, author, classmate, instructor
    ("problems", ()): (200, 200, 200, 200),
    ("problem", ("twice",)): (200, 200, 200, 200),
    ("attempts", ("twice",)): (200, 200, 200, 200),
    ("statement-image", ("twice", 1, "two.svg")): (200, 200, 200, 200),
    ("submission", ("SENT",)): (SIGN_IN, 200, 404, 200),
    ("submission-story", ("SENT",)): (SIGN_IN, 200, 404, 200),
    ("submission-live", ("SENT",)): (404, 200, 404, 200),
    ("submission-download", ("SENT",)): (SIGN_IN, 200, 404, 200),
    ("submission-output", ("SENT", 1, "stdout")): (SIGN_IN, 200, 404, 200),
    ("submission-output", ("SENT", 3, "stdout")): (SIGN_IN, 404, 404, 200),
    ("submission-output", ("SENT", 3, "stderr")): (SIGN_IN, 404, 404, 200),
    ("trial-story", ("TRIAL",)): (SIGN_IN, 200, 404, 200),
    ("trial-live", ("TRIAL",)): (404, 200, 404, 200),
    ("submission-output", ("SENT", 1, "input")): (SIGN_IN, 404, 404, 404),
    ("favicon", ()): (301, 301, 301, 301),
    ("languages", ()): (200, 200, 200, 200),
    ("work", ()): (SIGN_IN, 200, 200, 200),
    ("desk", ()): (SIGN_IN, 403, 403, 200),
    ("desk-new", ()): (SIGN_IN, 403, 403, 200),
    ("desk-problem", ("twice",)): (SIGN_IN, 404, 404, 200),
    ("desk-download", ("twice",)): (SIGN_IN, 404, 404, 200),
    ("desk-statement", ("twice",)): (SIGN_IN, 404, 404, 200),
    ("desk-files", ("twice",)): (SIGN_IN, 404, 404, 200),
    ("desk-file", ("twice", "problem.yaml")): (SIGN_IN, 404, 404, 200),
    ("desk-raw", ("twice", "submissions/accepted/twice.py")): (SIGN_IN, 404, 404, 200),
    ("desk-limits", ("twice",)): (SIGN_IN, 404, 404, 200),
    ("desk-cases", ("twice",)): (SIGN_IN, 404, 404, 200),
    ("desk-case", ("twice", 1, 3, "in")): (SIGN_IN, 404, 404, 200),
    ("desk-case", ("twice", 1, 3, "ans")): (SIGN_IN, 404, 404, 200),
    ("desk-case", ("twice", 1, 3, "out")): (SIGN_IN, 404, 404, 404),
    ("desk-verify", ("twice",)): (SIGN_IN, 404, 404, 200),
    ("desk-versions", ("twice",)): (SIGN_IN, 404, 404, 200),
    ("desk-compare", ("twice",)): (SIGN_IN, 404, 404, 200),
    ("desk-live", ("twice", 1)): (SIGN_IN, 404, 404, 200),
    ("desk-version-download", ("twice", 1)): (SIGN_IN, 404, 404, 200),
    ("desk-people", ("twice",)): (SIGN_IN, 404, 404, 200),
    ("errand-story", ("ERRAND",)): (SIGN_IN, 404, 404, 200),
    ("errand-live", ("ERRAND",)): (404, 404, 404, 200),
    ("submissions", ()): (SIGN_IN, 403, 403, 200),
    ("submissions-download", ()): (SIGN_IN, 403, 403, 200),
    ("regrades", ()): (SIGN_IN, 403, 403, 200),
    ("regrade", ("REGRADE",)): (SIGN_IN, 403, 403, 200),
    ("regrade-story", ("REGRADE",)): (SIGN_IN, 403, 403, 200),
    ("regrade-live", ("REGRADE",)): (404, 404, 404, 200),
    ("regrade-table", ("REGRADE", "csv")): (SIGN_IN, 403, 403, 200),
    ("regrade-table", ("REGRADE", "json")): (SIGN_IN, 403, 403, 200),
    ("regrade-table", ("REGRADE", "exe")): (SIGN_IN, 403, 403, 404),
    ("queue", ()): (SIGN_IN, 403, 403, 200),
    ("queue-story", ()): (SIGN_IN, 403, 403, 200),
    ("sign-in", ()): (200, 302, 302, 302),
    ("change-password", ()): (SIGN_IN, 200, 200, 200),
    ("reset-password", ()): (200, 200, 200, 200),
    ("reset-sent", ()): (200, 200, 200, 200),
    ("set-password", ("MQ", "set-password")): (200, 200, 200, 200),
}
DESK_POSTS = {
    # name, arguments: what is sent; for nobody, author, classmate: as in TABLE for the desk
    ("desk-ask", ("twice", "make")): {},
    ("desk-take", ("twice",)): {"version": "1", "seen": "0"},
    ("desk-discard", ("twice",)): {},
    ("desk-preview", ("twice",)): {"text": "a"},
    ("desk-people-remove", ("twice", 1)): {},
    ("errand-stop", ("ERRAND",)): {},
    ("desk-problem", ("twice",)): {},
    ("desk-file", ("twice", "problem.yaml")): {"do": "save", "text": "a", "base": ""},
    ("desk-limits", ("twice",)): {"time_seconds": "9"},
    ("desk-live", ("twice", 1)): {"seen": "1"},
    ("desk-people", ("twice",)): {"name": "sam"},
}
DEEDS = {"sign-out", "judge-again", "regrade-new", "regrade-act"}
POST_ONLY = {*DEEDS, *(name for name, _ in DESK_POSTS)} - {name for name, _ in TABLE}


@pytest.fixture
def rows(student: User, twice: Problem, send: Callable[..., Submission]) -> dict[str, int]:
    kept = {"output": store.put(b"what it printed")}
    results = [("accepted", kept), ("accepted", kept), ("wrong_answer", kept | {"judge_note": "expected 42"})]
    sent = send(student, results=results, **done("wrong_answer"))
    trial = Trial.objects.create(
        author=student,
        version=live_version(twice),
        language="python3",
        files=sent.files,
        state="done",
        results={"runs": []},
    )
    errand = Errand.objects.create(problem=twice, kind="make", target="0" * 64, state="done", succeeded=False)
    regrade = Regrade.objects.create(stage="ready", reason="A case was wrong.", key="form", facts={})
    base = sent.effective.judgement
    RegradeItem.objects.create(
        regrade=regrade, submission=sent, number=sent.pk, base=base, position=0, outcome="same", plan="rescore"
    )
    return {"SENT": sent.pk, "TRIAL": trial.pk, "ERRAND": errand.pk, "REGRADE": regrade.pk}


@pytest.mark.django_db(transaction=True)
def test_every_address_for_everybody(rows: dict[str, int], student: User, classmate: User, instructor: User) -> None:
    for (name, arguments), expected in TABLE.items():
        address = reverse(name, args=[rows.get(str(argument), argument) for argument in arguments])
        for reader, code in zip((None, student, classmate, instructor), expected, strict=True):
            client = Client()
            if reader is not None:
                client.force_login(reader)
            answer = client.get(address)
            assert answer.status_code == code, (name, arguments, reader)
            if code == SIGN_IN and reader is None:
                assert answer["Location"].startswith("/account/sign-in/?next="), address


def test_the_table_has_every_address() -> None:
    def names(resolver: URLResolver) -> set[str]:
        found = set()
        for pattern in resolver.url_patterns:
            if isinstance(pattern, URLResolver):
                found |= names(pattern)
            elif isinstance(pattern, URLPattern) and pattern.lookup_str.startswith(
                ("judge.web", "django.contrib.auth")
            ):
                found.add(str(pattern.name))
        return found

    assert names(get_resolver()) == {name for name, _arguments in TABLE} | POST_ONLY


@pytest.mark.django_db(transaction=True)
def test_nobody_changes_a_problem_of_others(
    rows: dict[str, int], student: User, classmate: User, twice: Problem
) -> None:
    for (name, arguments), sent in DESK_POSTS.items():
        address = reverse(name, args=[rows.get(str(argument), argument) for argument in arguments])
        for reader, code in ((None, SIGN_IN), (student, 404), (classmate, 404)):
            client = Client()
            if reader is not None:
                client.force_login(reader)
            assert client.post(address, sent).status_code == code, (name, reader)
    assert not Draft.objects.exists()
    assert Errand.objects.count() == 1
    assert not twice.owners.exists()


@pytest.mark.django_db(transaction=True)
def test_an_owner_of_any_role_has_the_desk_of_the_problem_and_no_other(
    rows: dict[str, int], classmate: User, twice: Problem, paper_problem: Problem
) -> None:
    twice.owners.add(classmate)
    client = Client()
    client.force_login(classmate)
    for (name, arguments), expected in TABLE.items():
        if name.startswith(("desk", "errand")):
            address = reverse(name, args=[rows.get(str(argument), argument) for argument in arguments])
            code = 403 if name == "desk-new" else expected[3]
            assert client.get(address).status_code == code, (name, arguments)
    assert client.get("/desk/paper/").status_code == 404
    listed = client.get("/desk/").content
    assert b"/desk/twice/" in listed
    assert b"/desk/paper/" not in listed
    assert client.get(f"/submissions/{rows['SENT']}/").status_code == 404


def test_secret_data_is_on_no_page_of_its_author(rows: dict[str, int], as_student: Client) -> None:
    for name in ("submission", "submission-story"):
        page = as_student.get(f"/submissions/{rows['SENT']}/{'story' if name.endswith('story') else ''}")
        for secret in (b"secret input", b"secret answer", b"expected 42"):
            assert secret not in page.content, name


def test_staff_see_what_the_judge_said(rows: dict[str, int], client: Client, instructor: User) -> None:
    client.force_login(instructor)
    assert b"expected 42" in client.get(f"/submissions/{rows['SENT']}/").content


def test_what_somebody_else_tried_is_not_put_into_the_editor(
    rows: dict[str, int], client: Client, classmate: User
) -> None:
    client.force_login(classmate)
    for key, pk in (("from", rows["SENT"]), ("trial", rows["TRIAL"])):
        assert b"int(input())" not in client.get(f"/problems/twice/?{key}={pk}").content


def test_an_unpublished_version_is_for_staff(
    twice: Problem, client: Client, instructor: User, as_student: Client
) -> None:
    old = twice.live
    twice.live = None
    twice.save()
    assert old is not None
    assert as_student.get("/problems/twice/").status_code == 404
    assert as_student.get("/problems/twice/v1/two.svg").status_code == 404
    client.force_login(instructor)
    assert client.get("/problems/twice/v1/two.svg").status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/nothing",
        "/problems/none/",
        "/problems/twice/v1/..%2fproblem.yaml",
        "/problems/twice/v1/problem.en.md",
        "/problems/twice/v9/two.svg",
        "/problems/twice/v1/a%00.png",
        f"/problems/twice/v1/{'a' * 300}.png",
        f"/problems/twice/v1/{'a/' * 3000}a.png",
        "/problems/twice/v1/%ED%A0%80.png",
        "/problems/twice/v999999999999999999999/two.svg",
        "/submissions/999999999999999999999/",
        "/submissions/7/cases/1/stdout",
        "/?page=x%00",
    ],
)
def test_an_odd_address_is_no_fault(as_student: Client, twice: Problem, address: str) -> None:
    assert as_student.get(address).status_code in (200, 404)


@pytest.mark.django_db(transaction=True)
def test_only_staff_have_a_failed_judging_done_again(
    send: Callable[..., Submission], as_student: Client, student: User, client: Client, instructor: User
) -> None:
    sent = send(student, **done("judge_error"))
    address = reverse("judge-again", args=[sent.pk])
    assert b"Judge again" not in as_student.get(f"/submissions/{sent.pk}/").content
    assert as_student.post(address).status_code == 403
    assert sent.judgements.count() == 1

    client.force_login(instructor)
    assert address.encode() in client.get(f"/submissions/{sent.pk}/").content
    assert client.get(address).status_code == 405
    for _ in range(2):  # pressed twice, done once
        assert client.post(address).status_code == 302
    assert sent.judgements.count() == 2
    assert Effective.objects.get(submission=sent).judgement.state == State.QUEUED


@pytest.mark.django_db(transaction=True)
def test_only_staff_judge_again_in_a_batch(
    rows: dict[str, int], as_student: Client, client: Client, instructor: User
) -> None:
    deeds = ("start", "pause", "resume", "drop", "choose", "apply", "revert")
    address = reverse("regrade-act", args=[rows["REGRADE"]])
    for deed in deeds:
        assert as_student.post(address, {"do": deed, "policy": "all"}).status_code == 403
    assert as_student.post(reverse("regrade-new"), {"which": "all", "reason": "x", "key": "y"}).status_code == 403
    regrade = Regrade.objects.get()
    assert regrade.stage == "ready"
    client.force_login(instructor)
    assert client.post(address, {"do": "nothing"}).status_code == 404
    assert client.get(address).status_code == 405
    assert client.post(address, {"do": "apply", "policy": "all"}).status_code == 302
    regrade.refresh_from_db()
    assert (regrade.stage, regrade.applied_by) == ("applied", instructor)
