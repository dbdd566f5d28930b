"""The live channel: whoever looks at a row is told that something changed, and reads it themselves.

One Redis subscription serves all who listen in a web process (a `Hub`). A stream looks at the row once it has
subscribed, so nothing is missed in between; it says `changed` or `done`, sends a comment every ten seconds, and ends
when the row is done or after some minutes (a browser then comes back by itself). When Redis is away, a stream still
looks at the row every ten seconds, and pages poll besides. Streams of one row that are told together look once.
"""

import asyncio
import contextlib
import contextvars
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial

import redis.asyncio
import structlog
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from judge.submissions import hints

log = structlog.get_logger(__name__)

PING_SECONDS = 10.0
LIFETIME_SECONDS = 600.0
GATHER_SECONDS = 0.05
"""Changes that come closer together are told as one."""
MOST_STREAMS = 2000
"""Streams of one process; further pages poll."""
READY_SECONDS = 1.0

Over = Callable[[int], bool]
"""Whether nothing more will change with the row of this number; not made anew for each request."""


class Look:
    """Looks at a row once for all who want to know at the same time: a class may have the same page open."""

    def __init__(self, read: Callable[[], Awaitable[bool]]) -> None:
        self._read = read
        self._turn = asyncio.Lock()
        self._next: asyncio.Task[bool] | None = None

    async def __call__(self) -> bool:
        """What is read from now on: a look that has begun already may have missed the change."""
        if self._next is None:  # in no request's context: each has a thread of its own, which ends with it
            self._next = asyncio.create_task(self._once(), context=contextvars.Context())
        return await asyncio.shield(self._next)

    async def _once(self) -> bool:
        async with self._turn:
            self._next = None
            return await self._read()


class Hub:
    """One subscription, shared by everybody who listens in this event loop."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[asyncio.Event]] = {}
        self._task: asyncio.Task[None] | None = None
        self.ending: set[asyncio.Task[None]] = set()
        """Tasks that close their connection: the loop alone would let them be collected before they have."""
        self._subscribed = asyncio.Event()
        self._looks: weakref.WeakValueDictionary[tuple[Over, int], Look] = weakref.WeakValueDictionary()

    @property
    def listeners(self) -> int:
        return sum(len(events) for events in self._listeners.values())

    @contextlib.contextmanager
    def listen(self, channel: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever something is announced on `channel`, and after every reconnection."""
        event = asyncio.Event()
        self._listeners.setdefault(channel, set()).add(event)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        try:
            yield event
        finally:
            self._listeners[channel].discard(event)
            if not self._listeners[channel]:
                del self._listeners[channel]
            if not self._listeners and self._task is not None:
                self.ending.add(self._task)
                self._task.add_done_callback(self.ending.discard)
                self._task.cancel()
                self._task = None
                self._subscribed.clear()

    def look(self, over: Over, pk: int) -> Look:
        """The same for all who ask this of this row; it lasts as long as one of them."""
        found = self._looks.get((over, pk))
        if found is None:
            read = sync_to_async(_and_let_go(partial(over, pk)), thread_sensitive=False)
            found = self._looks[over, pk] = Look(read)
        return found

    async def ready(self) -> None:
        """Wait until the subscription stands, but not for long."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._subscribed.wait(), READY_SECONDS)

    async def _run(self) -> None:
        pause = 0.2
        while True:
            try:
                async with (
                    redis.asyncio.Redis.from_url(
                        settings.REDIS_URL, socket_connect_timeout=2, health_check_interval=15
                    ) as client,
                    client.pubsub(ignore_subscribe_messages=False) as pubsub,
                ):
                    await pubsub.psubscribe(hints.CHANNELS)
                    while True:  # not `listen()`: a generator that is left open is closed by whoever finds it
                        message = await pubsub.get_message(timeout=None)
                        if message is None:
                            continue
                        if message["type"] == "psubscribe":
                            pause = 0.2
                            self._subscribed.set()
                            self._wake(*self._listeners)
                        elif message["type"] == "pmessage":
                            self._wake(message["channel"].decode())
            except (redis.RedisError, OSError) as error:
                log.info("live channel lost; trying again", error=str(error), seconds=pause)
            self._subscribed.clear()
            await asyncio.sleep(pause)
            pause = min(2 * pause, 5.0)

    def _wake(self, *channels: str) -> None:
        for channel in channels:
            for event in self._listeners.get(channel, ()):
                event.set()


_hubs: "weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Hub]" = weakref.WeakKeyDictionary()


def hub() -> Hub:
    """The hub of this event loop."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())


def stream(channel: str, over: Over, pk: int) -> HttpResponseBase:
    """Server-sent events about a row: until it is `over`, which may read the database."""
    if hub().listeners >= MOST_STREAMS:
        return HttpResponse(status=503, headers={"Retry-After": "30"})
    return StreamingHttpResponse(
        _events(channel, hub().look(over, pk)),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def _and_let_go(read: Callable[[], bool]) -> Callable[[], bool]:
    """Read, and keep no database connection for as long as a page is open."""

    def reading() -> bool:
        try:
            return read()
        finally:
            connections.close_all()

    return reading


async def _events(channel: str, over: Callable[[], Awaitable[bool]]) -> AsyncIterator[bytes]:
    ends = asyncio.get_running_loop().time() + LIFETIME_SECONDS
    with hub().listen(channel) as changed:
        await sync_to_async(connections.close_all)()  # what its request still holds, in the request's own thread
        await hub().ready()
        changed.set()
        while asyncio.get_running_loop().time() < ends:
            try:
                await asyncio.wait_for(changed.wait(), PING_SECONDS)
                told = b"event: changed\ndata: {}\n\n"
            except TimeoutError:
                told = b": still here\n\n"
            changed.clear()
            if await over():
                yield b"event: done\ndata: {}\n\n"
                return
            yield told
            await asyncio.sleep(GATHER_SECONDS)
