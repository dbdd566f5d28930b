"""The live channel over a real broker: nothing missed, nothing leaked, an end."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import AsyncClient

from judge.people.models import User
from judge.submissions import hints, live
from judge.submissions.models import Judgement, State, Submission
from judge.web import live as live_pages
from judge.web.bounded import Bounded
from tests.broker import Broker

pytestmark = pytest.mark.django_db(transaction=True)

Send = Callable[..., Submission]
CHANGED, DONE = b"event: changed\ndata: {}\n\n", b"event: done\ndata: {}\n\n"


async def signed_in(reader: User) -> AsyncClient:
    client = AsyncClient()
    await client.aforce_login(reader)
    return client


async def stream_of(reader: User, sent: Submission, client: AsyncClient | None = None) -> AsyncIterator[bytes]:
    client = client or await signed_in(reader)
    answer: Any = await client.get(f"/submissions/{sent.pk}/live")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/event-stream"
    assert answer["X-Accel-Buffering"] == "no"
    assert "Content-Encoding" not in answer
    return aiter(answer.streaming_content)


async def within(seconds: float, stream: AsyncIterator[bytes]) -> bytes:
    return await asyncio.wait_for(anext(stream), seconds)


def change(sent: Submission, **columns: Any) -> None:
    Judgement.objects.filter(submission=sent).update(**columns)
    hints.announce(Judgement.objects.get(submission=sent))


def test_changes_arrive_and_the_end_ends_it(broker: Broker, student: User, send: Send) -> None:
    async def scene() -> None:
        sent = await sync_to_async(send)(student)
        stream = await stream_of(student, sent)
        assert await within(5, stream) == CHANGED, "the first word comes at once, so that the page reads what it missed"
        began = time.monotonic()
        await sync_to_async(change)(sent, state=State.RUNNING)
        assert await within(5, stream) == CHANGED
        assert time.monotonic() - began < 2
        await sync_to_async(change)(sent, state=State.DONE, verdict="accepted")
        assert await within(5, stream) == DONE
        assert [rest async for rest in stream] == []
        assert live.hub().listeners == 0

    asyncio.run(scene())


def test_what_is_over_says_so_at_once(broker: Broker, student: User, send: Send) -> None:
    async def scene() -> None:
        sent = await sync_to_async(send)(student, state=State.DONE, verdict="accepted")
        stream = await stream_of(student, sent)
        assert await within(5, stream) == DONE

    asyncio.run(scene())


def test_other_submissions_are_not_heard(
    broker: Broker, student: User, classmate: User, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "PING_SECONDS", 0.5)

    async def scene() -> None:
        mine, other = await sync_to_async(send)(student), await sync_to_async(send)(classmate)
        stream = await stream_of(student, mine)
        assert await within(5, stream) == CHANGED
        await sync_to_async(change)(other, state=State.RUNNING)
        assert await within(5, stream) == b": still here\n\n"

    asyncio.run(scene())


def test_without_a_broker_the_row_is_looked_at(
    broker: Broker, student: User, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "PING_SECONDS", 0.3)
    monkeypatch.setattr(live, "READY_SECONDS", 0.1)
    broker.stop()

    async def scene() -> None:
        sent = await sync_to_async(send)(student)
        stream = await stream_of(student, sent)
        assert await within(5, stream) == CHANGED
        await sync_to_async(change)(sent, state=State.DONE, verdict="accepted")
        seen = [await within(5, stream)]
        while seen[-1] != DONE:
            seen.append(await within(5, stream))

    asyncio.run(scene())


def test_a_broker_that_comes_back_is_heard_again(broker: Broker, student: User, send: Send) -> None:
    async def scene() -> None:
        sent = await sync_to_async(send)(student)
        stream = await stream_of(student, sent)
        assert await within(5, stream) == CHANGED
        await sync_to_async(broker.kill)()
        await sync_to_async(broker.start)()
        assert await within(8, stream) == CHANGED, "after a reconnection the page reads once more"
        await sync_to_async(broker.client.publish)(hints.submission_channel(sent.pk), b"")
        assert await within(5, stream) == CHANGED

    asyncio.run(scene())


def test_many_pages_share_one_connection_and_leave_nothing(broker: Broker, student: User, send: Send) -> None:
    async def scene() -> None:
        sent = await sync_to_async(send)(student)
        client = await signed_in(student)
        streams = [await stream_of(student, sent, client) for _ in range(120)]
        await asyncio.gather(*(within(20, stream) for stream in streams))
        assert live.hub().listeners == 120
        assert len(await sync_to_async(broker.client.client_list)(_type="pubsub")) == 1
        reading = [asyncio.ensure_future(anext(stream)) for stream in streams]
        await asyncio.sleep(0.1)
        for page_closed in reading:
            page_closed.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
        assert live.hub().listeners == 0

    asyncio.run(scene())


def test_one_change_is_looked_at_once_for_all_pages(
    broker: Broker, student: User, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []

    def over(pk: int) -> bool:
        looked.append(pk)
        return Judgement.objects.get(effective__submission=pk).over

    monkeypatch.setattr(live_pages, "submission_over", over)

    async def scene() -> None:
        sent = await sync_to_async(send)(student)
        client = await signed_in(student)
        streams = [await stream_of(student, sent, client) for _ in range(60)]
        await asyncio.gather(*(within(20, stream) for stream in streams))
        reading = [asyncio.ensure_future(within(20, stream)) for stream in streams]
        await asyncio.sleep(2 * live.GATHER_SECONDS)
        looked.clear()
        await sync_to_async(change)(sent, state=State.DONE, verdict="accepted")
        assert set(await asyncio.gather(*reading)) == {DONE}
        assert len(looked) <= 2, "one for all, and not one for each page"

    asyncio.run(scene())


def test_an_open_page_holds_no_database_connection(broker: Broker, student: User, send: Send) -> None:
    async def scene() -> None:
        sent = await sync_to_async(send)(student)
        stream = await stream_of(student, sent)
        assert await within(5, stream) == CHANGED
        assert await sync_to_async(lambda: connection.connection)() is None

    asyncio.run(scene())


def test_nobody_is_told_of_a_look_that_had_begun_before() -> None:
    async def scene() -> None:
        answers, goes_on = iter([False, True]), asyncio.Event()

        async def read() -> bool:
            answer = next(answers)
            await goes_on.wait()
            return answer

        look = live.Look(read)
        early = asyncio.ensure_future(look())
        await asyncio.sleep(0.01)
        late = [asyncio.ensure_future(look()) for _ in range(3)]
        await asyncio.sleep(0.01)
        late.pop().cancel()
        goes_on.set()
        assert [await early, *await asyncio.gather(*late)] == [False, True, True]

    asyncio.run(scene())


def test_a_subscription_that_ends_is_held_until_its_connection_is_closed(broker: Broker) -> None:
    async def scene() -> None:
        hub = live.hub()
        with hub.listen("anything"):
            await hub.ready()
            assert len(await sync_to_async(broker.client.client_list)(_type="pubsub")) == 1
        (ending,) = hub.ending
        await asyncio.wait([ending], timeout=5)
        assert ending.cancelled()
        await asyncio.sleep(0)
        assert not hub.ending
        assert await sync_to_async(broker.client.client_list)(_type="pubsub") == []

    asyncio.run(scene())


def test_streams_are_bounded(broker: Broker, student: User, send: Send, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_STREAMS", 0)
    monkeypatch.setattr(live, "LIFETIME_SECONDS", 0.0)

    async def scene() -> None:
        sent = await sync_to_async(send)(student)
        client = await signed_in(student)
        assert (await client.get(f"/submissions/{sent.pk}/live")).status_code == 503
        monkeypatch.setattr(live, "MOST_STREAMS", 10)
        assert [event async for event in await stream_of(student, sent)] == []

    asyncio.run(scene())


@pytest.mark.parametrize("declared", [True, False])
def test_a_request_beyond_the_bound_is_not_read_to_its_end(declared: bool) -> None:
    read = 0
    answers: list[Any] = []

    async def application(_scope: Any, receive: Any, _send: Any) -> None:
        while (await receive())["more_body"]:
            pass

    async def receive() -> dict[str, Any]:
        nonlocal read
        read += 1
        return {"type": "http.request", "body": b"x" * 1000, "more_body": True}

    async def answer(message: Any) -> None:
        answers.append(message)

    headers = [(b"content-length", b"1000000")] if declared else []
    bounded = Bounded(application, 10_000, 60)
    asyncio.run(bounded({"type": "http", "headers": headers}, receive, answer))
    assert answers[0]["status"] == 413
    assert b"too big" in answers[1]["body"]
    assert read == (0 if declared else 11)
