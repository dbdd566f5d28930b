"""The queue as it is: a real worker process, a real broker, the real sandbox, and what happens when they die."""

import time
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from django.conf import settings
from django.db import OperationalError
from django.db.models import F

from judge.authoring.actions import publish
from judge.grading.verdict import Verdict
from judge.people.models import User
from judge.submissions import ledger, queries, tasks
from judge.submissions.models import CaseResult, Judgement, State, Submission, Worker
from judge.submissions.sweeper import sweep
from judge.submissions.workers import STOPPED
from problems.models import Problem
from sandbox.box import open_sandbox
from tests.broker import Broker
from tests.shelf import RIGHT, SLOW, WRONG, write_package
from tests.workers import LEASE_SECONDS, Process, all_over, eventually, send, worker

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


@pytest.mark.byname
def test_a_worker_that_is_stopped_gives_back_what_it_cannot_finish(
    broker: Broker, instructor: User, student: User, tmp_path: Path
) -> None:
    many = "".join(f'      {number}: {{in: "{number}\\n"}}\n' for number in range(1, 31))
    generators = f"solution: /submissions/accepted/twice.py\ndata:\n  secret:\n    data:\n{many}"
    with closing(open_sandbox(settings.PALFREY_CACHE / "sandbox")) as box:
        long = publish(write_package(tmp_path / "long", {"generators/generators.yaml": generators}), box).problem
    sent = send(student, long, SLOW, "1").judgements
    with worker() as stopping:
        eventually(lambda: sent.get().results.count() >= 2)
        begin = time.monotonic()
        stopping.stop()
        assert time.monotonic() - begin < 14, "it need not be killed"
        assert "returned to the queue" in stopping.log.read_text()
        assert "fence lost" in stopping.log.read_text()
    row = sent.get()
    assert (row.state, row.attempt, row.lease_until) == (State.QUEUED, 0, None)
    assert broker.messages() >= 1, "another may begin at once"
    assert Worker.objects.get().trouble == STOPPED
    assert tasks.work_next("here")
    row.refresh_from_db()
    assert (row.verdict, row.attempt, row.results.count()) == (Verdict.ACCEPTED, 1, 31)


@pytest.mark.byname
def test_a_worker_with_a_full_disk_leaves_the_work_to_others(broker: Broker, twice: Problem, student: User) -> None:
    full = Process("worker", "--concurrency", "1", "--languages", "python3", PALFREY_DISK_RESERVE_BYTES=str(1 << 60))
    try:
        full.wait_for_log("ready.")
        sent = send(student, twice, RIGHT, "1").judgements
        full.wait_for_log("takes no work")
        eventually(lambda: "MiB are free" in Worker.objects.get().trouble)
        eventually(lambda: broker.messages() == 1)
        time.sleep(1)
        assert (sent.get().state, sent.get().attempt) == (State.QUEUED, 0)
        with worker():
            eventually(all_over)
    finally:
        full.stop()
    assert (sent.get().verdict, sent.get().attempt) == (Verdict.ACCEPTED, 1)


def test_one_number_from_the_request_to_the_worker(broker: Broker, twice: Problem, student: User) -> None:
    with structlog.contextvars.bound_contextvars(request="req-2026-4711"):
        send(student, twice, RIGHT, "1")
    with worker() as process:
        eventually(all_over)
        process.wait_for_log("judged")
        lines = [line for line in process.log.read_text().splitlines() if "judged" in line]
    assert all("req-2026-4711" in line for line in lines)


def test_a_database_that_is_away_for_a_moment_costs_nothing(
    broker: Broker, twice: Problem, student: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(student, twice, RIGHT, "1")
    asked = []

    def away_twice(*arguments: Any) -> Any:
        asked.append(1)
        if len(asked) < 3:
            raise OperationalError("connection refused")
        return claim_next(*arguments)

    claim_next = ledger.claim_next
    monkeypatch.setattr(ledger, "claim_next", away_twice)
    assert tasks.work_next("here")
    assert (Judgement.objects.get().verdict, Judgement.objects.get().attempt) == (Verdict.ACCEPTED, 1)
