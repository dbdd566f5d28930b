"""From sending to verdict: the first event, two workers against one, and one submission beside a regrade."""

import argparse
import copy
import random
import statistics
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import psutil
from django.conf import settings
from django.db import transaction
from django.db.models import Max, Model
from django.test import Client

from judge.config.celery import LIVE_QUEUE, REGRADE_QUEUE
from judge.people.models import User
from judge.regrades import actions as regrading
from judge.regrades.models import Outcome, Regrade, Stage
from judge.submissions import actions
from judge.submissions.models import Effective, Judgement, State, Submission
from problems.models import Problem
from tests.bench.live_site import Browser, LiveSite, Row, held, ms, percentile, round_trip
from tests.chaos.programs import CASES
from tests.chaos.sending import set_up
from tests.shelf import RIGHT

MOST_BEYOND = 0.060
LEAST_GAIN = 1.8
PEOPLE = 8
ROUNDS = 2
"""Of one worker and of two, in turn."""
WARM = 3
"""Submissions of each worker before anything is measured."""
BURN = "import time\nn = int(input())\nwhile time.process_time() < 0.1:\n    pass\nprint(2 * n)\n"
"""What is judged again: each case takes a tenth of a second."""

Kind = TypeVar("Kind", bound=Model)


@dataclass(slots=True)
class Rows:
    """A published problem, its students and their browsers."""

    site: LiveSite
    problem: Problem
    people: Sequence[User]
    sent: int = 0

    @classmethod
    def made(cls, site: LiveSite) -> "Rows":
        return cls(site, *set_up(site.folder, PEOPLE))

    @property
    def path(self) -> str:
        return f"/problems/{self.problem.slug}/"

    def browser(self, number: int = 0) -> Browser:
        """Of a student who is signed in."""
        client = Client()
        client.force_login(self.people[number % PEOPLE], backend="django.contrib.auth.backends.ModelBackend")
        return Browser(self.site.port, client.cookies[settings.SESSION_COOKIE_NAME].value)

    def program(self, text: str = RIGHT.decode()) -> str:
        """One that was not sent before, so that nothing is judged from what was kept."""
        self.sent += 1
        return f"{text}# {self.sent}\n"

    def submit(self, number: int, text: str = RIGHT.decode()) -> list[Submission]:
        """So many at once, of all students in turn."""
        with transaction.atomic():
            texts = [self.program(text) for _ in range(number)]
            return [
                actions.submit(
                    self.people[place % PEOPLE], self.problem, "python3", {"main.py": one.encode()}, f"{time.time_ns()}"
                )
                for place, one in enumerate(texts)
            ]

    def judged(self, sent: Sequence[Submission], seconds: float = 120) -> float:
        """Wait until these have their verdict; the moment of the last."""
        rows = Judgement.objects.filter(submission__in=sent)
        until = time.monotonic() + seconds
        while rows.exclude(state=State.DONE).exists():
            if time.monotonic() > until:
                raise SystemExit(f"Not all was judged in time; see {self.site.folder}.")
            time.sleep(0.2)  # the rows say when; asking often would take the processors from those that judge
        last = rows.aggregate(last=Max("finished"))["last"]
        assert last is not None
        return float(last.timestamp())

    def warmed(self, workers: int) -> None:
        """Each of so many workers has judged a few: its sandbox is open, and what it needs is at hand."""
        for _ in range(5):
            sent = self.submit(WARM * workers)
            self.judged(sent)
            names = Judgement.objects.filter(submission__in=sent).values_list("worker", flat=True)
            if len(set(names)) == workers:
                return
        raise SystemExit("One of the workers judged nothing.")


