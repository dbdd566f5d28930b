"""The course desk and the student's side of it, as a person uses them: by forms, without script."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from judge.assignments.models import Assignment, Extension
from judge.people.models import Course, CourseRole, Membership, Section, User
from judge.submissions.models import Judgement, Submission
from judge.web.course.assignments import ROWS
from problems.models import Problem
from tests.conftest import assign, person
from tests.web.conftest import done, live_version
from tests.web.test_course_forms import ASSIGNMENT, rows

Send = Callable[..., Submission]
PROGRAM = {"language": "python3", "text": "print(2 * int(input()))", "token": "form", "do": "submit"}


@pytest.fixture
def desk(client: Client, instructor: User) -> Client:
    client.force_login(instructor)
    return client


def test_a_course_from_nothing(desk: Client) -> None:
    form = {"name": "Algorithms II", "code": "INF-210", "slug": "alg-2", "time_zone": "America/Sao_Paulo"}
    for changes, said in (
        ({"slug": "no slug"}, "short name of a-z, 0-9 and -"),
        ({"slug": "no_slug"}, "short name of a-z, 0-9 and -"),
        ({"slug": "no slug", "starts": "2026-09-01", "ends": "2026-08-01"}, "ends before it starts"),
        ({"slug": "new"}, "short name"),
        ({"time_zone": "Mars/Base"}, "valid choice"),
        ({"starts": "2026-09-01", "ends": "2026-08-01"}, "ends before it starts"),
    ):
        answer = desk.post("/courses/new", form | changes)
        assert (answer.status_code, said in answer.content.decode()) == (422, True), changes
    assert desk.post("/courses/new", form)["Location"] == "/courses/alg-2/people/list"
    course = Course.objects.get(slug="alg-2")
    assert course.memberships.get().role == CourseRole.INSTRUCTOR
    assert desk.post("/courses/new", form).status_code == 422, "the short name is taken"
    assert b"Algorithms II" in desk.get("/courses/").content


def test_a_list_of_people_is_previewed_and_then_applied(desk: Client, course: Course) -> None:
    address = f"/courses/{course.slug}/people/list"
    text = "email,name,section\nana@example.org,Ana Lima,A\n"
    page = desk.post(address, {"do": "preview", "text": text})
    seal = re.search(r'name="seal" value="(\w+)"', page.content.decode())
    assert seal is not None
    assert "Apply one change" in page.content.decode()
    assert not User.objects.filter(email="ana@example.org").exists()
    # The browser sends the text of a form with other line ends.
    applied = {"do": "apply", "text": text.replace("\n", "\r\n"), "seal": seal[1]}
    Section.objects.create(course=course, name="A")
    stale = desk.post(address, applied)
    assert (stale.status_code, "changed in the meantime" in stale.content.decode()) == (422, True)
    seal = re.search(r'name="seal" value="(\w+)"', stale.content.decode())
    assert seal is not None
    assert desk.post(address, applied | {"seal": seal[1]}).status_code == 302
    assert User.objects.get(email="ana@example.org").memberships.get().section is not None
    wrong = desk.post(address, {"do": "preview", "text": "email\nnot mail\n"})
    assert (wrong.status_code, b"line 2" in wrong.content, b"seal" in wrong.content) == (422, True, False)
    downloaded = desk.get(f"/courses/{course.slug}/people/list.csv").content.decode("utf-8-sig")
    again = desk.post(address, {"do": "preview", "text": downloaded})
    assert "changes nothing" in again.content.decode(), "what is downloaded can be sent again"


def test_the_program_is_sent_for_what_is_chosen(
    as_student: Client, course: Course, twice: Problem, student: User
) -> None:
    now = timezone.now()
    nearest = assign(course, twice, title="Nearest", deadline=now + timedelta(days=1))
    later = assign(course, twice, title="Later")
    closed = assign(course, twice, title="Over", deadline=now - timedelta(hours=1))
    late = assign(
        course, twice, title="Late", deadline=now - timedelta(hours=1), cutoff=now + timedelta(hours=5), late_percent=20
    )

    def chosen(query: str = "") -> str:
        page = as_student.get(f"/problems/twice/{query}").content.decode()
        found = re.search(r'<option value="(\w+)" selected>(?:Nearest|Later|Late|practice)', page)
        assert found is not None
        return found[1]

    assert chosen() == str(nearest.pk)
    assert chosen(f"?assignment={later.pk}") == str(later.pk)
    assert chosen(f"?assignment={late.pk}") == str(late.pk)
    assert chosen("?assignment=practice") == "practice"
    assert chosen(f"?assignment={closed.pk}") == "practice", "and it is said"
    assert "Over is closed" in as_student.get(f"/problems/twice/?assignment={closed.pk}").content.decode()
    assert chosen("?assignment=999999999999999999999") == str(nearest.pk)
    later.attempts = 1
    later.save()
    assert chosen("?assignment=practice") == str(nearest.pk), "no way round the attempts"
    page = as_student.get("/problems/twice/").content.decode()
    for words in ("1 attempt left", "late now: 20 % off", "in Europe/Bucharest"):
        assert words in page, words

    def send(**form: Any) -> Submission | None:
        answer = as_student.post("/problems/twice/", PROGRAM | form)
        if answer.status_code != 302:
            return None
        return Submission.objects.get(pk=int(answer["Location"].split("/")[2]))

    for form, target in (
        ({}, nearest),
        ({"assignment": str(later.pk)}, later),
        ({"assignment": "practice"}, None),
        ({"assignment": str(late.pk)}, late),
    ):
        sent = send(**form)
        assert sent is not None
        assert sent.assignment == target, form
        Judgement.objects.filter(submission=sent).update(state="done", verdict="wrong_answer")
    again = send(assignment=str(later.pk))
    assert again is not None
    assert Submission.objects.count() == 4, "the same form with the same program is one submission"
    assert send(assignment=str(later.pk), text="print(1)") is None, "its one attempt is used"
    assert send(assignment=str(closed.pk), text="print(1)") is None
    assert send(assignment="77777", text="print(1)") is None


def test_deadlines_stand_first_and_name_their_zone(
    as_student: Client, course: Course, twice: Problem, student: User, send: Send
) -> None:
    made = assign(course, twice, deadline=datetime(2099, 7, 1, 20, 59, tzinfo=UTC), grades_published=timezone.now())
    assign(course, twice, title="Not yet", published=None)
    as_student.cookies["zone"] = "America%2FSao_Paulo"
    page = as_student.get("/").content.decode()
    assert "1 Jul 2099, 17:59</time> (23:59 in Europe/Bucharest)" in page
    assert page.index("Graphs") < page.index('role="search"')
    assert "Not yet" not in page
    as_student.cookies["zone"] = "Europe%2FBucharest"
    assert "1 Jul 2099, 23:59</time> (Europe/Bucharest)" in as_student.get("/").content.decode()
    send(student, assignment=made, **done("wrong_answer", points=40, out_of=100))
    work = as_student.get("/work/").content.decode()
    assert "0 of 1 solved" in work
    assert "4 of 10 points" in work
    Assignment.objects.update(grades_published=None)
    assert "points" not in re.sub(r"<th.*?</th>", "", as_student.get("/work/").content.decode())


def test_what_is_missing_and_late(
    as_student: Client, course: Course, twice: Problem, student: User, send: Send
) -> None:
    now = timezone.now()
    assign(course, twice, title="Missed", opens=now - timedelta(days=9), deadline=now - timedelta(days=8))
    late = assign(
        course, twice, title="Slow", opens=now - timedelta(days=9), deadline=now - timedelta(days=2), cutoff=now
    )
    sent = send(student, assignment=late, **done("accepted", points=100, out_of=100))
    Submission.objects.filter(pk=sent.pk).update(sent=now - timedelta(days=1, hours=1))
    page = as_student.get("/work/").content.decode()
    assert "1 missing" in page
    assert "1 late" in page
    told = as_student.get(f"/submissions/{sent.pk}/").content.decode()
    assert "1 day late" in told
    assert f"/courses/{course.slug}/assignments/{late.pk}/" in told


def test_what_did_not_compile_was_sent(
    client: Client, course: Course, twice: Problem, *, student: User, instructor: User, send: Send
) -> None:
    made = assign(course, twice)
    send(student, assignment=made, **done("compile_error"))
    cell = f"/courses/{course.slug}/grades/{made.entries.get().pk}/{student.pk}/"
    for reader, page, figures in (
        (instructor, f"/courses/{course.slug}/grades/", "</table>"),
        (instructor, cell, "What was sent"),
        (student, f"/courses/{course.slug}/assignments/{made.pk}/", "</table>"),
    ):
        client.force_login(reader)
        assert "Compile error" in client.get(page).content.decode().split(figures)[0], page
    client.force_login(instructor)
    assert client.get(f"/courses/{course.slug}/grades/").content.decode().count("nothing sent") == 1, "Kim"


def test_who_is_nobody_is_not_everybody(desk: Client, course: Course) -> None:
    User.objects.filter(username="kim").update(password="!", made_in=course)
    made = {
        who: desk.post(f"/courses/{course.slug}/people/invitations", {"do": "csv", **who_of}).text.count("http")
        for who, who_of in (("all", {}), ("odd", {"who": "x"}))
    }
    assert made == {"all": 1, "odd": 0}


def test_an_archived_course_is_only_read(
    desk: Client, course: Course, twice: Problem, student: User, send: Send
) -> None:
    made = assign(course, twice)
    send(student, assignment=made, **done("accepted"))
    desk.post(f"/courses/{course.slug}/settings", {"do": "archive"})
    before = User.objects.count()
    address = f"/courses/{course.slug}"
    assert "archived" in desk.get(f"{address}/").content.decode()
    refused = desk.post(f"{address}/people/list", {"do": "preview", "text": "username\nnew\n"})
    assert (refused.status_code, User.objects.count()) == (422, before)
    assert desk.post(f"{address}/assignments/new", ASSIGNMENT | rows((twice, "1", "1"))).status_code == 422
    own = Client()
    own.force_login(student)
    assert own.get(f"{address}/assignments/{made.pk}/").status_code == 200
    assert "Graphs" in own.get("/work/").content.decode()
    assert "Graphs" not in own.get("/").content.decode()
    assert 'name="assignment"' not in own.get("/problems/twice/").content.decode()
    desk.post(f"{address}/settings", {"do": "back"})
    assert "Graphs" in own.get("/").content.decode()


@pytest.mark.parametrize(
    ("who", "page"),
    [
        *(("instructor", page) for page in ("", "people/", "grades/", "log", "assignments/ID/")),
        ("instructor", "assignments/ID/extensions"),
        ("student", ""),
        ("student", "assignments/ID/"),
    ],
)
def test_more_people_and_work_take_no_more_queries(
    course: Course, instructor: User, student: User, twice: Problem, *, send: Send, page: str, who: str
) -> None:
    made = assign(course, twice)
    send(student, assignment=made, **done("accepted"))
    client = Client()
    client.force_login(instructor if who == "instructor" else student)
    addresses = [f"/courses/{course.slug}/{page.replace('ID', str(made.pk))}"]
    addresses += ["/work/", "/"] if who == "student" and not page else []

    def queries() -> list[int]:
        counts = []
        for address in addresses:
            with CaptureQueriesContext(connection) as found:
                assert client.get(address).status_code == 200
            counts.append(len(found))
        return counts

    few = queries()
    for number in range(6):
        user = person(f"s{number}")
        Membership.objects.create(user=user, course=course)
        problem = Problem.objects.create(slug=f"p{number}", uuid=f"p{number}", live=live_version(twice))
        other = assign(course, problem, twice, title=f"A{number}")
        Extension.objects.create(assignment=made, student=user, extra_attempts=1, reason="x", given_by=instructor)
        send(user, assignment=other, **done("accepted"))
        send(student, assignment=other, **done("accepted"))
    assert queries() == few


def test_late_work_that_counts_for_nothing_is_said_to(
    client: Client, course: Course, student: User, paper_problem: Problem
) -> None:
    now = timezone.now()
    times = {"deadline": now - timedelta(hours=1), "cutoff": now + timedelta(days=1), "grace_minutes": 0}
    made = assign(course, paper_problem, counts="last_before_deadline", late_percent=10, **times)
    client.force_login(student)
    said = client.get(f"/courses/{course.slug}/assignments/{made.pk}/").content.decode()
    assert "and counts for nothing" in said
    assert "late work loses" not in said
    Assignment.objects.update(counts="last")
    assert "late work loses" in client.get(f"/courses/{course.slug}/assignments/{made.pk}/").content.decode()


def test_numbers_beyond_all_bounds_are_no_fault(desk: Client, course: Course) -> None:
    new = "/courses/algorithms/assignments/new"
    many = {"problem-INITIAL_FORMS": "0", "problem-TOTAL_FORMS": "9" * 5000}
    assert desk.post(new, {"do": "more", **many}).status_code == 200
    page = desk.post(new, {"do": "save", **many, "problem-TOTAL_FORMS": "2000"})
    assert page.status_code == 422
    assert page.content.count(b'name="problem-') < 5 * ROWS
    for day in ("9999-12-31", "0001-01-01"):
        for name in ("since", "until"):
            for address, code in (("/submissions/", 200), ("/submissions/download", 302)):
                assert desk.get(address, {name: day}).status_code == code, (address, name, day)
