"""Every bad archive and package is refused with a clear message, whoever made it for whichever judge; nothing is kept."""

# ruff: noqa: E501 -- a row of the table is a line

from collections.abc import Callable
from pathlib import Path

import pytest

from problems.package.model import Severity
from problems.package.takein import Fate, take_in
from tests.problems.package.older import LEGACY, current, zipped
from tests.problems.package.polygon_small import FILES as POLYGON
from tests.problems.package.polygon_small import POINTS, XML
from tests.problems.package.small import Changes
from tests.problems.package.test_archive import REFUSED
from tests.problems.package.test_rules import BROKEN

YAML = str(LEGACY["problem.yaml"])
SCORING = YAML + "type: scoring\n"
GROUPS: Changes = {
    "problem.yaml": SCORING, "data/secret/01-two.in": None, "data/secret/01-two.ans": None,
    **{f"data/secret/{name}{ending}": "1\n" for name in ("a/1", "a/2", "b/1") for ending in (".in", ".ans")},
}  # fmt: skip


def xml(old: str, new: str) -> Changes:
    assert old in XML
    return {"problem.xml": XML.replace(old, new)}


OLDER: list[tuple[str, Changes, str, str, str]] = [
    ("no yaml", {"problem.yaml": "a: [1\n"}, "problem.yaml:2", "yaml", "not YAML"),
    ("no validator", {"problem.yaml": YAML + "validation: custom\n"}, "problem.yaml:7", "no-output-validator", "output_validators/"),
    ("two validators", {"problem.yaml": YAML + "validation: custom\n", "output_validators/a.py": "x", "output_validators/b.py": "x"}, "output_validators", "several-programs", "a.py"),
    ("validation word", {"problem.yaml": YAML + "validation: custom fast\n", "output_validators/a.py": "x"}, "problem.yaml:7", "validation", "`fast`"),
    ("validation starts", {"problem.yaml": YAML + "validation: interactive\n", "output_validators/a.py": "x"}, "problem.yaml:7", "validation", "starts with"),
    ("score without scoring", {"problem.yaml": YAML + "validation: custom score\n", "output_validators/a.py": "x"}, "problem.yaml:7", "validation", "type: scoring"),
    ("no such type", {"problem.yaml": YAML + "type: passfail\n"}, "problem.yaml", "type", "did you mean `pass-fail`?"),
    ("time limit", {"problem.yaml": YAML.partition("limits")[0], ".timelimit": "fast"}, ".timelimit", "time-limit", "seconds"),
    ("time limit 0", {"problem.yaml": YAML.partition("limits")[0], "domjudge-problem.ini": "timelimit='0'\n"}, "domjudge-problem.ini", "time-limit", "seconds"),
    ("memory", {"problem.yaml": YAML + "  memory: much\n"}, "problem.yaml", "wrong-type", "whole number"),
    ("fewest points win", {"problem.yaml": SCORING + "grading: {objective: min}\n"}, "problem.yaml:8", "not-expressible", "Turn it round"),
    ("only VIVA", {"input_format_validators/digits.py": None, "input_format_validators/x.viva": "x"}, "input_format_validators/x.viva", "not-run", "Checktestdata"),
    ("a grader", {"problem.yaml": SCORING, "graders/g.py": "x"}, "graders", "not-expressible", "accept_score"),
    ("custom grading", {**GROUPS, "data/testdata.yaml": "grading: custom\n"}, "data/testdata.yaml:1", "not-expressible", "accept_score"),
    ("points for the rejected", {**GROUPS, "data/testdata.yaml": "reject_score: 5\n"}, "data/testdata.yaml:1", "not-expressible", "0 points"),
    ("best of", {**GROUPS, "data/secret/testdata.yaml": "grader_flags: max\n"}, "data/secret/testdata.yaml", "not-expressible", "best of its parts"),
    ("worst of unequal", {**GROUPS, "data/secret/testdata.yaml": "grader_flags: min\n", "data/secret/a/testdata.yaml": "accept_score: 2\n"}, "data/secret/testdata.yaml", "not-expressible", "worst of groups"),
    ("cases and groups", {**GROUPS, "data/secret/1.in": "1\n", "data/secret/1.ans": "1\n"}, "data/secret", "not-expressible", "side by side"),
    ("part of a point", {**GROUPS, "data/testdata.yaml": "accept_score: 0.4\n"}, "data/testdata.yaml", "not-expressible", "no whole number"),
    ("grader flag", {**GROUPS, "data/testdata.yaml": "grader_flags: median\n"}, "data/testdata.yaml:1", "not-expressible", "`median`"),
    ("range", {**GROUPS, "data/testdata.yaml": "range: 100\n"}, "data/testdata.yaml:1", "wrong-type", "range: 0 50"),
    ("range turned round", {**GROUPS, "data/testdata.yaml": "range: 100 0\n"}, "data/testdata.yaml:1", "wrong-type", "the lowest score first"),
    ("flags of no validator", {"data/testdata.yaml": "input_validator_flags: {name: other, flags: a}\n"}, "data/testdata.yaml", "no-such-validator", "`other`"),
    ("validator flag", {"problem.yaml": YAML + "validator_flags: case_insensitive\n"}, "data/sample/1", "output-validator-args", "did you mean `case_sensitive`?"),
    ("no answer", {"data/secret/01-two.ans": None}, "data/secret/01-two.in", "case-without-answer", "`01-two.ans`"),
    ("no input", {"data/secret/01-two.in": None}, "data/secret/01-two", "case-without-input", "no `01-two.in`"),
    ("no data", {name: None for name in LEGACY if name.startswith("data/")}, "data/secret", "no-secret-case", "nothing would be judged"),
    ("nothing right", {"submissions/accepted/double.py": None}, "submissions/accepted", "no-accepted", "right solution"),
]  # fmt: skip

