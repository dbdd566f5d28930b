"""The operations page: what is wrong in words, who does what, and nothing for students."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from judge.people.models import User
from judge.submissions.ledger import claim
from judge.submissions.models import Judgement, Submission, Worker
from judge.submissions.sweeper import TURN
from judge.submissions.turns import take_turn
from tests.web.conftest import done

Send = Callable[..., Submission]


@pytest.fixture
def as_admin(client: Client, admin: User) -> Client:
    client.force_login(admin)
    return client


def worker(name: str, **facts: object) -> None:
    now = timezone.now()
    known = {"languages": ["python3"], "toolchains": {"python3": "Python 3.11.2"}, "queues": ["live"], "slots": 2}
    Worker.objects.create(name=name, **(known | {"started": now, "seen": now} | facts))


def test_all_is_well(as_admin: Client, student: User, send: Send) -> None:
    worker("judge-1")
    assert take_turn(TURN, "here", 60)
    sent = send(student)
    send(student, **done("accepted", queued=timezone.now() - timedelta(seconds=5)))
    assert claim(Judgement, sent.judgements.get().pk, "judge-1/77") is not None
    page = as_admin.get("/queue/").content.decode()
    assert "Judging, and all is well" in page
    assert f"submission {sent.pk}</a>" in page.split('data-part="workers"')[1].split("</section>")[0]
    assert "Python 3.11.2" in page
    assert '<svg class="spark"' in page
    assert "No worker" not in page


def test_what_is_wrong_stands_first(as_admin: Client, student: User, send: Send) -> None:
    worker("judge-1", seen=timezone.now() - timedelta(minutes=3))
    worker("judge-2", trouble="Only 3 MiB are free.")
    page = as_admin.get("/queue/").content.decode()
    assert "Judging, with 4 things to look at" in page
    for told in ("No worker takes submissions", "judge-1 has not been heard of", "Only 3 MiB are free.", "No sweeper"):
        assert told in page, told


def test_its_work_does_not_grow(
    as_admin: Client, student: User, send: Send, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(15):
        worker(f"judge-{number}")
        send(student)
        send(student, **done("judge_error"))
    cache.clear()
    with django_assert_max_num_queries(45):
        assert as_admin.get("/queue/").status_code == 200


def test_pages_say_so_when_the_database_is_away(client: Client, student: User) -> None:
    client.raise_request_exception = False
    client.force_login(student)
    with connection.execute_wrapper(_away):
        answer = client.get("/work/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    assert "The database is away just now." in answer.content.decode()


def _away(*_: object) -> object:
    raise OperationalError("connection refused")
