"""The worker and the sweeper as processes: who acts, and when a worker refuses to start."""

import os
import shutil
import signal
import time
from datetime import timedelta
from pathlib import Path

import psutil
import pytest
from django.conf import LazySettings, settings
from django.utils import timezone

from judge.blobs import compiled
from judge.blobs.compiled import SharedStore
from judge.people.models import User
from judge.submissions import actions
from judge.submissions.ledger import claim
from judge.submissions.models import Judgement, State, Turn
from judge.submissions.sweeper import sweep
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


@pytest.mark.byname
@pytest.mark.django_db(transaction=True)
def test_a_worker_has_made_ahead_what_is_lacking(broker: Broker) -> None:
    ahead = Path(settings.PALFREY_CACHE) / "ahead"
    shutil.rmtree(ahead, ignore_errors=True)
    process = Process("worker", "--concurrency", "1", "--languages", "java")
    process.wait_for_log("ready.")  # it does not wait for the other
    (preparing,) = _preparing(process)
    os.kill(process.pid, signal.SIGKILL)
    eventually(lambda: not preparing.is_running() or preparing.status() == psutil.STATUS_ZOMBIE)
    assert not any(ahead.glob("java-*"))
    process = Process("worker", "--concurrency", "1", "--languages", "java")
    try:
        eventually(lambda: any(ahead.glob("java-*")), 60)
    finally:
        process.stop()
    process = Process("worker", "--concurrency", "1", "--languages", "java")
    try:
        process.wait_for_log("ready.")
        assert _preparing(process) == []
    finally:
        process.stop()


def _preparing(process: Process) -> list[psutil.Process]:
    return [child for child in psutil.Process(process.pid).children() if "prepare" in child.cmdline()]


def test_what_was_made_ahead_is_not_made_again(broker: Broker) -> None:
    assert Process("prepare", "--languages", "java,python3").wait(60) == 0
    (made,) = (Path(settings.PALFREY_CACHE) / "ahead").glob("java-*")
    before = made.stat()
    assert Process("prepare", "--languages", "java").wait() == 0
    assert made.stat().st_ino == before.st_ino
    assert Process("prepare", "--languages", "cobol").wait() != 0


def test_the_sweeper_tidies_what_was_compiled(
    broker: Broker, db: None, monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    monkeypatch.setattr(compiled, "TURN_SECONDS", 1)  # then each round is one for it
    settings.COMPILED_BYTES = 0
    turn = int(time.time())
    keys = [f"{number % compiled.FOLDERS:02x}swept" for number in range(turn, turn + 20)]
    for key in keys:
        SharedStore().put(key, b"entry")
    sweep()
    assert [SharedStore().get(key) for key in keys].count(None) == 1
