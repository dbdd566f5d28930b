"""Statistics of a problem: from the judgements that count and are done, in a constant number of queries."""

from datetime import timedelta
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from judge.assignments.models import Extension
from judge.grades.statistics import MOST_ATTEMPTS, MOST_DAYS, statistics
from judge.people.models import Course, CourseRole, Membership, User
from judge.submissions.models import CaseResult, Effective, Judgement, Submission
from problems.models import Problem
from tests.conftest import assign, person
from tests.grades.conftest import Send


def result(sent: Submission, position: int, verdict: str, seconds: float = 0.1) -> None:
    CaseResult.objects.create(
        judgement=sent.effective.judgement,
        position=position,
        name=f"secret/{position}",
        group="secret",
        verdict=verdict,
        cpu_seconds=seconds,
        wall_seconds=seconds,
        memory_bytes=1,
        points=0,
    )


def test_verdicts_attempts_and_times(
    course: Course,
    student: User,
    classmate: User,
    paper_problem: Problem,
    send: Send,
) -> None:
    assignment = assign(course, paper_problem)
    entry = assignment.entries.get()
    wrong = send(student, assignment, 0)
    result(wrong, 1, "accepted")
    result(wrong, 2, "wrong_answer")
    result(wrong, 3, "run_time_error")
    send(student, assignment, 0, verdict="compile_error")
    right = send(student, assignment)
    result(right, 1, "accepted", 0.25)
    result(right, 2, "accepted", 0.75)
    send(student, assignment, 0)  # after it was solved: an attempt more changes nothing of those it took
    send(classmate, assignment, 0, verdict="judge_error")
    send(classmate, assignment, 0, state="queued", verdict="")
    for _ in range(MOST_ATTEMPTS + 3):
        send(classmate, assignment, 0, language="python3")
    send(student, None)
    found = statistics(entry)
    assert (found.asked, found.tried, found.solved) == (2, 2, 1)
    assert (found.programs, found.waiting) == (16, 1)
    assert found.verdicts == {"accepted": 1, "wrong_answer": 13, "compile_error": 1, "judge_error": 1}
    assert found.solved_after == [0, 1, *[0] * (MOST_ATTEMPTS - 2)], "what does not compile costs no attempt"
    assert found.unsolved_after == [*[0] * (MOST_ATTEMPTS - 1), 1]
    assert found.seconds == [0.75], "the slowest case of each that is accepted"
    assert [(one.name, one.verdict, one.programs) for one in found.stopping] == [("secret/2", "wrong_answer", 1)]
    assert [(one.id, one.programs, one.accepted, one.median_seconds) for one in found.languages] == [
        ("python3", MOST_ATTEMPTS + 3, 0, None),
        ("cpp17", 5, 1, 0.75),
    ]


def test_days_are_those_of_ones_own_deadline(
    course: Course,
    student: User,
    classmate: User,
    paper_problem: Problem,
    send: Send,
) -> None:
    now = timezone.now()
    assignment = assign(course, paper_problem, deadline=now - timedelta(days=1, hours=12), cutoff=now, late_percent=10)
    entry = assignment.entries.get()
    send(student, assignment)
    send(classmate, assignment)
    assert {left: count for left, count in statistics(entry).days.items() if count} == {-2: 2}
    Extension.objects.create(assignment=assignment, student=student, deadline=now + timedelta(days=30), reason="ill")
    assert {left: count for left, count in statistics(entry).days.items() if count} == {-2: 1, MOST_DAYS: 1}
    Extension.objects.create(assignment=assignment, student=classmate, exempt=True, reason="did it last year")
    found = statistics(entry)
    assert (found.asked, found.programs) == (1, 1), "nothing of who is exempt"


def test_only_what_counts(course: Course, student: User, paper_problem: Problem, send: Send) -> None:
    assignment = assign(course, paper_problem)
    sent = send(student, assignment, 0)
    result(sent, 1, "wrong_answer")
    live = paper_problem.live
    assert live is not None
    again = Judgement.objects.create(
        submission=sent, version=live, state="done", verdict="accepted", points=100, out_of=100
    )
    entry = assignment.entries.get()
    assert statistics(entry).verdicts == {"wrong_answer": 1}
    Effective.objects.filter(submission=sent).update(judgement=again)
    found = statistics(entry)
    assert (found.verdicts, found.stopping) == ({"accepted": 1}, [])
    Membership.objects.filter(user=student).update(active=False)
    assert statistics(entry).programs == 0, "who has left is no student of the course"


def test_a_constant_number_of_queries(course: Course, paper_problem: Problem, send: Send) -> None:
    assignment = assign(course, paper_problem)
    entry = assignment.entries.select_related("assignment__course").get()

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            statistics(entry)
        return len(captured)

    def more(first: int, last: int) -> None:
        for number in range(first, last):
            student = person(f"s{number}")
            Membership.objects.create(user=student, course=course, role=CourseRole.STUDENT)
            for points in (0, Fraction(1, 3), 100):
                one = send(student, assignment, points)
                result(one, 1, "accepted" if points == 100 else "wrong_answer")

    more(0, 1)
    before = queries()
    more(1, 9)
    assert queries() == before <= 6


@pytest.mark.django_db
def test_an_empty_one(course: Course, paper_problem: Problem) -> None:
    found = statistics(assign(course, paper_problem).entries.get())
    assert (found.asked, found.tried, found.programs, list(found.verdicts)) == (2, 0, 0, [])
