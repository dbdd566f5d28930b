"""A problem with a class of judged submissions, versions that differ, and regrades done here and now."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.conf import settings

from judge.authoring.actions import publish
from judge.people.models import User
from judge.regrades import actions, shifts
from judge.regrades.models import Regrade, RegradeItem, Shift
from judge.submissions import tasks
from judge.submissions.models import Effective, Judgement, State, Submission
from problems.models import Problem, Version
from sandbox.box import open_sandbox
from sandbox.contract import Sandbox
from tests.conftest import person
from tests.shelf import RIGHT, WRONG, write_package
from tests.snapshot import Snapshot
from tests.workers import send

ABS = b"print(abs(2 * int(input())))\n"
"""Wrong on secret/2, where the number is negative."""
PROGRAMS = (RIGHT, WRONG, ABS, b"print(\n", b"1 / 0\n", RIGHT + b"# once more\n")


@pytest.fixture(scope="module")
def box() -> Iterator[Sandbox]:
    box = open_sandbox(settings.PALFREY_CACHE / "sandbox")
    yield box
    box.close()


Publish = Callable[..., Version]


@pytest.fixture
def publish_again(tmp_path: Path, box: Sandbox) -> Publish:
    """Publish the problem with some files changed; gives the version."""
    number = iter(range(100))

    def again(changes: dict[str, str | None] | None = None) -> Version:
        folder = write_package(tmp_path / str(next(number)) / "twice", changes)
        problem = publish(folder, box, gently=True).problem  # without asking its solutions whether they agree
        problem.refresh_from_db()
        assert problem.live is not None
        return problem.live

    return again


def _people() -> list[User]:
    return [person(f"student{number}") for number in range(3)]


def _twice() -> Problem:
    with TemporaryDirectory() as folder, closing(open_sandbox(settings.PALFREY_CACHE / "sandbox")) as box:
        return publish(write_package(Path(folder) / "twice"), box).problem


def _sent() -> None:
    people, problem = _people(), _twice()
    for author in people:
        for number, program in enumerate(PROGRAMS):
            send(author, problem, program, f"{author}-{number}")
    judge_all()


_site = Snapshot(_sent)


@pytest.fixture
def sent(transactional_db: None) -> Iterator[list[Submission]]:
    """Every program of every student, judged."""
    _site.lay()
    yield list(Submission.objects.order_by("pk"))
    tasks.close_box()


@pytest.fixture
def people(request: pytest.FixtureRequest, db: None) -> list[User]:
    """Those of the submissions, when a test has these too."""
    if "sent" in request.fixturenames:
        return sorted({one.author for one in request.getfixturevalue("sent")}, key=lambda author: author.pk)
    return _people()


@pytest.fixture
def twice(request: pytest.FixtureRequest, transactional_db: None) -> Problem:
    """That of the submissions, when a test has these too."""
    return request.getfixturevalue("sent")[0].problem if "sent" in request.fixturenames else _twice()


def judge_all() -> None:
    while tasks.work_next("here"):
        pass
    assert not Judgement.objects.exclude(state=State.DONE).exists()


def plan(by: User | None = None, *, key: str = "form", **wishes: object) -> Regrade:
    return actions.plan(by, Submission.objects.all(), reason="Case 2 was wrong.", key=key, **wishes)  # type: ignore[arg-type]


def work_off(regrade: Regrade) -> Regrade:
    """Do shifts as workers would, until none is left."""
    while True:
        shift = Shift.objects.filter(regrade=regrade, state=State.QUEUED).order_by("pk").first()
        if shift is None:
            break
        assert tasks.work(Shift, shift.pk, shifts.run, "here")
    regrade.refresh_from_db()
    return regrade


def regraded(by: User | None = None, **wishes: object) -> Regrade:
    """Planned and run, to be compared."""
    regrade = plan(by, **wishes)  # type: ignore[arg-type]
    actions.start(by, regrade)
    return work_off(regrade)


def counting() -> dict[int, tuple[str, object]]:
    """Submission -> what counts."""
    return {
        one.submission_id: (one.judgement.verdict, one.judgement.points)
        for one in Effective.objects.select_related("judgement")
    }


def items(regrade: Regrade) -> list[RegradeItem]:
    return list(regrade.items.select_related("new", "base", "submission").order_by("number"))
