"""What a page says of a counterexample, as a beginner reads it: nothing that leads him astray."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from judge.feedback import findings
from judge.feedback.ladder import Ladder, Rung
from judge.feedback.parts import Parts
from judge.grading.feedback.bench import Seen
from judge.grading.feedback.counterexample import Found, Hunted
from judge.grading.feedback.search import Counterexample
from judge.grading.run import slept
from judge.grading.verdict import Verdict
from judge.submissions.models import Submission
from judge.web.student import feedback as page
from judge.web.student.feedback import Shown
from judge.web.student.known import direction, growth
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


def looked_through(**facts: object) -> str:
    """The words for a search through all small inputs, with these facts."""
    return page._looked(Parts(counterexample=FOUND, looked={**FOUND, **facts}))


def told(
    *,
    hints: Mapping[str, Any] | None = None,
    like: Mapping[str, Any] | None = None,
    version: Version | None = None,
    waiting: bool = False,
    direction: Mapping[str, Any] | None = None,
    **found: object,
) -> Shown:
    """The page's words for a counterexample with these facts."""
    sent = Submission(language="python3", files=[{"name": "main.py", "digest": "0" * 64}])
    seen = Parts(
        counterexample={**FOUND, **found},
        looked=FOUND,
        hints=hints or {},
        like=like or {},
        version=version,
        differs=True,
        ladder=Ladder(open=frozenset(Rung)),
        waiting=waiting,
        direction=direction,
    )
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
    package, moves = (read(CATALOG / slug).package for slug in ("knightstour", "knightmoves"))
    assert package is not None
    assert moves is not None
    for made, called in (
        (package, "One right output"),
        (replace(package, output_validator=None), "The right output"),
        (moves, "The right output"),  # it says so
    ):
        monkeypatch.setattr(page, "package_of", lambda _version, made=made: made)
        assert told(version=Version()).right == called


def test_few_wrong_inputs_are_all_shown() -> None:
    assert told(all_wrong=["a1 h8\n", "h8 a1\n"]).all_wrong == ["a1 h8", "h8 a1"]
    for listed in ([], ["a1 h8\n"]):
        assert not told(all_wrong=listed).all_wrong
    assert not told().all_wrong, "of a search before there were lists"


def test_a_known_mistake_says_what_it_rests_on() -> None:
    for like, exactly, says in (
        ({"inputs": 4, "exact": True}, True, "On 4 small inputs that program and yours print the same wrong output"),
        ({"inputs": 1, "exact": True}, False, "Only one input shows this"),
        ({"inputs": 1, "exact": True, "lines": 4096}, True, "for all 4,096 small inputs"),
        ({"inputs": 3, "exact": False}, False, "On 3 inputs both go wrong in the same way."),
        ({"inputs": 2, "exact": False, "resources": True}, False, "time or memory on the same 2 inputs"),
    ):
        shown = told(hints=HINT, like=like)
        assert (shown.exact, says in shown.likeness) == (exactly, True), shown.likeness


def test_the_search_that_goes_on_is_told_until_it_is_over() -> None:
    assert told(waiting=True).searching
    assert not told(waiting=True, hints=HINT).searching
    assert not told().searching


def test_what_is_known_of_the_growth_comes_first_and_n_is_explained() -> None:
    found = {"exponent": None, "expected": "n", "of": "bytes", "too_slow_at": 10315}
    assert growth(found) == (
        "A good solution grows as n. With n = 10,315 it needs more time than there is. "
        "Here n is the number of characters of the input. "
        "How the time of your program grows with the input cannot be told."
    )
    assert growth({**found, "exponent": [2.0, 1.9, 2.1]}).startswith("The time of your program grows about as n^2.0")
    assert growth({**found, "of": None}).count("Here n") == 0, "of a search before it was kept"


def test_wrong_everywhere_is_said_so_and_numbers_are_grouped() -> None:
    assert "yours is wrong on all of them" in looked_through(of=4096, wrong=4096)
    assert "All 4,096 small inputs were run: yours is wrong on 1,528 of them" in looked_through(of=4096, wrong=1528)


def test_another_way_of_failing_is_told() -> None:
    def word(met: Verdict) -> str:
        return page._another(Parts(counterexample=FOUND, verdict=met))

    assert word(Verdict.WRONG_ANSWER) == ""
    assert "there may be two mistakes" in word(Verdict.TIME_LIMIT_EXCEEDED)
    assert page._another(Parts(verdict=Verdict.RUN_TIME_ERROR)) == ""


def test_which_way_it_is_wrong() -> None:
    found = {"way": "larger", "wrong": 3804, "line": "", "least": 2, "most": 54}
    each = "On each of the 3,804 inputs that it was seen to get wrong, "
    assert direction(found) == (f"{each}your program’s number is larger than the right one. The difference is 2 to 54.")
    assert direction({**found, "way": "smaller", "least": 0, "most": 0}) == (
        f"{each}your program’s number is smaller than the right one."
    )
    assert direction({**found, "most": 2}).endswith("The difference is always 2.")
    line = {**found, "line": "<b>100%</b>", "most": 0}
    assert direction({**line, "way": "says"}) == f"{each}your program says “<b>100%</b>”, and something else is right."
    assert (
        direction({**line, "way": "misses"}) == f"{each}“<b>100%</b>” is right, and your program says something else."
    )
    one = {**line, "way": "says", "wrong": 1}
    assert direction(one).startswith("On the one input that it was seen to get wrong, your program says")
    assert told(direction=one).direction == "", "one has nothing in common with others"


def test_what_wrong_inputs_have_in_common() -> None:
    trait = {"word": 2, "character": 2, "other": 0, "value": "1", "wrong": 504, "elsewhere": 8}
    found = {"of": 4096, "wrong": 508, "common": trait}
    assert page._common(found) == (
        "With “1” as character 2 of word 2: 504 of the 508 that it gets wrong, and 8 of the 3,588 others."
    )
    same = {**trait, "word": 1, "character": 0, "other": 2, "value": "", "wrong": 64, "elsewhere": 0}
    assert page._common({**found, "wrong": 64, "common": same}) == (
        "With words 1 and 2 the same: 64 of the 64 that it gets wrong, and 0 of the 4,032 others."
    )
    assert page._common({**found, "common": None}) == "" == page._common(FOUND)
