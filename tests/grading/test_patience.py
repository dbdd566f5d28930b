"""A machine that is too busy refuses no package: what its author wrote is run once more."""

from dataclasses import replace
from pathlib import Path

import pytest

from judge.grading.build import Built, build
from judge.grading.check import validator_of
from judge.grading.lesson import trace_of
from judge.grading.run import starved
from judge.grading.verdict import Verdict
from problems.package.lesson import Command
from problems.package.read import read
from sandbox.contract import Ending, Outcome, Run, Running, Sandbox
from tests.grading.folder import write_package

PACKAGE = {
    "output_validator/check.py": (
        "import sys\n\nsys.exit(42 if sys.stdin.read().split() == open(sys.argv[2]).read().split() else 43)\n"
    ),
    "palfrey/traces/board.py": (
        'print(\'{"trace": 1, "kind": "board", "columns": 3, "rows": 1}\\n{"do": "visit", "at": "1,0"}\')\n'
    ),
}


class Busy:
    """A box on a machine where what may take `2 * cpu + 3` seconds by the clock, as everything may, has not ended then.
    What compiles has more."""

    def __init__(self, box: Sandbox) -> None:
        self._box = box

    def start(self, run: Run) -> Running:
        return self._box.start(run)

    def run(self, run: Run) -> Outcome:
        outcome = self._box.run(run)
        if run.quota.wall_seconds != pytest.approx(2 * run.quota.cpu_seconds + 3):
            return outcome
        late = replace(outcome, ending=Ending.WALL_TIME, cpu_seconds=0.2 * outcome.wall_seconds)
        assert starved(late)
        return late

    def close(self) -> None:
        self._box.close()


def test_programs_of_a_package_that_had_no_processor_are_run_once_more(box: Sandbox, tmp_path: Path) -> None:
    package = read(write_package(tmp_path, PACKAGE)).package
    assert package is not None
    busy = Busy(box)
    *_, built = build(package, busy, tmp_path / "built")
    assert isinstance(built, Built)
    assert validator_of(package, busy).check(built.cases[0], b"3\n").verdict == Verdict.ACCEPTED
    assert trace_of(Command(tracer="board.py", given="1 2\n"), package, busy).startswith(b'{"trace": 1')