def first_event(rows: Rows, options: argparse.Namespace) -> Row:
    """From sending a form to the first event by which its page knows that the judging has begun."""
    browser = rows.browser()
    with rows.site.at_work(LIVE_QUEUE), rows.site.client() as client:
        rows.warmed(1)
        browser.send(rows.path, rows.program())
        found = []
        for _ in range(options.submissions):
            time.sleep(random.uniform(0.1, 0.3))
            found.append(browser.send(rows.path, rows.program()))
        bare = round_trip(client)
    judgements = Judgement.objects.filter(submission__in=[one.pk for one in found])
    begun = {one.submission_id: one.started.timestamp() for one in judgements if one.started}
    told = [one.told_after(begun[one.pk] - 0.001) - one.began for one in found]  # SQLite keeps milliseconds
    post = statistics.median(one.posted - one.began for one in found)
    page = statistics.median(one.shown - one.posted for one in found)
    claimed = statistics.median(begun[one.pk] - one.began for one in found)
    middle, floor = statistics.median(told), post + bare
    return Row(
        found=f"median {ms(middle)}, p90 {ms(percentile(told, 90))} of {len(told)}; {ms(middle - floor)} beyond the "
        f"floor (the page alone {ms(page)}, a worker had it after {ms(claimed)})",
        floor=f"{ms(floor)} (the form {ms(post)}, publish and subscribe {ms(bare)})",
        reach=f"at most {ms(MOST_BEYOND)} beyond",
        kept=middle - floor <= MOST_BEYOND,
        figures={
            "median": middle,
            "p90": percentile(told, 90),
            "floor": floor,
            "beyond": middle - floor,
            "form": post,
            "round_trip": bare,
            "page": page,
            "claimed": claimed,
        },
    )


def workers(rows: Rows, options: argparse.Namespace) -> Row:
    """Verdicts a second with one and with two workers, and what two processors give two bare programs.

    One worker keeps more than one processor busy, since its sandbox makes boxes ahead on another: told as `busy`.
    """
    rates: dict[int, list[float]] = {1: [], 2: []}
    bare: dict[int, list[float]] = {1: [], 2: []}
    busy: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(ROUNDS):
        for count, found in rates.items():
            with rows.site.at_work(*[LIVE_QUEUE] * count) as there:
                rows.warmed(count)
                with held(there):
                    sent = rows.submit(options.batch)
                began, worked = time.time(), _processor_seconds()
                took = rows.judged(sent) - began
                found.append(options.batch / took)
                busy[count].append((_processor_seconds() - worked) / took)
            bare[count].append(_bare_rate(rows.site.folder, options.batch, count))
    one, two = (max(rates[count]) for count in rates)
    alone = max(bare[2]) / max(bare[1])
    return Row(
        found=f"{two / one:.2f} times: {one:.1f} verdicts a second with one worker, {two:.1f} with two "
        f"({min(busy[1]):.2f} and {min(busy[2]):.2f} processors busy)",
        floor=f"bare programs run {alone:.2f} times as fast two at a time ({max(bare[1]) / CASES:.1f} and "
        f"{max(bare[2]) / CASES:.1f} times {CASES} a second)",
        reach=f"at least {LEAST_GAIN} times",
        kept=two / one >= LEAST_GAIN,
        figures={"gain": two / one, "one": rates[1], "two": rates[2], "bare_gain": alone, "bare": bare, "busy": busy},
    )


