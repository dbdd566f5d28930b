"""Figures: made with the version, or asked for by a reader and made by a worker, once for all."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from judge.authoring.actions import PublishFailed, publish
from judge.blobs.versions import package_of
from judge.lessons import actions, queries, tasks
from judge.lessons.models import LessonTrace
from judge.people.models import User
from judge.people.refusal import Refused
from judge.submissions import sweeper
from judge.submissions.models import State
from judge.submissions.tasks import work
from problems.models import Problem, Version
from problems.package.lesson import Command
from problems.package.replay import frames
from sandbox.contract import Sandbox
from tests.broker import Broker
from tests.lessons.conftest import LESSON, PARTS, TRACER
from tests.shelf import write_package


def live(problem: Problem) -> Version:
    assert problem.live is not None
    return problem.live


def command(problem: Problem, **values: str) -> Command:
    (block,) = package_of(live(problem)).lessons["en"].blocks
    chosen = block.values(values)
    assert chosen is not None
    return block.commands(chosen)[0]


def length(row: LessonTrace) -> int:
    return sum(1 for _ in frames(queries.unpacked(bytes(row.trace))))


def test_a_version_has_its_figures_at_both_ends(counting: Problem) -> None:
    version = live(counting)
    assert version.facts["lessons"] == ["en"]
    rows = queries.traces(version, [command(counting, n=n) for n in ("1", "3", "30", "4")])
    assert sorted(length(row) for row in rows.values()) == [1, 3, 30]
    assert all(row.of_version and row.over for row in rows.values())


BROKEN: list[tuple[str, Mapping[str, str], str]] = [
    ("crashes", {"palfrey/traces/count.py": "raise SystemExit('no maze')\n"}, "ended with exit code 1. no maze"),
    ("loops", {"palfrey/traces/count.py": "while True: pass\n"}, "was stopped after"),
    ("floods", {"palfrey/traces/count.py": "while True: print('x' * 1000)\n"}, "was stopped because it wrote more"),
    ("no trace", {"palfrey/traces/count.py": "print('hello')\n"}, "cannot be played: line 1 of the trace"),
    ("cannot happen", {"palfrey/traces/count.py": TRACER.replace("% 6", "% 2")}, "(with n = 3)"),
    ("most is too much", {"palfrey/lesson.en.md": LESSON.replace("30", "31")}, "(with n = 31)"),
    ("not legal", {"palfrey/lesson.en.md": LESSON.replace('"{n}"', '"{n} x"')}, "no legal input"),
]  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize(("changes", "message"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_a_figure_that_fails_is_told_and_nothing_is_published(
    tmp_path: Path, box: Sandbox, changes: Mapping[str, str], message: str
) -> None:
    with pytest.raises(PublishFailed) as failed:
        publish(write_package(tmp_path / "twice", {**PARTS, **changes}), box)
    assert "palfrey/lesson.en.md:3: " in failed.value.message
    assert message in failed.value.message
    assert not Problem.objects.exists()
    assert not LessonTrace.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_reader_asks_and_a_worker_makes_it_once(
    counting: Problem, broker: Broker, student: User, classmate: User, box: Sandbox
) -> None:
    wanted = command(counting, n="7")
    for reader in (student, classmate):
        actions.ask(reader, live(counting), [wanted])
    assert broker.messages() == 1
    (row,) = LessonTrace.objects.filter(of_version=False)
    assert (row.asked_by, row.state, bytes(row.trace)) == (student, State.QUEUED, b"")
    assert work(LessonTrace, row.pk, tasks.make, "here")
    assert not work(LessonTrace, row.pk, tasks.make, "here"), "a second message finds nothing to do"
    row.refresh_from_db()
    assert (row.state, length(row), row.fault) == (State.DONE, 7, "")


@pytest.mark.django_db(transaction=True)
def test_what_the_problem_does_not_allow_is_the_readers_to_mend(
    counting: Problem, broker: Broker, student: User
) -> None:
    row = LessonTrace.objects.create(
        version=live(counting), key="x", command=Command(tracer="count.py", given="x\n").text, asked_by=student
    )
    work(LessonTrace, row.pk, tasks.make, "here")
    row.refresh_from_db()
    assert (row.state, row.refused, bytes(row.trace)) == (State.DONE, True, b"")
    assert "no legal input" in row.fault


@pytest.mark.django_db(transaction=True)
def test_nobody_asks_for_too_many(
    counting: Problem, broker: Broker, student: User, instructor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [str(n) for n in range(4, 4 + settings.UNFINISHED_TRIALS)]
    for n in numbers:
        actions.ask(student, live(counting), [command(counting, n=n)])
    with pytest.raises(Refused, match="being made"):
        actions.ask(student, live(counting), [command(counting, n="20")])
    actions.ask(student, live(counting), [command(counting, n="30")])  # is there already
    actions.ask(instructor, live(counting), [command(counting, n="20")])
    LessonTrace.objects.update(state=State.DONE, finished=timezone.now())
    monkeypatch.setattr(settings, "LESSON_TRACES", len(numbers))
    with pytest.raises(Refused, match="very many"):
        actions.ask(student, live(counting), [command(counting, n="21")])


@pytest.mark.django_db(transaction=True)
def test_the_sweeper_sends_again_and_tidies(counting: Problem, broker: Broker, student: User) -> None:
    actions.ask(student, live(counting), [command(counting, n="7")])
    broker.empty()
    LessonTrace.objects.filter(of_version=False).update(hinted=timezone.now() - timedelta(minutes=2))
    assert sweeper.sweep().sent_again == 1
    assert broker.messages() == 1
    long_ago = timezone.now() - timedelta(days=settings.TRIALS_KEPT_DAYS + 1)
    LessonTrace.objects.update(state=State.DONE, finished=long_ago)
    sweeper.sweep()
    assert set(LessonTrace.objects.values_list("of_version", flat=True)) == {True}
