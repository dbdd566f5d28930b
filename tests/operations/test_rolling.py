"""Two releases side by side on PostgreSQL: the tables are changed under a worker of the former one, which judges on.

By name only: it takes the former code out of the history and makes its environment, which needs a package index.
"""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from judge.operations import broker
from tests.broker import tied
from tests.chaos.programs import program
from tests.operations.conftest import ROOT
from tests.postgres import Postgres, can_run
from tests.shelf import write_package

pytestmark = pytest.mark.byname

FORMER = "0a7547a51568"
"""Of 2026-11-30; ten migrations follow it, among them that by which work goes only where it can be done."""
SEND = """
import json, time
from pathlib import Path
from judge.people.models import User
from judge.submissions.actions import submit
from problems.models import Problem
plan = json.loads(Path({plan!r}).read_text())
for number in range({first}, {last}):
    if Path({enough!r}).exists():
        break
    author, _ = User.objects.get_or_create(username=f"student-{{number % 7}}")
    one = plan[number]
    files = {{one["name"]: one["text"].encode()}}
    submit(author, Problem.objects.get(), one["language"], files, f"token-{{number:026}}")
    time.sleep({pause})
"""
COUNT = """
import json
from judge.submissions.models import Judgement, Submission
rows = []
for one in Submission.objects.order_by("pk"):
    shown = Judgement.objects.get(effective__submission=one)
    rows.append([int(one.token[6:]), shown.verdict, one.judgements.count(), shown.state, shown.worker, shown.attempt,
                 shown.results.count()])
print("rows:" + json.dumps(rows))
"""
UPGRADE = 200
"""So many at most are sent while the tables change."""
PLAN = [program(number) for number in range(UPGRADE + 24)]


