"""Similar programs, as the staff of a course looks at them: side by side, with nothing of other courses."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from judge.assignments.models import AssignmentProblem
from judge.blobs import store
from judge.grades.models import Comparison
from judge.people.models import Course, CourseRole, Membership, User
from judge.submissions.models import Submission
from judge.web.course.similarity import marked
from tests.conftest import assign, person
from tests.web.browsing import Visitor, faults_of
from tests.web.conftest import done

Send = Callable[..., Submission]


def test_parts_are_marked_and_lead_to_each_other() -> None:
    html = marked("a <b> c d", [(2, 5, 1), (4, 7, 2), (2, 4, 3)], "one")
    assert html.count("<mark") == 2
    assert '<mark class="part"><a class="part-number" id="one-1" href="#other-1">1</a>&lt;b&gt;</mark>' in html
    assert "<b>" not in html, "what a student wrote is text"


def compared(course: Course, one: Submission, other: Submission, **more: Any) -> AssignmentProblem:
    assert one.assignment is not None
    entry: AssignmentProblem = one.assignment.entries.get()
    pair = {
        "one": one.pk,
        "other": other.pk,
        "shares": [0.9, 0.4],
        "parts": [[[0, 0, 5], [0, 3, 8]]],
        "outputs": [{"case": "secret/1", "digest": store.put(b"<wrong>"), "one": one.pk, "other": other.pk}],
        "outputs_in_all": 1,
    }
    result = {"pairs": [pair], "groups": [[one.pk, other.pk]], "people": 2, "left_out": {"short": 3}} | more
    Comparison.objects.create(entry=entry, state="done", finished=timezone.now(), result=result)
    return entry


@pytest.fixture
def two(course: Course, student: User, classmate: User, send: Send) -> tuple[Submission, Submission]:
    assignment = assign(course, send(student).problem)
    return (
        send(student, assignment=assignment, files={"a.py": b"print(1)"}, **done("accepted")),
        send(classmate, assignment=assignment, files={"b.py": b"x; print(2)"}, **done("wrong_answer")),
    )


def test_from_the_list_to_two_programs(
    client: Client, course: Course, instructor: User, two: tuple[Submission, Submission]
) -> None:
    entry = compared(course, *two)
    client.force_login(instructor)
    home = f"/courses/{course.slug}/"
    address = f"{home}similarity/{entry.pk}/"
    assert address in client.get(f"{home}assignments/{entry.assignment_id}/").content.decode()
    page = client.get(address).content.decode()
    pair = f"{address}{two[0].pk}/{two[1].pk}/"
    assert f'href="{pair}"' in page
    assert "90 % of the first, 40 % of the second" in page
    assert "evidence to look at" in page
    assert not any(word in page.lower() for word in ("plagiar", "cheat", "guilty", "suspicio"))
    page = client.get(pair).content.decode()
    assert page.count('<mark class="part">') == 2
    assert "&lt;wrong&gt;" in page
    assert client.get(f"{address}{two[1].pk}/{two[0].pk}/").status_code == 404, "no pair of the report"
    Comparison.objects.update(result={"pairs": [], "groups": [[one.pk for one in two]], "people": 2})
    assert f'href="{pair}"' in client.get(address).content.decode(), "those that are the same, too"
    page = client.get(pair).content.decode()
    assert page.count('<mark class="part">') == 2
    assert "100 % of it" in page


def test_nothing_of_another_course(
    client: Client, course: Course, instructor: User, two: tuple[Submission, Submission], send: Send
) -> None:
    """A report that names work sent elsewhere shows nothing of it, not even to who teaches there too; and staff
    elsewhere sees nothing of this."""
    stranger = person("stranger")
    elsewhere = Course.objects.create(name="Elsewhere", slug="elsewhere")
    Membership.objects.create(user=stranger, course=elsewhere, role=CourseRole.INSTRUCTOR)
    Membership.objects.create(user=instructor, course=elsewhere, role=CourseRole.INSTRUCTOR)
    foreign = send(stranger, assignment=assign(elsewhere, two[0].problem), **done("accepted"))
    entry = compared(course, two[0], foreign)
    client.force_login(instructor)
    address = f"/courses/{course.slug}/similarity/{entry.pk}/"
    assert "stranger" not in client.get(address).content.decode()
    assert client.get(f"{address}{two[0].pk}/{foreign.pk}/").status_code == 404
    client.force_login(stranger)
    assert client.get(address).status_code == 404
    assert client.get(f"/courses/elsewhere/similarity/{entry.pk}/").status_code == 404


def test_asking(client: Client, course: Course, instructor: User, two: tuple[Submission, Submission]) -> None:
    assert two[0].assignment is not None
    entry = two[0].assignment.entries.get()
    address = f"/courses/{course.slug}/similarity/{entry.pk}/"
    client.force_login(instructor)
    assert "No report was made yet" in client.get(address).content.decode()
    assert client.post(address, {"given": "import sys"})["Location"] == address
    made = Comparison.objects.get()
    assert (made.given, made.asked_by, made.entry) == ("import sys", instructor, entry)
    assert "are being compared" in client.get(address).content.decode()
    assistant = person("tom")
    Membership.objects.create(user=assistant, course=course, role=CourseRole.ASSISTANT)
    client.force_login(assistant)
    assert '<form method="post" class="sheet' not in client.get(address).content.decode()
    assert client.post(address, {"given": ""}).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_no_fault_that_a_machine_can_find(
    visit: Callable[..., Visitor], course: Course, instructor: User, two: tuple[Submission, Submission]
) -> None:
    entry = compared(course, *two)
    home = f"/courses/{course.slug}/"
    addresses = [
        f"similarity/{entry.pk}/",
        f"similarity/{entry.pk}/{two[0].pk}/{two[1].pk}/",
        f"statistics/{entry.pk}/",
    ]
    page = visit(instructor).page
    assert not faults_of(page, [home + address for address in addresses])
