"""Lists: search, filters, paging, and that a long list takes no more queries than a short one."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from judge.people.models import User
from judge.submissions.models import Submission, Worker
from judge.web import pages
from judge.web.thumbnails import beside_the_board, thumbnail
from problems.models import Problem, Version
from tests.web.conftest import done

Send = Callable[..., Submission]


def more_problems(count: int) -> None:
    for number in range(count):
        problem = Problem.objects.create(slug=f"extra{number}", uuid=f"extra-{number}")
        problem.live = Version.objects.create(
            problem=problem,
            number=1,
            digest="0",
            archive="0",
            titles={"en": f"Extra {number:03}"},
            facts={"keywords": ["more"]},
        )
        problem.save()


def test_search_and_tags(client: Client, twice: Problem) -> None:
    more_problems(3)
    for query, shown in (("", True), ("?q=twi", True), ("?q=ARITHmetic+first", True), ("?q=twice+more", False)):
        assert (b">Twice<" in client.get(f"/{query}").content) is shown, query
    assert b">Twice<" not in client.get("/?tag=more").content
    assert b"No problem has all of these words" in client.get("/?q=%3Cscript%3E").content


def test_own_state_on_each_problem(as_student: Client, student: User, twice: Problem, send: Send) -> None:
    assert b"Not tried" in as_student.get("/").content
    send(student, **done("wrong_answer"))
    assert b'class="state tried"' in as_student.get("/").content
    send(student, **done("accepted"))
    assert b'class="state solved"' in as_student.get("/").content


def test_long_lists_have_pages(as_student: Client, student: User, twice: Problem, send: Send) -> None:
    more_problems(60)
    assert b"Page 1 of 3" in as_student.get("/").content
    assert b">Extra 059<" in as_student.get("/?page=3").content
    assert as_student.get("/?page=999").status_code == 200
    for _ in range(51):
        send(student)
    assert b"Page 2 of 2" in as_student.get("/work/?page=2").content


def test_my_work_by_problem_and_verdict(as_student: Client, student: User, classmate: User, send: Send) -> None:
    right, wrong, other = send(student, **done("accepted")), send(student, **done("wrong_answer")), send(classmate)
    for query, found in (("", {right, wrong}), ("?verdict=accepted", {right}), ("?problem=twice", {right, wrong}),
                         ("?problem=none", set()), ("?verdict=%27--", {right, wrong})):  # fmt: skip
        page = as_student.get(f"/work/{query}").content.decode()
        assert {one for one in (right, wrong, other) if f'href="/submissions/{one.pk}/"' in page} == found, query


def test_staff_see_everybodys_submissions_to_a_problem(
    client: Client, admin: User, student: User, classmate: User, send: Send
) -> None:
    send(student)
    send(classmate)
    client.force_login(admin)
    page = client.get("/problems/twice/submissions/").content.decode()
    assert "<td>sam</td>" in page
    assert "<td>kim</td>" in page
    assert ">Submissions (2)" in page


def test_the_queue_page(client: Client, admin: User, student: User, send: Send) -> None:
    client.force_login(admin)
    assert b"No worker has been heard of" in client.get("/queue/").content
    now = done("accepted")["finished"]
    Worker.objects.create(name="worker-1@<b>", languages=["python3"], started=now, seen=now)
    send(student)
    send(student, state="running", started=now, worker="worker-1/7", progress="3")
    send(student, **done("judge_error", judge_note="the validator <i>crashed</i>"))
    page = client.get("/queue/").content.decode()
    assert "at work" in page
    assert "worker-1@&lt;b&gt;" in page
    assert "the validator &lt;i&gt;crashed&lt;/i&gt;" in page


@pytest.mark.parametrize(
    "address", ["/", "/problems/twice/", "/problems/twice/submissions/", "/work/", "/submissions/1/"]
)
def test_more_rows_take_no_more_queries(
    as_student: Client, student: User, send: Send, address: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    results: list[tuple[str, dict[str, str]]] = [("accepted", {})]
    sent = send(student, results=results, **done("accepted"))
    address = address.replace("/1/", f"/{sent.pk}/")
    with CaptureQueriesContext(connection) as few:
        as_student.get(address)
    for _ in range(10):
        send(student, results=results * 3, **done("accepted"))
    more_problems(10)
    with django_assert_num_queries(len(few.captured_queries)):
        as_student.get(address)


def test_every_kind_of_picture() -> None:
    made = [
        thumbnail("knightmoves", ("graph",)),
        thumbnail("knightstour", ("backtracking",)),
        thumbnail("knightstourcount", ("backtracking", "counting")),
        thumbnail("maze", ("graph",)),
        thumbnail("anything", ()),
        thumbnail("anything-else", ()),
        beside_the_board(),
    ]
    assert len(set(made)) == len(made)
    for picture in made:
        assert picture.startswith("<svg ")
        assert "style=" not in picture


def test_a_worker_that_is_long_gone_is_shown_only_while_it_holds_work(
    client: Client, admin: User, student: User, send: Callable[..., Submission]
) -> None:
    now = timezone.now()
    client.force_login(admin)
    for name, silent in (("shortly", 3), ("gone", 20), ("holder", 20)):
        seen = now - timedelta(minutes=silent)
        Worker.objects.create(name=name, languages=[], started=seen, seen=seen)
    send(student, state="running", started=now, worker="holder/7")
    page = client.get("/queue/").content.decode()
    assert [f" {name}</th>" in page for name in ("shortly", "gone", "holder")] == [True, False, True]


def test_a_list_without_end_is_counted_up_to_a_bound(
    as_student: Client, student: User, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MOST", 100)
    for _ in range(100):
        send(student)
    assert "Page 1 of 2<" in as_student.get("/work/").content.decode()
    oldest = Submission.objects.earliest("sent")
    send(student)
    page = as_student.get("/work/").content.decode()
    assert "Page 1 of 2 and more<" in page
    last = as_student.get("/work/?page=9").content.decode()
    assert f"/submissions/{oldest.pk}/" not in last
    assert f"/submissions/{oldest.pk + 1}/" in last


def test_a_later_page_shows_what_follows(
    as_student: Client, student: User, twice: Problem, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MOST", 5)
    sent = [send(student).pk for _ in range(7)][::-1]
    rows = Submission.objects.order_by("-sent", "-pk")
    shown = pages.LongList(rows, 2)
    assert [[one.pk for one in shown.get_page(number)] for number in (1, 2, 3, 9)] == [
        sent[0:2],
        sent[2:4],
        sent[4:5],
        sent[4:5],
    ]
