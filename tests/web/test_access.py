"""Who may open what: every address of the pages, for everybody."""

import re
from collections.abc import Callable, Iterable, Mapping

import pytest
from django.core.serializers import serialize
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from judge.assignments.models import Assignment, AssignmentProblem, Extension
from judge.authoring.models import Draft, Errand
from judge.blobs import store
from judge.grades.models import Adjustment
from judge.people.models import AuditEntry, Course, CourseRole, Membership, Role, Section, User
from judge.regrades.models import Regrade, RegradeItem
from judge.submissions.models import Effective, State, Submission, Trial
from problems.models import Problem, Version
from tests.conftest import assign, person
from tests.web.addresses import FEEDBACK, GRADES, ODD
from tests.web.conftest import done, live_version

SIGN_IN = 302
READERS = ("sam", "kim", "tom", "ines", "olga", "otto", "stella", "ada")
"""The author, a classmate, an assistant and the instructor of the course; an owner of the problem, an instructor and a
student of another course; an admin."""
ALL = frozenset(READERS)
COURSE, STAFF, RUN = {"sam", "kim", "tom", "ines", "ada"}, {"tom", "ines", "ada"}, {"ines", "ada"}
AUTHOR, PRIVATE, DESK, ADMIN = {"sam"} | STAFF, {"sam", "ada"}, {"olga", "ada"}, {"ada"}
NOT_FOUND, NOT_THEIRS = 404, 403
OF_ANOTHER = (*GRADES, ("assignment", ("OPEN",)), ("course-member", ("SAM",)))
DESK_OF_COURSE = (("course-log", ()), ("course-people", ()), ("course-roster-csv", ()), ("gradebook", ()),
                  ("assignment-extensions", ("OPEN",)), *GRADES)  # fmt: skip

