"""Many rows by few statements: each copies a row that was made in the ordinary way, with other numbers in it."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from judge.blobs import store
from judge.people.models import Role, User
from judge.submissions.models import CaseResult, Effective, Judgement, State, Submission, Worker
from problems.models import Case, Problem, Version
from problems.package.archive import pack
from tests.shelf import write_package

EACH = 50
"""Submissions of one student: the more there are, the more people sent them."""
FIRST = 100
"""Numbers of the accounts that are copied begin after this."""
EVERY_SECONDS = 90
"""Between two submissions, backwards from now: of both sizes a day holds the same."""


class Filling:
    """A site with one problem; `upto` adds submissions that are judged, each with its results."""

    def __init__(self, *, cases: int) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        self._cases = cases
        self.staff = User.objects.create_user("staff", role=Role.ADMIN)
        self.student = User.objects.create_user("student")
        self.problem = self._problem()
        self._first = self._made_in_the_ordinary_way()
        self._there = 1
        self._people = FIRST

    def pages(self) -> dict[str, tuple[Client, str]]:
        """Name -> who asks, and the address."""
        reader = User.objects.get(pk=FIRST + 2)
        staff, student = _client(self.staff), _client(reader)
        newest = Submission.objects.filter(author=reader).order_by("-sent").first()
        assert newest is not None
        return {
            "problems": (student, "/"),
            "problem": (student, f"/problems/{self.problem.slug}/"),
            "my work": (student, "/work/"),
            "attempts, student": (student, f"/problems/{self.problem.slug}/submissions/"),
            "attempts, staff": (staff, f"/problems/{self.problem.slug}/submissions/"),
            "table of submissions, staff": (staff, "/submissions/"),
            "the same, page 10": (staff, "/submissions/?page=10"),
            "the same, by verdict": (staff, "/submissions/?problem=fill&verdict=wrong_answer"),
            "submission": (student, f"/submissions/{newest.pk}/"),
            "queue": (staff, "/queue/"),
            "metrics": (staff, "/metrics"),
        }

    def upto(self, number: int) -> None:
        """Fill up to so many submissions."""
        people = FIRST + number // EACH
        self._copy(User, self.student.pk, {"id": "i", "username": "'student-' || i"}, _numbers(self._people, people))
        self._people = people
        numbers = _numbers(self._there, number)
        sent = _before(f"i * {EVERY_SECONDS}")
        begun, ended = _before(f"i * {EVERY_SECONDS} - 2"), _before(f"i * {EVERY_SECONDS} - 4")
        author = f"{FIRST + 1} + i % {people - FIRST}"
        first = self._first
        submission = {"id": "i", "author_id": author, "token": "'fill-' || i", "sent": sent}
        self._copy(Submission, first.submission_id, submission, numbers)
        judged = {"queued": sent, "due": sent, "hinted": sent, "started": begun, "finished": ended}
        verdict = "CASE WHEN i % 3 = 0 THEN 'accepted' ELSE 'wrong_answer' END"
        self._copy(Judgement, first.pk, {"id": "i", "submission_id": "i", "verdict": verdict, **judged}, numbers)
        effective = Effective.objects.get(judgement=first).pk
        self._copy(Effective, effective, {"id": "i", "submission_id": "i", "judgement_id": "i"}, numbers)
        each = f"{numbers}, (WITH RECURSIVE c(p) AS (SELECT 1 UNION ALL SELECT p + 1 FROM c WHERE p < {self._cases}) "
        each += "SELECT p FROM c) AS positions"
        result = {"id": f"i * {self._cases} + p", "judgement_id": "i", "position": "p"}
        self._copy(CaseResult, CaseResult.objects.get(judgement=first).pk, result, each)
        if connection.vendor == "postgresql":  # which does so by itself after a while; SQLite never does
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
        self._there = number

    def _copy(self, model: type[Model], pk: int, changed: Mapping[str, str], numbers: str) -> None:
        table, fields = model._meta.db_table, model._meta.concrete_fields
        columns = [str(field.column) for field in fields]
        into = ", ".join(f'"{column}"' for column in columns)
        values = ", ".join(changed.get(column, f't."{column}"') for column in columns)
        with connection.cursor() as cursor:
            cursor.execute(
                f'INSERT INTO "{table}" ({into}) SELECT {values} FROM "{table}" t, {numbers} WHERE t.id = {pk}'
            )

    def _problem(self) -> Problem:
        problem = Problem.objects.create(slug="fill", uuid="f1c0ffee-0000-4000-8000-0000000000f1")
        facts = {"code_bytes": 1 << 17, "languages": None, "time_seconds": 1.0, "memory_bytes": 1 << 28}
        version = Version.objects.create(
            problem=problem,
            number=1,
            digest="0" * 64,
            archive=store.put(_package()),
            titles={"en": "Fill"},
            facts=facts | {"keywords": [], "scoring": False},
        )
        for position in range(1, self._cases + 1):
            name = f"{'sample' if position == 1 else 'secret'}/{position}"
            group = name.partition("/")[0]
            given = store.put(b"2\n")
            Case.objects.create(
                version=version, position=position, group=group, name=name, input=given, answer=given, input_bytes=2
            )
        problem.live = version
        problem.save()
        return problem

    def _made_in_the_ordinary_way(self) -> Judgement:
        now = timezone.now()
        assert self.problem.live is not None
        Worker.objects.create(name="fill", languages=["cpp17"], started=now, seen=now)
        files = [{"name": "main.cpp", "digest": store.put(b"int main() {}\n"), "size": 14}]
        sent = Submission.objects.create(
            author=self.student, problem=self.problem, language="cpp17", files=files, token="fill-1"
        )
        judgement = Judgement.objects.create(
            submission=sent,
            version=self.problem.live,
            state=State.DONE,
            verdict="accepted",
            attempt=1,
            fence=1,
            compiled=True,
            started=now,
            finished=now,
        )
        Effective.objects.create(submission=sent, judgement=judgement)
        facts: dict[str, Any] = {"cpu_seconds": 0.1, "wall_seconds": 0.1, "memory_bytes": 1 << 20, "points": 0}
        CaseResult.objects.create(
            judgement=judgement, position=1, name="secret/1", group="secret", verdict="accepted", **facts
        )
        return judgement


def _client(user: User) -> Client:
    client = Client(SERVER_NAME="localhost")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def _numbers(after: int, upto: int) -> str:
    """A table of one column `i`."""
    recursive = f"SELECT {after + 1} UNION ALL SELECT i + 1 FROM n WHERE i < {upto}"
    return f"(WITH RECURSIVE n(i) AS ({recursive}) SELECT i FROM n) AS numbers"


def _before(seconds: str) -> str:
    """A moment so many seconds ago, as the database keeps it."""
    if connection.vendor == "sqlite":
        return f"strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || ({seconds}) || ' seconds')"
    return f"now() - ({seconds}) * interval '1 second'"


def _package() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return pack(write_package(Path(folder) / "fill"))
