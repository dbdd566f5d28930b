"""From a sent program to what the pages show, through a real worker, broker and sandbox."""

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db.models import F

from judge.people.models import User
from judge.submissions import actions, hints, queries
from judge.submissions.models import Judgement, State, Trial
from problems.models import Problem
from tests.broker import Broker
from tests.shelf import RIGHT, WRONG
from tests.workers import LEASE_SECONDS, Process, all_over, eventually, send, worker

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def standing_worker(running_broker: Broker, django_db_setup: None) -> Iterator[Process]:
    """One worker for the tests that harm none."""
    running_broker.start()  # an earlier test may have stopped it
    with worker(concurrency=2) as process:
        yield process


def test_what_was_compiled_is_there_for_all_workers(
    broker: Broker, standing_worker: Process, twice: Problem, student: User
) -> None:
    kept = settings.VAR / "blobs" / "compiled"
    before = set(kept.rglob("*"))
    for token in "12":
        send(student, twice, RIGHT + b"# as nobody else wrote it\n", token)
        eventually(all_over)
    new = [path for path in kept.rglob("*") if path not in before and path.is_file()]
    assert len(new) == 1, "the submission; the default validator is not compiled"


def test_from_submit_to_verdict(broker: Broker, standing_worker: Process, twice: Problem, student: User) -> None:
    listener: Any = broker.client.pubsub()  # type: ignore[no-untyped-call]
    listener.psubscribe(hints.CHANNELS)
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


def test_a_lost_lease_stops_the_program_at_once(
    broker: Broker, standing_worker: Process, twice: Problem, student: User
) -> None:
    sent = send(student, twice, b"import time\ntime.sleep(30)\n", "1")
    eventually(lambda: Judgement.objects.filter(progress="1").exists())
    Judgement.objects.update(fence=F("fence") + 1)
    begin = time.monotonic()
    standing_worker.wait_for_log("fence lost")
    assert time.monotonic() - begin < LEASE_SECONDS
    assert not sent.judgements.get().results.exists()


def test_a_message_that_comes_twice(broker: Broker, standing_worker: Process, twice: Problem, student: User) -> None:
    sent = send(student, twice, RIGHT, "1")
    judgement = sent.judgements.get()
    for _ in range(3):
        assert hints.send(judgement)
    eventually(lambda: all_over() and broker.messages() == 0)
    time.sleep(0.3)
    judgement.refresh_from_db()
    assert (judgement.attempt, judgement.results.count()) == (1, 4)