TABLE: dict[tuple[str, tuple[object, ...]], tuple[int, Iterable[str], int]] = {
    # name, arguments: what nobody gets, who gets 200, what the others get
    ("problems", ()): (200, ALL, 0),
    ("problem", ("twice",)): (200, ALL, 0),
    ("attempts", ("twice",)): (200, ALL, 0),
    ("statement-image", ("twice", 1, "two.svg")): (200, ALL, 0),
    ("lesson", ("twice",)): (200, ALL, 0),
    ("lesson-figure", ("twice", 1)): (200, ALL, 0),
    ("statement-pdf", ("twice", 1, "en")): (NOT_FOUND, (), NOT_FOUND),
    ("samples", ("twice", 1)): (200, ALL, 0),
    ("attachment", ("twice", 1, "help.txt")): (200, ALL, 0),
    ("solution", ("twice",)): (NOT_FOUND, DESK, NOT_FOUND),
    ("solution-pdf", ("twice", 1, "en")): (NOT_FOUND, (), NOT_FOUND),
    ("solution-image", ("twice", 1, "two.svg")): (NOT_FOUND, DESK, NOT_FOUND),
    ("lesson", ("unlisted",)): (NOT_FOUND, COURSE | DESK, NOT_FOUND),
    ("lesson-figure", ("unlisted", 1)): (NOT_FOUND, COURSE | DESK, NOT_FOUND),
    ("attachment", ("unlisted", 1, "help.txt")): (NOT_FOUND, COURSE | DESK, NOT_FOUND),
    ("solution", ("unlisted",)): (NOT_FOUND, DESK, NOT_FOUND),
    ("problem", ("unlisted",)): (NOT_FOUND, COURSE | DESK, NOT_FOUND),
    ("attempts", ("unlisted",)): (NOT_FOUND, COURSE | DESK, NOT_FOUND),
    ("statement-image", ("unlisted", 1, "two.svg")): (NOT_FOUND, COURSE | DESK, NOT_FOUND),
    **{
        (name, (sent, *more)): (anonymous, seen, NOT_FOUND)
        for sent, seen in (("SENT", AUTHOR), ("PRACTICE", PRIVATE))
        for name, more, anonymous in (
            ("submission", (), SIGN_IN),
            ("submission-story", (), SIGN_IN),
            ("submission-live", (), NOT_FOUND),
            ("submission-download", (), SIGN_IN),
            ("submission-output", (1, "stdout"), SIGN_IN),
        )
    },
    **FEEDBACK,
    ("submission-output", ("SENT", 3, "stdout")): (SIGN_IN, STAFF, NOT_FOUND),
    ("submission-output", ("SENT", 3, "stderr")): (SIGN_IN, STAFF, NOT_FOUND),
    ("submission-output", ("PRACTICE", 3, "stdout")): (SIGN_IN, ADMIN, NOT_FOUND),
    ("submission-output", ("SENT", 1, "input")): (SIGN_IN, (), NOT_FOUND),
    ("trial-story", ("TRIAL",)): (SIGN_IN, PRIVATE, NOT_FOUND),
    ("trial-live", ("TRIAL",)): (NOT_FOUND, PRIVATE, NOT_FOUND),
    ("favicon", ()): (301, (), 301),
    ("languages", ()): (200, ALL, 0),
    ("work", ()): (SIGN_IN, ALL, 0),
    ("desk", ()): (SIGN_IN, DESK | {"ines", "otto"}, NOT_THEIRS),
    ("desk-new", ()): (SIGN_IN, {"ines", "otto", "ada"}, NOT_THEIRS),
    ("desk-guide", ()): (SIGN_IN, DESK | {"ines", "otto"}, NOT_THEIRS),
    **dict.fromkeys(
        (
            ("desk-problem", ("twice",)),
            ("desk-download", ("twice",)),
            ("desk-statement", ("twice",)),
            ("desk-files", ("twice",)),
            ("desk-file", ("twice", "problem.yaml")),
            ("desk-raw", ("twice", "submissions/accepted/twice.py")),
            ("desk-limits", ("twice",)),
            ("desk-cases", ("twice",)),
            ("desk-case", ("twice", 1, 3, "in")),
            ("desk-case", ("twice", 1, 3, "ans")),
            ("desk-verify", ("twice",)),
            ("desk-checker", ("twice",)),
            ("desk-strength", ("twice",)),
            ("desk-versions", ("twice",)),
            ("desk-compare", ("twice",)),
            ("desk-live", ("twice", 1)),
            ("desk-version-download", ("twice", 1)),
            ("desk-people", ("twice",)),
            ("errand-story", ("ERRAND",)),
        ),
        (SIGN_IN, DESK, NOT_FOUND),
    ),
    ("desk-case", ("twice", 1, 3, "out")): (SIGN_IN, (), NOT_FOUND),
    ("desk-picture", ("twice", 1, 3)): (SIGN_IN, (), NOT_FOUND),
    ("errand-live", ("ERRAND",)): (NOT_FOUND, DESK, NOT_FOUND),
    ("submissions", ()): (SIGN_IN, STAFF | {"olga", "otto"}, NOT_THEIRS),
    ("submissions-download", ()): (SIGN_IN, STAFF | {"olga", "otto"}, NOT_THEIRS),
    ("regrades", ()): (SIGN_IN, STAFF | {"olga", "otto"}, NOT_THEIRS),
    ("regrade", ("REGRADE",)): (SIGN_IN, DESK, NOT_FOUND),
    ("regrade-story", ("REGRADE",)): (SIGN_IN, DESK, NOT_FOUND),
    ("regrade-live", ("REGRADE",)): (NOT_FOUND, DESK, NOT_FOUND),
    ("regrade-table", ("REGRADE", "csv")): (SIGN_IN, DESK, NOT_FOUND),
    ("regrade-table", ("REGRADE", "json")): (SIGN_IN, DESK, NOT_FOUND),
    ("regrade-table", ("REGRADE", "exe")): (SIGN_IN, (), NOT_FOUND),
    ("queue", ()): (SIGN_IN, STAFF | {"otto"}, NOT_THEIRS),
    ("queue-story", ()): (SIGN_IN, STAFF | {"otto"}, NOT_THEIRS),
    ("courses", ()): (SIGN_IN, ALL, 0),
    ("course-new", ()): (SIGN_IN, {"ines", "otto", "ada"}, NOT_THEIRS),
    ("course", ("algorithms",)): (SIGN_IN, COURSE, NOT_FOUND),
    ("assignment", ("algorithms", "OPEN")): (SIGN_IN, COURSE, NOT_FOUND),
    ("assignment", ("algorithms", "DRAFT")): (SIGN_IN, STAFF, NOT_FOUND),
    **{("gradebook-export", ("algorithms", kind)): (SIGN_IN, STAFF, NOT_FOUND) for kind in ("csv", "xlsx")},
    ("gradebook-export", ("algorithms", "pdf")): (SIGN_IN, (), NOT_FOUND),
    **{(name, ("algorithms", *at)): (SIGN_IN, STAFF, NOT_FOUND) for name, at in DESK_OF_COURSE},
    **{(name, ("elsewhere", *at)): (SIGN_IN, (), NOT_FOUND) for name, at in OF_ANOTHER},
    ("course-settings", ("algorithms",)): (SIGN_IN, RUN, NOT_FOUND),
    ("course-roster", ("algorithms",)): (SIGN_IN, RUN, NOT_FOUND),
    ("course-invitations", ("algorithms",)): (SIGN_IN, RUN, NOT_FOUND),
    ("course-member", ("algorithms", "SAM")): (SIGN_IN, RUN, NOT_FOUND),
    ("assignment-new", ("algorithms",)): (SIGN_IN, RUN, NOT_FOUND),
    ("assignment-edit", ("algorithms", "OPEN")): (SIGN_IN, RUN, NOT_FOUND),
    **dict.fromkeys((("my-data", ()), ("tokens", ())), (SIGN_IN, ALL, 0)),
    ("accounts", ()): (SIGN_IN, ADMIN, NOT_THEIRS),
    ("account", ("SAM",)): (SIGN_IN, ADMIN, NOT_THEIRS),
    ("account", (999,)): (SIGN_IN, (), NOT_THEIRS),
    ("account-data", ("SAM",)): (SIGN_IN, ADMIN, NOT_THEIRS),
    ("join", ()): (NOT_FOUND, (), NOT_FOUND),
    ("sign-in", ()): (200, (), 302),
    ("change-password", ()): (SIGN_IN, ALL, 0),
    ("reset-password", ()): (200, ALL, 0),
    ("reset-sent", ()): (200, ALL, 0),
    ("set-password", ("MQ", "set-password")): (200, ALL, 0),
}
SAME = re.compile(rb"algorithms|nothing|csrfmiddlewaretoken\" value=\"\w+|nonce-[^\"' ]+")
"""What differs between two answers that tell the same."""
COURSE_POSTS = {
    # name, arguments: what is sent; for everybody but `RUN`: nothing happens
    ("course-settings", ("algorithms",)): {"do": "archive"},
    ("course-roster", ("algorithms",)): {"do": "preview", "text": "username\nnew\n"},
    ("course-member", ("algorithms", "SAM")): {"do": "save", "role": "instructor", "active": "on"},
    ("course-invitations", ("algorithms",)): {"do": "show"},
    ("course-sections", ("algorithms",)): {"name": "B"},
    ("course-section-remove", ("algorithms", "SECTION")): {},
    ("assignment-new", ("algorithms",)): {"do": "save"},
    ("assignment-edit", ("algorithms", "OPEN")): {"do": "save"},
    ("assignment-remove", ("algorithms", "DRAFT")): {},
    ("assignment-extensions", ("algorithms", "OPEN")): {"student": "SAM", "exempt": "on", "reason": "friend"},
    ("assignment-extension-remove", ("algorithms", "OPEN", "EXTENSION")): {},
    ("grade-cell", ("algorithms", "ENTRY", "SAM")): {"points": "10", "reason": "friend"},
    ("similarity", ("algorithms", "ENTRY")): {"given": ""},
}
ADMIN_POSTS = {
    ("account", ("SAM",)): {"do": "save", "role": "admin", "active": "on"},
}
DESK_POSTS = {
    # name, arguments: what is sent; for nobody, author, classmate: as in TABLE for the desk
    ("desk-ask", ("twice", "make")): {},
    ("desk-ask", ("twice", "try")): {"version": "1", "case": "sample/1", "output": "4"},
    ("desk-add-case", ("twice",)): {"errand": "ERRAND", "number": "0"},
    ("desk-take", ("twice",)): {"version": "1", "seen": "0"},
    ("desk-discard", ("twice",)): {},
    ("desk-drop-copies", ("twice",)): {},
    ("desk-preview", ("twice",)): {"text": "a"},
    ("desk-people-remove", ("twice", 1)): {},
    ("desk-listed", ("twice",)): {"listed": "0"},
    ("desk-failures", ("twice",)): {},
    ("errand-stop", ("ERRAND",)): {},
    ("desk-problem", ("twice",)): {},
    ("desk-file", ("twice", "problem.yaml")): {"do": "save", "text": "a", "base": ""},
    ("desk-limits", ("twice",)): {"time_seconds": "9"},
    ("desk-live", ("twice", 1)): {"seen": "1"},
    ("desk-people", ("twice",)): {"name": "sam"},
}
DEEDS = {"sign-out", "choose-language", "judge-again", "regrade-new", "regrade-act"}
POST_ONLY = {*DEEDS, *(name for name, _ in [*DESK_POSTS, *COURSE_POSTS])} - {name for name, _ in TABLE}


