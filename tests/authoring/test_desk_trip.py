"""From the desk to a student's verdict through a real broker and worker; and what happens when a worker dies midway."""

import time
from uuid import uuid4

import pytest
from django.test import Client

from judge.authoring import actions, drafts, editing, queries
from judge.authoring.models import Errand
from judge.config.celery import AUTHORING_QUEUE
from judge.people.models import User
from judge.submissions import hints
from judge.submissions.models import State
from judge.submissions.sweeper import sweep
from problems.models import Problem
from tests.broker import Broker
from tests.workers import LEASE_SECONDS, Process, all_over, eventually, send, worker

pytestmark = pytest.mark.django_db(transaction=True)

SLOW = b"""\
import sys, time
time.sleep(0.7)
print(sys.argv[1])
"""
"""A generator that takes its time without any of the processor's."""
MANY = b"""\
solution: /submissions/accepted/sum.py
data:
  secret:
    data:
      a: {generate: "slow.py '1 2'"}
      b: {generate: "slow.py '3 4'"}
      c: {generate: "slow.py '5 6'"}
      d: {generate: "slow.py '7 8'"}
"""


def slow(problem: Problem, by: User) -> None:
    """Making it takes about three seconds from now on."""
    listed = drafts.working_copy(problem).files["generators/generators.yaml"].read_bytes()
    editing.save(by, problem, "generators/generators.yaml", MANY, editing.base_of(listed))
    editing.add(by, problem, {"generators/slow.py": SLOW + f"# {uuid4()}".encode()})  # no case is there already


def verified(problem: Problem) -> bool:
    version = problem.versions.first()
    return version is not None and queries.standing(version) == queries.AS_PROMISED


def test_made_verified_made_live_and_solved(broker: Broker, instructor: User, student: User) -> None:
    staff = Client()
    staff.force_login(instructor)
    with worker():
        staff.post("/desk/new", {"do": "start", "start-title": "Largest", "start-slug": "largest"})
        staff.post("/desk/largest/ask/make")
        problem = Problem.objects.get()
        eventually(lambda: verified(problem))
        assert b"Every example gets what it is there for" in staff.get("/desk/largest/verify").content
        assert staff.post("/desk/largest/versions/1/live", {"seen": ""}).status_code == 302
        problem.refresh_from_db()
        sent = send(student, problem, b"print(max([*map(int, open(0).read().split())][1:]))\n", "1")
        eventually(all_over)
    judgement = sent.judgements.get()
    assert (judgement.verdict, judgement.version.number, judgement.results.count()) == ("accepted", 1, 6)


def test_a_worker_killed_while_it_makes(broker: Broker, sums: Problem, instructor: User) -> None:
    slow(sums, instructor)
    errand = actions.ask(instructor, sums, "make")
    with worker() as doomed:
        eventually(lambda: Errand.objects.filter(pk=errand.pk, done__gte=1).exists())
        doomed.kill()
    errand.refresh_from_db()
    assert (errand.state, errand.total) == (State.RUNNING, 5)
    assert not sums.versions.exists()
    with worker():
        time.sleep(LEASE_SECONDS)
        eventually(lambda: sweep().returned == 1, LEASE_SECONDS + 2)
        eventually(lambda: verified(sums), 60)
    errand.refresh_from_db()
    assert (errand.state, errand.succeeded, errand.attempt) == (State.DONE, True, 2)
    assert sums.versions.count() == 1


@pytest.mark.byname
def test_stopped_while_it_is_made(broker: Broker, sums: Problem, instructor: User) -> None:
    slow(sums, instructor)
    errand = actions.ask(instructor, sums, "make")
    with worker() as process:
        eventually(lambda: Errand.objects.filter(pk=errand.pk, done__gte=1).exists())
        actions.stop(instructor, errand)
        process.wait_for_log("fence lost")
        assert not sums.versions.exists()
        again = actions.ask(instructor, sums, "make")
        assert again != errand
        eventually(lambda: Errand.objects.get(pk=again.pk).state == State.DONE)


@pytest.mark.byname
def test_what_is_made_stands_before_no_submission(
    broker: Broker, sums: Problem, twice: Problem, instructor: User, student: User
) -> None:
    """The worker for submissions does not look at the desk's queue, nor the other way round."""
    errand = actions.ask(instructor, sums, "make")
    live = Process("worker", "--concurrency", "1", "--languages", "python3", "--queues", "live")
    try:
        live.wait_for_log("ready.")
        sent = send(student, twice, b"print(2 * int(input()))\n", "1")
        eventually(all_over)
        assert sent.judgements.get().verdict == "accepted"
        errand.refresh_from_db()
        assert errand.state == State.QUEUED
        assert (hints.waiting(), hints.waiting(AUTHORING_QUEUE)) == (0, 1)
    finally:
        live.stop()
    sent = send(student, twice, b"print(2 * int(input()))\n", "2")
    desk = Process("worker", "--concurrency", "1", "--languages", "python3", "--queues", "authoring")
    try:
        eventually(lambda: verified(sums), 60)
        assert sent.judgements.get().state == State.QUEUED
    finally:
        desk.stop()
    broker.empty()
    Errand.objects.all().delete()
    lost = actions.ask(instructor, sums, "make")
    broker.empty()
    Errand.objects.update(hinted="2020-01-01T00:00Z")
    assert sweep().sent_again == 1
    assert hints.waiting(AUTHORING_QUEUE) == 1
    assert lost.TASK == "judge.authoring.errand"
