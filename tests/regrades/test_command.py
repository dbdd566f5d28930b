"""`./palfrey regrade`: the same by hand."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from judge.people.models import Course, User
from judge.regrades.models import Regrade
from judge.submissions.models import Submission
from problems.models import Problem
from tests.conftest import assign, person
from tests.regrades.conftest import Publish, counting
from tests.regrades.test_regrade import ABSOLUTE

pytestmark = pytest.mark.django_db(transaction=True)


def told(*words: str) -> Any:
    out = StringIO()
    call_command("regrade", *words, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_from_plan_to_revert(sent: list[Submission], publish_again: Publish) -> None:
    before = counting()
    publish_again(ABSOLUTE)
    planned = told("plan", "--problem", "twice", "--older", "--reason", "The answer was wrong.")
    number = str(planned["regrade"])
    assert (planned["stage"], planned["plan"]["submissions"], planned["plan"]["runs"]) == ("planned", 18, 0)
    assert told("run", number, "--here")["outcomes"] == {"changed": 9, "same": 9}
    found = told("diff", number)
    assert found["matrix"]["accepted"] == {"wrong_answer": 6}
    assert {(one["on"], one["kind"], one["count"]) for one in found["reasons"]} == {
        ("secret/2", "answer", 6),
        ("secret/2", "answer", 3),
    }
    assert len(found["items"]) == 9
    assert len(told("diff", number, "--all")["items"]) == 18
    dry = told("apply", number, "--policy", "increases", "--dry-run")
    assert (dry["moved"], dry["stage"]) == (12, "ready")
    assert counting() == before
    assert told("apply", number)["moved"] == 18
    with pytest.raises(CommandError, match="applied already"):
        told("apply", number)
    assert counting() != before
    out = StringIO()
    call_command("regrade", "revert", number, stdout=out)
    assert "18 results count as before again" in out.getvalue()
    assert counting() == before
    with pytest.raises(CommandError, match="applied and taken back"):
        told("apply", number)
    for words in (("apply", number), ("run", number), ("drop", number), ("diff", "99")):
        with pytest.raises(CommandError):
            told(*words)
    out = StringIO()
    call_command("regrade", "diff", number, stdout=out)
    assert "accepted -> wrong answer" in out.getvalue()


def test_it_may_be_done_as_somebody(sent: list[Submission], twice: Problem, course: Course, instructor: User) -> None:
    words = ("plan", "--problem", "twice", "--reason", "Once more.", "--as")
    Submission.objects.filter(pk=sent[0].pk).update(assignment=assign(course, twice))
    for name, said in (("nobody", "There is no account 'nobody'"), ("ines", "Only the owners")):
        with pytest.raises(CommandError, match=said):
            told(*words, name)
    assert not Regrade.objects.exists()
    twice.owners.add(instructor)
    planned = told(*words, "ines")
    assert planned["plan"]["submissions"] == 1, "what they see"
    number = str(planned["regrade"])
    told("run", number, "--here", "--as", "ines")
    person("olga")
    with pytest.raises(CommandError, match="Only the owners"):
        told("apply", number, "--as", "olga")
    told("apply", number, "--as", "ines")
    made = Regrade.objects.get()
    assert (made.created_by, made.applied_by) == (instructor, instructor)
    told("revert", number, "--as", "ines")
    assert {entry.by for entry in made.log.filter(what__in=("made", "running", "applied", "reverted"))} == {instructor}


def test_what_it_does_not_understand(sent: list[Submission]) -> None:
    for words, said in (
        (("--verdict", "fine"), "--verdict cannot be 'fine'"),
        (("--since", "yesterday"), "--since cannot be 'yesterday'"),
        (("--numbers", "1,x"), "--numbers cannot be 'x'"),
        (("--problem", "twice", "--against", "7"), "--against is the number"),
        (("--person", "nobody"), "No submission fits --person 'nobody'"),
        (("--problem", "nope", "--person", "student0"), "No submission fits --problem 'nope'"),
        (("--course", "nonex"), "No submission fits --course 'nonex'"),
        (("--problem", "twice", "--version", "99"), "No submission fits --version '99'"),
        (("--numbers", "987654"), "No submission fits --numbers '987654'"),
        (("--problem", "twice", "--person", "student0", "--verdict", "judge_error"), "fits --verdict"),
    ):
        with pytest.raises(CommandError, match=said):
            told("plan", "--reason", "x", *words)
    assert not Regrade.objects.exists()
