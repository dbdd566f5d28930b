"""Figures and alerts come from the rows, and only those who may read them do."""

import smtplib
from datetime import timedelta

import pytest
from django.core import mail
from django.db.models import F
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import DjangoAssertNumQueries, Settings

from judge.authoring.models import Errand
from judge.grading.verdict import Verdict
from judge.operations import alerts
from judge.operations.alerts import Watch
from judge.people.models import User
from judge.submissions import actions, hints
from judge.submissions.ledger import claim
from judge.submissions.models import CaseResult, Judgement, Worker
from judge.submissions.sweeper import TURN
from judge.submissions.turns import take_turn
from judge.submissions.workers import STOPPED
from problems.models import Problem
from tests.broker import Broker

PROGRAM = {"main.cpp": b"int main() {}"}


def send(author: User, problem: Problem, token: str) -> Judgement:
    return actions.submit(author, problem, "cpp17", PROGRAM, token).judgements.get()


def hello(name: str = "one", **facts: object) -> Worker:
    now = timezone.now()
    known = {"languages": ["cpp17"], "slots": 2, "started": now, "seen": now} | facts
    return Worker.objects.create(name=name, **known)


def read(client: Client, **headers: str) -> dict[tuple[str, ...], float]:
    """Name and labels -> value, as Prometheus reads it."""
    answer = client.get("/metrics", headers=headers)
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.content.decode())
    return {(one.name, *one.labels.values()): one.value for family in families for one in family.samples}


def test_figures(broker: Broker, client: Client, student: User, paper_problem: Problem) -> None:
    done, running, waiting = (send(student, paper_problem, str(number)) for number in range(3))
    for row in (done, running):
        assert claim(Judgement, row.pk, "one@host/1") is not None
    now = timezone.now()
    Judgement.objects.filter(pk=done.pk).update(
        state="done",
        verdict=Verdict.WRONG_ANSWER.value,
        queued=now - timedelta(seconds=10),
        started=now - timedelta(seconds=8),
        compiled_at=now - timedelta(seconds=7),
        finished=now,
    )
    facts = {"name": "1", "group": "secret", "cpu_seconds": 1, "memory_bytes": 1, "points": 0}
    for position, seconds in ((1, 2.0), (2, 0.5)):
        CaseResult.objects.create(judgement=done, position=position, wall_seconds=seconds, **facts)
    again = Judgement.objects.get(pk=done.pk)
    again.pk = None
    again.save(force_insert=True)
    Judgement.objects.filter(pk=again.pk).update(queued=now - timedelta(seconds=10))
    CaseResult.objects.create(judgement=again, position=1, wall_seconds=2.5, **facts)
    Judgement.objects.filter(pk=waiting.pk).update(queued=now - timedelta(seconds=90))
    Errand.objects.create(problem=paper_problem, kind="make", target="0" * 64)
    for _ in range(3):
        assert hints.send(waiting)
    hello()
    hello("two", trouble="No room.")
    hello("three", seen=now - timedelta(minutes=3))
    found = read(client)
    assert found["palfrey_waiting", "live"] == 1
    assert 90 <= found["palfrey_oldest_waiting_seconds", "live"] < 100
    assert found["palfrey_running", "live"] == 1
    assert found["palfrey_messages", "live"] == 3
    assert found["palfrey_waiting", "authoring"] == 1
    assert found["palfrey_judged_lately", "wrong_answer"] == 2
    assert found["palfrey_judged_lately", "accepted"] == 0
    workers = [found["palfrey_workers", state] for state in ("at_work", "troubled", "silent")]
    assert (workers, found["palfrey_slots",]) == ([1, 1, 1], 2)
    phases = {phase: found["palfrey_phase_seconds", phase, "0.5"] for phase in ("waiting", "compiling", "running")}
    assert phases == pytest.approx({"waiting": 2, "compiling": 1, "running": 2.5})
    assert found["palfrey_phase_seconds", "whole", "0.95"] == pytest.approx(10)
    assert found["palfrey_alerts",] == 3, "no sweeper, a worker in trouble and a silent one"


def test_the_work_does_not_grow(
    broker: Broker,
    client: Client,
    student: User,
    paper_problem: Problem,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(20):
        send(student, paper_problem, str(number))
        hello(str(number))
    with django_assert_max_num_queries(45):
        read(client)


def test_who_may_read_them(broker: Broker, db: None, client: Client, settings: Settings) -> None:
    assert client.get("/metrics", REMOTE_ADDR="10.0.0.7").status_code == 404
    assert client.get("/metrics", REMOTE_ADDR="").status_code == 404
    settings.METRICS_TOKEN = "a long word"
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer a long wor"}).status_code == 404
    assert read(client, Authorization="Bearer a long word")
    settings.METRICS_TOKEN, settings.LOCAL = "", False
    assert client.get("/metrics").status_code == 404, "behind a proxy everybody may look as if from here"
    assert client.post("/metrics").status_code == 405


def keys() -> list[str]:
    return [alert.key for alert in alerts.alerts()]


def test_alerts(student: User, paper_problem: Problem, settings: Settings) -> None:
    assert keys() == ["no worker", "no sweeper"]
    worker = hello()
    assert take_turn(TURN, "here", 10)
    assert keys() == []
    Worker.objects.update(trouble="No room.")
    assert keys() == ["no worker", "trouble one"]
    assert "No room." in alerts.alerts()[1].text
    Worker.objects.update(trouble=STOPPED)
    assert keys() == ["no worker"], "it said that it ends"
    Worker.objects.update(trouble="", seen=F("seen") - timedelta(minutes=2))
    assert keys() == ["no worker", "silent one"]
    Worker.objects.update(seen=worker.seen)

    row = send(student, paper_problem, "1")
    Judgement.objects.update(queued=F("queued") - timedelta(seconds=settings.ALERT_SECONDS - 10))
    assert keys() == []
    Judgement.objects.update(queued=F("queued") - timedelta(seconds=20))
    assert keys() == ["waiting live"]
    assert claim(Judgement, row.pk, "one/1") is not None
    Judgement.objects.update(lease_until=timezone.now() - timedelta(seconds=61))
    assert keys() == ["held Judgement"]
    Judgement.objects.update(state="abandoned", verdict="judge_error", finished=timezone.now(), lease_until=None)
    assert keys() == ["judge errors 1"]


def test_staff_are_told_once_and_by_letter(db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.ALERT_MAIL = ["ops@example.org"]
    watch = Watch()
    watch.look()
    assert all("No worker" not in letter.body for letter in mail.outbox), "the first one is still starting"
    mail.outbox.clear()
    monkeypatch.setattr(alerts, "STARTING_SECONDS", 0)
    watch.look()
    watch.look()
    (letter,) = mail.outbox
    assert letter.to == ["ops@example.org"]
    assert "No worker takes submissions" in letter.body
    hello()
    watch.look()
    Worker.objects.all().delete()

    def away(*_: object, **__: object) -> None:
        raise smtplib.SMTPServerDisconnected("no mail today")

    monkeypatch.setattr(alerts, "send_mail", away)
    watch.look()
    assert len(mail.outbox) == 1