OF_POLYGON: list[tuple[str, Changes, str, str, str]] = [
    ("no XML", {"problem.xml": "<problem>"}, "problem.xml:1", "xml", "not XML"),
    ("something else", {"problem.xml": "<contest/>"}, "problem.xml:1", "xml", "`<problem>` is expected"),
    ("an entity", {"problem.xml": '<!DOCTYPE a [<!ENTITY b "c">]><problem/>'}, "problem.xml:1", "xml", "remove it"),
    ("too deep", {"problem.xml": "<problem>" + "<a>" * 99 + "</a>" * 99 + "</problem>"}, "problem.xml:1", "xml", "too deeply"),
    ("too large", {"problem.xml": "<problem>" + "<a/>" * 100_001 + "</problem>"}, "problem.xml:1", "xml", "too many elements"),
    ("no tests", {"problem.xml": "<problem/>"}, "problem.xml:1", "no-tests", "no test"),
    ("empty tests", xml(XML[XML.index("<tests>") : XML.index("</tests>")], "<tests>"), "problem.xml:9", "no-tests", "nothing would be judged"),
    ("a file as input", xml('input-file=""', 'input-file="in.txt"'), "problem.xml:8", "not-expressible", "in.txt"),
    ("several runs", xml('run-count="1"', 'run-count="2"'), "problem.xml:8", "not-expressible", "several runs"),
    ("interactor", xml("<validators>", "<interactor><source path='files/val.cpp'/></interactor><validators>"), "problem.xml:28", "not-expressible", "talks to the program"),
    ("a grader", xml('<resources>', '<resources><file path="files/g.cpp"><assets><asset name="SOLUTION"/></assets></file>'), "problem.xml:23", "not-expressible", "together with each solution"),
    ("a grader said shortly", xml('<resources>', '<resources><file path="files/g.cpp" assets="SOLUTION"/>'), "problem.xml:23", "not-expressible", "together with each solution"),
    ("time limit", xml("<time-limit>1500<", "<time-limit>1.5 s<"), "problem.xml:10", "time-limit", "milliseconds"),
    ("memory limit", xml("268435456", "1000000"), "problem.xml:11", "memory-limit", "MiB"),
    ("pattern", xml("tests/%02d<", "tests/%s<"), "problem.xml:9", "path-pattern", "tests/%02d"),
    ("test not there", {"tests/02": None}, "problem.xml:17", "no-such-test", "full package"),
    ("no generator", xml('cmd="gen 500"', 'cmd="other 500"'), "problem.xml:18", "no-such-generator", "`other`"),
    ("no checker", xml(XML[XML.index("<checker") : XML.index("</checker>") + 10], ""), "problem.xml:2", "no-checker", "nothing says"),
    ("checker not there", {"files/check.cpp": None}, "problem.xml:27", "no-such-file", "files/check.cpp"),
    ("checker in Java", {**xml("files/check.cpp", "files/Check.java"), "files/Check.java": "x"}, "problem.xml:27", "not-expressible", "C++"),
    ("no testlib", {"files/testlib.h": None}, "problem.xml:27", "no-testlib", "testlib.h"),
    ("solution not there", {"solutions/wa.py": None}, "problem.xml:31", "no-such-file", "solutions/wa.py"),
    ("nothing right", xml('tag="main"', 'tag="rejected"'), "submissions/accepted", "no-accepted", "right solution"),
    ("negative points", {"problem.xml": POINTS.replace('points="40"/>\n        <test cmd', 'points="-4"/>\n        <test cmd')}, "problem.xml:17", "points", "not below 0"),
    ("part of a point", {"problem.xml": POINTS.replace('points="30"', 'points="3.3"')}, "problem.xml:9", "points", "whole number"),
    ("needs one by the test", {"problem.xml": POINTS.replace("complete-group", "each-test")}, "problem.xml:23", "not-expressible", "complete-group"),
]  # fmt: skip


