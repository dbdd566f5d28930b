"""Packages of the older formats read as the same problem, written for 2025-09, would."""

# ruff: noqa: E501 -- a row of the table is a line

from pathlib import Path

import pytest

from problems.package.compare import differences
from problems.package.model import Aggregation, Package, ProblemType, Severity
from problems.package.takein import Format, TakenIn, take_in
from tests.problems.package.older import ALMOST, LEGACY, current, zipped
from tests.problems.package.small import VALIDATOR, Changes, problem

CHECK = "import sys\nsys.exit(42 if sys.stdin.read() else 43)\n"
SCORING = str(LEGACY["problem.yaml"]) + "type: scoring\n"
NO_SECRET: Changes = {"data/secret/01-two.in": None, "data/secret/01-two.ans": None}
TIMELESS = str(LEGACY["problem.yaml"]).partition("limits")[0]


def taken(folder: Path, changes: Changes | None = None) -> TakenIn:
    return take_in(zipped(changes), folder / "doubles", slug="doubles")


def good(folder: Path, changes: Changes | None = None) -> Package:
    found = taken(folder, changes)
    assert [one for one in found.findings if one.severity is Severity.ERROR] == []
    assert found.format is Format.OLDER
    assert found.package is not None
    return found.package


def cases(*names: str) -> Changes:
    return {**NO_SECRET, **{f"data/secret/{name}{ending}": "1\n" for name in names for ending in (".in", ".ans")}}