@pytest.fixture
def rows(course: Course, student: User, twice: Problem, send: Callable[..., Submission], admin: User) -> dict[str, int]:
    """Ids by the names that stand in the tables; work of Sam's for an assignment of the course, and practice."""
    for name, role in (("tom", CourseRole.ASSISTANT), ("olga", None), ("otto", None), ("stella", None)):
        user = person(name, Role.INSTRUCTOR if name == "otto" else Role.STUDENT)
        if role:
            Membership.objects.create(user=user, course=course, role=role)
    elsewhere = Course.objects.create(name="Elsewhere", slug="elsewhere")
    for name, role in (("otto", CourseRole.INSTRUCTOR), ("stella", CourseRole.STUDENT)):
        Membership.objects.create(user=User.objects.get(username=name), course=elsewhere, role=role)
    twice.owners.set([User.objects.get(username="olga")])
    unlisted = Problem.objects.create(slug="unlisted", uuid="5bd0a0a6-2f4b-4c1e-9a53-7f4f0f1f2a11", listed=False)
    archive = live_version(twice).archive
    unlisted.live = Version.objects.create(problem=unlisted, number=1, digest="1" * 64, archive=archive, facts={})
    unlisted.save()
    unlisted.owners.add(User.objects.get(username="olga"))
    opened = assign(course, twice, unlisted)
    draft = assign(course, twice, published=None)
    extension = Extension.objects.create(assignment=opened, student=student, extra_attempts=1, reason="ill")
    section = Section.objects.create(course=course, name="A")
    kept = {"output": store.put(b"what it printed")}
    results = [("accepted", kept), ("accepted", kept), ("wrong_answer", kept | {"judge_note": "expected 42"})]
    sent = send(student, results=results, assignment=opened, **done("wrong_answer"))
    practice = send(student, results=results, **done("wrong_answer"))
    trial = Trial.objects.create(
        author=student,
        version=live_version(twice),
        language="python3",
        files=sent.files,
        state="done",
        results={"runs": []},
    )
    errand = Errand.objects.create(problem=twice, kind="make", target="0" * 64, state="done", succeeded=False)
    regrade = Regrade.objects.create(
        stage="ready", reason="A case was wrong.", key="form", facts={}, created_by=User.objects.get(username="olga")
    )
    regrade.targets.create(problem=twice, version=live_version(twice))
    base = sent.effective.judgement
    RegradeItem.objects.create(
        regrade=regrade, submission=sent, number=sent.pk, base=base, position=0, outcome="same", plan="rescore"
    )
    entry = opened.entries.order_by("position")[0]
    entry.comparisons.create(state="done", result={"pairs": [], "groups": [[sent.pk] * 2], "people": 1})
    return {
        "SENT": sent.pk,
        "PRACTICE": practice.pk,
        "TRIAL": trial.pk,
        "ERRAND": errand.pk,
        "REGRADE": regrade.pk,
        "OPEN": opened.pk,
        "DRAFT": draft.pk,
        "EXTENSION": extension.pk,
        "SECTION": section.pk,
        "ENTRY": entry.pk,
        "SAM": student.pk,
    }


