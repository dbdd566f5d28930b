"""The queue as it is: a real worker process, a real broker, the real sandbox, and what happens when they die."""

import time
from datetime import timedelta

import pytest
from django.db.models import F

from judge.grading.verdict import Verdict
from judge.people.models import User
from judge.submissions import queries, tasks
from judge.submissions.models import CaseResult, Judgement, State, Submission, Worker
from judge.submissions.sweeper import sweep
from problems.models import Problem
from tests.broker import Broker
from tests.shelf import RIGHT, SLOW, WRONG
from tests.workers import LEASE_SECONDS, all_over, eventually, send, worker

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_worker_killed_in_the_middle(broker: Broker, twice: Problem, student: User) -> None:
    sent = send(student, twice, SLOW, "1")
    with worker() as doomed:
        eventually(CaseResult.objects.exists)
        doomed.kill()
    assert Judgement.objects.get().state == State.RUNNING
    with worker():
        time.sleep(LEASE_SECONDS)
        eventually(lambda: sweep().returned == 1, LEASE_SECONDS + 2)
        eventually(all_over)
    judgement = Judgement.objects.get(submission=sent)
    assert (judgement.verdict, judgement.attempt, judgement.fence) == (Verdict.ACCEPTED, 2, 2)
    assert [result.position for result in judgement.results.all()] == [1, 2, 3, 4]
    assert queries.offered_languages() == {"python3"}
    assert Worker.objects.count() == 2


def test_a_worker_that_slept_past_its_lease_writes_nothing(broker: Broker, twice: Problem, student: User) -> None:
    sent = send(student, twice, SLOW, "1")
    with worker() as sleeper:
        eventually(CaseResult.objects.exists)
        sleeper.freeze()
        time.sleep(LEASE_SECONDS)
        eventually(lambda: sweep().returned == 1, LEASE_SECONDS + 2)
        with worker():
            eventually(all_over)
            before = list(CaseResult.objects.values())
            sleeper.thaw()
            sleeper.wait_for_log("fence lost")
    judgement = sent.judgements.get()
    assert (judgement.verdict, judgement.attempt, judgement.results.count()) == (Verdict.ACCEPTED, 2, 4)
    assert list(CaseResult.objects.values()) == before


def test_a_broker_killed_and_started_again(broker: Broker, twice: Problem, student: User) -> None:
    with worker():
        broker.kill()
        sent = [send(student, twice, RIGHT, f"gone-{number}") for number in range(3)]
        broker.start()
        sent += [send(student, twice, RIGHT, f"back-{number}") for number in range(3)]
        Judgement.objects.update(hinted=F("hinted") - timedelta(seconds=31))
        eventually(lambda: sweep().sent_again >= 0 and all_over())
    assert [each.judgements.get().verdict for each in sent] == [Verdict.ACCEPTED] * 6
    assert set(Judgement.objects.values_list("attempt", flat=True)) == {1}


@pytest.mark.byname
def test_forty_at_once_on_two_workers_one_of_them_killed(broker: Broker, twice: Problem, student: User) -> None:
    with worker() as doomed, worker():
        sent = [send(student, twice, (RIGHT, WRONG)[number % 2], str(number)) for number in range(40)]
        eventually(lambda: Judgement.objects.filter(state=State.DONE).count() >= 10)
        doomed.kill()
        eventually(lambda: sweep().returned >= 0 and all_over(), 120)
    verdicts = [each.judgements.get().verdict for each in sent]
    assert verdicts == [Verdict.ACCEPTED, Verdict.WRONG_ANSWER] * 20
    assert CaseResult.objects.count() == 160


def test_lost_messages_are_sent_again_and_no_more_than_that(broker: Broker, twice: Problem, student: User) -> None:
    for number in range(5):
        send(student, twice, RIGHT, str(number))
    broker.empty()
    assert sweep().sent_again == 0, "not yet: they may be on their way"
    Judgement.objects.update(hinted=F("hinted") - timedelta(seconds=31))
    assert sweep().sent_again == 5
    Judgement.objects.update(hinted=F("hinted") - timedelta(seconds=31))
    assert sweep().sent_again == 0, "they all wait"
    broker.stop()
    assert sweep().sent_again == 0
    assert broker.client.connection_pool is not None


def test_bytes_that_are_gone_are_a_fault_of_the_judge(broker: Broker, twice: Problem, student: User) -> None:
    sent = send(student, twice, RIGHT, "1")
    Submission.objects.filter(pk=sent.pk).update(files=[{"name": "main.py", "digest": "ab" * 32, "size": 3}])
    judgement = sent.judgements.get()
    for attempt in (1, 2, 3):
        assert tasks.work(Judgement, judgement.pk, tasks.judge, "here")
        judgement.refresh_from_db()
        assert judgement.attempt == attempt
    assert (judgement.state, judgement.verdict) == (State.ABANDONED, Verdict.JUDGE_ERROR)
    assert not tasks.work(Judgement, judgement.pk, tasks.judge, "here")
    assert broker.messages() == 2, "one by submit, one after the first fault; then the sweeper's pace"
