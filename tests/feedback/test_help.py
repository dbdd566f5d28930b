"""Which rung of the ladder a student had open when they solved a problem, for staff."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from judge.feedback.actions import note_shown
from judge.feedback.ladder import Rung
from judge.feedback.models import Shown
from judge.feedback.queries import Helped, helped
from judge.grading.verdict import Verdict
from judge.people.models import Course, CourseRole, Membership, User
from judge.submissions.models import Submission
from problems.models import Problem
from tests.conftest import assign, person
from tests.feedback.test_trip import TAKES_PARTS_OFF, Do, done, problem
from tests.web.conftest import done as judged
from tests.web.conftest import send, twice

__all__ = ["done", "problem", "send", "twice"]


def test_the_most_that_was_shown_before_it_was_solved(
    course: Course, student: User, classmate: User, *, instructor: User, twice: Problem, send: Callable[..., Submission]
) -> None:
    assignment = assign(course, twice)
    kai, lea, old = (person(name) for name in ("kai", "lea", "old"))
    for user, active in ((kai, True), (lea, True), (old, False)):
        Membership.objects.create(user=user, course=course, role=CourseRole.STUDENT, active=active)
    stories: dict[User, list[tuple[Verdict, Rung | None]]] = {
        student: [(Verdict.WRONG_ANSWER, Rung.REPLAY), (Verdict.WRONG_ANSWER, Rung.HINT), (Verdict.ACCEPTED, None)],
        classmate: [(Verdict.ACCEPTED, None), (Verdict.WRONG_ANSWER, Rung.HINT)],
        kai: [(Verdict.COMPILE_ERROR, None), (Verdict.RUN_TIME_ERROR, None), (Verdict.ACCEPTED, None)],
        lea: [(Verdict.WRONG_ANSWER, Rung.COUNTEREXAMPLE), (Verdict.JUDGE_ERROR, None)],
        old: [(Verdict.ACCEPTED, None)],
        instructor: [(Verdict.ACCEPTED, None)],
    }
    for author, story in stories.items():
        for verdict, rung in story:
            sent = send(author, assignment=assignment, **judged(verdict))
            if rung is not None:
                note_shown(author, sent, rung)
    send(student, **judged("wrong_answer"))  # practice
    expected = Helped(at_once=1, after={Rung.REPLAY: 1, Rung.VERDICT: 1}, unsolved={Rung.COUNTEREXAMPLE: 1})
    assert helped(instructor, assignment) == {twice.pk: expected}
    assert helped(student, assignment) == {}
    client = Client()
    client.force_login(instructor)
    page = client.get(reverse("assignment-help", args=[course.slug, assignment.pk])).content.decode()
    assert '<td class="num">1</td><td class="num">1</td><td class="num soft">0</td>' in page
    assert '<td class="num soft">0</td><td class="num">1</td><td>a failing input: 1</td>' in page
    assert b"Help that was needed" in client.get(reverse("assignment", args=[course.slug, assignment.pk])).content


def test_less_than_before_changes_nothing_and_only_its_author_counts(
    student: User, instructor: User, twice: Problem, send: Callable[..., Submission]
) -> None:
    sent = send(student, **judged("wrong_answer"))
    for viewer, rung, kept in (
        (instructor, Rung.REPLAY, []),
        (student, Rung.VERDICT, []),
        (student, Rung.HINT, ["hint"]),
        (student, Rung.KIND, ["hint"]),
        (student, Rung.REPLAY, ["replay"]),
    ):
        note_shown(viewer, sent, rung)
        assert list(Shown.objects.values_list("rung", flat=True)) == kept


@pytest.mark.django_db(transaction=True)
def test_what_a_page_shows_its_author_is_noted(
    done: Do, student: User, admin: User, client: Client, problem: Problem
) -> None:
    sent = done(student, TAKES_PARTS_OFF)
    page, replay = reverse("submission", args=[sent.pk]), reverse("submission-replay", args=[sent.pk])
    for reader, address, kept in (
        (admin, replay, []),
        (student, page, ["counterexample"]),
        (student, replay, ["replay"]),
        (student, page, ["replay"]),
    ):
        client.force_login(reader)
        assert client.get(address).status_code == 200
        assert list(Shown.objects.values_list("rung", flat=True)) == kept