SAME: list[tuple[str, Changes, Changes]] = [
    # what the older package has besides; what the same of 2025-09 has besides
    ("nothing", {}, {}),
    ("version said", {"problem.yaml": "problem_format_version: legacy\n" + str(LEGACY["problem.yaml"])}, {}),
    ("icpc", {"problem.yaml": "problem_format_version: legacy-icpc\n" + str(LEGACY["problem.yaml"])}, {}),
    ("new folder names", {"problem_statement/problem.en.tex": None, "statement/problem.en.tex": LEGACY["problem_statement/problem.en.tex"], "input_format_validators/digits.py": None, "input_validators/digits.py": VALIDATOR}, {}),
    ("no language", {"problem_statement/problem.en.tex": None, "problem_statement/problem.tex": LEGACY["problem_statement/problem.en.tex"]}, {}),
    ("name of the statement", {"problem.yaml": str(LEGACY["problem.yaml"]).replace("name: Doubles\n", "")}, {}),
    ("name in DOMjudge's file", {"problem.yaml": str(LEGACY["problem.yaml"]).replace("name: Doubles\n", ""), "problem_statement/problem.en.tex": None, "problem.pdf": "%PDF", "domjudge-problem.ini": "name = 'Doubles'\n"}, {"statement/problem.en.tex": None, "statement/problem.en.pdf": "%PDF", "problem.yaml": problem("  code: 256")}),
    ("time limit in a file", {"problem.yaml": TIMELESS, ".timelimit": "1\n"}, {"problem.yaml": problem("  code: 256")}),
    ("time limit for DOMjudge", {"problem.yaml": TIMELESS, "domjudge-problem.ini": "probid='A'\ntimelimit='1'\ncolor='#ff0000'\n"}, {"problem.yaml": problem("  code: 256")}),
    ("time limit of a part", {"problem.yaml": TIMELESS, ".timelimit": "0.25"}, {"problem.yaml": problem("  code: 256\n  time_limit: 0.25\n  time_resolution: 0.01", without="  time")}),
    ("multipliers", {"problem.yaml": TIMELESS + "limits: {time_multiplier: 3, time_safety_margin: 4, memory: 64}\n"}, {"problem.yaml": problem("  memory: 64\n  time_multipliers: {ac_to_time_limit: 3, time_limit_to_tle: 4}", without="  time")}),
    ("no time limit", {"problem.yaml": TIMELESS}, {"problem.yaml": problem("  time_multipliers: {ac_to_time_limit: 5, time_limit_to_tle: 2}", without="  time")}),
    ("flags", {"problem.yaml": str(LEGACY["problem.yaml"]) + "validator_flags: float_tolerance 1e-6\n"}, {"data/sample/test_group.yaml": "output_validator_args: [float_tolerance, 1e-6]\n", "data/secret/test_group.yaml": "output_validator_args: [float_tolerance, 1e-6]\n"}),
    ("flags of a folder", {"data/secret/testdata.yaml": "output_validator_flags: case_sensitive\ninput_validator_flags: -n 5\n"}, {"data/secret/test_group.yaml": "output_validator_args: [case_sensitive]\ninput_validator_args: [-n, '5']\n"}),
    ("flags of one validator", {"data/testdata.yaml": "input_validator_flags: {name: digits, flags: -n 5}\n"}, {"data/sample/test_group.yaml": "input_validator_args: {digits: [-n, '5']}\n", "data/secret/test_group.yaml": "input_validator_args: {digits: [-n, '5']}\n"}),
    ("flags of an inner folder", {**cases("a/1", "2"), "data/secret/a/testdata.yaml": "output_validator_flags: case_sensitive\n"}, {**cases("a/1", "2"), "data/secret/a/1.yaml": "output_validator_args: [case_sensitive]\n"}),
    ("hint and description", {"data/secret/01-two.hint": "Think.\n", "data/secret/01-two.desc": "Small.\n"}, {"data/secret/01-two.yaml": "hint: Think.\ndescription: Small.\n"}),
    ("output validator", {"problem.yaml": str(LEGACY["problem.yaml"]) + "validation: custom\n", "output_validators/v/check.py": CHECK}, {"output_validator/v/check.py": CHECK}),
    ("output validator in one file", {"problem.yaml": str(LEGACY["problem.yaml"]) + "validation: custom\n", "output_validators/check.py": CHECK}, {"output_validator/check.py": CHECK}),
    ("two authors", {"problem.yaml": str(LEGACY["problem.yaml"]).replace("Ada Example", "Ada Example, Bo and Cy")}, {"problem.yaml": problem("credits: {authors: [Ada Example, Bo, Cy]}", without="credits")}),
    ("source and keywords", {"problem.yaml": str(LEGACY["problem.yaml"]) + "source: A contest\nsource_url: https://example.org\nkeywords: graph search\n"}, {"problem.yaml": problem("source: {name: A contest, url: https://example.org}\nkeywords: [graph, search]")}),
    ("number as a name", {"problem.yaml": str(LEGACY["problem.yaml"]).replace("Doubles", "2048")}, {"problem.yaml": problem('name: "2048"', without="name")}),
    ("attachments", {"attachments/a.txt": "x"}, {"attachments/a.txt": "x"}),
    ("included code", {"include/cpp/main.cpp": "x"}, {"include/cpp/main.cpp": "x"}),
    ("only samples", NO_SECRET, {**NO_SECRET, "data/secret/1.in": "1\n", "data/secret/1.ans": "2\n"}),
    ("a folder as a program", {"submissions/accepted/two/a.py": "x", "submissions/accepted/two/b.py": "y"}, {"submissions/accepted/two/a.py": "x", "submissions/accepted/two/b.py": "y"}),
    ("too slow", {"submissions/time_limit_exceeded/a.py": "x"}, {"submissions/time_limit_exceeded/a.py": "x", "submissions/submissions.yaml": "time_limit_exceeded: {permitted: [AC, WA, TLE], required: [TLE]}\n"}),
    ("crash", {"submissions/run_time_error/a.py": "x"}, {"submissions/run_time_error/a.py": "x", "submissions/submissions.yaml": "run_time_error: {permitted: [AC, WA, TLE, RTE], required: [RTE]}\n"}),
    ("for people to look at", {"submissions/check_manually/a.c": "x"}, {"submissions/check_manually/a.c": "x", "palfrey/submissions.yaml": "check_manually:\n  permitted: [AC, CE, RTE, TLE, WA]\n  required: [AC, RTE, TLE, WA]\n"}),
    ("must not compile", {"submissions/compiler_error/a.c": "x"}, {"submissions/compiler_error/a.c": "x", "palfrey/submissions.yaml": "compiler_error: {permitted: [CE], required: [CE]}\n"}),
    ("tags", {"submissions/mixed/a.py": "# @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT\n"}, {"submissions/mixed/a.py": "# @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT\n", "problem.yaml": problem("  code: 256"), "submissions/submissions.yaml": "mixed/a.py: {permitted: [AC, WA, TLE], required: [WA, TLE]}\n"}),
    ("a tag against the folder", {"submissions/wrong_answer/a.py": "# @EXPECTED_RESULTS@: CORRECT\n"}, {"submissions/wrong_answer/a.py": "# @EXPECTED_RESULTS@: CORRECT\n", "problem.yaml": problem("  code: 256"), "submissions/submissions.yaml": "wrong_answer: {permitted: [AC, WA, TLE, RTE], required: [AC, WA, TLE, RTE]}\nwrong_answer/same.py: {permitted: [AC, WA], required: [WA]}\nwrong_answer/a.py: {permitted: [AC]}\n"}),
    ("names of today", {"submissions/accepted/plus.c++": "x"}, {"submissions/accepted/plus_cxx.cc": "x"}),
    ("python 2", {"submissions/accepted/a.py": "#!/usr/bin/python2\n"}, {"submissions/accepted/a.py": "#!/usr/bin/python2\n", "submissions/submissions.yaml": "accepted/a.py: {language: python2}\n"}),
    ("their own word", {"submissions/submissions.yaml": "wrong_answer: {permitted: [WA]}\n"}, {"submissions/submissions.yaml": "wrong_answer: {permitted: [WA]}\n"}),
]  # fmt: skip


