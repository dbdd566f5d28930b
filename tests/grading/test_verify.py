"""What verifying tells of a package: its examples case by case, its validators, its time limit; as lines and as JSON."""

# ruff: noqa: E501 -- a row of a table is a line

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from judge.authoring.verdicts import Matrix
from judge.grading.authored import BuildFailed
from judge.grading.build import Built, build
from judge.grading.limit import margins
from judge.grading.probe import Probed, probe
from judge.grading.verify import Verified, verify, verify_one
from judge.management.commands.verify import Command
from problems.package.model import Package
from problems.package.read import read
from sandbox.contract import Sandbox
from tests.grading.folder import FILES, write_package
from tests.grading.test_kinds import package_of

EVEN = "import sys\nsys.exit(42 if sys.stdin.read().strip() in (open(sys.argv[2]).read().strip(), 'even') else 43)\n"
SLOW = "for i in range(10**9): pass\n"


def package(folder: Path, changes: Mapping[str, str]) -> Package:
    reading = read(write_package(folder, changes))
    assert reading.package is not None, reading.findings
    return reading.package


def verified(folder: Path, box: Sandbox, changes: Mapping[str, str]) -> tuple[Package, list[Verified]]:
    found = package(folder, changes)
    *_, built = build(found, box, folder / "built")
    assert isinstance(built, Built)
    return found, list(verify(found, built.cases, box))


def test_the_matrix_of_examples_and_cases(tmp_path: Path, box: Sandbox) -> None:
    rules = "wrong_answer: {permitted: [AC, WA], required: [WA], 'secret/t*': {permitted: [AC], required: [AC]}}\n"
    only_first = "a, b = map(int, input().split())\nprint(a + b + (a == 5))\n"
    changes = {"submissions/submissions.yaml": rules, "submissions/wrong_answer/minus.py": only_first}
    _, rows = verified(tmp_path, box, changes)
    (row,) = (one for one in rows if one.example.folder == "wrong_answer")
    assert [(cell.case, cell.letters, sorted(cell.permitted), sorted(cell.required)) for cell in row.cells] == [
        ("sample/1", "AC", ["AC", "WA"], ["WA"]),
        ("secret/first", "WA", ["AC", "WA"], ["WA"]),
        ("secret/second", "AC", ["AC", "WA"], ["WA"]),
        ("secret/third", "AC", ["AC"], ["AC", "WA"]),
    ]
    assert (row.complaints, row.given_away_by) == ((), "secret/first")
    assert [cell.telling for cell in row.cells] == [False, True, False, True]
    assert all(cell.allowed for cell in row.cells)
    assert all(0 < cell.cpu_seconds < 1 for cell in row.cells)
    right, crash = (next(one for one in rows if one.example.folder == name) for name in ("accepted", "run_time_error"))
    assert (right.given_away_by, crash.given_away_by) == ("", "sample/1")


def test_what_is_not_allowed_is_seen_in_its_cell(tmp_path: Path, box: Sandbox) -> None:
    _, rows = verified(tmp_path, box, {"submissions/wrong_answer/crash.py": "1 // 0\n"})
    (row,) = (one for one in rows if one.example.program.name.endswith("wrong_answer/crash.py"))
    assert {(cell.letters, cell.allowed, cell.telling) for cell in row.cells} == {("RTE", False, False)}


FRAMED: dict[str, tuple[str, list[str], bool]] = {
    "a case of a part": ("permitted: [AC, WA], 'secret/t*': {permitted: [WA]}", ["secret/third"], False),
    "every case that it may not get": ("permitted: [WA]", ["sample/1", "secret/first", "secret/third"], False),
    "a verdict that none gets": ("permitted: [AC, WA, TLE], required: [TLE]", [], True),
    "a verdict that none of a part gets": ("permitted: [AC, WA], 'secret/t*': {required: [WA]}", [], True),
    "a message that none gives": ("permitted: [AC, WA], message: odd", [], True),
    "a score": ("permitted: [AC, WA], score: 100", [], True),
    "both": ("permitted: [AC, TLE], required: [TLE]", ["secret/second"], True),
    "nothing": ("permitted: [AC, WA]", [], False),
}


