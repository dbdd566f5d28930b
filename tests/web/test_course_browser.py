"""The pages of courses in a real browser: what a screen reader or a phone would trip over."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from judge.assignments.models import Extension
from judge.people.invitations import link_for
from judge.people.models import Course, Membership, User
from judge.submissions.models import Submission
from tests.conftest import assign
from tests.web.browsing import Visitor, faults_of
from tests.web.conftest import done

pytestmark = pytest.mark.django_db(transaction=True)

Send = Callable[..., Submission]


def test_no_page_of_a_course_has_a_fault_that_a_machine_can_find(
    visit: Callable[..., Visitor], course: Course, instructor: User, student: User, *, send: Send
) -> None:
    now = timezone.now()
    problem = send(student).problem
    opened = assign(course, problem, attempts=3, grades_published=now, deadline=now + timedelta(days=4))
    send(student, assignment=opened, **done("accepted", points=100, out_of=100))
    Extension.objects.create(assignment=opened, student=student, extra_attempts=1, reason="ill", given_by=instructor)
    pending = User.objects.create(username="new", made_in=course, password="!")
    Membership.objects.create(user=pending, course=course)
    home, entry = f"/courses/{course.slug}/", opened.entries.get()
    both = ["/courses/", home, f"{home}assignments/{opened.pk}/"]
    desk = ["people/", "people/list", "people/invitations", f"people/{pending.pk}/", "settings", "log", "grades/",
            "assignments/new", f"assignments/{opened.pk}/edit", f"assignments/{opened.pk}/extensions",
            f"grades/{entry.pk}/{student.pk}/"]  # fmt: skip
    page = visit(instructor).page
    faults = faults_of(page, [*both, "/courses/new", *(home + address for address in desk)])
    page = visit(student).page
    faults |= faults_of(page, [*both, "/", "/work/", "/problems/twice/", "/account/data/", "/account/tokens/"])
    page = visit(None).page
    faults |= faults_of(page, [f"/account/join/?link={link_for(pending)}", "/account/join/"])
    assert not faults, json.dumps(faults, indent=1)