@pytest.mark.parametrize(("older", "today"), [row[1:] for row in SAME], ids=[row[0] for row in SAME])
def test_the_same_problem(tmp_path: Path, older: Changes, today: Changes) -> None:
    expected = take_in(current({**ALMOST, **today}), tmp_path / "today", slug="doubles")
    assert expected.format is Format.CURRENT
    assert expected.package is not None, expected.findings
    assert differences(good(tmp_path, older), expected.package) == []


def test_what_differs_is_seen(tmp_path: Path) -> None:
    other = take_in(current({**ALMOST, "data/secret/01-two.ans": "5\n"}), tmp_path / "today", slug="doubles").package
    assert other is not None
    assert differences(good(tmp_path), other) == ["cases.secret/01-two.answer"]


def points(package: Package) -> dict[str, tuple[str, int | None, int]]:
    """Group of `secret` -> how it adds up, its highest score, how many cases it has."""
    counts = [case.group for case in package.cases]
    return {
        group.name.removeprefix("secret/"): (str(group.aggregation), group.max_score, counts.count(group.name))
        for group in package.groups
        if group.name != "sample"
    }


TWO: Changes = cases("a/1", "a/2", "b/1")
SCORES: list[tuple[str, Changes, dict[str, tuple[str, int | None, int]]]] = [
    ("by the case", {**TWO, "data/testdata.yaml": "on_reject: continue\naccept_score: 10\n"},
     {"secret": ("sum", 30, 0), "a": ("sum", 20, 2), "b": ("pass-fail", 10, 1)}),
    ("all or nothing", {**TWO, "data/secret/a/testdata.yaml": "grader_flags: min\naccept_score: 40\n", "data/secret/b/testdata.yaml": "accept_score: 60\nrange: 0 60\n"},
     {"secret": ("sum", 100, 0), "a": ("pass-fail", 40, 2), "b": ("pass-fail", 60, 1)}),
    ("no groups", {**cases("1", "2"), "data/secret/testdata.yaml": "accept_score: 50\n"}, {"secret": ("sum", 100, 2)}),
    ("as DOMjudge", {**TWO, ".timelimit": "1", "data/secret/a/testdata.yaml": "accept_score: 40\n", "data/secret/b/testdata.yaml": "accept_score: 60\n"},
     {"secret": ("sum", 100, 0), "a": ("pass-fail", 40, 2), "b": ("pass-fail", 60, 1)}),
    ("average of groups", {**TWO, "data/secret/testdata.yaml": "grader_flags: avg\n", "data/secret/a/testdata.yaml": "grader_flags: min\naccept_score: 40\n", "data/secret/b/testdata.yaml": "grader_flags: sum\naccept_score: 60\n"},
     {"secret": ("sum", 50, 0), "a": ("pass-fail", 20, 2), "b": ("pass-fail", 30, 1)}),
    ("worst of groups", {**TWO, "data/secret/testdata.yaml": "grader_flags: min\naccept_score: 70\n"},
     {"secret": ("pass-fail", 70, 3)}),
    ("groups in groups", {**cases("a/x/1", "a/y/1", "b/1"), "data/testdata.yaml": "accept_score: 10\n"},
     {"secret": ("sum", 30, 0), "a-x": ("pass-fail", 10, 1), "a-y": ("pass-fail", 10, 1), "b": ("pass-fail", 10, 1)}),
    ("thirds", {**cases("1", "2", "3"), "data/testdata.yaml": "accept_score: 33.333333333333336\n"}, {"secret": ("sum", 100, 3)}),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "expected"), [row[1:] for row in SCORES], ids=[row[0] for row in SCORES])
