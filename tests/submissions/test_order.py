"""Who goes first: by what somebody used, not by how much they send; and what rests for whom."""

import time
from datetime import timedelta

import pytest
from celery.exceptions import Reject
from django.db.models import F
from django.utils import timezone
from pytest_django import Settings

from judge.grading.verdict import Verdict
from judge.people.models import Course, User
from judge.people.refusal import Refused
from judge.submissions import actions, ledger, order, tasks
from judge.submissions.ledger import claim, claim_next
from judge.submissions.models import Judgement, State, Submission, Trial
from problems.models import Problem
from tests.broker import Broker
from tests.conftest import assign, person
from tests.shelf import RIGHT
from tests.workers import all_over, eventually, send, worker

KINDS = (Judgement, Trial)
PROGRAM = {"main.cpp": b"int main() {}"}
CASE_SECONDS = 0.6
SLOW = b"import time\ntime.sleep(%.1f)\nprint(2 * int(input()))\n" % CASE_SECONDS


def sent_by(author: User, problem: Problem, token: str) -> Judgement:
    return actions.submit(author, problem, "cpp17", PROGRAM, token).judgements.get()


def taken() -> list[tuple[str, str]]:
    """Author and token of what a worker would do, one after another."""
    found = []
    while (mine := claim_next(KINDS, "one")) is not None:
        row = mine.row
        found.append((row.submission.author.username, row.submission.token))
        with mine.finish(verdict=Verdict.ACCEPTED.value):
            pass
    return found


def test_the_first_of_everybody_goes_before_the_second_of_anybody(
    student: User, classmate: User, paper_problem: Problem
) -> None:
    for number in range(4):
        sent_by(student, paper_problem, f"hog-{number}")
    for number in range(2):
        sent_by(classmate, paper_problem, f"kim-{number}")
    assert taken() == [
        ("sam", "hog-0"),
        ("kim", "kim-0"),
        ("sam", "hog-1"),
        ("kim", "kim-1"),
        ("sam", "hog-2"),
        ("sam", "hog-3"),
    ]


def test_nobody_waits_for_ever(student: User, classmate: User, paper_problem: Problem) -> None:
    for number in range(9):
        last = sent_by(student, paper_problem, f"hog-{number}")
    assert last.due - last.queued < order.OWN_MOST + timedelta(seconds=5)
    Judgement.objects.update(due=F("due") - order.OWN_MOST - timedelta(seconds=5))
    sent_by(classmate, paper_problem, "late")
    assert taken()[-1] == ("kim", "late")


def test_who_used_much_lately_waits_a_little(student: User, classmate: User, paper_problem: Problem) -> None:
    used = sent_by(student, paper_problem, "before")
    now = timezone.now()
    Judgement.objects.filter(pk=used.pk).update(
        state=State.DONE, verdict="accepted", started=now - timedelta(seconds=100), finished=now
    )
    sent_by(student, paper_problem, "mine")
    sent_by(classmate, paper_problem, "hers")
    assert taken() == [("kim", "hers"), ("sam", "mine")]
    Judgement.objects.update(started=now - 3 * order.LATELY, finished=now - 2 * order.LATELY)
    assert order.due(Judgement.objects.filter(submission__author=student)) - timezone.now() < timedelta(seconds=1)


def test_a_course_with_a_deadline_holds_up_no_other(paper_problem: Problem, classmate: User) -> None:
    course = Judgement.objects.filter(submission__author__username__startswith="course-")
    for number in range(5):
        row = sent_by(person(f"course-{number}"), paper_problem, "1")
        Judgement.objects.filter(pk=row.pk).update(due=order.due(Judgement.objects.none(), course.exclude(pk=row.pk)))
    sent_by(classmate, paper_problem, "other course")
    assert [author for author, _ in taken()] == ["course-0", "kim", "course-1", "course-2", "course-3", "course-4"]
    assert order.COURSE_MOST + order.USED_MOST < order.OWN, "a busy course never puts a first one behind a second one"


def test_what_is_sent_for_an_assignment_counts_for_its_course(
    course: Course, student: User, classmate: User, paper_problem: Problem
) -> None:
    assignment = assign(course, paper_problem)
    back = []
    for author in (student, classmate):
        sent = actions.submit(author, paper_problem, "cpp17", PROGRAM, "1", assignment=assignment)
        row = sent.judgements.get()
        back.append(round((row.due - row.queued).total_seconds()))
    assert back == [0, 1]