class Site:
    """Database, broker and folder; programs of either release work on them."""

    def __init__(self, folder: Path, former: Path) -> None:
        self.folder, self.former = folder, former
        self.postgres = Postgres()
        self.environment = {
            "PATH": os.environ["PATH"],
            "PYTHONUNBUFFERED": "1",
            "PALFREY_VAR": str(folder / "var"),
            "PALFREY_LEASE_SECONDS": "10",
            "PALFREY_UNFINISHED_SUBMISSIONS": "1000",
            "PALFREY_SUBMISSIONS_A_MINUTE": "1000",
            "DATABASE_URL": self.postgres.url,
            "REDIS_URL": f"unix://{folder}/broker.sock",
        }
        self.environment |= {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
        self.enough = folder / "enough"
        """While it is there nothing is sent."""
        self.plan = folder / "plan.json"
        told = [{"language": one.language, "name": one.name, "text": one.text.decode()} for one in PLAN]
        self.plan.write_text(json.dumps(told))

    def begin(self, code: Path, *words: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{words[0]}-{code.name}.log").open("ab") as log:
            return subprocess.Popen(
                [*tied(), str(code / "palfrey"), *words],
                cwd=code,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def do(self, code: Path, *words: str, refused: bool = False) -> str:
        result = subprocess.run(
            [str(code / "palfrey"), *words],
            cwd=code,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
        )
        told = result.stdout + result.stderr
        assert (result.returncode != 0) == refused, told
        return told

    def send(self, code: Path, first: int, last: int, pause: float = 0.0) -> subprocess.Popen[bytes]:
        script = SEND.format(plan=str(self.plan), first=first, last=last, pause=pause, enough=str(self.enough))
        return self.begin(code, "shell", "-c", script)

    def rows(self) -> dict[int, list[object]]:
        told = self.do(ROOT, "shell", "-v", "0", "-c", COUNT)
        lines = [line.removeprefix("rows:") for line in told.splitlines() if line.startswith("rows:")]
        return {row[0]: row[1:] for row in json.loads(lines[-1])}

    def sent(self) -> int:
        return self._ask("SELECT count(*) FROM submissions_submission")

    def judged(self) -> int:
        return self._ask("SELECT count(*) FROM submissions_judgement WHERE state = 'done'")

    def _ask(self, question: str) -> int:
        with psycopg.connect(self.postgres.url) as connection:
            found = connection.execute(question).fetchone()
        assert found
        return int(found[0])

    def done(self, numbers: range, seconds: float = 300.0) -> dict[int, list[object]]:
        """The rows, as soon as all are judged; those with these numbers are among them."""
        until = time.monotonic() + seconds
        while self.judged() < self.sent():
            assert time.monotonic() < until, self.rows()
            time.sleep(0.5)
        rows = self.rows()
        assert set(numbers) <= set(rows)
        return rows

    def ready(self, code: Path, seconds: float = 120.0) -> None:
        until = time.monotonic() + seconds
        log = self.folder / f"worker-{code.name}.log"
        while b"ready." not in log.read_bytes():
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.3)


@pytest.fixture
def former(tmp_path: Path) -> Iterator[Path]:
    """The former code in a folder of its own, with its environment."""
    known = ["git", "cat-file", "-e", f"{FORMER}^{{commit}}"]
    if subprocess.run(known, cwd=ROOT, check=False, capture_output=True).returncode:
        pytest.skip("the history does not go back so far")
    folder = tmp_path / "former"
    subprocess.run(["git", "worktree", "add", "--detach", str(folder), FORMER], cwd=ROOT, check=True)
    yield folder
    subprocess.run(["git", "worktree", "remove", "--force", str(folder)], cwd=ROOT, check=True)


@pytest.fixture
def site(tmp_path: Path, former: Path) -> Iterator[Site]:
    if not can_run():
        pytest.skip("as root, with Debian's postgresql")
    (tmp_path / "var").mkdir()
    made = Site(tmp_path, former)
    queue = broker.command(tmp_path / "broker.sock", tmp_path / "broker")
    with ExitStack() as stack:
        stack.callback(made.postgres.remove)
        made.postgres.start()
        process = subprocess.Popen([*tied(), *queue])
        stack.callback(process.kill)
        yield made


def worker_of(row: Sequence[object]) -> str:
    return str(row[3]).partition("@")[0]


def stop(process: subprocess.Popen[bytes]) -> None:
    """As an operator does."""
    process.send_signal(signal.SIGTERM)
    process.wait(60)


def test_an_upgrade_while_it_judges(site: Site) -> None:
    judging = ("worker", "--queues", "live", "--concurrency", "1", "--languages", "python3,cpp17", "--name")
    site.do(site.former, "migrate", "-v", "0")
    site.do(site.former, "publish", str(write_package(site.folder / "twice")))
    older = [site.begin(site.former, *judging, "older"), site.begin(site.former, "sweeper")]
    site.ready(site.former)
    assert "older than this code" in site.do(ROOT, *judging, "early", refused=True)

    sending = site.send(site.former, 0, UPGRADE, pause=1.0)
    while not site.sent():
        time.sleep(0.5)
    told = site.do(ROOT, "upgrade")
    assert "Applying submissions.0005_needs" in told
    before = site.sent()
    assert site.judged(), "the upgrade was before everything"
    while site.sent() < before + 5:
        assert sending.poll() is None
        time.sleep(0.5)
    site.enough.touch()
    assert sending.wait(60) == 0
    site.enough.unlink()
    first = range(site.sent())
    rows = site.done(first)
    assert {worker_of(row) for row in rows.values()} == {"older"}

    newer = [site.begin(ROOT, *judging, "newer")]
    site.ready(ROOT)
    second = range(UPGRADE, UPGRADE + 20)
    sending_both = [site.send(site.former, UPGRADE, UPGRADE + 10), site.send(ROOT, UPGRADE + 10, UPGRADE + 20)]
    assert [one.wait(60) for one in sending_both] == [0, 0]
    rows = site.done(second)
    assert {worker_of(rows[number]) for number in second} == {"older", "newer"}

    for process in older:
        stop(process)
    newer.append(site.begin(ROOT, "sweeper"))
    third = range(UPGRADE + 20, UPGRADE + 24)
    assert site.send(ROOT, third.start, third.stop).wait(60) == 0
    rows = site.done(third)
    assert {worker_of(rows[number]) for number in third} == {"newer"}
    for process in newer:
        stop(process)

    assert set(rows) == {*first, *second, *third}
    for number, (verdict, judgements, _, _, attempt, results) in rows.items():
        assert (verdict, judgements, attempt) == (PLAN[number].verdict, 1, 1), number
        assert results == PLAN[number].cases, number
