"""The operations page: what is wrong in words, who does what, and nothing for students."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from judge.authoring.models import Errand
from judge.people.models import Course, User
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


def test_course_staff_see_no_work_of_others(as_admin: Client, student: User, course: Course, send: Send) -> None:
    worker("judge-1")
    assert take_turn(TURN, "here", 60)
    sent = send(student)
    assert claim(Judgement, sent.judgements.get().pk, "judge-1/77") is not None
    Judgement.objects.update(lease_until=timezone.now() - timedelta(minutes=5))
    Errand.objects.create(problem=sent.problem, kind="make", target="0" * 64)
    Errand.objects.update(queued=timezone.now() - timedelta(days=2))
    whole = as_admin.get("/queue/").content.decode()
    for told in (
        f"/submissions/{sent.pk}/",
        f"judgement {sent.judgements.get().pk}",
        f"make {Errand.objects.get().pk} of",
    ):
        assert told in whole, told
    as_admin.force_login(User.objects.get(username="ines"))
    page = as_admin.get("/queue/").content.decode()
    assert f"/submissions/{sent.pk}/" not in page
    assert f"submission {sent.pk}" not in page
    assert f"judgement {sent.judgements.get().pk}" not in page
    assert sent.problem.slug not in page
    assert "one piece of work" in page
    assert "Something belongs to a worker that is gone" in page


def test_what_each_worker_is(as_admin: Client, student: User, send: Send) -> None:
    worker("judge-1", release="0.1.0+aaaa1111", host="A quick one", queues=["live", "feedback"])
    worker("judge-2", release="0.1.0+bbbb2222", languages=["python3", "rust"], tools={"python3": "ff"})
    sent = send(student)
    Judgement.objects.filter(submission=sent).update(needs="grading-1 kotlin")
    page = as_admin.get("/queue/").content.decode()
    for told in ("0.1.0+aaaa1111", "0.1.0+bbbb2222", "A quick one", "not Rust", "1 row waits for a worker with Kotlin"):
        assert told in page, told
    languages = page.split('id="toolchains"')[1]
    assert "1 of 2" in languages
    assert "2 of 2, <b>not alike</b>" in languages
    assert "It waits for a worker with Kotlin" in as_admin.get(f"/submissions/{sent.pk}/").content.decode()


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
