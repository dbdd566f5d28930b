"""Each rule of the relay is taken away in turn, and the tests of what two sides may do must then fail. By name only."""

# ruff: noqa: E501 -- a row of the table is a line

import sys
import types
from pathlib import Path

import pytest

from judge.grading import interact, performance
from tests.grading.conftest import Judge
from tests.grading.test_interactive import test_a_no_counts_though_it_takes_a_moment as check_moment
from tests.grading.test_interactive import test_a_program_that as check_program
from tests.grading.test_interactive import test_a_validator_that as check_validator

pytestmark = pytest.mark.byname

RULES = {
    "an end is kept back for a while": ("GRACE = 0.1", "GRACE = -1.0", ("takes a moment: words", "takes a moment: silence")),
    "a no that was said in that time counts": (
        "return Side.VALIDATOR if _said_no(validator) and not validator.killed else Side.PROGRAM",
        "return Side.PROGRAM",
        ("takes a moment: words",),
    ),
    "a no ends the program": ("                program.kill()", "                pass", ("says nonsense and goes on",)),
    "a crash ends the validator": ("elif now >= self._program_ended_at + GRACE:", "elif now < 0:", ("crashes in the middle",)),
    "a good end of the program is passed on": ("validator.close_ear()", "pass", ("ends early", "ends at once")),
    "a good end of the validator is passed on": ("program.close_ear()", "pass", ("is right and waits for the end",)),
    "silence is passed on": ("other.close_ear()  # it goes on", "pass  #", ("closes its output and goes on",)),
    "words are counted": ("side.said > side.most", "side.said < 0", ("says more than it may",)),
    "who writes to one that has gone is none the worse": (
        "error.errno != errno.EPIPE",
        "error.errno",
        ("is right and talks on",),
    ),
    "who keeps no end of theirs hears them end": ("            os.close(theirs_out)\n", "", ("ends early",)),
}  # fmt: skip


@pytest.fixture
def without(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """The relay without a rule; gives the tests that must fail then."""
    old, new, failing = RULES[request.param]
    text = Path(interact.__file__).read_text()
    assert text.count(old) == 1, f"{old!r} is not in it any more"
    module = types.ModuleType("weakened_relay")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(text.replace(old, new), module.__name__, "exec"), module.__dict__)
    monkeypatch.setattr(performance, "converse", module.converse)
    return failing


@pytest.mark.parametrize("without", RULES, indirect=True)
def test_without_it_a_test_fails(without: tuple[str, ...], judge: Judge, tmp_path: Path) -> None:
    for name in without:
        _, moment, word = name.partition("takes a moment: ")
        with pytest.raises(AssertionError):
            check_moment(word, judge, tmp_path) if moment else check_program(name, judge, tmp_path)


@pytest.mark.parametrize("without", ["words are counted"], indirect=True)
def test_without_it_a_validator_says_what_it_likes(without: tuple[str, ...], judge: Judge, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        check_validator("says without end", judge, tmp_path)