def regrade(rows: Rows, options: argparse.Namespace) -> Row:
    """Form to verdict with nothing else to do, and while one of the two workers judges old submissions again."""
    browser = rows.browser(1)
    with rows.site.at_work(LIVE_QUEUE, f"{LIVE_QUEUE},{REGRADE_QUEUE}"):
        rows.warmed(2)
        (pattern,) = rows.submit(1, BURN)
        rows.judged([pattern])
        first = Judgement.objects.get(submission=pattern)
        assert first.finished is not None
        assert first.compiled_at is not None
        case = (first.finished - first.compiled_at).total_seconds() / CASES
        _copies(first, options.regrade - 1)
        alone = _verdicts(rows, browser, options.rounds)
        running = _begun(pattern)
        beside = _verdicts(rows, browser, options.rounds)
        running.refresh_from_db()
        left = running.items.filter(outcome=Outcome.OPEN).count()
        if running.stage != Stage.RUNNING or not left:
            raise SystemExit(f"The regrade was over too early ({running.stage} {running.failure}): --regrade more.")
        regrading.drop(None, running)
    times = {percent: (percentile(alone, percent), percentile(beside, percent)) for percent in (50, 90)}
    return Row(
        found=f"median {ms(times[50][1])}, p90 {ms(times[90][1])} of {options.rounds} beside a regrade of "
        f"{options.regrade} ({options.regrade - left} done meanwhile)",
        floor=f"median {ms(times[50][0])}, p90 {ms(times[90][0])} with nothing else running; a running case {ms(case)}",
        reach="median and p90 within their floor and one running case",
        kept=all(busy <= quiet + case for quiet, busy in times.values()),
        figures={"alone": alone, "beside": beside, "case": case, "regraded": options.regrade - left},
    )


def _verdicts(rows: Rows, browser: Browser, times: int) -> list[float]:
    found = []
    for _ in range(times):
        time.sleep(random.uniform(0.2, 0.8))  # at any moment of what else goes on
        found.append(browser.send(rows.path, rows.program()).verdict_seconds)
    return found


def _begun(pattern: Submission) -> Regrade:
    """A regrade of all that was sent with this program, everything anew, of which something is done."""
    chosen = Submission.objects.filter(files=pattern.files)
    running = regrading.plan(None, chosen, reason="bench", key=f"{time.time_ns()}", anew=True)
    _until(running, Stage.PLANNED)
    regrading.start(None, running)
    until = time.monotonic() + 60
    while not running.items.exclude(outcome=Outcome.OPEN).exists() and time.monotonic() < until:
        time.sleep(0.1)
    _until(running, Stage.RUNNING)
    return running


def _until(running: Regrade, stage: str) -> None:
    until = time.monotonic() + 60
    while running.stage != stage:
        if time.monotonic() > until or running.stage not in (Stage.DRAFT, Stage.PLANNED):
            raise SystemExit(f"The regrade is {running.stage} and not {stage}: {running.failure}")
        time.sleep(0.1)
        running.refresh_from_db()


def _copies(first: Judgement, number: int) -> None:
    """So many more submissions that were judged just so."""
    sent = [_copy(first.submission, token=f"copy-{place}") for place in range(number)]
    Submission.objects.bulk_create(sent)
    judgements = [_copy(first, submission=one) for one in sent]
    Judgement.objects.bulk_create(judgements)
    Effective.objects.bulk_create(Effective(submission=one.submission, judgement=one) for one in judgements)
    results = list(first.results.all())
    type(results[0]).objects.bulk_create(
        (_copy(result, judgement=one) for one in judgements for result in results), batch_size=500
    )


def _copy(row: Kind, **changed: object) -> Kind:
    made = copy.copy(row)
    made.pk, made._state = None, copy.copy(row._state)
    made._state.adding = True
    made._state.fields_cache = {}
    for name, value in changed.items():
        setattr(made, name, value)
    return made


def _processor_seconds() -> float:
    """What all processors of this machine have worked so far."""
    times = psutil.cpu_times()
    return times.user + times.nice + times.system + times.irq + times.softirq


def _bare_rate(folder: Path, programs: int, at_once: int) -> float:
    """Runs a second of so many programs with all their cases, without any judge."""
    file = folder / "bare.py"
    file.write_bytes(RIGHT)
    command = ["/usr/bin/python3", str(file)]

    def run(_: int) -> None:
        subprocess.run(command, input=b"2\n", stdout=subprocess.PIPE, check=True, env={"PATH": "/usr/bin:/bin"})

    began = time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(run, range(programs * CASES)))
    return programs * CASES / (time.perf_counter() - began)
