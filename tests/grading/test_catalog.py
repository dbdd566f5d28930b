"""Every example submission of every built-in problem, and of the template for new ones, gets what it must get."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.grading.build import Built, build
from judge.grading.verify import verify_one
from problems.package.model import Example, Package
from problems.package.read import read
from sandbox.contract import Sandbox
from tests import together

PROBLEMS = Path(__file__).parents[2] / "problems"
READINGS = {
    folder.name: read(folder)
    for folder in sorted([*(PROBLEMS / "catalog").iterdir(), PROBLEMS / "template"])
    if (folder / "problem.yaml").exists()
}
SLOW = frozenset(
    {
        "knightmoves/brute_force/every_walk.cpp",
        "knightmoves/time_limit_exceeded/copies_answers.py",
        "knightstour/accepted/Tour.java",
        "knightstour/accepted/warnsdorff.js",
        "knightstour/brute_force/plain.cpp",
        "knightstour/rejected/odd_starts.py",
        "knightstour/time_limit_exceeded/list_of_visited.py",
        "knightstourall/rejected/first_and_crash.py",
        "knightstourall/time_limit_exceeded/looks_back_at_the_end.cpp",
        "knightstourall/wrong_answer/both_directions.py",
        "knightstourcount/accepted/Count.java",
        "knightstourcount/time_limit_exceeded/plain.cpp",
        "knightstourcount/time_limit_exceeded/plain.py",
        "maze/accepted/Labyrinth.java",
        "maze/accepted/dictionary.py",
        "maze/brute_force/all_pairs.cpp",
        "maze/brute_force/marks_on_leaving.cpp",
        "maze/rejected/square.py",
        "maze/run_time_error/exit_code.py",
        "maze/time_limit_exceeded/path_in_queue.py",
        "maze/time_limit_exceeded/sweeps.cpp",
        "maze/wrong_answer/backwards.py",
    }
)
"""Those that take many seconds where others show the same: by name, as are all but the first of a kind.

Of each problem a right program and one for each way of being wrong; over all problems a right one in each language."""


def _examples() -> Iterator[object]:
    seen: set[tuple[str, str]] = set()
    for slug, reading in READINGS.items():
        for example in reading.package.examples if reading.package is not None else ():
            name = f"{slug}/{example.program.name.removeprefix('submissions/')}"
            kinds = {(slug, example.folder)}
            if example.folder == "accepted":
                kinds.add(("in", Path(name).suffix))
            marks = [pytest.mark.byname] if name in SLOW or kinds <= seen else []
            if not marks:
                seen |= kinds
            yield pytest.param(slug, example, id=name, marks=marks)


_built: dict[str, Built] = {}


@pytest.fixture(scope="session")
def shelf() -> Path:
    """Where built cases lie: one folder for all test processes, because building is atomic and by content."""
    return together.built()


def _package(slug: str) -> Package:
    reading = READINGS[slug]
    assert reading.package is not None, reading.findings
    return reading.package


def _build(slug: str, box: Sandbox, shelf: Path) -> Built:
    if slug not in _built:
        *_, last = build(_package(slug), box, shelf)
        assert isinstance(last, Built)
        _built[slug] = last
    return _built[slug]


@pytest.mark.parametrize("slug", READINGS)
def test_is_built_with_every_input_valid_and_every_answer_made(slug: str, box: Sandbox, shelf: Path) -> None:
    built = _build(slug, box, shelf)
    assert [case.name for case in built.cases] == [case.name for case in _package(slug).cases]
    assert all(case.input.is_file() and case.answer.is_file() for case in built.cases)


@pytest.mark.parametrize(("slug", "example"), list(_examples()))
def test_example(slug: str, example: Example, box: Sandbox, shelf: Path) -> None:
    verified = verify_one(_package(slug), _build(slug, box, shelf).cases, box, example, run_everything=False)
    assert not verified.complaints, "\n".join(verified.complaints)
