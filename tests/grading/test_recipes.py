"""What a build that was killed has made is not made again, and only what its recipe still says is taken."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from judge.grading import recipes
from judge.grading.build import BuildFailed, Making, build
from problems.package.model import Package
from problems.package.read import read
from sandbox.contract import Outcome, Run, Running, Sandbox
from tests.grading.folder import write_package

KILLED = """
import os, signal, sys
from pathlib import Path
from judge.grading.build import build
from problems.package.read import read
from sandbox.box import open_sandbox

package, into, box = read(Path(sys.argv[1])).package, Path(sys.argv[2]), open_sandbox(Path(sys.argv[3]))
for step in build(package, box, into):
    if step.done == 3:
        os.kill(os.getpid(), signal.SIGKILL)
"""


class Counted:
    """The real box; keeps the arguments that the generator `pair.py` was called with."""

    def __init__(self, box: Sandbox) -> None:
        self.box = box
        self.generated: list[str] = []

    def run(self, run: Run) -> Outcome:
        if run.stdin == b"" and run.argv[-2] in ("5", "6", "7", "8"):
            self.generated.append(run.argv[-2])
        return self.box.run(run)

    def start(self, run: Run) -> Running:
        return self.box.start(run)

    def close(self) -> None:
        self.box.close()


@pytest.fixture
def counted(box: Sandbox) -> Counted:
    return Counted(box)


def package(folder: Path, **changes: str) -> Package:
    reading = read(write_package(folder, {name.replace("__", "/"): text for name, text in changes.items()}))
    assert reading.package is not None, reading.findings
    return reading.package


def made(one: Package, box: Sandbox, into: Path) -> None:
    list(build(one, box, into))


def test_a_build_that_was_killed_goes_on_from_there(counted: Counted, tmp_path: Path) -> None:
    into = tmp_path / "built"
    plus = package(tmp_path)
    command = [sys.executable, "-c", KILLED, str(plus.root), str(into), str(tmp_path / "sandbox")]
    assert subprocess.run(command, check=False, cwd=Path(__file__).parents[2]).returncode == -signal.SIGKILL
    assert len(list(into.glob("building-*"))) == 1
    made(plus, counted, into)
    assert counted.generated == ["7"], "sample/1, secret/first and secret/second were there"
    assert list(into.glob("building-*")) == []


def test_what_somebody_builds_now_is_left_alone(box: Sandbox, tmp_path: Path) -> None:
    into = tmp_path / "built"
    steps = build(package(tmp_path), box, into)
    assert isinstance(next(steps), Making)
    assert isinstance(next(steps), Making)
    made(package(tmp_path / "other", **{"statement/problem.en.md": "Add.\n"}), box, into)
    assert len(list(into.glob("building-*"))) == 1
    *_, last = steps
    assert not isinstance(last, Making)


ALL = ["5", "6", "7"]
CHANGES = {
    "a text": ({"statement/problem.en.md": "Add.\n"}, []),
    "another example": ({"submissions/wrong_answer/minus.py": "print(0)\n"}, []),
    "its command": ({"generators/generators.yaml": "pair.py 8 {seed}"}, ["8"]),
    "the generator": ({"generators/pair.py": "import sys\n\nprint(sys.argv[1], 1)\n"}, ALL),
    "the model solution": (
        {"submissions/accepted/plus.py": "print(sum(map(int, input().split())) + 0)\n"},
        ["5", "6", "7"],
    ),
    "a validator": ({"input_validators/two.py": "import sys\n\nsys.stdin.read()\nsys.exit(42)\n"}, ALL),
}


@pytest.mark.parametrize("change", CHANGES)
def test_made_again_is_what_its_recipe_changed(change: str, counted: Counted, tmp_path: Path) -> None:
    files, again = CHANGES[change]
    before = package(tmp_path)
    made(before, counted, tmp_path / "built")
    assert counted.generated == ["5", "6", "7"]
    counted.generated.clear()
    listed = "generators/generators.yaml"
    if listed in files:
        files = {listed: (before.root / listed).read_text().replace("pair.py 7 {seed}", files[listed])}
    made(package(tmp_path / "later", **files), counted, tmp_path / "built")
    assert counted.generated == again


def test_a_case_that_is_wrong_is_not_kept(box: Sandbox, tmp_path: Path) -> None:
    wrong = package(tmp_path, **{"generators/pair.py": "import sys\n\nprint('x' if sys.argv[1] == '6' else '1 2')\n"})
    for _ in range(2):
        with pytest.raises(BuildFailed, match="secret/second"):
            made(wrong, box, tmp_path / "built")


def test_what_was_of_no_use_for_long_goes(box: Sandbox, tmp_path: Path) -> None:
    into = tmp_path / "built"
    made(package(tmp_path), box, into)
    kept = sorted((into / "cases").glob("??/*"))
    assert len(kept) == 4
    old = time.time() - (recipes.KEPT_DAYS + 1) * 24 * 3600
    os.utime(kept[0], (old, old))
    for turn in range(256):
        recipes.tidy(into / "cases", turn)
    assert sorted((into / "cases").glob("??/*")) == kept[1:]
