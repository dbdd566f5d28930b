"""The site of `tests.bench.live`: pages and workers as real processes, and browsers that read and send."""

import http.client
import math
import re
import secrets
import signal
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import redis

from tests.postgres import Postgres
from tests.site import OwnSite, Part

ADDRESS = "127.0.0.1"
CSRF = "c" * 32
"""The browser's cookie and what its forms carry need only be the same."""
PATIENCE_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What came of one measuring, in words and in numbers (times in seconds)."""

    found: str
    floor: str
    reach: str
    kept: bool
    figures: dict[str, Any]

    def told(self, name: str) -> str:
        reach = f"{self.reach}: {'kept' if self.kept else 'NOT KEPT'}"
        return f"{name:13}{self.found}\n{'':13}floor: {self.floor}\n{'':13}reach: {reach}"


def percentile(values: Sequence[float], percent: float) -> float:
    """The least of `values` that so many per cent of them do not exceed."""
    return sorted(values)[max(0, math.ceil(len(values) * percent / 100) - 1)]


def ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms"


class LiveSite(OwnSite):
    """Pages in one process, workers only while a measuring wants them."""

    def __init__(self, *, postgres: bool) -> None:
        key = secrets.token_urlsafe(48)  # sessions made here are read by the pages
        super().__init__("live", postgres=Postgres() if postgres else None, PALFREY_SECRET_KEY=key)
        with socket.socket() as free:
            free.bind((ADDRESS, 0))
            self.port: int = free.getsockname()[1]
        self.web = self.part("web", self.manage("web", "--port", str(self.port)))
        self._made = 0

    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.environment["REDIS_URL"], client_name="bench")

    def open(self) -> None:
        """Start the pages; return as soon as they answer."""
        self.web.start()
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                urllib.request.urlopen(f"http://{ADDRESS}:{self.port}/health/live", timeout=5).close()
            except (urllib.error.URLError, OSError):
                if time.monotonic() > until:
                    raise SystemExit(f"The pages do not answer; see {self.folder}.") from None
                time.sleep(0.1)
            else:
                return

    @contextmanager
    def at_work(self, *queues: str) -> Iterator[Sequence[Part]]:
        """A sweeper, and one worker of one slot for each word of queues, ready; they end with the block."""
        workers = [self._new("worker", "--queues", each, "--concurrency", "1") for each in queues]
        parts = [self._new("sweeper"), *workers]
        try:
            for part in parts:
                part.start()
            self.wait_for(workers)
            yield workers
        finally:
            self.end(parts)

    def _new(self, command: str, *words: str) -> Part:
        self._made += 1
        name = f"{command}-{self._made}"
        more = ("--languages", "python3", "--name", name) if command == "worker" else ()
        return self.part(name, self.manage(command, *words, *more))


@contextmanager
def held(workers: Sequence[Part]) -> Iterator[None]:
    """These take nothing meanwhile."""
    for worker in workers:
        worker.signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for worker in workers:
            worker.signal(signal.SIGCONT)


@dataclass(slots=True, kw_only=True)
class Sent:
    """A submission as its sender's browser saw it; moments are those of the clock (`time.time`)."""

    pk: int
    began: float
    posted: float
    """When the answer to the form was there."""
    shown: float = 0.0
    """When the page was there."""
    events: list[tuple[str, float]] = field(default_factory=list)

    @property
    def verdict_seconds(self) -> float:
        """From sending the form to the event that says that it is over."""
        return self.events[-1][1] - self.began

    def told_after(self, moment: float) -> float:
        """When the first event came with which a page reads what was so at `moment`."""
        return next(at for _, at in self.events if at >= moment)


class Browser:
    """One connection that is kept, and the session of somebody who is signed in."""

    def __init__(self, port: int, session: str) -> None:
        self.headers = {"Cookie": f"sessionid={session}; csrftoken={CSRF}"}
        self._connection = http.client.HTTPConnection(ADDRESS, port, timeout=PATIENCE_SECONDS)

    def get(self, path: str) -> int:
        """Read a page to its end; gives its status. Raises `OSError` and `HTTPException`."""
        answer = self._ask("GET", path)
        answer.read()
        return answer.status

    def send(self, path: str, text: str) -> Sent:
        """Send a Python program with the form at `path`, read the page that follows, and its events to the end."""
        began = time.time()
        form = {"csrfmiddlewaretoken": CSRF, "do": "submit", "language": "python3", "text": text, "token": f"{began}"}
        answer = self._ask("POST", path, urlencode(form))
        answer.read()
        where = answer.headers.get("Location", "")
        number = re.fullmatch(r"/submissions/(\d+)/", where)
        if number is None:
            raise SystemExit(f"The form was not taken: {answer.status} {where}")
        sent = Sent(pk=int(number[1]), began=began, posted=time.time())
        if self.get(where) != 200:
            raise SystemExit(f"The page of submission {sent.pk} cannot be read.")
        sent.shown = time.time()
        self._follow(sent, f"{where}live")
        return sent

    def _follow(self, sent: Sent, path: str) -> None:
        answer = self._ask("GET", path)
        for line in answer:
            if line.startswith(b"event: "):
                sent.events.append((line[7:].decode().strip(), time.time()))
            if time.time() - sent.began > PATIENCE_SECONDS:
                break
        if not sent.events or sent.events[-1][0] != "done":
            raise SystemExit(f"Submission {sent.pk} was not judged in time.")

    def _ask(self, method: str, path: str, body: str = "") -> http.client.HTTPResponse:
        form = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        kept = self._connection.sock is not None
        try:
            self._connection.request(method, path, body=body or None, headers=self.headers | form)
            return self._connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            if kept and isinstance(error, ConnectionError):  # it was not used for a while, so the server had closed it
                return self._ask(method, path, body)
            raise


def round_trip(client: redis.Redis, times: int = 200) -> float:
    """Median seconds from publishing to having it, through the same broker and with nothing in between."""
    found = []
    with client.pubsub() as listener:  # type: ignore[no-untyped-call]
        listener.subscribe("bench")
        listener.get_message(timeout=5)  # that it is subscribed
        for _ in range(times):
            began = time.perf_counter()
            client.publish("bench", b"")
            while listener.get_message(timeout=5) is None:
                pass
            found.append(time.perf_counter() - began)
    return percentile(found, 50)
