"""What a regrade does to grades: as the gradebook reckons, before it is applied and after; and choosing by course."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from judge.grades.gradebook import gradebook
from judge.grades.score import rounded
from judge.people.models import Course, User
from judge.regrades import actions, impact, queries
from judge.regrades.models import Regrade
from judge.submissions.models import Judgement, Submission
from judge.submissions.selection import PRACTICE, Selection
from problems.models import Problem
from tests.api.conftest import Caller, token_of
from tests.conftest import assign
from tests.regrades.conftest import ABS, Publish, judge_all, plan, work_off
from tests.regrades.test_regrade import ABSOLUTE
from tests.shelf import RIGHT
from tests.workers import send

FORMS = ("csv", "json")
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def regrade(twice: Problem, course: Course, student: User, classmate: User, publish_again: Publish) -> Regrade:
    """Sam falls, a day late; Kim has sent both opinions, so that nothing changes; practice is no grade."""
    late = timezone.now() - timedelta(hours=5)
    assignment = assign(course, twice, title="Doubles", deadline=late, cutoff=late + timedelta(days=9), late_percent=10)
    for author, program, counts in (
        (student, RIGHT, True),
        (classmate, RIGHT, True),
        (classmate, ABS, True),
        (classmate, RIGHT, False),
    ):
        sent = send(author, twice, program, str(Submission.objects.count()))
        Submission.objects.filter(pk=sent.pk).update(assignment=assignment if counts else None)
    judge_all()
    publish_again(ABSOLUTE)
    made = plan()
    actions.start(None, made)
    return work_off(made)


def totals(course: Course) -> dict[str, str]:
    return {line.membership.user.username: str(rounded(line.total)) for line in gradebook(course).lines}


def test_before_it_is_applied_and_after(
    regrade: Regrade, course: Course, instructor: User, classmate: User, admin: User
) -> None:
    before = totals(course)
    assert before == {"sam": "9.00", "kim": "9.00"}
    (change,) = impact.grades(instructor, regrade)
    assert (change.student.username, str(change.assignment)) == ("sam", "Doubles")
    told = [str(rounded(points)) for points in (change.before, change.after, change.worth)]
    assert told == ["9.00", "0.00", "10.00"]
    assert impact.grades(admin, regrade) == impact.grades(None, regrade) == [change]
    assert impact.grades(classmate, regrade) == [], "who is no staff sees no grades"
    actions.apply(None, regrade, "all")
    assert totals(course) == before | {"sam": told[1]}
    assert impact.grades(instructor, regrade) == [change]
    actions.revert(admin, regrade)
    assert [(one.by, one.what) for one in course.audit.all()] == [
        (admin, f"took regrade {regrade.pk} back: 3 submissions to twice (Case 2 was wrong.)"),
        (None, f"applied regrade {regrade.pk} by a command: 3 submissions to twice (Case 2 was wrong.)"),
    ], "whoever looks after the course reads of it, and practice is none of their business"


def test_one_of_the_command_line_is_theirs_who_could_have_made_it(
    regrade: Regrade, course: Course, client: Client, *, twice: Problem, instructor: User, classmate: User
) -> None:
    actions.apply(None, regrade, "all")
    address, log = f"/regrades/{regrade.pk}/", f"/courses/{course.slug}/log"

    def opens(user: User) -> bool:
        client.force_login(user)
        return client.get(address).status_code == 200

    assert not opens(instructor), "who does not own the problem"
    assert address not in client.get(log).content.decode(), "no link that leads nowhere"
    twice.owners.add(instructor, classmate)
    assert not opens(classmate), "who is not staff of the course"
    other = Course.objects.create(name="Other", slug="other")
    number = Submission.objects.exclude(assignment=None).values_list("pk", flat=True)[0]
    before = Submission.objects.get(pk=number).assignment
    Submission.objects.filter(pk=number).update(assignment=assign(other, twice))
    assert not opens(instructor), "work of another course is in it"
    Submission.objects.filter(pk=number).update(assignment=before)
    assert opens(instructor)
    assert address in client.get(log).content.decode()
    client.post(f"{address}act", {"do": "revert"})
    assert totals(course) == {"sam": "9.00", "kim": "9.00"}
    assert course.audit.all()[0].by == instructor


def test_whose_result_changed_is_told_on_their_own_page(
    regrade: Regrade, client: Client, student: User, classmate: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(user: User) -> str:
        client.force_login(user)
        page = client.get("/work/").content.decode()
        return page.split('id="news"')[1].split("</section>")[0] if 'id="news"' in page else ""

    assert told(student) == "", "nothing counts yet"
    actions.apply(None, regrade, "all")
    assert "because: Case 2 was wrong." in told(student)
    assert (told(student).count("/submissions/"), told(classmate).count("/submissions/")) == (1, 3), "their own alone"
    actions.revert(None, regrade)
    assert "A regrade was taken back" in told(student)
    monkeypatch.setattr(queries, "LATELY", timedelta())
    assert told(student) == "", "after two weeks no more"


def test_what_was_not_chosen_is_no_part_of_what_was_applied(regrade: Regrade, instructor: User) -> None:
    assert queries.impact(regrade).down == 1
    regrade.items.update(chosen=False)
    actions.apply(None, regrade, "selected")
    assert queries.impact(regrade).down == 0
    assert impact.grades(instructor, regrade) == []


def test_it_is_shown(regrade: Regrade, client: Client, admin: User) -> None:
    out = io.StringIO()
    call_command("regrade", "diff", regrade.pk, as_json=True, stdout=out)
    facts = {"student": "sam", "course": "algorithms", "assignment": "Doubles"}
    assert json.loads(out.getvalue())["grades"] == [facts | {"before": "9.00", "after": "0.00", "of": "10.00"}]
    client.force_login(admin)
    tables = {form: client.get(f"/regrades/{regrade.pk}/table.{form}").content.decode("utf-8-sig") for form in FORMS}
    assert json.loads(tables["json"])["grades"] == [facts | {"before": "9.00", "after": "0.00", "of": "10.00"}]
    columns = ("student", "assignment", "grade_before", "grade_after", "grade_of")
    lines = {tuple(row[name] for name in columns) for row in csv.DictReader(io.StringIO(tables["csv"]))}
    assert lines == {
        ("sam", "Doubles", "9.00", "0.00", "10.00"),
        ("kim", "Doubles", "", "", ""),
        ("kim", "", "", "", ""),
    }
    told = Caller(token_of(admin)).get(f"regrades/{regrade.pk}/diff").json()
    assert (told["grades"], told["grades_more"]) == (json.loads(tables["json"])["grades"], 0)
    page = client.get(f"/regrades/{regrade.pk}/").content.decode()
    grades = page.split('id="grades"')[1].split("</section>")[0]
    for told in ("Algorithms, Doubles", "9.00", "0.00", "10.00", "0 students would have more points for an assignment"):
        assert told in grades, told


def test_choosing_by_course_and_assignment(regrade: Regrade, client: Client, instructor: User) -> None:
    def fit(**words: str) -> int:
        return Selection.of(words).narrow(Submission.objects.all()).count()

    number = Submission.objects.exclude(assignment=None).values_list("assignment", flat=True)[0]
    assert fit(course="algorithms") == fit(assignment=str(number)) == 3
    assert (fit(course=PRACTICE), fit(course="other"), fit(assignment="0"), fit(assignment="x")) == (1, 0, 0, 4)
    one = Submission.objects.order_by("pk")[0]
    evening = datetime(2026, 10, 24, 22, 30, tzinfo=UTC)  # half past one of the next day in Bucharest
    Submission.objects.filter(pk=one.pk).update(sent=evening)
    assert fit(course="algorithms", since="2026-10-25", until="2026-10-25") == 1
    assert fit(course="algorithms", until="2026-10-24") == 0
    assert (fit(until="2026-10-24"), fit(verdict="pending")) == (1, 0)
    Judgement.objects.filter(submission=one).update(state="running")
    assert fit(verdict="pending") == 1
    client.force_login(instructor)
    page = client.get("/submissions/?course=algorithms").content.decode()
    assert f'<option value="{number}">Doubles</option>' in page
    assert '<option value="algorithms" selected>' in page
