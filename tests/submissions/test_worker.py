"""The queue as it is: a real worker process, a real broker, the real sandbox, and what happens when they die."""

import time
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db.models import F

from judge.authoring.actions import publish
from judge.grading.verdict import Verdict
from judge.people.models import User
from judge.submissions import actions, hints, queries, tasks
from judge.submissions.models import CaseResult, Judgement, State, Submission, Trial, Worker
from judge.submissions.sweeper import sweep
from problems.models import Problem
from sandbox.box import open_sandbox
from tests.broker import Broker
from tests.shelf import RIGHT, SLOW, WRONG, write_package
from tests.workers import LEASE_SECONDS, eventually, worker

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def twice(transactional_db: None, tmp_path: Path) -> Problem:
    box = open_sandbox(settings.VAR / "sandbox")
    try:
        return publish(write_package(tmp_path / "twice"), box).problem
    finally:
        box.close()


def send(author: User, problem: Problem, program: bytes, token: str) -> Submission:
    return actions.submit(author, problem, "python3", {"main.py": program}, token)


def all_over() -> bool:
    return not Judgement.objects.filter(state__in=(State.QUEUED, State.RUNNING)).exists()


def test_from_submit_to_verdict(broker: Broker, twice: Problem, student: User) -> None:
    listener: Any = broker.client.pubsub()  # type: ignore[no-untyped-call]
    listener.psubscribe(hints.CHANNELS)
    with worker():
        assert queries.offered_languages() == {"python3"}
        right = send(student, twice, RIGHT, "1")
        wrong = send(student, twice, WRONG, "2")
        broken = send(student, twice, b"print(\n", "3")
        version = twice.live
        assert version is not None
        samples = actions.start_trial(student, version, "python3", {"a.py": RIGHT})
        own = actions.start_trial(student, version, "python3", {"a.py": b"print(input() * 2, '\\0')"}, b"ab\n")
        eventually(lambda: all_over() and not Trial.objects.exclude(state=State.DONE).exists())
    shown = [queries.snapshot(student, sent) for sent in (right, wrong, broken)]
    assert [each and (each["state"], each["verdict"], each["points"], each["out_of"]) for each in shown] == [
        ("done", "accepted", 100.0, 100.0),
        ("done", "wrong_answer", 0.0, 100.0),
        ("done", "compile_error", 0.0, 100.0),
    ]
    assert shown[1] is not None
    assert [case["verdict"] for case in shown[1]["cases"]] == ["accepted"] + ["wrong_answer"] * 3
    assert queries.case_output(student, shown[1]["judgement"], 1) == b"4\n"
    assert shown[2] is not None
    assert "SyntaxError" in shown[2]["compile_log"]
    assert shown[2]["cases"] == []
    assert shown[0] is not None
    assert "Python 3" in shown[0]["toolchain"]
    results = Trial.objects.get(pk=samples.pk).results
    assert (results["verdict"], results["total"], results["runs"][0]["output"]) == ("accepted", 1, "4\n")
    results = Trial.objects.get(pk=own.pk).results
    assert results["runs"][0]["output"] == "abab \N{SYMBOL FOR NULL}\n"
    nudged = Counter(message["channel"].decode() for message in iter(lambda: listener.get_message(timeout=0.1), None))
    assert nudged[hints.submission_channel(right.pk)] >= 7, "claimed, compiling, compiled, four cases, report"
    assert nudged[hints.trial_channel(own.pk)] >= 3


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
    assert Worker.objects.count() == 2


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


def test_a_message_that_comes_twice(broker: Broker, twice: Problem, student: User) -> None:
    sent = send(student, twice, RIGHT, "1")
    judgement = sent.judgements.get()
    for _ in range(3):
        assert hints.send(judgement)
    with worker(concurrency=2):
        eventually(lambda: all_over() and broker.messages() == 0)
        time.sleep(0.3)
    judgement.refresh_from_db()
    assert (judgement.attempt, judgement.results.count()) == (1, 4)


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