def test_trial_runs_are_short_and_go_first(student: User, classmate: User, paper_problem: Problem) -> None:
    assert paper_problem.live is not None
    sent_by(student, paper_problem, "1")
    trials = [actions.start_trial(classmate, paper_problem.live, "cpp17", PROGRAM) for _ in range(2)]
    order_of = []
    while (mine := claim_next(KINDS, "one")) is not None:
        order_of.append(mine.row)
        with mine.finish():
            pass
    assert order_of == [trials[0], Judgement.objects.get(), trials[1]]


def test_what_rests_for_what(student: User, classmate: User, paper_problem: Problem) -> None:
    running = sent_by(student, paper_problem, "running")
    assert claim(Judgement, running.pk, "one") is not None
    other = sent_by(classmate, paper_problem, "other")
    assert not order.goes_before(other, running), "it has just come: a free worker takes it"
    Judgement.objects.filter(pk=other.pk).update(hinted=F("hinted") - timedelta(seconds=1))
    other.refresh_from_db()
    assert not order.goes_before(other, running), "one each: who came first is done first"
    second = sent_by(student, paper_problem, "second")
    assert order.goes_before(other, running), "the other has more waiting"
    Judgement.objects.filter(pk=second.pk).update(hinted=F("hinted") - timedelta(seconds=1))
    second.refresh_from_db()
    assert not order.goes_before(second, running), "nobody rests for oneself"
    assert ledger.first_waiting(KINDS) == other


def test_too_fast_is_told_kindly(student: User, instructor: User, paper_problem: Problem, settings: Settings) -> None:
    settings.SUBMISSIONS_A_MINUTE = 3
    for number in range(3):
        sent_by(student, paper_problem, str(number))
        sent_by(instructor, paper_problem, str(number))
    sent_by(instructor, paper_problem, "staff may")
    assert sent_by(student, paper_problem, "2"), "the same form again is not a new program"
    with pytest.raises(Refused, match=r"3 programs within a minute.*in \d+ seconds this one can be sent"):
        sent_by(student, paper_problem, "3")
    Submission.objects.filter(author=student).update(sent=F("sent") - timedelta(seconds=61))
    assert sent_by(student, paper_problem, "3")


@pytest.mark.django_db(transaction=True)
def test_one_hog_delays_another_by_no_more_than_one_case(
    broker: Broker, twice: Problem, student: User, classmate: User, settings: Settings
) -> None:
    settings.UNFINISHED_SUBMISSIONS = 1000
    hog = [send(student, twice, SLOW, f"hog-{number}").judgements.get() for number in range(200)]
    with worker():
        for _ in range(2):  # while the hog's first is judged, and again while a later one is
            began = Judgement.objects.filter(state=State.DONE, submission__author=student).count()
            eventually(lambda: Judgement.objects.filter(state=State.RUNNING, progress__in=("1", "2")).exists())
            sent = send(classmate, twice, RIGHT, f"first-{began}").judgements
            begin = time.monotonic()
            eventually(lambda: sent.get().state != State.QUEUED)  # noqa: B023
            assert time.monotonic() - begin < CASE_SECONDS + 0.9
            eventually(lambda: sent.get().over)  # noqa: B023
            assert sent.get().verdict == Verdict.ACCEPTED
            assert Judgement.objects.filter(submission__author=student, state=State.RUNNING).exists(), "it only rests"
            eventually(
                lambda: Judgement.objects.filter(state=State.DONE, submission__author=student).count() > began  # noqa: B023
            )
        Judgement.objects.filter(state=State.QUEUED).update(state=State.ABANDONED)
        eventually(all_over)
    done = Judgement.objects.filter(pk__in=[row.pk for row in hog], state=State.DONE)
    assert {(row.verdict, row.attempt, row.results.count()) for row in done} == {("accepted", 1, 4)}


@pytest.mark.django_db(transaction=True)
def test_a_worker_without_room_takes_nothing(
    broker: Broker, twice: Problem, student: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(student, twice, RIGHT, "1")
    settings.DISK_RESERVE_BYTES = 1 << 60
    monkeypatch.setattr(tasks, "NO_WORK_SECONDS", 0)
    with pytest.raises(Reject, match="MiB are free") as put_back:
        tasks.work_next("here")
    assert vars(put_back.value)["requeue"], "for another worker"
    with pytest.raises(Reject):
        tasks.work(Judgement, Judgement.objects.get().pk, tasks.judge, "here")
    assert Judgement.objects.get().attempt == 0
    settings.DISK_RESERVE_BYTES = 1
    assert tasks.work_next("here")
    assert Judgement.objects.get().verdict == Verdict.ACCEPTED
