"""The examples of docs/api.md, the client and the stream, against a server and a worker as they run in production."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from judge.authoring.actions import publish
from judge.people.models import Course, User
from judge.people.tokens import Scope
from judge.submissions.models import Submission
from problems.models import Problem
from sandbox.box import open_sandbox
from tests.api.conftest import token_of
from tests.broker import Broker
from tests.conftest import assign
from tests.operations.conftest import ROOT
from tests.shelf import RIGHT, WRONG, write_package
from tests.workers import worker

DOCUMENT = ROOT / "docs/api.md"
MISSING = ("/counterexample", "/changes")
"""What the document shows of a program that failed; a right one has none."""
CLIENT = ROOT / "judge/api/client.py"


@pytest.fixture
def judging(broker: Broker) -> Iterator[None]:
    with worker():
        yield


@pytest.fixture
def knightmoves(course: Course, instructor: User, tmp_path: Path) -> Problem:
    """A small problem under the name that the document has for its examples, given to the course."""
    box = open_sandbox(settings.PALFREY_CACHE / "sandbox")
    try:
        problem = publish(write_package(tmp_path / "knightmoves"), box).problem
    finally:
        box.close()
    problem.owners.add(instructor)
    assign(course, problem)
    (tmp_path / "knightmoves.py").write_bytes(RIGHT)
    (tmp_path / "wrong.py").write_bytes(WRONG)
    (tmp_path / "palfrey").symlink_to(ROOT / "palfrey")
    return problem


def submit(folder: Path, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-I", CLIENT, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def examples() -> list[tuple[str, str, Any]]:
    """Kind, command, and what the document says comes of it (None: nothing is said), in order."""
    text = DOCUMENT.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(sh[-a-z]*|json)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    found: list[tuple[str, str, Any]] = []
    for kind, block in blocks:
        if kind == "json":
            found[-1] = (*found[-1][:2], json.loads(block))
        else:
            found.append((kind, block, None))
    return found


def like(told: Any, said: Any, at: str = "") -> None:
    """Whatever the document names is there, of the same kind; not the values, which are those of another site."""
    if told is None and at.endswith(MISSING):
        return
    if isinstance(said, dict):
        assert isinstance(told, dict), at
        for key, value in said.items():
            if at.endswith(("titles", "counts", "outcomes", "hints")):
                assert all(type(one) is type(value) for one in told.values()), at
            else:
                assert key in told, f"{at}/{key}"
                like(told[key], value, f"{at}/{key}")
    elif isinstance(said, list):
        assert isinstance(told, list), at
        if said and isinstance(said[0], dict):
            assert told, at
            like(told[0], said[0], at)
    elif said is not None and told is not None:
        assert isinstance(told, int | float) if isinstance(said, int | float) else isinstance(told, str), at


@pytest.mark.django_db(transaction=True, reset_sequences=True)
@pytest.mark.usefixtures("judging")
def test_the_examples_of_the_document_work_and_so_does_the_client(
    site: str, knightmoves: Problem, student: User, instructor: User, tmp_path: Path
) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "SITE": site,
        "TOKEN": token_of(student, [Scope.READ, Scope.SUBMIT]),
        "STAFF": token_of(instructor, [Scope.COURSE_READ, Scope.COURSE_WRITE]),
        "OWNER": token_of(instructor, [Scope.COURSE_READ, Scope.COURSE_WRITE]),
    }
    run = 0
    for kind, command, said in examples():
        if kind == "sh-later":
            continue
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        assert done.stdout
        if said is not None:
            told = json.loads(done.stdout)
            like(told, said)
            assert kind == "sh-fails" or "error" not in told
        run += 1
    assert run >= 15
    assert set(Submission.objects.values_list("effective__judgement__verdict", flat=True)) == {"accepted"}
    the_client_says_what_came_of_it(tmp_path, site, environment["TOKEN"])


def the_client_says_what_came_of_it(tmp_path: Path, site: str, token: str) -> None:
    (tmp_path / "token").write_text(f"{token}\n")
    right = submit(tmp_path, "knightmoves.py", "--server", site, "--token-file", "token")
    assert right.returncode == 0, right.stderr
    assert "in python3, for assignment" in right.stdout
    assert "Accepted, 100 of 100 points." in right.stdout
    wrong = submit(
        tmp_path,
        "wrong.py",
        "--problem",
        "knightmoves",
        "--assignment",
        "practice",
        PALFREY_SERVER=site,
        PALFREY_TOKEN=token,
    )
    assert wrong.returncode == 1, wrong.stderr
    assert "for practice" in wrong.stdout
    assert "Wrong answer" in wrong.stdout
    assert "First failing case: secret/1 (2 of 4), wrong_answer." in wrong.stdout
    taken = submit(tmp_path, "knightmoves.py", "--server", site, "--token-file", "token", "--no-follow")
    assert (taken.returncode, taken.stdout.count("\n")) == (0, 1)


@pytest.mark.django_db(transaction=True)
def test_the_client_says_why_nothing_was_sent(site: str, knightmoves: Problem, student: User, tmp_path: Path) -> None:
    token = token_of(student, [Scope.READ])
    for why, arguments, given in (
        ("has not the scope submit", ["knightmoves.py"], token),
        ("Send a token that holds", ["knightmoves.py"], token + "x"),
        ("There is no token", ["knightmoves.py"], ""),
        ("No such file", ["nothing.py"], token),
        ("no address of a site", ["knightmoves.py", "--server", "ftp://x"], token),
        ("could read the token", ["knightmoves.py", "--server", "http://example.org"], token),
        ("required: FILE", [], token),
    ):
        refused = submit(tmp_path, *arguments, PALFREY_SERVER=site, PALFREY_TOKEN=given)
        assert (refused.returncode, refused.stdout) == (2, ""), why
        assert why in refused.stderr, refused.stderr
    sending = token_of(student, [Scope.SUBMIT])
    for why, arguments in (
        ("no problem wrong that you may see. Name it by --problem", ["wrong.py"]),
        ("not open for you", ["knightmoves.py", "--assignment", "99"]),
        ("not known here", ["knightmoves.py", "--language", "basic"]),
    ):
        refused = submit(tmp_path, *arguments, PALFREY_SERVER=site, PALFREY_TOKEN=sending)
        assert (refused.returncode, refused.stdout) == (2, ""), why
        assert why in refused.stderr, refused.stderr
    assert not Submission.objects.exists()
