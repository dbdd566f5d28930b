"""Generators are run a second time, and must give the same, before a version is made."""

from pathlib import Path

import pytest

from judge.grading import repeat as repeated
from judge.grading.build import BuildFailed, Built, build
from judge.grading.repeat import repeat
from problems.package.model import Package
from problems.package.read import read
from sandbox.contract import Sandbox
from tests.grading.folder import write_package


def _built(folder: Path, box: Sandbox, changes: dict[str, str]) -> tuple[Package, Built]:
    package = read(write_package(folder, changes)).package
    assert package is not None
    *_, built = build(package, box, folder / "built")
    assert isinstance(built, Built)
    return package, built


OTHERWISE = {
    "draws without a seed": "import os\n\nprint(5, int.from_bytes(os.urandom(4), 'big'))\n",
    "takes the time for a seed": "import time\n\nprint(5, int(time.time()))\n",
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_the_case_is_named_when_a_generator(name: str, box: Sandbox, tmp_path: Path) -> None:
    package, built = _built(tmp_path, box, {"generators/pair.py": OTHERWISE[name]})
    for _ in range(2):
        with pytest.raises(
            BuildFailed, match=r"secret/\w+: the generator `pair\.py \d \d+` gave something else"
        ) as told:
            list(repeat(package, built.cases, box))
        assert "Let it draw all that is random from a seed" in str(told.value)


LISTED = """data:
  secret:
    data:
      a: pair.py 5 {seed}
      b: pair.py 700 {seed}
      c: pair.py 60 {seed}
      d: pair.py 5 3 star
      e: other.py 1
      f: {in: "1 2\\n"}
"""


def test_one_of_each_kind_is_made_again_and_of_every_generator_one(
    box: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = {"generators/generators.yaml": LISTED, "generators/other.py": "print(4, 4)\n"}
    package, built = _built(tmp_path, box, other)
    assert {step.case for step in repeat(package, built.cases, box)} == {"secret/c", "secret/d", "secret/e"}
    monkeypatch.setattr(repeated, "MOST", 2)
    assert {step.case for step in repeat(package, built.cases, box)} == {"secret/d", "secret/e"}
