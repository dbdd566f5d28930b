"""The log says what of an assignment was changed: old and new."""

from datetime import timedelta
from decimal import Decimal

import pytest

from judge.assignments import actions
from judge.assignments.actions import Entry
from judge.people.models import Course, User
from problems.models import Problem
from tests.conftest import assign

pytestmark = pytest.mark.django_db


def test_what_was_changed_is_told(course: Course, instructor: User, paper_problem: Problem) -> None:
    assignment = assign(course, paper_problem, deadline="2099-07-02T08:00+03:00")
    assignment.refresh_from_db()
    entries = [Entry(problem=paper_problem, points=Decimal(10))]
    actions.save(instructor, assignment, entries, [])
    assert not course.audit.exists(), "nothing was"
    assignment.deadline += timedelta(days=1)
    assignment.attempts = 3
    assignment.feedback = {"counterexample": "never"}
    actions.save(instructor, assignment, [Entry(problem=paper_problem, points=Decimal("7.50"))], [])
    assert course.audit.get().what == (
        "changed the assignment Graphs: deadline: 2099-07-02 08:00 EEST → 2099-07-03 08:00 EEST, attempts: – → 3, "
        "points of paper: 10 → 7.5, feedback counterexample: always → never"
    )
