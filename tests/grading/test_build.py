"""A package is made ready whole, once, and to the same bytes; or not at all, and then the case is named."""

import time
from pathlib import Path

import pytest

from judge.grading import authored
from judge.grading.build import BuildFailed, Built, Making, build, digest_of
from judge.grading.verdict import Verdict
from judge.grading.verify import verify
from problems.package.model import Package
from problems.package.read import read
from sandbox.contract import Sandbox
from tests.grading.folder import write_package


def _package(folder: Path, **changes: str) -> Package:
    reading = read(write_package(folder, {name.replace("__", "/"): text for name, text in changes.items()}))
    assert reading.package is not None, reading.findings
    return reading.package


def _built(package: Package, box: Sandbox, into: Path) -> Built:
    *_, last = build(package, box, into)
    assert isinstance(last, Built)
    return last


def names(built: Path) -> set[str]:
    """What lies in the folder of builds beside the cases that were made."""
    return {path.name for path in built.iterdir()} - {"cases", "lock"}


def test_makes_every_case_and_is_there_at_once_the_second_time(box: Sandbox, tmp_path: Path) -> None:
    package = _package(tmp_path)
    steps = list(build(package, box, tmp_path / "built"))
    assert [step.case for step in steps if isinstance(step, Making)] == [
        "sample/1",
        "secret/first",
        "secret/second",
        "secret/third",
    ]
    built = _built(package, box, tmp_path / "built")
    assert built == steps[-1]
    assert [step for step in build(package, box, tmp_path / "built") if isinstance(step, Making)] == []
    for case in built.cases:
        assert sum(map(int, case.input.read_text().split())) == int(case.answer.read_text())
    assert built.cases[1].provenance is not None
    assert built.cases[1].provenance.seed is not None
    assert names(tmp_path / "built") == {digest_of(package)}


def test_the_same_package_gives_the_same_bytes(box: Sandbox, tmp_path: Path) -> None:
    made = []
    for place in ("one", "two"):
        built = _built(_package(tmp_path / place), box, tmp_path / place / "built")
        made.append((built.digest, [case.input.read_bytes() for case in built.cases]))
    assert made[0] == made[1]
    assert digest_of(_package(tmp_path / "three", **{"statement/problem.en.md": "Add.\n"})) != made[0][0]


def test_a_stored_copy_is_what_its_generator_gives(box: Sandbox, tmp_path: Path) -> None:
    reading = read(write_package(tmp_path, {"data/secret/second.in": "6 1\n", "data/secret/second.ans": "7\n"}))
    assert reading.package is not None, "told, and no error: it may be the same"
    with pytest.raises(BuildFailed, match=r"secret/second: data/secret/second\.in is not what `pair\.py 6 .*` gives"):
        _built(reading.package, box, tmp_path / "built")


BROKEN = {
    "generator fails": (
        {"generators/pair.py": "import sys\n\nprint(1, 2)\nsys.exit(sys.argv[1] == '6')\n"},
        ("secret/second", "the generator `pair.py 6", "exit code 1"),
    ),
    "input is not valid": (
        {"generators/pair.py": "import sys\n\nprint('x' if sys.argv[1] == '7' else '1 2')\n"},
        ("secret/third", "input_validators/two.py ended with exit code 43"),
    ),
    "model solution crashes": (
        {"submissions/accepted/plus.py": "a, b = map(int, input().split())\nassert a != 7\nprint(a + b)\n"},
        ("secret/third", "the model solution submissions/accepted/plus.py", "AssertionError"),
    ),
    "model solution is too slow": (
        {"submissions/accepted/plus.py": "while True:\n    pass\n"},
        ("sample/1", "the model solution", "the limit is 1 s"),
    ),
    "validator rejects the model answer": (
        {"output_validator/check.py": "import sys\n\nsys.exit(43)\n"},
        ("sample/1", "is not accepted"),
    ),
    "checker says what it may not": (
        {"output_validator/check.py": "import sys\n\nsys.exit(77)\n"},
        ("sample/1: the checker failed", "not the solution", "check.py ended with exit code 77"),
    ),
    "checker crashes": (
        {"output_validator/check.py": "import os\n\nos.abort()\n"},
        ("sample/1: the checker failed", "check.py crashed (signal 6)"),
    ),
    "model solution contradicts an answer that is given": (
        {"submissions/accepted/plus.py": "print(sum(map(int, input().split())) + 1)\n"},
        ("sample/1", "what the model solution submissions/accepted/plus.py prints is not accepted"),
    ),
    "generator does not parse": ({"generators/pair.py": "if\n"}, ("generators/pair.py does not compile",)),
}


