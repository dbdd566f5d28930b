"""`./palfrey regrade`: the same by hand."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from judge.regrades.models import Regrade
from judge.submissions.models import Submission
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
    assert counting() != before
    assert told("revert", number)["moved"] == 18
    assert counting() == before
    for words in (("apply", number), ("run", number), ("drop", number), ("diff", "99")):
        with pytest.raises(CommandError):
            told(*words)
    out = StringIO()
    call_command("regrade", "diff", number, stdout=out)
    assert "accepted -> wrong answer" in out.getvalue()


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
