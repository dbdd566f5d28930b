"""Many pages that are open, and many that are asked for while programs are judged."""

import argparse
import asyncio
import http.client
import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from judge.config.celery import LIVE_QUEUE
from judge.submissions import hints, ledger
from judge.submissions.models import Judgement, State
from tests.bench.live_judging import PEOPLE, Rows
from tests.bench.live_site import ADDRESS, Browser, Row, ms, percentile, round_trip

MOST_SECONDS = 1.0
CHANGES = 5
OPENED_AT_ONCE = 50
OPEN_SECONDS = 90.0
A_SECOND = 20
FLOOR_SECONDS = 5.0
AT_ONCE = 24
"""Pages that are read at the same time at most; a page that waits for its turn is late by that."""
QUEUED_A_SECOND = 20
"""More than two workers can judge, so that they always have something to do."""


@dataclass(slots=True)
class Open:
    """Pages that listen, in a thread of their own; `seen`: when each was last told of something."""

    port: int
    path: str
    headers: dict[str, str]
    pages: int
    seen: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    _ends: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        self.seen = [0.0] * self.pages
        asyncio.run(self._all())

    def end(self) -> None:
        self._ends.set()

    def told_after(self, moment: float, seconds: float) -> list[float]:
        """How long after `moment` each was told, once all were."""
        until = time.monotonic() + seconds
        while min(self.seen) <= moment:
            if self.failed or time.monotonic() > until:
                late = sum(at <= moment for at in self.seen)
                raise SystemExit(f"{late} of {self.pages} pages were told nothing. {self.failed[:3]}")
            time.sleep(0.005)
        return [at - moment for at in self.seen]

    async def _all(self) -> None:
        turn = asyncio.Semaphore(OPENED_AT_ONCE)
        tasks = [asyncio.create_task(self._one(number, turn)) for number in range(self.pages)]
        await asyncio.to_thread(self._ends.wait)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _one(self, number: int, turn: asyncio.Semaphore) -> None:
        lines = [f"GET {self.path} HTTP/1.1", f"Host: {ADDRESS}:{self.port}"]
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        async with turn:
            reader, writer = await asyncio.open_connection(ADDRESS, self.port)
            writer.write("\r\n".join([*lines, "", ""]).encode())
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 200 " not in head.splitlines()[0]:
                self.failed.append(head.splitlines()[0].decode())
        try:
            while line := await reader.readline():
                if line.startswith(b"event: "):
                    self.seen[number] = time.monotonic()
            self.failed.append("a stream ended")
        finally:
            writer.close()


def pages(rows: Rows, options: argparse.Namespace) -> Row:
    """One change of a submission, and when the last of many open pages has been told of it."""
    (sent,) = rows.submit(1)
    judgement = Judgement.objects.get(submission=sent)
    there = Open(rows.site.port, f"/submissions/{sent.pk}/live", rows.browser(0).headers, options.pages)
    thread = threading.Thread(target=there.run, daemon=True)
    last, middle = [], []
    with rows.site.client() as client:
        bare = round_trip(client)
        began = time.monotonic()
        thread.start()
        try:
            while len(there.seen) < options.pages:
                time.sleep(0.01)
            opened = max(there.told_after(began, OPEN_SECONDS))
            hints._announcer()._client.client_setname("bench")
            for change in range(CHANGES):
                time.sleep(0.5)
                moment = time.monotonic()
                Judgement.objects.filter(pk=judgement.pk).update(progress=str(change))
                hints.announce(judgement)
                told = there.told_after(moment, 30)
                last.append(max(told))
                middle.append(percentile(told, 50))
            connections = sum(one["name"] != "bench" for one in client.client_list())
        finally:
            there.end()
            thread.join()
            ledger.stop(judgement)
    return Row(
        found=f"the last of {options.pages} pages was told after {ms(max(last))} at worst of {CHANGES} changes, "
        f"{ms(percentile(last, 50))} in the middle (half of the pages after {ms(percentile(middle, 50))}); "
        f"connections to the broker: {connections}; all pages were open after {opened:.1f} s",
        floor=f"publish and subscribe {ms(bare)}",
        reach=f"at most {MOST_SECONDS:.0f} s, and one connection",
        kept=max(last) <= MOST_SECONDS and connections == 1,
        figures={"last": last, "half": middle, "connections": connections, "opened": opened, "round_trip": bare},
    )


def load(rows: Rows, options: argparse.Namespace) -> Row:
    """Pages asked for in a steady pace, with nothing else to do and while two workers judge all the time."""
    with rows.site.at_work(LIVE_QUEUE, LIVE_QUEUE):
        rows.warmed(2)
        rows.judged(rows.submit(PEOPLE))  # one of each reader
        readers = [(rows.browser(number), _paths(rows, number)) for number in range(AT_ONCE)]
        for browser, paths in readers[:4]:
            for path in paths:
                browser.get(path)
        quiet, faults = _read(readers, FLOOR_SECONDS)
        rows.submit(int(QUEUED_A_SECOND * options.seconds))
        waiting = Judgement.objects.filter(state=State.QUEUED)
        before = waiting.count()
        busy, more = _read(readers, options.seconds)
        left = waiting.count()
    for judgement in waiting:
        ledger.stop(judgement)
    faults += more
    found = {percent: (percentile(quiet, percent), percentile(busy, percent)) for percent in (50, 95)}
    return Row(
        found=f"p50 {ms(found[50][1])}, p95 {ms(found[95][1])} of {len(busy)} pages, {A_SECOND} a second, while "
        f"{before - left} programs were judged; {len(faults)} errors {sorted(set(faults)) if faults else ''}",
        floor=f"p50 {ms(found[50][0])}, p95 {ms(found[95][0])} of {len(quiet)} while nothing is judged",
        reach="no error" + ("" if left else "; but the queue ran empty: more --seconds or programs"),
        kept=not faults and left > 0,
        figures={
            "p50": found[50][1],
            "p95": found[95][1],
            "quiet_p50": found[50][0],
            "quiet_p95": found[95][0],
            "errors": faults,
            "judged": before - left,
        },
    )


def _paths(rows: Rows, number: int) -> list[str]:
    """List of problems, statement, own submissions, and one of them."""
    newest = rows.people[number % PEOPLE].submissions.order_by("-pk")[0]
    return ["/", rows.path, "/work/", f"/submissions/{newest.pk}/"]


def _read(readers: list[tuple[Browser, list[str]]], seconds: float) -> tuple[list[float], list[str]]:
    """Ask for pages in turn; how long each took from the moment it was to be asked for, and what went wrong."""
    idle: queue.SimpleQueue[tuple[Browser, list[str]]] = queue.SimpleQueue()
    for reader in readers:
        idle.put(reader)
    times: list[float] = []
    faults: list[str] = []

    def one(number: int, due: float) -> None:
        browser, paths = idle.get()
        path = paths[number % len(paths)]
        try:
            status = str(browser.get(path))
        except (OSError, http.client.HTTPException) as error:
            status = repr(error)
        times.append(time.monotonic() - due)
        if status != "200":
            faults.append(f"{path}: {status}")
        idle.put((browser, paths))

    began = time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for number in range(int(seconds * A_SECOND)):
            due = began + number / A_SECOND
            time.sleep(max(0.0, due - time.monotonic()))
            pool.submit(one, number, due)
    return times, faults
