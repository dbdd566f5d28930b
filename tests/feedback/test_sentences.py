"""What a page says of a counterexample, as a beginner reads it: nothing that leads him astray."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from judge.feedback import findings
from judge.feedback.parts import Parts
from judge.grading.feedback.bench import Seen
from judge.grading.feedback.counterexample import Found, Hunted
from judge.grading.feedback.search import Counterexample
from judge.grading.run import slept
from judge.grading.verdict import Verdict
from judge.submissions.models import Submission
from judge.web.student import feedback as page
from judge.web.student.feedback import Shown
from problems.models import Version
from problems.package.read import read
from sandbox.contract import Ending, Outcome
from tests.feedback.catalog import CATALOG

HINT = {"en": CATALOG / "maze" / "palfrey" / "mutants" / "backwards" / "hint.en.md"}
FOUND: Mapping[str, Any] = {
    "tried": 1,
    "of": 1,
    "wrong": None,
    "smallest": True,
    "spent": False,
    "found": True,
    "verdict": "wrong_answer",
    "input": "1\n",
    "answer": "2\n",
    "output": "",
    "stderr": "",
    "cpu_seconds": 0.1,
    "waited": False,
    "note": "",
    "said": "",
    "mistake": "",
    "crash": None,
}


LIMIT = 2.0


def looked(ending: Ending, cpu_seconds: float) -> dict[str, Any]:
    """What is kept of a counterexample on which a program came to this end."""
    outcome = Outcome(
        ending=ending,
        exit_code=None,
        signal=None,
        cpu_seconds=cpu_seconds,
        wall_seconds=8.2,
        memory_bytes=1 << 20,
        stdout=b"",
        stderr=b"",
    )
    seen = Seen(verdict=Verdict.TIME_LIMIT_EXCEEDED, outcome=outcome, slept=slept(outcome, LIMIT))
    hunted = Hunted(found=Found(input=b"1\n", answer=b"2\n", seen=seen), tried=1, of=1)
    facts: dict[str, Any] = findings.told(Counterexample(hunted=hunted))["counterexample"]
    return facts


def told(*, hints: Mapping[str, Any] | None = None, version: Version | None = None, **found: object) -> Shown:
    """The page's words for a counterexample with these facts."""
    sent = Submission(language="python3", files=[{"name": "main.py", "digest": "0" * 64}])
    seen = Parts(counterexample={**FOUND, **found}, looked=FOUND, hints=hints or {}, version=version, differs=True)
    return page._told(AnonymousUser(), sent, seen)


def happened(**facts: Any) -> str:
    sentence = told(**facts).happened
    assert sentence is not None
    return sentence.text


def test_a_known_mistake_leaves_no_room_for_a_guess() -> None:
    for mistake, guess in (("nothing_printed", "Does it come to"), ("cut_short", "last part of the input")):
        assert guess in happened(mistake=mistake, said="line 1: wrong")
        assert happened(mistake=mistake, said="line 1: wrong", hints=HINT) == ""


def test_who_computes_to_the_last_is_too_slow_and_does_not_wait() -> None:
    for ending, cpu_seconds, waits in (
        (Ending.CPU_TIME, 2.6, False),
        (Ending.WALL_TIME, 1.8, False),  # a loop without end on a busy host
        (Ending.WALL_TIME, 0.3, False),
        (Ending.WALL_TIME, 0.03, True),
    ):
        told = happened(**looked(ending, cpu_seconds))
        assert ("waits for input" in told, "too slow" in told) == (waits, not waits)


def test_wrong_is_not_what_crashes() -> None:
    for smallest in (True, False):
        assert "gets wrong" in told(smallest=smallest).heading
        for verdict in ("run_time_error", "time_limit_exceeded", "memory_limit_exceeded", "output_limit_exceeded"):
            assert "fails" in told(verdict=verdict, smallest=smallest).heading
            assert "wrong" not in told(verdict=verdict, smallest=smallest).heading


def test_lines_are_numbered_in_words() -> None:
    rows = told(answer="a b c\nd e f\n", output="a b c\nd e x\n").rows
    assert [row.label for row in rows] == ["Expected, line 2", "Yours, line 2"]


def test_with_a_checker_a_right_output_is_one_of_several(monkeypatch: pytest.MonkeyPatch) -> None:
    package = read(CATALOG / "knightstour").package
    assert package is not None
    for made, called in ((package, "One right output"), (replace(package, output_validator=None), "A right output")):
        monkeypatch.setattr(page, "package_of", lambda _version, made=made: made)
        assert told(version=Version()).right == called


def test_few_wrong_inputs_are_all_shown() -> None:
    assert told(all_wrong=["a1 h8\n", "h8 a1\n"]).all_wrong == ["a1 h8", "h8 a1"]
    for listed in ([], ["a1 h8\n"]):
        assert not told(all_wrong=listed).all_wrong
    assert not told().all_wrong, "of a search before there were lists"