def test_scores(tmp_path: Path, changes: Changes, expected: dict[str, tuple[str, int | None, int]]) -> None:
    package = good(tmp_path, {"problem.yaml": SCORING, **changes})
    found = points(package)
    if "secret" in found and found["secret"][2] == 0 and len(expected) == 1:  # the only group stands for the whole
        (found,) = [{"secret": value} for name, value in found.items() if name != "secret"]
    assert found == expected


def test_a_validator_that_scores(tmp_path: Path) -> None:
    changes: Changes = {
        "problem.yaml": SCORING + "validation: custom score\n",
        "output_validators/check.py": CHECK,
        **TWO,
        "data/secret/a/testdata.yaml": "grader_flags: min\nrange: 0 40\n",
        "data/secret/b/testdata.yaml": "range: 0 60\n",
    }
    package = good(tmp_path, changes)
    assert points(package) == {"secret": ("sum", 100, 0), "a": ("min", 40, 2), "b": ("sum", 60, 1)}
    assert package.types == {ProblemType.SCORING}
    assert [one.aggregation for one in package.groups if one.name == "secret/a"] == [Aggregation.MIN]


def test_partly_right(tmp_path: Path) -> None:
    changes: Changes = {
        "problem.yaml": SCORING,
        "data/secret/testdata.yaml": "accept_score: 100\n",
        "submissions/partially_accepted/a.py": "x",
        "submissions/partial/b.py": "# @EXPECTED_SCORE@: 40\n",
        "submissions/full/d.py": "# @EXPECTED_RESULTS@: CORRECT\n# @EXPECTED_SCORE@: 100\n",
        "submissions/rounded/c.py": "# @EXPECTED_RESULTS@: WRONG-ANSWER\n# @EXPECTED_SCORE@: 33.33\n",
    }
    examples = good(tmp_path, changes).examples
    scores = {one.folder: one.score for one in examples}
    permitted = {one.folder: sorted(one.permitted) for one in examples}
    low, high = scores["partially_accepted"] or (1.0, 1.0)
    assert low == 0
    assert 99 < high < 100
    assert {name: scores[name] for name in ("partial", "full", "rounded")} == {
        "partial": (40, 40), "full": (100, 100), "rounded": (33.325, 33.335),
    }  # fmt: skip
    assert permitted["full"] == ["AC"]
    assert permitted["rounded"] == ["AC", "RTE", "TLE", "WA"]


def test_what_was_missing_is_put_in_place_and_told(tmp_path: Path) -> None:
    found = taken(tmp_path, {"problem_statement/problem.en.tex": None, "input_format_validators/digits.py": None})
    assert found.package is not None
    assert found.package.input_validators[0].name == "input_validators/anything.py"
    assert list(found.package.statements) == ["en"]
    told = {one.rule for one in found.findings if one.severity is Severity.WARNING}
    assert told == {"no-statement", "no-input-validator"}


def test_a_package_without_a_uuid_is_known_again(tmp_path: Path) -> None:
    anonymous: Changes = {"problem.yaml": "name: Doubles\nlimits: {time_limit: 1}\n"}
    uuids = {good(tmp_path / name, {**anonymous, "attachments/x": name}).uuid for name in ("one", "two")}
    assert len(uuids) == 1
    assert uuids != {good(tmp_path / "other", {"problem.yaml": "name: Halves\nlimits: {time_limit: 1}\n"}).uuid}


def test_interactive(tmp_path: Path) -> None:
    changes: Changes = {
        "problem.yaml": str(LEGACY["problem.yaml"]) + "validation: custom interactive\n",
        "output_validators/check.py": CHECK,
        "data/sample/1.in": None,
        "data/sample/1.ans": None,
        "data/sample/1.interaction": "<1\n>2\n",
    }
    found = taken(tmp_path, changes)
    errors = {one.rule for one in found.findings if one.severity is Severity.ERROR}
    assert errors <= {"not-yet-judged"}
    assert "only-shown" in {one.rule for one in found.findings}
