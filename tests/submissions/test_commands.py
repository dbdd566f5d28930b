"""The worker and the sweeper as processes: who acts, and when a worker refuses to start."""

import os
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from judge.people.models import User
from judge.submissions import actions
from judge.submissions.ledger import claim
from judge.submissions.models import Judgement, State, Turn
from judge.submissions.turns import pass_on, take_turn
from problems.models import Problem
from tests.broker import Broker
from tests.workers import Process, eventually


def test_one_has_the_turn(db: None) -> None:
    assert take_turn("sweeper", "one", 15)
    assert take_turn("sweeper", "one", 15)
    assert not take_turn("sweeper", "two", 15)
    assert take_turn("another thing", "two", 15)
    pass_on("sweeper", "two")
    assert not take_turn("sweeper", "two", 15), "only its holder gives it up"
    pass_on("sweeper", "one")
    assert take_turn("sweeper", "two", 15)


def test_the_turn_passes_on_when_its_holder_is_gone(db: None) -> None:
    assert take_turn("sweeper", "one", 15)
    Turn.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert take_turn("sweeper", "two", 15)
    assert not take_turn("sweeper", "one", 15)


@pytest.mark.django_db(transaction=True)
def test_the_sweeper_heals_without_a_broker_too(broker: Broker, student: User, paper_problem: Problem) -> None:
    actions.submit(student, paper_problem, "cpp17", {"main.cpp": b"int main() {}"}, "form-1")
    judgement = Judgement.objects.get()
    assert claim(Judgement, judgement.pk, "a dead worker") is not None
    Judgement.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    broker.stop()
    sweepers = [Process("sweeper"), Process("sweeper")]
    try:
        eventually(lambda: Judgement.objects.get().state == State.QUEUED)
        holder = Turn.objects.get(name="sweeper").holder
        assert holder.rpartition(":")[2] in {str(process.pid) for process in sweepers}
    finally:
        begin = time.monotonic()
        for process in sweepers:
            process.stop()
    assert time.monotonic() - begin < 5
    assert Turn.objects.get(name="sweeper").until is None, "it gave the turn up"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.django_db(transaction=True)
def test_a_worker_that_cannot_hold_limits_does_not_start(broker: Broker) -> None:
    process = Process("worker", user=65534)
    assert process.wait() == 1
    said = process.log.read_text()
    assert "This host cannot judge" in said
    assert "Traceback" not in said


def test_a_worker_asked_for_an_unknown_language(broker: Broker) -> None:
    process = Process("worker", "--languages", "python3,cobol")
    assert process.wait() == 1
    assert "Unknown languages: cobol. Known: c89" in process.log.read_text()