@pytest.mark.parametrize("name", FRAMED)
def test_what_breaks_a_promise_is_framed_and_nothing_else(name: str, tmp_path: Path, box: Sandbox) -> None:
    rule, cases, of_all = FRAMED[name]
    wrong_on_six = "a, b = map(int, input().split())\nprint(a + b + (a == 6))\n"
    one = package(
        tmp_path,
        {
            "submissions/submissions.yaml": f"wrong_answer: {{{rule}}}\n",
            "submissions/wrong_answer/minus.py": wrong_on_six,
        },
    )
    *_, built = build(one, box, tmp_path / "built")
    assert isinstance(built, Built)
    example = next(example for example in one.examples if example.folder == "wrong_answer")
    matrix = Matrix(one, built.cases)
    matrix.add(verify_one(one, built.cases, box, example))
    (row,) = matrix.facts()["rows"]
    assert [built.cases[at].name for at in row["odd"]] == cases
    assert row["odd_in_all"] is of_all
    assert bool(row["complaints"]) is bool(cases or of_all)


def test_who_floods_the_output_is_what_the_author_calls_it(tmp_path: Path, box: Sandbox) -> None:
    flood = "print('x' * (9 << 20))\n"
    folders = ("wrong_answer", "time_limit_exceeded", "run_time_error")
    _, rows = verified(tmp_path, box, {f"submissions/{folder}/flood.py": flood for folder in folders})
    floods = [one for one in rows if one.example.program.name.endswith("flood.py")]
    assert [(one.cells[0].letters, one.complaints) for one in floods] == [("RTE", ()), ("TLE", ()), ("WA", ())]
    assert {one.report.verdict for one in floods} == {"output_limit_exceeded"}


@pytest.mark.parametrize(
    ("slow", "fastest"),
    [
        ("", None),
        (SLOW, "submissions/time_limit_exceeded/slow.py"),
        # needs nothing, so it says nothing of the limit; and takes its time
        pytest.param("import time\ntime.sleep(99)\n", None, marks=pytest.mark.byname),
    ],
    ids=["nobody is too slow", "too slow", "only waits"],
)
def test_margins(slow: str, fastest: str | None, tmp_path: Path, box: Sandbox) -> None:
    yaml = FILES["problem.yaml"] + "  time_resolution: 0.5\n"
    changes = {"problem.yaml": yaml} | ({"submissions/time_limit_exceeded/slow.py": slow} if slow else {})
    found, rows = verified(tmp_path, box, changes)
    told = margins(found.limits, rows)
    assert (told.limit_seconds, str(told.proposed)) == (1.0, "0.5")
    assert told.slowest_right is not None
    assert 0 < told.slowest_right.seconds < 0.5
    assert told.slowest_right.program != "submissions/time_limit_exceeded/slow.py"
    assert told.spare is not None
    assert told.spare > 2
    assert (told.fastest_slow.program if told.fastest_slow else None) == fastest
    if told.fastest_slow:
        assert told.fastest_slow.seconds > 1


def outputs(kind: str, **texts: str) -> dict[str, str]:
    return {f"data/{kind}/x.{ending}": text for ending, text in texts.items()}


