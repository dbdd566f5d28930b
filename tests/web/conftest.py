"""A published problem with a statement worth reading, and submissions at every stage, without judging anything."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from judge.blobs import store
from judge.people.models import User
from judge.submissions.models import CaseResult, Effective, Judgement, State, Submission
from problems.models import Case, Problem, Version
from problems.package.archive import pack
from tests.shelf import write_package
from tests.web.browsing import browser, site, visit  # noqa: F401 - fixtures of all files here

PROBLEM_YAML = """\
problem_format_version: "2025-09"
name: Twice
uuid: 5bd0a0a6-2f4b-4c1e-9a53-7f4f0f1f2a10
license: public domain
constants: {most: 1000}
limits: {time_limit: 1, memory: 256}
"""
STATEMENT = """\
Read a number $n$ and print its double, at most {{most}}.

![A picture of two](two.svg)
![From another host](https://example.org/spy.png)

{{nextsample}}

Now $$n \\le 10^9$$ and [a trap](javascript:alert(1)) and <script>alert(2)</script>.
"""
CASES = (
    ("sample/1", "2\n", "4\n"),
    ("sample/2", "3\n", "6\n"),
    ("secret/1", "21 secret input\n", "42 secret answer\n"),
)
LESSON = """\
First **words**.

## What it is

```trace
run: count.py
in: "{n}"
caption: Counting
choose:
  n: {label: Number, from: 1, to: 9, default: 3}
```
"""
PASSWORD = "long enough"
PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj\n"
    b"trailer<</Root 1 0 R>>\n"
)
"""One page."""
ACTING_PDF = PDF.replace(b"/Pages 2 0 R", b"/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\('x'\\))>>")
"""The same with a script, which a browser's viewer would run at once."""
Put = Callable[[Mapping[str, str | bytes | None]], Problem]


@pytest.fixture
def twice(instructor: User, tmp_path: Path) -> Problem:
    """A small real package, published; Ines owns it."""
    folder = write_package(
        tmp_path / "twice",
        {
            "problem.yaml": PROBLEM_YAML,
            "statement/problem.en.md": STATEMENT,
            "palfrey/lesson.en.md": LESSON,
            "palfrey/traces/count.py": "print()\n",
            "attachments/help.txt": "<script>alert(4)</script>\n",
            "solution/solution.en.md": "Add it to *itself*.\n",
            "statement/two.svg": '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(3)</script></svg>',
        },
    )
    problem = Problem.objects.create(slug="twice", uuid="5bd0a0a6-2f4b-4c1e-9a53-7f4f0f1f2a10")
    problem.live = published(problem, folder)
    problem.save()
    problem.owners.add(instructor)
    return problem


@pytest.fixture
def put(db: None, tmp_path: Path) -> Put:
    """Publishes the small problem with these files, in the languages of its statements."""

    def put(changes: Mapping[str, str | bytes | None]) -> Problem:
        languages = {name.split(".")[1] for name in changes if name.startswith("statement/problem.")}
        names = ", ".join(f"{language}: Twice" for language in sorted(languages | {"en"}))
        texts = {name: text for name, text in changes.items() if not isinstance(text, bytes)}
        folder = write_package(
            tmp_path / "twice", {"problem.yaml": PROBLEM_YAML.replace("name: Twice", f"name: {{{names}}}"), **texts}
        )
        for name, content in changes.items():
            if isinstance(content, bytes):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content)
        problem = Problem.objects.create(slug="twice", uuid="5bd0a0a6-2f4b-4c1e-9a53-7f4f0f1f2a10")
        problem.live = published(problem, folder)
        problem.save()
        return problem

    return put


def published(problem: Problem, folder: Path, number: int = 1) -> Version:
    version = Version.objects.create(
        problem=problem,
        number=number,
        digest=f"{number:064}",
        archive=store.put(pack(folder)),
        titles={"en": "Twice"},
        facts={
            "time_seconds": 1.0,
            "memory_bytes": 256 << 20,
            "code_bytes": 128 << 10,
            "languages": None,
            "keywords": ["arithmetic", "first steps"],
            "scoring": False,
            "lessons": ["en"],
        },
    )
    for position, (name, given, answer) in enumerate(CASES, 1):
        Case.objects.create(
            version=version,
            position=position,
            group=name.partition("/")[0],
            name=name,
            input=store.put(given.encode()),
            answer=store.put(answer.encode()),
            input_bytes=len(given),
        )
    return version


@pytest.fixture
def send(twice: Problem) -> Callable[..., Submission]:
    """Makes a submission with its judgement in whatever state a test needs."""

    def make(author: User, *, files: dict[str, bytes] | None = None, results: Any = (), **columns: Any) -> Submission:
        named = files or {"main.py": b"print(2 * int(input()))\n"}
        sent = Submission.objects.create(
            author=author,
            problem=twice,
            assignment=columns.pop("assignment", None),
            language=columns.pop("language", "python3"),
            files=[{"name": name, "digest": store.put(text), "size": len(text)} for name, text in named.items()],
            token=f"token-{Submission.objects.count()}",
        )
        assert twice.live is not None
        judgement = Judgement.objects.create(submission=sent, version=twice.live, **columns)
        Effective.objects.create(submission=sent, judgement=judgement)
        for position, (verdict, facts) in enumerate(results, 1):
            name = CASES[position - 1][0]
            CaseResult.objects.create(
                judgement=judgement,
                position=position,
                name=name,
                group=name.partition("/")[0],
                verdict=verdict,
                **{"cpu_seconds": 0.02, "wall_seconds": 0.03, "memory_bytes": 9 << 20, "points": 0, **facts},
            )
        return sent

    return make


def live_version(problem: Problem) -> Version:
    assert problem.live is not None
    return problem.live


def done(verdict: str, **columns: Any) -> dict[str, Any]:
    """Columns of a judgement that is over."""
    now = timezone.now()
    return {
        "state": State.DONE,
        "started": now - timedelta(seconds=3),
        "finished": now,
        "verdict": verdict,
        "compiled": verdict != "compile_error",
        **columns,
    }


@pytest.fixture
def as_student(client: Client, student: User) -> Client:
    client.force_login(student)
    return client


@pytest.fixture
def as_instructor(client: Client, instructor: User) -> Client:
    client.force_login(instructor)
    return client
