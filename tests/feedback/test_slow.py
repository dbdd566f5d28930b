"""What is slow is looked for among the largest of the small inputs: to start it on every small one takes too long."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import cast

from judge.grading.executable import Executable
from judge.grading.feedback.bench import Answer, Bench, Seen
from judge.grading.feedback.counterexample import Hunt, Hunted
from judge.grading.feedback.metered import Spent
from judge.grading.verdict import Verdict
from problems.package.model import CaseSettings
from sandbox.contract import Ending, Outcome

INPUTS = tuple(b"%d\n" % number for number in range(100))
BUDGET = 40


class Counted:
    """Stands for a bench: `fails` says on which inputs the program takes too long, and so many runs are there."""

    box = None
    settings = CaseSettings()
    package = SimpleNamespace(output_validator=None)

    def __init__(self, fails: Callable[[int], bool]) -> None:
        self._fails, self.left = fails, BUDGET

    def legal(self, _text: bytes) -> bool:
        return True

    def answer(self, text: bytes) -> Answer:
        return Answer(output=text, cpu_seconds=0.01)

    def look(self, _executable: object, text: bytes, _answer: Answer, *, patient: bool = False) -> Seen:
        self.left -= 1
        if self.left < 0:
            raise Spent
        slow = self._fails(int(text))
        outcome = Outcome(
            ending=Ending.CPU_TIME if slow else Ending.EXITED, exit_code=0, signal=None,
            cpu_seconds=1, wall_seconds=1, memory_bytes=1, stdout=text, stderr=b"",
        )  # fmt: skip
        return Seen(verdict=Verdict.TIME_LIMIT_EXCEEDED if slow else Verdict.ACCEPTED, outcome=outcome)


def hunted(fails: Callable[[int], bool], *, largest_first: bool) -> Hunted:
    bench = cast(Bench, Counted(fails))
    return Hunt(bench, cast(Executable, None), INPUTS, largest_first=largest_first).hunt()


def test_the_smallest_of_those_that_are_slow_is_found_in_few_runs() -> None:
    assert hunted(lambda size: size >= 71, largest_first=False).spent
    found = hunted(lambda size: size >= 71, largest_first=True)
    assert found.found is not None
    assert (found.found.input, found.smallest, found.spent) == (b"71\n", False, False)


def test_who_is_slow_on_a_small_one_alone_is_found_as_well() -> None:
    found = hunted(lambda size: size == 7, largest_first=True)
    assert found.found is not None
    assert (found.found.input, found.smallest) == (b"7\n", True)