PROBES: dict[str, tuple[dict[str, str], str]] = {
    # what the package has -> what is complained of; nothing when all is well
    "input refused": ({"data/invalid_input/x.in": "1 2 3\n"}, ""),
    "input taken": ({"data/invalid_input/x.in": "1 2\n"}, "invalid_input/x: no input validator refuses it"),
    "input made by a generator": (
        {"generators/generators.yaml": "data:\n  invalid_input: {data: {x: pair.py 5 7}}\n  secret: {data: {a: pair.py 1 2}}\n"},
        "invalid_input/x: no input validator refuses it",
    ),
    "wrong output refused": (outputs("invalid_output", **{"in": "1 2\n", "ans": "3\n", "out": "4\n"}), ""),
    "wrong output taken": (outputs("invalid_output", **{"in": "1 2\n", "ans": "3\n", "out": " 3\n"}), "gets accepted, not wrong answer"),
    "right output taken": (outputs("valid_output", **{"in": "1 2\n", "ans": "3\n", "out": "3\n"}), ""),
    "right output refused": (outputs("valid_output", **{"in": "1 2\n", "ans": "3\n", "out": "4\n"}), "gets wrong answer, not accepted"),
    "output to an input that is none": (outputs("valid_output", **{"in": "1\n", "ans": "3\n", "out": "3\n"}), "its input is not valid"),
    "own validator": ({"output_validator/even.py": EVEN, **outputs("valid_output", **{"in": "1 2\n", "ans": "3\n", "out": "even\n"})}, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", PROBES)
def test_probes(name: str, tmp_path: Path, box: Sandbox) -> None:
    changes, complaint = PROBES[name]
    (told,) = probe(package(tmp_path, changes), box)
    assert bool(told.complaint) == bool(complaint)
    assert complaint in told.complaint
    assert told.name == f"{told.kind}/x"
    assert told.judged
    assert told.said


def test_a_validator_that_fails_on_a_probe_is_told(tmp_path: Path, box: Sandbox) -> None:
    changes = {
        "output_validator/v.py": "print(1 // 0)\n",
        **outputs("invalid_output", **{"in": "1 2\n", "ans": "3\n", "out": "4\n"}),
    }
    (told,) = probe(package(tmp_path, changes), box)
    assert "gets judge error, not wrong answer" in told.complaint
    assert "ZeroDivisionError" in told.said
    with pytest.raises(BuildFailed, match="does not compile"):
        list(probe(package(tmp_path, {"input_validators/two.py": "if\n", **changes}), box))


def test_where_programs_talk_an_output_alone_says_nothing(tmp_path: Path, box: Sandbox) -> None:
    found = package_of(tmp_path, "guess", {f"data/invalid_output/x.{end}": "37\n" for end in ("in", "ans", "out")})
    told: list[Probed] = list(probe(found, box))
    assert [(one.judged, one.complaint) for one in told] == [(False, "")]


def run(capsys: pytest.CaptureFixture[str], *args: str | Path) -> tuple[int, str]:
    code = 0
    try:
        Command().run_from_argv(["palfrey", "verify", *map(str, args)])
    except SystemExit as end:
        code = int(end.code or 0)
    return code, capsys.readouterr().out


def test_as_lines_and_as_an_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_package(tmp_path, {"data/invalid_input/x.in": "1\n", "data/invalid_input/y.in": "1 2\n"})
    code, out = run(capsys, root)
    assert code == 1
    for line in (
        "ok     data/invalid_input/x",
        "WRONG  data/invalid_input/y",
        "       invalid_input/y: no input validator refuses it, and one must.",
        "  AAAA\n",
        "  WWWW  first in sample/1",
        "The limit is 1 s; who must be fast enough takes 0.0",
        "3 examples over 4 cases and 2 probes, 1 not as they must be.",
    ):
        assert line in out, out
    (root / "data/invalid_input/y.in").unlink()
    code, out = run(capsys, root, "--json")
    told: dict[str, Any] = json.loads(out)
    assert (code, told["as_expected"], told["problem"]) == (0, True, "plus")
    assert told["cases"] == ["sample/1", "secret/first", "secret/second", "secret/third"]
    minus = next(one for one in told["examples"] if one["name"] == "submissions/wrong_answer/minus.py")
    assert (minus["verdict"], minus["given_away_by"], minus["complaints"]) == ("wrong_answer", "sample/1", [])
    cell = {**minus["cases"][1], "cpu_seconds": 0}
    assert cell == {
        "name": "secret/first", "verdict": "wrong_answer", "letters": "WA", "cpu_seconds": 0,
        "permitted": ["AC", "WA"], "required": ["WA"], "allowed": True, "telling": True,
    }  # fmt: skip
    assert told["probes"][0]["name"] == "invalid_input/x"
    assert told["time"]["limit_seconds"] == 1
    assert told["time"]["proposed_seconds"] == 1
    assert told["time"]["fastest_slow"] is None
