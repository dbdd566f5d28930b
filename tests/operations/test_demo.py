"""The course to look at: its programs are judged like all others, after them, and it goes as it came."""

from collections import Counter
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.test import RequestFactory
from django.utils import timezone

from judge.assignments.models import Extension
from judge.authoring.actions import publish
from judge.feedback.models import Search
from judge.grades.gradebook import gradebook
from judge.grades.models import Adjustment
from judge.operations import alerts
from judge.operations.demo import course as demo
from judge.operations.demo import people, term
from judge.people.models import User
from judge.people.refusal import Refused
from judge.submissions import ledger, order
from judge.submissions.models import Judgement, State, Submission
from judge.submissions.tasks import close_box, work_next
from problems.models import Problem
from problems.package.read import read
from sandbox.box import open_sandbox
from tests.broker import Broker
from tests.conftest import person
from tests.shelf import RIGHT, WRONG, write_package
from tests.workers import Process, send

pytestmark = pytest.mark.django_db(transaction=True)

CATALOG = Path(settings.BASE_DIR) / "problems/catalog"


@pytest.fixture
def doubled(tmp_path: Path) -> Problem:
    """A real problem with a program that is right and one that is wrong."""
    folder = write_package(tmp_path / "twice", {"submissions/wrong_answer/four.py": WRONG.decode()})
    box = open_sandbox(settings.PALFREY_CACHE / "sandbox")
    try:
        return publish(folder, box).problem
    finally:
        box.close()


def rows() -> Counter[str]:
    return Counter({model.__name__: count for model in apps.get_models() if (count := model._default_manager.count())})


def test_everything_is_judged_after_all_else_and_goes_again(broker: Broker, doubled: Problem) -> None:
    before = rows()
    course = demo.fill(2, "long enough", problems=[doubled])
    sent = Submission.objects.filter(assignment__course=course)
    assert sent.count() >= 2
    assert not sent.filter(sent__gt=timezone.now() - timedelta(days=40)).exists(), "it was sent in the past"
    assert course.memberships.count() == 1 + 2 + 2
    assert course.assignments.count() == 2, "those of the problems that are there"
    assert Adjustment.objects.get().reason
    assert Extension.objects.get().reason
    with pytest.raises(Refused):
        demo.fill(2, "long enough", problems=[doubled])

    kim = person("kim")
    live = send(kim, doubled, RIGHT, "a form")
    first = ledger.first_waiting([Judgement])
    assert isinstance(first, Judgement)
    assert first.submission == live, "whoever sends something now goes first"
    owed = Judgement.objects.exclude(submission=live)
    assert not any(order.goes_before(one, first) for one in owed)
    owed.update(queued=timezone.now() - timedelta(hours=2), hinted=timezone.now() - timedelta(hours=2))
    assert "waiting live" not in {alert.key for alert in alerts.alerts()}
    while work_next("a worker"):
        pass
    close_box()
    theirs = list(owed.select_related("submission").all())
    for one in theirs:
        (file,) = one.submission.files
        wrong = file["size"] == len(WRONG)
        assert one.state == State.DONE
        assert one.verdict == ("wrong_answer" if wrong else "accepted")
    assert any(cell.score.points for line in gradebook(course).lines for cell in line.cells)

    assert Search.objects.exists()

    assert demo.remove() == len(theirs)
    after = rows()
    mine = {"Submission", "Judgement", "Effective", "CaseResult", "User"}
    assert {name: after[name] for name in after if name not in mine} == {
        name: before[name] for name in before if name not in mine
    }
    assert set(Submission.objects.all()) == {live}
    assert set(User.objects.all()) == {kim}
    assert Judgement.objects.get().submission == live


def test_a_second_time_says_that_it_is_there(broker: Broker, doubled: Problem) -> None:
    file = settings.VAR / "demo-password.txt"
    demo.fill(1, demo.new_password(file), problems=[doubled])
    before = rows()
    told = StringIO()
    call_command("demo", stdout=told)
    assert rows() == before
    password = file.read_text().strip()
    assert "is there already" in told.getvalue()
    assert password in told.getvalue()
    assert file.stat().st_mode & 0o777 == 0o600
    for name in (people.INSTRUCTOR, people.student(1)):
        assert authenticate(RequestFactory().get("/"), username=name, password=password) is not None
    User.objects.update(password="!")
    told = StringIO()
    call_command("demo", stdout=told)
    assert password not in told.getvalue(), "it opens nothing any more"
    call_command("demo", remove=True, stdout=told)
    assert not file.exists()
    with pytest.raises(CommandError, match="not there"):
        call_command("demo", remove=True)


def test_without_the_built_in_problems_it_says_what_to_do(db: None) -> None:
    with pytest.raises(CommandError, match="publish --builtin"):
        call_command("demo")
    assert demo.there() is None


def test_the_term_has_everything(db: None) -> None:
    packages = [read(CATALOG / slug).package for slug in term.PROBLEMS]
    now = timezone.localtime()
    sent = term.sent(30, [term.programs(package) for package in packages if package], now)
    assert sent == term.sent(30, [term.programs(package) for package in packages if package], now)
    assert len({people.name(number) for number in range(people.MOST)}) == people.MOST
    assert {(one.assignment, one.problem) for one in sent} == {(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (4, 1)}
    assert all(one.moment < now for one in sent)
    for place, asked in enumerate(term.TERM[:4]):
        mine = [one for one in sent if one.assignment == place]
        assert len({one.student for one in mine}) > 20
        assert any(one.moment > term.due(asked, now) for one in mine) == (asked.cutoff is not None)
        assert any(one.program.right for one in mine)
        attempts = Counter((one.student, one.problem) for one in mine)
        assert asked.attempts is None or max(attempts.values()) <= asked.attempts + 1, (
            "one that does not compile is free"
        )


@pytest.mark.byname
def test_the_whole_term_is_judged_by_two_workers(broker: Broker) -> None:
    """As a person has it: every built-in problem, 30 students. Takes a quarter of an hour."""
    call_command("publish", builtin=True, stdout=StringIO())
    process = Process("worker", "--concurrency", "2")
    try:
        process.wait_for_log("ready.", 120)
        call_command("demo", wait=True, stdout=StringIO())
    finally:
        process.stop()
    course = demo.there()
    assert course is not None
    verdicts = Counter(Judgement.objects.values_list("verdict", flat=True))
    usual = {"accepted", "wrong_answer", "time_limit_exceeded", "run_time_error", "compile_error"}
    assert set(verdicts) >= usual
    assert not verdicts["judge_error"]
    assert {one.state for one in Judgement.objects.all()} == {State.DONE}
    assert demo.remove() == sum(verdicts.values())
