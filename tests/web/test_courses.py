"""The course desk and the student's side of it, as a person uses them: by forms, without script."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

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

Send = Callable[..., Submission]
PROGRAM = {"language": "python3", "text": "print(2 * int(input()))", "token": "form", "do": "submit"}


@pytest.fixture
def desk(client: Client, instructor: User) -> Client:
    client.force_login(instructor)
    return client


def rows(*entries: tuple[Problem, str, str], initial: int = 0) -> dict[str, str]:
    """The problems of an assignment as a form sends them: problem, points, place."""
    sent = {"problem-TOTAL_FORMS": str(len(entries)), "problem-INITIAL_FORMS": str(initial)}
    for number, (problem, points, place) in enumerate(entries):
        sent |= {
            f"problem-{number}-problem": str(problem.pk),
            f"problem-{number}-points": points,
            f"problem-{number}-ORDER": place,
        }
    return sent


ASSIGNMENT = {
    "do": "save",
    "title": "Graphs",
    "published": "2026-10-01T08:00",
    "opens": "2026-10-01T08:00",
    "deadline": "2026-10-24T23:59",
    "cutoff": "2026-10-26T23:59",
    "grace_minutes": "5",
    "late_percent": "12.5",
    "attempts": "",
    "counts": "best",
}


def test_a_course_from_nothing(desk: Client) -> None:
    form = {"name": "Algorithms II", "code": "INF-210", "slug": "alg-2", "time_zone": "America/Sao_Paulo"}
    for changes, said in (
        ({"slug": "no slug"}, "valid “slug”"),
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


@pytest.mark.parametrize(
    ("zone", "deadline", "moment"),
    [
        ("Europe/Bucharest", "2026-10-24T23:59", datetime(2026, 10, 24, 20, 59, tzinfo=UTC)),
        ("Europe/Bucharest", "2026-10-25T23:59", datetime(2026, 10, 25, 21, 59, tzinfo=UTC)),
        ("Europe/Bucharest", "2026-10-25T03:30", datetime(2026, 10, 25, 1, 30, tzinfo=UTC)),  # twice: the second
        ("America/Sao_Paulo", "2026-10-24T23:59", datetime(2026, 10, 25, 2, 59, tzinfo=UTC)),
    ],
)
def test_deadlines_are_on_the_clock_of_the_course(
    desk: Client, course: Course, twice: Problem, *, zone: str, deadline: str, moment: datetime
) -> None:
    Course.objects.update(time_zone=zone)
    address = f"/courses/{course.slug}/assignments/new"
    form = ASSIGNMENT | rows((twice, "10", "1")) | {"deadline": deadline}
    answer = desk.post(address, form)
    assert answer.status_code == 302, answer.content.decode()
    made = Assignment.objects.get()
    assert made.deadline == moment
    page = desk.get(f"/courses/{course.slug}/assignments/{made.pk}/edit").content.decode()
    assert f'value="{deadline}"' in page
    assert f"clock of {zone}" in page


def test_a_deadline_in_an_hour_that_does_not_exist(desk: Client, course: Course, twice: Problem) -> None:
    form = ASSIGNMENT | rows((twice, "10", "1")) | {"deadline": "2027-03-28T03:30", "cutoff": ""}
    page = desk.post(f"/courses/{course.slug}/assignments/new", form)
    assert page.status_code == 422
    assert "does not exist in Europe/Bucharest" in page.content.decode()
    assert not Assignment.objects.exists()


def test_what_is_not_touched_in_a_form_stays_as_it_is(desk: Client, course: Course, twice: Problem) -> None:
    """Of an hour that comes twice the form can only mean the second; saved untouched it may be the first."""
    first = datetime(2026, 10, 25, 3, 30, tzinfo=ZoneInfo("Europe/Bucharest"), fold=0).astimezone(UTC)
    made = assign(course, twice, opens=first - timedelta(days=3), deadline=first, cutoff=None)
    form = ASSIGNMENT | rows((twice, "10", "1"), initial=1) | {"deadline": "2026-10-25T03:30"}
    assert desk.post(f"/courses/{course.slug}/assignments/{made.pk}/edit", form).status_code == 302
    made.refresh_from_db()
    assert made.deadline == first
    assert made.late_percent == Decimal("12.5")


def test_problems_points_and_their_order(
    desk: Client, course: Course, twice: Problem, *, paper_problem: Problem, send: Send, student: User
) -> None:
    address = f"/courses/{course.slug}/assignments/new"
    form = ASSIGNMENT | rows((twice, "12.5", "2"), (paper_problem, "", "1"))
    more = desk.post(address, form | {"do": "more"})
    assert more.status_code == 200
    assert more.content.decode().count('<select name="problem-') == 2 + 3
    assert not Assignment.objects.exists(), "more rows save nothing"
    assert desk.post(address, form).status_code == 302
    made = Assignment.objects.get()

    def entries() -> list[tuple[str, Decimal]]:
        return [(one.problem.slug, one.points) for one in made.entries.order_by("position")]

    assert entries() == [("paper", Decimal(100)), ("twice", Decimal("12.5"))]
    send(student, assignment=made)
    edit = f"/courses/{course.slug}/assignments/{made.pk}/edit"
    gone = form | rows((paper_problem, "5", "1"), initial=2)
    page = desk.post(edit, gone)
    assert "programs were sent to it" in page.content.decode()
    assert len(entries()) == 2, "all or nothing"
    hidden = Problem.objects.create(slug="hidden", uuid="hidden", live=paper_problem.live, listed=False)
    assert desk.post(edit, form | rows((hidden, "5", "1"))).status_code == 422, "not theirs to give"
    twice_in = desk.post(edit, form | rows((twice, "5", "1"), (twice, "5", "2"), initial=2))
    assert "stands in an assignment once" in twice_in.content.decode()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"deadline": "2026-09-30T08:00"}, "not after the opening"),
        ({"cutoff": "2026-10-24T08:00"}, "before the deadline"),
        ({"late_percent": "101"}, "less than or equal to 100"),
        ({"cutoff": ""}, "The late rule means nothing"),
        ({"attempts": "0"}, "greater than or equal to 1"),
        ({"opens": "soon"}, "Write day and hour"),
        ({"opens": "0001-01-01T00:00"}, "Write day and hour"),
        ({"counts": "worst"}, "valid choice"),
        ({"languages": "cobol"}, "valid choice"),
        ({"factor:python3": "0"}, "greater than or equal to 0.1"),
        ({"feedback:replay": "sometimes"}, "valid choice"),
    ],
)
def test_rules_that_cannot_be(desk: Client, course: Course, twice: Problem, changes: dict[str, str], said: str) -> None:
    page = desk.post(f"/courses/{course.slug}/assignments/new", ASSIGNMENT | rows((twice, "1", "1")) | changes)
    assert page.status_code == 422
    assert said in page.content.decode()
    assert not Assignment.objects.exists()


def test_feedback_factors_and_languages_are_kept(desk: Client, course: Course, twice: Problem) -> None:
    chosen = {"feedback:replay": "never", "feedback:cost": "always", "factor:python3": "2.50", "factor:java": "1"}
    form = ASSIGNMENT | rows((twice, "1", "1")) | chosen | {"languages": "python3"}
    assert desk.post(f"/courses/{course.slug}/assignments/new", form).status_code == 302
    made = Assignment.objects.get()
    assert (made.feedback, made.time_factors, made.languages) == ({"replay": "never"}, {"python3": "2.5"}, ["python3"])


def test_an_extension_by_the_form(desk: Client, course: Course, twice: Problem, student: User, classmate: User) -> None:
    made = assign(course, twice, deadline=timezone.now() - timedelta(days=1), opens=timezone.now() - timedelta(days=9))
    address = f"/courses/{course.slug}/assignments/{made.pk}/extensions"
    form = {"student": student.pk, "deadline": "2099-12-04T23:59", "reason": "ill"}
    for changes, said in (
        ({"deadline": ""}, "Give a later deadline"),
        ({"deadline": "2020-01-01T00:00"}, "not after the common deadline"),
        ({"reason": " "}, "required"),
        ({"extra_attempts": "2"}, "does not bound the attempts"),
        ({"student": person("stella").pk}, "valid choice"),
    ):
        page = desk.post(address, form | changes)
        assert (page.status_code, said in page.content.decode()) == (422, True), changes
    assert desk.post(address, form).status_code == 302
    assert desk.post(address, form | {"reason": "still ill"}).status_code == 302
    extension = Extension.objects.get()
    assert extension.deadline == datetime(2099, 12, 4, 21, 59, tzinfo=UTC)
    for user, word in ((student, "Due in"), (classmate, "Closed")):
        own = Client()
        own.force_login(user)
        shown = own.get(f"/courses/{course.slug}/assignments/{made.pk}/").content.decode()
        assert word in shown
        assert ("extension for you" in shown) is (user == student)
    log = desk.get(f"/courses/{course.slug}/log").content.decode()
    assert "deadline 2099-12-04 23:59 EET, because still ill" in log
    assert desk.post(f"{address}/{extension.pk}/remove").status_code == 302
    assert not Extension.objects.exists()


def test_points_by_hand_by_the_form(desk: Client, course: Course, twice: Problem, student: User, send: Send) -> None:
    made = assign(course, twice, grades_published=timezone.now())
    send(student, assignment=made, **done("accepted", points=100, out_of=100))
    address = f"/courses/{course.slug}/grades/{made.entries.get().pk}/{student.pk}/"
    assert desk.post(address, {"points": "7.25", "reason": ""}).status_code == 422
    assert desk.post(address, {"points": "7.25", "reason": "explained it"}).status_code == 302
    for page in (f"/courses/{course.slug}/grades/", address):
        assert "7.25*" in desk.get(page).content.decode()
    desk.force_login(student)
    assert "7.25 of 10 points" in desk.get("/work/").content.decode()


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
            for address in ("/submissions/", "/submissions/download"):
                assert desk.get(address, {name: day}).status_code == 200, (address, name, day)
