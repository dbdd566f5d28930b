"""Which replay is worth playing."""

import pytest

from judge.grading.feedback.search import _goes_nowhere
from tests.problems.package.test_trace import BOARD, printed, step


@pytest.mark.parametrize(("goal", "nowhere"), [("a1", True), ("c2", False)])
def test_who_is_too_slow_learns_nothing_from_a_way_of_no_steps(goal: str, nowhere: bool) -> None:
    header = {**BOARD, "goal": goal}
    way = [step("enqueue", at="a1", distance=0), step("dequeue", at="a1")]
    if not nowhere:
        way.append(step("enqueue", at="c2", distance=1, **{"from": "a1"}))
    way.append(step("path", places=["a1"] if nowhere else ["a1", "c2"]))
    assert _goes_nowhere(printed(header, *way)) is nowhere