def _packed(
    row: tuple[str, Changes, str, str, str], pack: Callable[[Changes], bytes]
) -> tuple[str, Callable[[], bytes], str, str]:
    return row[0], lambda: pack(row[1]), row[3], row[4]


def _archives() -> list[tuple[str, Callable[[], bytes], str, str]]:
    rows = [(f"archive: {name}", make, rule, message) for name, make, rule, message in REFUSED]
    for kind, table, pack in (
        ("2025-09", [row for row in BROKEN if row[0] not in _NOT_2025], current),
        ("older", OLDER, zipped),
        ("Polygon", OF_POLYGON, lambda changes: zipped(changes, of=POLYGON)),
    ):
        rows += [
            (f"{kind}: {name}", make, rule, message)
            for name, make, rule, message in (_packed(row, pack) for row in table)
        ]
    return rows


_NOT_2025 = {
    "no version": "without a version it is of an older format, and good",
    "old version": "the same",
    "upper and lower": "it is told of the other of the two names",
    "statement language": "the two names differ by case only, which is told first",
}
"""Rows of the table for folders that are something else when they are taken in -> why."""
ARCHIVES = _archives()


@pytest.fixture(autouse=True)
def _low_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("problems.package.archive.MAX_FILES", 50)
    monkeypatch.setattr("problems.package.archive.MAX_RATIOS", ((2 << 20, 200),))


def test_there_are_enough() -> None:
    assert len(ARCHIVES) > 150


@pytest.mark.parametrize(("make", "rule", "message"), [row[1:] for row in ARCHIVES], ids=[row[0] for row in ARCHIVES])
def test_refused_with_a_clear_message_and_nothing_kept(
    tmp_path: Path, make: Callable[[], bytes], rule: str, message: str
) -> None:
    taken = take_in(make(), tmp_path / "doubles", slug="doubles")
    errors = [one for one in taken.findings if one.severity is Severity.ERROR]
    assert taken.package is None
    assert [one for one in errors if one.rule == rule and message in one.message], errors
    for one in errors:
        assert one.message[0].isupper() or one.message[0] == "`"
        assert one.message[-1] in ".?"
    assert all(one.why for one in taken.files if one.fate is not Fate.USED)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "where", "rule", "message"), [row[1:] for row in OLDER], ids=[row[0] for row in OLDER]
)
def test_older_packages_are_told_where(tmp_path: Path, changes: Changes, where: str, rule: str, message: str) -> None:
    errors = take_in(zipped(changes), tmp_path / "doubles", slug="doubles").findings
    assert where in {one.where for one in errors if one.rule == rule and message in one.message}, errors


@pytest.mark.parametrize(
    ("changes", "where", "rule", "message"), [row[1:] for row in OF_POLYGON], ids=[row[0] for row in OF_POLYGON]
)
def test_packages_of_polygon_are_told_where(
    tmp_path: Path, changes: Changes, where: str, rule: str, message: str
) -> None:
    errors = take_in(zipped(changes, of=POLYGON), tmp_path / "doubles", slug="doubles").findings
    assert where in {one.where for one in errors if one.rule == rule and message in one.message}, errors


@pytest.mark.parametrize("pack", [current, zipped], ids=["2025-09", "older"])
def test_of_what_is_no_yaml_only_that_is_told(tmp_path: Path, pack: Callable[[Changes], bytes]) -> None:
    taken = take_in(pack({"problem.yaml": "name: [\n"}), tmp_path / "bad22", slug="bad22")
    assert [(one.rule, one.severity) for one in taken.findings] == [("yaml", Severity.ERROR)]
    assert [file.name for file in taken.files] == [taken.findings[0].where]
