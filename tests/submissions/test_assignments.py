"""What may be sent for an assignment, and how it is judged: the rules hold where they must, with a reason."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from judge.assignments.models import Assignment, Extension
from judge.assignments.queries import given_to, problems
from judge.grading.verdict import Verdict
from judge.people import actions as people
from judge.people.models import Course, CourseRole, Membership, Section, User
from judge.people.refusal import Refused
from judge.submissions import actions, queries
from judge.submissions.ledger import claim
from judge.submissions.models import Judgement, Submission
from judge.submissions.targets import targets
from problems.models import Problem
from tests.conftest import assign, person
from tests.overlap import overlapping

PROGRAM = {"main.cpp": b"int main() {}"}
DAY = timedelta(days=1)


@pytest.fixture
def send(student: User, paper_problem: Problem) -> Callable[..., Submission]:
    numbers = iter(range(1000))

    def submit(assignment: Assignment | None, author: User = student, language: str = "cpp17") -> Submission:
        token = f"form-{next(numbers)}"
        return actions.submit(author, paper_problem, language, PROGRAM, token, assignment=assignment)

    return submit


def judged(sent: Submission, verdict: Verdict) -> None:
    Judgement.objects.filter(submission=sent).update(state="done", verdict=verdict)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"opens": 1 * DAY, "deadline": 2 * DAY}, "not open yet: it opens on"),
        ({"deadline": -1 * DAY}, "is closed since"),
        ({"deadline": -2 * DAY, "cutoff": -1 * DAY}, "is closed since"),
        ({"published": None}, "not in the course"),
        ({"published": 1 * DAY}, "not in the course"),
        ({"languages": ["python3", "java"]}, "C\\+\\+17 is not allowed in Graphs. Allowed: Python 3, Java"),
    ],
)
def test_what_is_refused_and_why(
    course: Course, paper_problem: Problem, send: Callable[..., Submission], changes: dict[str, Any], said: str
) -> None:
    now = timezone.now()
    columns = {key: now + value if isinstance(value, timedelta) else value for key, value in changes.items()}
    assignment = assign(course, paper_problem, **{"opens": now - 3 * DAY} | columns)
    with pytest.raises(Refused, match=said):
        send(assignment)
    assert send(None).assignment is None, "practice goes on"


def test_moments_are_told_in_the_zone_of_the_course(
    course: Course, paper_problem: Problem, send: Callable[..., Submission]
) -> None:
    assignment = assign(course, paper_problem, opens="2099-07-01T08:00+03:00", deadline="2099-07-02T08:00+03:00")
    assignment.refresh_from_db()
    with pytest.raises(Refused, match=r"1 July 2099, 08:00 \(Europe/Bucharest\)"):
        send(assignment)


def test_late_work_is_taken_until_the_cutoff(
    course: Course, paper_problem: Problem, send: Callable[..., Submission]
) -> None:
    now = timezone.now()
    late = assign(course, paper_problem, opens=now - 3 * DAY, deadline=now - DAY, cutoff=now + DAY)
    assert send(late).assignment == late


def test_who_is_not_a_student_of_the_course_sends_nothing(
    course: Course, paper_problem: Problem, student: User, send: Callable[..., Submission]
) -> None:
    assignment = assign(course, paper_problem, attempts=1)
    with pytest.raises(Refused, match="not in the course"):
        send(assignment, person("stella"))
    Membership.objects.filter(user=student).update(active=False)
    with pytest.raises(Refused, match="not in the course"):
        send(assignment)
    Membership.objects.filter(user=student).update(active=True)
    section = Section.objects.create(course=course, name="B")
    assignment.sections.add(section)
    with pytest.raises(Refused, match="not in the course"):
        send(assignment)
    Membership.objects.filter(user=student).update(section=section)
    assert send(assignment).assignment == assignment


def test_staff_may_try_an_assignment_out_at_any_time(
    course: Course, paper_problem: Problem, instructor: User, send: Callable[..., Submission]
) -> None:
    draft = assign(course, paper_problem, published=None, opens=timezone.now() + DAY, attempts=1)
    for _ in range(3):
        send(draft, instructor)


def test_an_archived_course_and_another_problem(
    course: Course, paper_problem: Problem, instructor: User, send: Callable[..., Submission]
) -> None:
    empty = assign(course)
    with pytest.raises(Refused, match="not part of"):
        send(empty)
    assignment = assign(course, paper_problem)
    people.archive(instructor, course)
    with pytest.raises(Refused, match="is over"):
        send(Assignment.objects.get(pk=assignment.pk))
    people.archive(instructor, course, back=True)
    assert send(Assignment.objects.get(pk=assignment.pk))


def test_attempts_are_used_up_by_what_was_run(
    course: Course, paper_problem: Problem, student: User, send: Callable[..., Submission]
) -> None:
    assignment = assign(course, paper_problem, attempts=2)
    judged(send(assignment), Verdict.JUDGE_ERROR)
    judged(send(assignment), Verdict.COMPILE_ERROR)
    judged(send(assignment), Verdict.WRONG_ANSWER)
    waiting = send(assignment)
    with pytest.raises(Refused, match="still being judged"):
        send(assignment)
    judged(waiting, Verdict.JUDGE_ERROR)
    judged(send(assignment), Verdict.ACCEPTED)
    with pytest.raises(Refused, match="used all 2 attempts"):
        send(assignment)
    Extension.objects.create(assignment=assignment, student=student, extra_attempts=1, reason="ill")
    judged(send(assignment), Verdict.WRONG_ANSWER)
    with pytest.raises(Refused, match="used all 3 attempts"):
        send(assignment)
    assert send(None)


def test_practice_does_not_go_round_the_attempts(
    course: Course, paper_problem: Problem, student: User, classmate: User, send: Callable[..., Submission]
) -> None:
    now = timezone.now()
    assignment = assign(course, paper_problem, attempts=2)
    Extension.objects.create(assignment=assignment, student=classmate, deadline=now - DAY / 2, reason="done")
    judged(send(assignment), Verdict.WRONG_ANSWER)
    with pytest.raises(Refused, match="Graphs counts attempts for this problem, and you have one left"):
        send(None)
    choices = [value for value, _label in targets(student, paper_problem, "practice").choices]
    assert choices == [str(assignment.pk)] == [targets(student, paper_problem, "practice").chosen]
    assert send(None, classmate), "for whom it is closed"
    last = send(assignment)
    with pytest.raises(Refused, match="your last one is still being judged"):
        send(None)
    assert targets(student, paper_problem, "practice").chosen == str(assignment.pk)
    judged(last, Verdict.COMPILE_ERROR)
    with pytest.raises(Refused, match="you have one left"):
        send(None)
    judged(send(assignment), Verdict.WRONG_ANSWER)
    assert send(None), "none is left to save"
    assert targets(student, paper_problem, "practice").chosen == "practice"


def test_what_will_count_attempts_is_not_practised_before(
    course: Course, paper_problem: Problem, student: User, instructor: User, send: Callable[..., Submission]
) -> None:
    now = timezone.now()
    coming = assign(course, paper_problem, attempts=1, opens=now + DAY, deadline=now + 2 * DAY)
    with pytest.raises(Refused, match="counts attempts for this problem and opens on"):
        send(None)
    for asked in ("", "practice", str(coming.pk)):
        assert "opens on" in targets(student, paper_problem, asked).note
    assert send(None, instructor)
    Extension.objects.create(assignment=coming, student=student, exempt=True, reason="has it already")
    assert send(None), "who is exempt has nothing to save"
    Extension.objects.all().delete()
    Assignment.objects.update(published=now + DAY)
    assert send(None), "it is not known yet"


@pytest.mark.django_db(transaction=True)
def test_the_last_attempt_is_given_once(course: Course, paper_problem: Problem, student: User) -> None:
    assignment = assign(course, paper_problem, attempts=1)

    def press(token: str) -> Submission:
        return actions.submit(student, paper_problem, "cpp17", PROGRAM, token, assignment=assignment)

    first, second = overlapping(lambda: press("one"), lambda: press("two"))
    assert isinstance(first, Submission)
    assert "still being judged" in str(second)
    assert Submission.objects.count() == 1


def test_an_extension_opens_it_for_one(
    course: Course, paper_problem: Problem, student: User, classmate: User, send: Callable[..., Submission]
) -> None:
    now = timezone.now()
    closed = assign(course, paper_problem, opens=now - 3 * DAY, deadline=now - DAY)
    Extension.objects.create(assignment=closed, student=student, deadline=now + DAY, reason="ill")
    assert send(closed)
    with pytest.raises(Refused, match="closed"):
        send(closed, classmate)


def test_the_time_factor_goes_into_the_judgement(
    course: Course, paper_problem: Problem, send: Callable[..., Submission], student: User
) -> None:
    assignment = assign(course, paper_problem, time_factors={"cpp17": "2.5"})
    assert send(assignment).judgements.get().time_factor == 2.5
    assert send(assignment, language="python3").judgements.get().time_factor == 1
    assert send(None).judgements.get().time_factor == 1
    version = paper_problem.live
    assert version is not None
    assert actions.start_trial(student, version, "cpp17", PROGRAM, assignment=assignment).time_factor == 2.5


def test_an_unlisted_problem_is_there_for_those_who_were_given_it(
    course: Course, paper_problem: Problem, student: User, instructor: User, send: Callable[..., Submission]
) -> None:
    Problem.objects.update(listed=False)
    stella, now = person("stella"), timezone.now()

    def seen() -> list[bool]:
        return [problems(viewer).exists() for viewer in (student, instructor, stella)]

    with pytest.raises(Refused, match="not open for submissions"):
        send(None)
    assert seen() == [False, False, False]
    assignment = assign(course, paper_problem, opens=now + DAY)
    assert seen() == [False, True, False]
    Assignment.objects.filter(pk=assignment.pk).update(opens=now - DAY, deadline=now - DAY / 2)
    assert seen() == [True, True, False], "also when it is closed"
    Assignment.objects.filter(pk=assignment.pk).update(published=None)
    assert seen() == [False, True, False]


def test_what_is_given_to_whom(course: Course, paper_problem: Problem, student: User, classmate: User) -> None:
    a, b = (Section.objects.create(course=course, name=name) for name in "AB")
    Membership.objects.filter(user=student).update(section=a)
    Membership.objects.filter(user=classmate).update(section=b)
    for_all, for_a, both = assign(course, title="all"), assign(course, title="a"), assign(course, title="both")
    for_a.sections.add(a)
    both.sections.add(a, b)
    other = Course.objects.create(name="Other", slug="other")
    Membership.objects.create(user=student, course=other, role=CourseRole.ASSISTANT)
    assign(other, title="elsewhere")
    assert [str(one.assignment) for one in given_to(student)] == ["all", "a", "both"]
    assert [str(one.assignment) for one in given_to(classmate)] == ["all", "both"]
    assert given_to(person("stella")) == []
    assert for_all.pk


def test_what_a_student_sees_of_a_judged_program(
    course: Course, paper_problem: Problem, student: User, instructor: User, send: Callable[..., Submission]
) -> None:
    assignment = assign(course, paper_problem)
    sent = send(assignment)
    mine = claim(Judgement, sent.judgements.get().pk, "one")
    assert mine is not None
    with mine.finish(verdict=Verdict.WRONG_ANSWER.value, points=0, out_of=100, note="Case 2 of 3 is wrong."):
        mine.row.results.create(
            position=1, name="secret/1", group="secret", verdict="wrong_answer", cpu_seconds=0.5, wall_seconds=0.6,
            memory_bytes=7, points=0, note="It differs.",
        )  # fmt: skip

    def shown(**feedback: str) -> dict[str, Any]:
        Assignment.objects.filter(pk=assignment.pk).update(feedback=feedback)
        found = queries.submission(student, sent.pk)
        assert found is not None
        facts = queries.snapshot(student, found)
        assert facts is not None
        return facts

    everything = shown()
    assert (everything["note"], len(everything["cases"]), everything["cases"][0]["cpu_seconds"]) == (
        "Case 2 of 3 is wrong.", 1, 0.5,
    )  # fmt: skip
    without = shown(what_happened="never")
    assert (without["verdict"], without["note"], without["cases"], without["total"]) == ("wrong_answer", "", [], 0)
    assert shown(what_happened="on_failure")["cases"]
    assert not shown(what_happened="after_deadline")["cases"]
    free = shown(cost="never")["cases"][0]
    assert (free["cpu_seconds"], free["memory_bytes"], free["note"]) == (None, None, "It differs.")

    assert queries.case_output(student, mine.row.pk, 1) is None
    shown(secret="always")
    assert queries.case_output(student, mine.row.pk, 1) == b""

    Assignment.objects.filter(pk=assignment.pk).update(feedback={"what_happened": "never"})
    found = queries.submission(instructor, sent.pk)
    assert found is not None
    facts = queries.snapshot(instructor, found)
    assert facts is not None
    assert facts["cases"][0]["cpu_seconds"] == 0.5, "the staff sees all"


def test_the_staff_of_a_course_sees_its_work_and_no_other(
    course: Course, paper_problem: Problem, student: User, instructor: User, send: Callable[..., Submission]
) -> None:
    sent, practice = send(assign(course, paper_problem)), send(None)
    other = Course.objects.create(name="Other", slug="other")
    Membership.objects.create(user=student, course=other)
    elsewhere = send(assign(other, paper_problem))
    assert list(queries.submissions(instructor)) == [sent]
    for hidden in (practice, elsewhere):
        assert queries.submission(instructor, hidden.pk) is None
        assert queries.snapshot(instructor, hidden) is None
        assert queries.sources(instructor, hidden) == {}
    overview = queries.queue_overview(instructor)
    assert overview is not None
    assert [one.submission for one in overview["waiting"]] == [sent]
    assert overview["counts"]["queued"] == 3
    Membership.objects.filter(user=instructor).update(active=False)
    assert not queries.submissions(instructor).exists()
    assert queries.queue_overview(instructor) is None
