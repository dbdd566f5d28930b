"""That the counting notices what it is for, and, by name, a short run of the whole."""

import json
import subprocess
import sys

import pytest

from judge.people.models import User
from judge.submissions import actions
from judge.submissions.models import CaseResult, Effective, Judgement, State
from problems.models import Problem
from tests.chaos.__main__ import is_good
from tests.chaos.programs import CASES, PROGRAMS, Program, program
from tests.chaos.watch import count
from tests.operations.conftest import ROOT

RIGHT = PROGRAMS[0]
WELL = {
    "lost": [],
    "double": [],
    "unfinished": [],
    "wrong": [],
    "wrong_cases": [],
    "early_judge_errors": [],
    "wrong_after_one_click": [],
    "judge_errors": [],
    "left_running": [],
    "killed_at_the_end": [],
    "database_is_locked": 0,
    "sent": 200,
    "longest_wait_while_a_worker_was_free": 12.0,
    "longest_time_without_lease": 3.0,
    "longest_allowed": 60.0,
}


@pytest.fixture
def sent(student: User, paper_problem: Problem) -> dict[str, Program]:
    """Six submissions that all went well."""
    tokens = {f"chaos-{number}": RIGHT for number in range(6)}
    for token in tokens:
        row = actions.submit(student, paper_problem, "python3", {"main.py": RIGHT.text}, token).judgements.get()
        facts = {"group": "secret", "cpu_seconds": 0, "wall_seconds": 0, "memory_bytes": 0, "points": 0}
        for position in range(1, CASES + 1):
            CaseResult.objects.create(judgement=row, position=position, name=str(position), **facts)
    Judgement.objects.update(state=State.DONE, verdict=RIGHT.verdict.value, attempt=1)
    return tokens


def test_the_counting_notices_everything(sent: dict[str, Program]) -> None:
    well = count(sent)
    assert {name: value for name, value in well.items() if value} == {"sent": 6, "attempts": {1: 6}}
    one, two, three, four, five, _ = Judgement.objects.order_by("pk")
    Judgement.objects.filter(pk=one.pk).update(verdict="wrong_answer")
    Judgement.objects.filter(pk=two.pk).update(state=State.RUNNING)
    Judgement.objects.filter(pk=three.pk).update(state=State.ABANDONED, verdict="judge_error", attempt=2)
    four.results.all()[0].delete()
    Judgement.objects.create(submission=five.submission, version=five.version)
    Effective.objects.filter(submission__token="chaos-5").delete()
    found = count(sent | {"chaos-6": RIGHT})
    assert found["wrong"] == [[one.submission_id, "accepted", "wrong_answer"]]
    assert found["unfinished"] == [two.submission_id]
    assert found["judge_errors"] == found["early_judge_errors"] == [three.submission_id]
    assert found["wrong_cases"] == [[four.submission_id, CASES, CASES - 1]]
    assert found["double"] == [five.submission_id]
    assert sorted(found["lost"]) == ["chaos-5", "chaos-6"]


def test_what_isis_good() -> None:
    assert is_good(WELL)
    assert is_good(WELL | {"judge_errors": [7]})
    bad = {"judge_errors": [7, 8], "database_is_locked": 1, "longest_wait_while_a_worker_was_free": 61.0}
    lists = {name: [1] for name, value in WELL.items() if value == [] and name != "judge_errors"}
    for name, value in (bad | lists).items():
        assert not is_good(WELL | {name: value}), name
    assert not is_good({}), "it broke off"


def test_every_kind_of_program_is_sent() -> None:
    sent = [program(number) for number in range(1000)]
    assert {each.verdict for each in sent} == {each.verdict for each in PROGRAMS}
    assert len({each.text for each in sent}) == 1000, "nothing is judged from what was kept"


@pytest.mark.byname
@pytest.mark.parametrize("database", [[], ["--postgres"]], ids=["embedded", "postgres"])
def test_a_short_run(database: list[str]) -> None:
    words = ["--submissions", "60", "--faults", "15", "--json", *database]
    done = subprocess.run(
        [sys.executable, "manage.py", "chaos", *words],
        cwd=ROOT,
        env={"PALFREY_LOCAL": "1", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    told = json.loads(done.stdout)
    assert done.returncode == 0, told
    assert told["faults_in_all"] > 5
