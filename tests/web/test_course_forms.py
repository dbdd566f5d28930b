"""The forms of the course desk: what they take, what they refuse, and what they leave as it is."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from judge.assignments.models import Assignment, Extension
from judge.people.models import Course, User
from judge.submissions.models import Submission
from problems.models import Problem
from tests.conftest import assign, person
from tests.web.conftest import done

Send = Callable[..., Submission]


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


@pytest.mark.parametrize(
    ("zone", "deadline", "moment"),
    [
        ("Europe/Bucharest", "2026-10-24T23:59", datetime(2026, 10, 24, 20, 59, tzinfo=UTC)),
        ("Europe/Bucharest", "2026-10-25T23:59", datetime(2026, 10, 25, 21, 59, tzinfo=UTC)),
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


@pytest.mark.parametrize(
    ("hour", "said"),
    [("2027-03-28T03:30", "does not exist in Europe/Bucharest"), ("2026-10-25T03:30", "twice in Europe/Bucharest")],
)
def test_an_hour_that_does_not_exist_or_comes_twice(
    desk: Client, course: Course, twice: Problem, student: User, *, hour: str, said: str
) -> None:
    made = assign(course, twice)
    assignment = ASSIGNMENT | rows((twice, "10", "1"))
    extension = {"student": str(student.pk), "reason": "ill"}
    desk_of = f"/courses/{course.slug}/assignments"
    for address, form, field in (
        *((f"{desk_of}/new", assignment, one) for one in ("published", "opens", "deadline", "cutoff")),
        (f"{desk_of}/new", assignment, "grades_published"),
        (f"{desk_of}/{made.pk}/edit", assignment, "deadline"),
        (f"{desk_of}/{made.pk}/extensions", extension, "deadline"),
    ):
        page = desk.post(address, form | {field: hour})
        assert (page.status_code, page.content.decode().count(said)) == (422, 1), (address, field)
    assert (Assignment.objects.count(), Extension.objects.count()) == (1, 0)


def test_what_is_not_touched_in_a_form_stays_as_it_is(desk: Client, course: Course, twice: Problem) -> None:
    """Through the API a deadline may be in an hour that comes twice, and have seconds."""
    first = datetime(2026, 10, 25, 3, 30, 59, tzinfo=ZoneInfo("Europe/Bucharest"), fold=0).astimezone(UTC)
    made = assign(course, twice, opens=first - timedelta(days=3), deadline=first, cutoff=None)
    form = ASSIGNMENT | rows((twice, "10", "1"), initial=1) | {"deadline": "2026-10-25T03:30"}
    assert desk.post(f"/courses/{course.slug}/assignments/{made.pk}/edit", form).status_code == 302
    made.refresh_from_db()
    assert made.deadline == first
    assert made.late_percent == Decimal("12.5")


@pytest.mark.parametrize("language", ["pt-br", "ro"])
def test_numbers_are_written_with_the_sign_of_the_language(
    desk: Client, course: Course, twice: Problem, student: User, language: str
) -> None:
    made = assign(course, twice, title="Sums")
    edit = f"/courses/{course.slug}/assignments/{made.pk}/edit"
    cell = f"/courses/{course.slug}/grades/{made.entries.get().pk}/{student.pk}/"
    for sign in ".,":
        form = ASSIGNMENT | rows((twice, f"7{sign}5", "1"), initial=1)
        form |= {"late_percent": f"12{sign}5", "factor:python3": f"2{sign}5"}
        assert desk.post(edit, form, headers={"Accept-Language": language}).status_code == 302, sign
        made.refresh_from_db()
        assert (made.late_percent, made.time_factors) == (Decimal("12.5"), {"python3": "2.5"})
        assert made.entries.get().points == Decimal("7.5")
        by_hand = {"points": f"1{sign}5", "reason": "explained it"}
        assert desk.post(cell, by_hand, headers={"Accept-Language": language}).status_code == 302
    assert [one.points for one in made.entries.get().adjustments.all()] == [Decimal("1.5")] * 2
    page = desk.get(edit, headers={"Accept-Language": language}).content.decode()
    for shown in ('value="12,50"', 'value="7,5"', 'value="2,5"'):
        assert shown in page, "as it is read everywhere else"
    assert desk.post(cell, {"points": "1,5", "reason": "x"}, headers={"Accept-Language": "en"}).status_code == 422


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
    told = desk.post(address, {"points": "100", "reason": "a slip"}, follow=True).content.decode()
    assert "100 points are more than the 10 of this problem" in told, "a bonus, or a slip of the hand"
    told = desk.post(address, {"points": "7.25", "reason": "explained it"}, follow=True).content.decode()
    assert "more than" not in told
    for page in (f"/courses/{course.slug}/grades/", address):
        assert "7.25*" in desk.get(page).content.decode()
    desk.force_login(student)
    assert "7.25 of 10 points" in desk.get("/work/").content.decode()