CLOCK = r"was stopped after \d s by the clock, in which it used \d\.\d\d s of CPU time"
ENDLESS = {
    "computes": ("while True:\n    pass\n", rf"(was stopped after 1\.\d\d s of CPU time: it took too long|{CLOCK})"),
    "waits": ("import time\n\ntime.sleep(99)\n", CLOCK),
}
"""On a busy machine the one that computes may run out of time by the clock first."""


@pytest.mark.parametrize("name", ENDLESS)
def test_a_generator_that_never_ends_is_stopped_soon_when_it(
    name: str, box: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authored, "GENERATOR_SECONDS", 1)
    text, how = ENDLESS[name]
    package = _package(tmp_path, **{"generators/pair.py": text})
    told: list[Making | Built] = []
    began = time.monotonic()
    with pytest.raises(BuildFailed, match=rf"secret/first: the generator `pair.py 5 \d+` {how}") as failure:
        told.extend(build(package, box, tmp_path / "built"))
    assert time.monotonic() - began < 12, str(failure.value)
    assert [step.case for step in told if isinstance(step, Making)][-1] == "secret/first"


@pytest.mark.parametrize("name", BROKEN)
def test_stops_and_names_the_case_when(name: str, box: Sandbox, tmp_path: Path) -> None:
    changes, said = BROKEN[name]
    package = _package(tmp_path, **changes)
    with pytest.raises(BuildFailed) as failure:
        list(build(package, box, tmp_path / "built"))
    for part in said:
        assert part in str(failure.value)
    assert names(tmp_path / "built") == set()


def test_examples_are_verified(box: Sandbox, tmp_path: Path) -> None:
    package = _package(tmp_path)
    verified = list(verify(package, _built(package, box, tmp_path / "built").cases, box))
    assert [one.complaints for one in verified] == [(), (), ()]
    assert [one.report.verdict for one in verified] == [
        Verdict.ACCEPTED,
        Verdict.RUN_TIME_ERROR,
        Verdict.WRONG_ANSWER,
    ]


def test_an_example_that_does_not_get_what_it_must_is_told(box: Sandbox, tmp_path: Path) -> None:
    right = "print(sum(map(int, input().split())))\n"
    changes = {"submissions/wrong_answer/minus.py": right, "submissions/accepted/other.py": "print(3)\n"}
    package = _package(tmp_path, **changes)
    complaints = [
        complaint
        for one in verify(package, _built(package, box, tmp_path / "built").cases, box)
        for complaint in one.complaints
    ]
    assert any("accepted/other.py: on secret/first it gets WA" in complaint for complaint in complaints)
    assert any("wrong_answer/minus.py: no case gets WA" in complaint for complaint in complaints)


def test_a_generator_may_be_built_by_a_script_and_write_a_file(tmp_path: Path, box: Sandbox) -> None:
    script = "#!/bin/sh\nprintf '#!/bin/sh\\necho 7 8 >testcase.in\\n' >run\nchmod +x run\n"
    changes = {
        "generators/made/build": script,
        "generators/generators.yaml": "data: {secret: {data: {made: made 1}}}\n",
    }
    package = _package(tmp_path, **changes)
    cases = {case.name: case for case in _built(package, box, tmp_path / "built").cases}
    assert cases["secret/made"].input.read_bytes() == b"7 8\n"


def test_the_model_solution_is_compiled_with_what_is_included(tmp_path: Path, box: Sandbox) -> None:
    changes = {
        "include/python3/given.py": "def plus(a, b):\n    return a + b\n",
        "submissions/accepted/plus.py": "import given\nprint(given.plus(*map(int, input().split())))\n",
    }
    package = read(write_package(tmp_path, changes)).package
    assert package is not None
    assert len(_built(package, box, tmp_path / "built").cases) == 4


def test_a_refused_input_is_shown_with_what_made_it(box: Sandbox, tmp_path: Path) -> None:
    package = _package(
        tmp_path,
        **{
            "generators/pair.py": "print('x\\x1b' + 'y' * 99)\nprint(*range(9), sep='\\n')\n",
            "input_validators/two.py": "import sys\n\nsys.exit(42 if sys.stdin.read() == '1 2\\n' else 43)\n",
            "data/sample/1.in": "1 2\n",
        },
    )
    with pytest.raises(BuildFailed) as failure:
        list(build(package, box, tmp_path / "built"))
    said = str(failure.value)
    assert "It printed nothing that says why.\n" in said
    assert "The input, which `pair.py 5 " in said
    assert f" made, begins:\n    x\\x1b{'y' * 55}…\n    0\n    1\n    2\n    3\n    …" in said


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (b"", ""),
        (b"1\n", "    1"),
        (b"\xff\n\n", "    \\xff\n    "),
        (b"1\n2\n3\n4\n5\n6", "    1\n    2\n    3\n    4\n    5\n    …"),
    ],
)
def test_how_an_input_begins(content: bytes, shown: str) -> None:
    assert authored.begins(content) == shown