def address_of(name: str, arguments: Iterable[object], rows: Mapping[str, int]) -> str:
    return reverse(name, args=[rows.get(str(argument), argument) for argument in arguments])


def as_reader(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


@pytest.mark.django_db(transaction=True)
def test_every_address_for_everybody(rows: dict[str, int]) -> None:
    readers: dict[str, Client] = {name: as_reader(name) for name in READERS}
    for (name, arguments), (anonymous, seen, others) in TABLE.items():
        address = address_of(name, arguments, rows)
        answer = Client().get(address)
        assert answer.status_code == anonymous, (name, arguments, "nobody")
        if anonymous == SIGN_IN:
            assert answer["Location"].startswith("/account/sign-in/?next="), address
        for reader, client in readers.items():
            expected = 200 if reader in seen else others
            if (name, arguments, reader) == ("account", (999,), "ada"):
                expected = NOT_FOUND
            assert client.get(address).status_code == expected, (name, arguments, reader)


def everything() -> str:
    """All that posts of the tables could change."""
    models = (User, Course, Membership, Section, Assignment, AssignmentProblem, Extension, Adjustment, AuditEntry)
    rows = "".join(serialize("json", model.objects.order_by("pk")) for model in models)
    return re.sub(r'"last_login": (null|"[^"]+")', "", rows)


@pytest.mark.django_db(transaction=True)
def test_nobody_changes_a_course_but_its_instructors(rows: dict[str, int]) -> None:
    before = everything()
    readers = {name: as_reader(name) for name in ALL}
    tables = [(post, RUN, NOT_FOUND) for post in COURSE_POSTS.items()]
    tables += [(post, ADMIN, NOT_THEIRS) for post in ADMIN_POSTS.items()]
    for ((name, arguments), sent), allowed, code in tables:
        address = address_of(name, arguments, rows)
        values = {key: str(rows.get(value, value)) for key, value in sent.items()}
        assert Client().post(address, values).status_code == SIGN_IN, name
        for reader in sorted(ALL - set(allowed)):
            assert readers[reader].post(address, values).status_code == code, (name, reader)
    assert everything() == before


@pytest.mark.django_db(transaction=True)
def test_who_is_not_in_a_course_cannot_tell_whether_it_is_there(rows: dict[str, int]) -> None:
    client = as_reader("stella")
    for (name, arguments), _row in [*TABLE.items(), *COURSE_POSTS.items()]:
        if arguments[:1] != ("algorithms",):
            continue
        there = address_of(name, arguments, rows)
        nowhere = there.replace("/algorithms/", "/nothing/").replace("/algorithms", "/nothing")
        for ask in (client.get, client.post):
            with CaptureQueriesContext(connection) as queries:
                found = ask(there)
            with CaptureQueriesContext(connection) as of_nothing:
                missing = ask(nowhere)
            assert len(queries) == len(of_nothing), there
            assert (found.status_code, missing.status_code) in ((404, 404), (405, 405)), there
            pages = [
                re.sub(rb"algorithms|nothing|csrfmiddlewaretoken\" value=\"\w+|nonce-[^\"' ]+", b"", one.content)
                for one in (found, missing)
            ]
            assert pages[0] == pages[1], there


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
    readers = ((Client(), SIGN_IN), *((as_reader(user.username), 404) for user in (student, classmate)))
    for (name, arguments), sent in DESK_POSTS.items():
        address = reverse(name, args=[rows.get(str(argument), argument) for argument in arguments])
        for client, code in readers:
            assert client.post(address, sent).status_code == code, (name, code)
    assert not Draft.objects.exists()
    assert Errand.objects.count() == 1
    assert Problem.objects.get(slug="twice").listed
    assert not twice.owners.filter(pk__in=(student.pk, classmate.pk)).exists()


@pytest.mark.django_db(transaction=True)
def test_an_owner_of_any_role_has_the_desk_of_the_problem_and_no_other(
    rows: dict[str, int], paper_problem: Problem
) -> None:
    client = as_reader("olga")
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


def test_an_unpublished_version_is_for_who_writes_it(
    twice: Problem, client: Client, instructor: User, as_student: Client
) -> None:
    old = twice.live
    twice.live = None
    twice.save()
    twice.owners.clear()
    assert old is not None
    assert as_student.get("/problems/twice/").status_code == 404
    assert as_student.get("/problems/twice/v1/two.svg").status_code == 404
    client.force_login(instructor)
    assert client.get("/problems/twice/v1/two.svg").status_code == 404
    twice.owners.add(instructor)
    assert client.get("/problems/twice/v1/two.svg").status_code == 200


@pytest.mark.parametrize("address", ODD)
def test_an_odd_address_is_no_fault(as_student: Client, twice: Problem, address: str) -> None:
    assert as_student.get(address).status_code in (200, 400, 404)


@pytest.mark.django_db(transaction=True)
def test_only_the_staff_of_the_course_have_a_failed_judging_done_again(
    rows: dict[str, int], send: Callable[..., Submission], student: User
) -> None:
    sent = send(student, assignment=Assignment.objects.get(pk=rows["OPEN"]), **done("judge_error"))
    address, page = reverse("judge-again", args=[sent.pk]), f"/submissions/{sent.pk}/"
    assert b"Judge again" not in as_reader("sam").get(page).content
    for reader, code in (("sam", 403), ("kim", 404), ("olga", 404), ("otto", 404), ("stella", 404)):
        assert as_reader(reader).post(address).status_code == code, reader
    assert sent.judgements.count() == 1

    client = as_reader("tom")
    assert address.encode() in client.get(page).content
    assert client.get(address).status_code == 405
    for _ in range(2):  # pressed twice, done once
        assert client.post(address).status_code == 302
    assert sent.judgements.count() == 2
    assert Effective.objects.get(submission=sent).judgement.state == State.QUEUED


@pytest.mark.django_db(transaction=True)
def test_only_whose_it_is_act_on_a_regrade(rows: dict[str, int]) -> None:
    address = reverse("regrade-act", args=[rows["REGRADE"]])
    assert Client().post(address, {"do": "start"}).status_code == SIGN_IN
    for reader in sorted(ALL - DESK):
        for deed in ("start", "pause", "resume", "drop", "choose", "apply", "revert"):
            assert as_reader(reader).post(address, {"do": deed, "policy": "all"}).status_code == NOT_FOUND
        expected = SIGN_IN if reader in STAFF | {"otto"} else NOT_THEIRS  # 302: back, with a refusal
        answer = as_reader(reader).post(reverse("regrade-new"), {"which": "all", "reason": "x", "key": "a"})
        assert answer.status_code == expected, reader
    assert Regrade.objects.get().stage == "ready"
    assert as_reader("olga").post(address, {"do": "apply", "policy": "all"}).status_code == 302
    assert Regrade.objects.get().stage == "applied"
