"""Each rule broken once: a package that is refused, and what its author is told."""

# ruff: noqa: E501 -- a row of the table is a line

from pathlib import Path

import pytest

from problems.package.model import Severity
from problems.package.read import read
from tests.problems.package.small import SCORING, Changes, problem, write

NO_SECRET: Changes = {"data/secret/01-two.in": None, "data/secret/01-two.ans": None}
GROUP: Changes = {**NO_SECRET, "data/secret/a/1.in": "1\n", "data/secret/a/1.ans": "2\n"}
STATIC: Changes = {"static_validator/x.py": "import sys\nsys.exit(42)\n"}


def yaml(more: str, *, without: str = "") -> Changes:
    return {"problem.yaml": problem(more, without=without)}


def scored(groups: dict[str, str]) -> Changes:
    """A scoring problem with a group `a`; `test` stands for `secret` itself."""
    texts = {
        f"data/secret/{name if name != 'test' else ''}/test_group.yaml".replace("//", "/"): text
        for name, text in groups.items()
    }
    return {**GROUP, "problem.yaml": SCORING, **texts}


BROKEN: list[tuple[str, Changes, str, str, str]] = [
    # problem.yaml
    ("no problem.yaml", {"problem.yaml": None}, "problem.yaml", "no-problem-yaml", "missing"),
    ("a folder further in", {"problem.yaml": None, "a/problem.yaml": "name: x\n"}, "problem.yaml", "no-problem-yaml", "There is one in `a/`: send that folder"),
    ("a ZIP further in", {"problem.yaml": None, "a.zip": "PK"}, "problem.yaml", "no-problem-yaml", "`a.zip` is an archive itself"),
    ("unknown key", yaml("licence: cc0"), "problem.yaml:8", "unknown-key", "did you mean `license`?"),
    ("unknown key of limits", yaml("  memroy: 5"), "problem.yaml:8", "unknown-key", "`limits.memroy`; did you mean `memory`?"),
    ("double key", yaml("uuid: again"), "problem.yaml:8", "double-key", "first on line 3"),
    ("no version", yaml("", without="problem_format"), "problem.yaml:1", "format-version", "missing"),
    ("old version", yaml("problem_format_version: legacy", without="problem_format"), "problem.yaml:7", "format-version", "only 2025-09"),
    ("no name", yaml("", without="name"), "problem.yaml:1", "missing-key", "`name` is missing"),
    ("no uuid", yaml("", without="uuid"), "problem.yaml:1", "missing-key", "`uuid` is missing"),
    ("name is a number", yaml("name: 2048", without="name"), "problem.yaml:7", "wrong-type", "put 2048 in quotes"),
    ("long name", yaml(f"name: {'x' * 5000}", without="name"), "problem.yaml:7", "one-line", "shorten it to at most 200"),
    ("NUL in a name", yaml('name: "a\\0b"', without="name"), "problem.yaml:7", "one-line", "remove the character U+0000"),
    ("name of two lines", yaml('name: {en: "a\\nb"}', without="name"), "problem.yaml:7", "one-line", "`name.en` must be one line"),
    ("name turned round", yaml('name: {en: "a\\u202Eb"}', without="name"), "problem.yaml:7", "one-line", "U+202E"),
    ("name isolated", yaml('name: "a\\u2067b"', without="name"), "problem.yaml:7", "one-line", "U+2067"),
    ("long uuid", yaml(f"uuid: {'x' * 65}", without="uuid"), "problem.yaml:7", "one-line", "shorten it to at most 64"),
    ("long author", yaml(f"credits: {'x' * 201}", without="credits"), "problem.yaml:7", "one-line", "`credits` has 201"),
    ("source of two lines", yaml('source: {name: "a\\nb"}'), "problem.yaml:8", "one-line", "`source` must be one line"),
    ("long keyword", yaml(f"keywords: [{'x' * 201}]"), "problem.yaml:8", "one-line", "`keywords` has 201"),
    ("bad language code", yaml("name: {English: X}", without="name"), "problem.yaml:7", "language-code", "`en` or `pt-BR`"),
    ("types in one string", yaml("type: pass-fail scoring"), "problem.yaml:8", "type", "[pass-fail, scoring]"),
    ("no such type", yaml("type: passfail"), "problem.yaml:8", "type", "did you mean `pass-fail`?"),
    ("types that exclude", yaml("type: [pass-fail, scoring]"), "problem.yaml:8", "type", "at once"),
    ("interactive", yaml("type: interactive"), "output_validator", "no-output-validator", "interactive need an output validator"),
    ("multi-pass", yaml("type: multi-pass"), "output_validator", "no-output-validator", "multi-pass need an output validator"),
    ("no such license", yaml("license: cc-by", without="license"), "problem.yaml:7", "wrong-type", "did you mean `cc by`?"),
    ("nobody's", yaml("", without="credits"), "problem.yaml:4", "rights", "rights_owner"),
    ("public and owned", yaml("license: public domain\nrights_owner: Me", without="license"), "problem.yaml:8", "rights", "remove"),
    ("person", yaml("credits: {authors: [{mail: x}]}", without="credits"), "problem.yaml:7", "person", "`Name <mail>`"),
    ("source", yaml("source: {url: x}"), "problem.yaml:8", "missing-key", "`name` is missing"),
    ("embargo", yaml("embargo_until: tomorrow"), "problem.yaml:8", "wrong-type", "2027-01-31"),
    ("keywords", yaml("keywords: graph search"), "problem.yaml:8", "wrong-type", "write [graph, search]"),
    ("no such language", yaml("languages: [pyhton3]"), "problem.yaml:8", "language-code", "did you mean `python3`?"),
    ("languages as word", yaml("languages: cpp"), "problem.yaml:8", "wrong-type", "list of codes"),
    ("flag", yaml("allow_file_writing: yes"), "problem.yaml:8", "wrong-type", "true or false"),
    ("constant", yaml("constants: {2x: 1}"), "problem.yaml:8", "constant", "cannot name a constant"),
    ("constant that is a list", yaml("constants: {x: [1, 2]}"), "problem.yaml:8", "wrong-type", "a number, a text, or a map"),
    ("constant without value", yaml("constants: {x: {tex: 1}}"), "problem.yaml:8", "constant", "no `value`"),
    ("no yaml", yaml("a: [1"), "problem.yaml:9", "yaml", "not YAML"),
    ("yaml object", yaml("a: !!python/object:os.system x"), "problem.yaml:8", "yaml-tag", "not allowed"),
    ("not utf-8", {"problem.yaml": b"name: x\nuuid: \xff\n"}, "problem.yaml:2", "not-utf8", "UTF-8"),
    ("a list", {"problem.yaml": "- a\n"}, "problem.yaml:1", "wrong-type", "must be a map"),
    ("deep yaml", {"problem.yaml": "a: " + "[" * 5000 + "\n"}, "problem.yaml:1", "yaml", "maximum nesting depth"),
    ("deeper than we go", {"problem.yaml": "a: " + "[" * 50 + "]" * 50 + "\n"}, "problem.yaml:1", "yaml", "too deeply"),
    ("two documents", yaml("---\na: 1"), "problem.yaml:8", "yaml", "second document"),
    ("key is a list", yaml("[a]: 1"), "problem.yaml:8", "yaml-key", "must be a word"),
    ("alias of nothing", yaml("a: *b"), "problem.yaml:8", "yaml", "stands for nothing"),
    ("large yaml", {"problem.yaml": "#" + "x" * 300_000 + "\n"}, "problem.yaml", "yaml-too-large", "256 KiB"),
    # limits
    ("no multiple", yaml("  time_resolution: 0.3"), "problem.yaml:7", "time-resolution", "no multiple"),
    ("time limit 0", yaml("  time_limit: 0", without="  time"), "problem.yaml:7", "wrong-type", "more than 0"),
    ("time limit nan", yaml("  time_limit: .nan", without="  time"), "problem.yaml:7", "wrong-type", "decimal digits"),
    ("time limit hex", yaml("  time_limit: 0x10", without="  time"), "problem.yaml:7", "wrong-type", "decimal digits"),
    ("half a MiB", yaml("  memory: 0.5"), "problem.yaml:8", "wrong-type", "whole number"),
    ("memory as text", yaml("  memory: 64M"), "problem.yaml:8", "wrong-type", "whole number"),
    ("more than we have", yaml("  memory: 1000000"), "problem.yaml:8", "wrong-type", "is too large: it may be at most"),
    ("far more", yaml(f"  memory: {'9' * 500}"), "problem.yaml:8", "wrong-type", "is too large: it may be at most"),
    ("empty name", yaml("name: ''", without="name"), "problem.yaml:7", "missing-key", "`name` is missing"),
    ("one pass", yaml("  validation_passes: 1"), "problem.yaml:8", "wrong-type", "from 2 to"),
    ("multiplier", yaml("  time_multipliers: {ac_to_time_limit: 0.5}"), "problem.yaml:8", "wrong-type", "at least 1"),
    # what must be there
    ("no statement", {"statement/problem.en.md": None}, "statement", "no-statement", "problem.en.md"),
    ("statement without name", {"statement/problem.de.md": "x\n"}, "statement/problem.de.md", "name-languages", "has no de"),
    ("name without statement", yaml("name: {en: A, ro: B}", without="name"), "problem.yaml", "name-languages", "problem.ro.md"),
    ("statement language", {"statement/problem.EN.md": "x\n"}, "statement/problem.EN.md", "language-code", "no code"),
    ("statement in another code", {"statement/problem.en.md": b"x\n\xff\xfe\n"}, "statement/problem.en.md:2", "not-utf8", "UTF-8"),
    ("statement with a NUL", {"statement/problem.en.md": b"x\0\n"}, "statement/problem.en.md:1", "not-utf8", "UTF-8"),
    ("empty statement", {"statement/problem.en.md": " \n"}, "statement/problem.en.md", "no-text", "nothing in it"),
    ("endless statement", {"statement/problem.en.md": "x" * (1 << 20) + "\n"}, "statement/problem.en.md", "too-long", "1024 KiB"),
    ("hint in another code", {"palfrey/mutants/m/hint.en.md": b"\xe4\n", "palfrey/mutants/m/x.py": "\n"}, "palfrey/mutants/m/hint.en.md:1", "not-utf8", "UTF-8"),
    ("no secret case", NO_SECRET, "data/secret", "no-secret-case", "nothing would be judged"),
    ("no accepted", {"submissions/accepted/double.py": None}, "submissions/accepted", "no-accepted", "right solution"),
    ("no input validator", {"input_validators/digits.py": None}, "input_validators", "no-input-validator", "exits with 42"),
    ("only a grammar", {"input_validators/digits.py": None, "input_validators/x.viva": "\n"}, "input_validators/x.viva", "not-run", "in Checktestdata (`.ctd`), Python or C++"),
    ("static validator of answers", {**yaml("type: submit-answer"), "static_validator/x.py": "\n", "data/secret/test_group.yaml": "static_validation_score: pass-fail\n"}, "static_validator/x.py", "static-validation", "no program to look at"),
    ("static validator missing", {"data/secret/test_group.yaml": "static_validation_score: pass-fail\n"}, "data/secret", "static-validation", "needs a program in `static_validator/`"),
    ("static validator in Java", {"static_validator/X.java": "\n", "data/secret/test_group.yaml": "static_validation_score: pass-fail\n"}, "static_validator/X.java", "program-form", "Cannot be started"),
    ("two output validators", {"output_validator/a.py": "\n", "output_validator/b.py": "\n"}, "output_validator", "several-programs", "a.py, b.py"),
    ("no program", {"output_validator/notes.txt": "\n"}, "output_validator/notes.txt", "program-form", "Cannot be started"),
    # test cases
    ("no answer", {"data/secret/01-two.ans": None}, "data/secret/01-two.in", "case-without-answer", "`01-two.ans`"),
    ("no input", {"data/secret/01-two.in": None}, "data/secret/01-two", "case-without-input", "no `01-two.in`"),
    ("no output", {"data/valid_output/x.in": "1\n", "data/valid_output/x.ans": "2\n"}, "data/valid_output/x.in", "case-without-output", "`x.out`"),
    ("case setting", {"data/secret/01-two.yaml": "hnit: x\n"}, "data/secret/01-two.yaml:1", "unknown-key", "did you mean `hint`?"),
    ("args as text", {"data/secret/01-two.yaml": "args: -n 5\n"}, "data/secret/01-two.yaml:1", "wrong-type", "write [-n, 5]"),
    ("no such validator", {"data/secret/01-two.yaml": "input_validator_args: {x: [a]}\n"}, "data/secret/01-two.yaml:1", "no-such-validator", "`x`"),
    ("validator option", {"data/secret/01-two.yaml": "output_validator_args: [case_insensitive]\n"}, "data/secret/01-two", "output-validator-args", "did you mean `case_sensitive`?"),
    ("two pictures", {"data/sample/1.png": b"x", "data/sample/1.svg": b"x"}, "data/sample/1", "case-files", "keep one"),
    ("statement only", {"data/sample/1.in.statement": "x\n"}, "data/sample/1", "case-files", "add `.in.download`"),
    ("download only", {"data/sample/1.ans.download": "x\n"}, "data/sample/1", "case-files", "give both or none"),
    ("case and folder", {"data/secret/01-two/x.in": "\n", "data/secret/01-two/x.ans": "\n"}, "data/secret/01-two", "case-and-folder", "same name"),
    ("upper and lower", {"data/secret/01-TWO.in": "\n", "data/secret/01-TWO.ans": "\n"}, "data/secret/01-two.in", "case-collision", "01-TWO.in"),
    # groups
    ("scores without scoring", {**GROUP, "data/secret/a/test_group.yaml": "max_score: 5\n"}, "data/secret/a/test_group.yaml:1", "group-key", "type: scoring"),
    ("score of samples", {"problem.yaml": SCORING, "data/sample/test_group.yaml": "max_score: 5\n"}, "data/sample/test_group.yaml:1", "group-key", "never score"),
    ("group key", {**GROUP, "data/secret/a/test_group.yaml": "grading: custom\n"}, "data/secret/a/test_group.yaml:1", "unknown-key", "`grading`"),
    ("empty group", {"data/secret/a/test_group.yaml": "", **NO_SECRET, "data/secret/b/test_group.yaml": "", "data/secret/b/1.in": "", "data/secret/b/1.ans": ""}, "data/secret/a/test_group.yaml", "empty-group", "has no case"),
    ("group and cases", {"data/secret/a/test_group.yaml": "", "data/secret/a/1.in": "", "data/secret/a/1.ans": ""}, "data/secret/01-two", "groups-or-cases", "move it"),
    ("group in a group", {**GROUP, "data/secret/a/b/test_group.yaml": ""}, "data/secret/a/b/test_group.yaml", "group-place", "directly"),
    ("later group", {**GROUP, "problem.yaml": SCORING, "data/secret/a/test_group.yaml": "require_pass: secret/b\n"}, "data/secret/a/test_group.yaml", "require-pass", "no group before it"),
    ("group by its last name", {**GROUP, "problem.yaml": SCORING, "data/secret/a/test_group.yaml": "max_score: 50\n", "data/secret/b/1.in": "1\n", "data/secret/b/1.ans": "2\n", "data/secret/b/test_group.yaml": "max_score: 50\nrequire_pass: a\n"}, "data/secret/b/test_group.yaml", "require-pass", "write `secret/a`"),
    ("group without bound", scored({"a": "score_aggregation: sum\n"}), "data/secret/a", "unbounded", "Needs a `max_score`"),
    ("group worth nothing", scored({"a": "", "test": "max_score: unbounded\n"}), "data/secret/a", "unbounded", "what is it worth?"),
    ("all or nothing of what", scored({"a": "", "test": "max_score: unbounded\nscore_aggregation: pass-fail\n"}), "data/secret", "unbounded", "All or nothing"),
    ("sum within all or nothing", scored({"a": "score_aggregation: sum\n", "test": "score_aggregation: pass-fail\n"}), "data/secret/a", "group-aggregation", "must be as well"),
    ("groups worth too much", scored({"a": "max_score: 101\n"}), "data/secret", "score-sum", "worth 101, more than its own 100"),
    ("negative score", {**GROUP, "problem.yaml": SCORING, "data/secret/a/test_group.yaml": "max_score: -1\n"}, "data/secret/a/test_group.yaml:1", "wrong-type", "0 or more"),
    ("static score of pass-fail", {**STATIC, "data/secret/test_group.yaml": "static_validation_score: 5\n"}, "data/secret/test_group.yaml:1", "static-validation", "write `pass-fail`"),
    ("static pass-fail of a sum", {**STATIC, **GROUP, "problem.yaml": SCORING, "data/secret/a/test_group.yaml": "max_score: 100\nscore_aggregation: sum\nstatic_validation_score: pass-fail\n"}, "data/secret/a/test_group.yaml:3", "static-validation", "here it is sum"),
    ("static score below 0", {**STATIC, "problem.yaml": SCORING, "data/secret/test_group.yaml": "static_validation_score: -1\n"}, "data/secret/test_group.yaml:1", "wrong-type", "0 or more"),
    ("static score above all", {**STATIC, "problem.yaml": SCORING, "data/secret/test_group.yaml": "static_validation_score: 101\n"}, "data/secret", "static-validation", "more than its 100"),
    ("static of secret with groups", {**STATIC, **GROUP, "problem.yaml": SCORING, "data/secret/a/test_group.yaml": "max_score: 100\n", "data/secret/test_group.yaml": "static_validation_score: 5\n"}, "data/secret", "static-validation", "give one of them"),
    ("static arguments alone", {**STATIC, "data/secret/test_group.yaml": "static_validator_args: [a]\n"}, "data/secret/test_group.yaml:1", "static-validation", "add `static_validation_score`"),
    ("static score of samples", {**STATIC, "problem.yaml": SCORING, "data/sample/test_group.yaml": "static_validation_score: 5\n"}, "data/sample/test_group.yaml:1", "static-validation", "write `pass-fail`"),
    # older formats
    ("old validators", {"output_validators/v/check.py": "\n"}, "output_validators", "older-format", "`output_validator/`"),
    ("old statement", {"problem_statement/problem.en.tex": "\n"}, "problem_statement", "older-format", "`statement/`"),
    ("old groups", {"data/secret/testdata.yaml": "\n"}, "data/secret/testdata.yaml", "older-format", "`test_group.yaml`"),
    # mutants
    ("mutant without hint", {"palfrey/mutants/x/a.py": "\n"}, "palfrey/mutants/x", "mutant", "`hint.en.md`"),
    ("mutant without program", {"palfrey/mutants/x/hint.en.md": "x\n"}, "palfrey/mutants/x", "mutant", "exactly one program"),
    ("mutant as file", {"palfrey/mutants/x.py": "\n"}, "palfrey/mutants/x.py", "mutant", "a folder"),
    # submissions.yaml
    ("rule key", {"submissions/submissions.yaml": "accepted:\n  permited: [AC]\n"}, "submissions/submissions.yaml:2", "unknown-key", "did you mean `permitted`?"),
    ("rule of a group by its last name", {"submissions/submissions.yaml": "accepted:\n  a: {permitted: [AC]}\n"}, "submissions/submissions.yaml:2", "unknown-key", "named in whole"),
    ("no such verdict", {"submissions/submissions.yaml": "accepted:\n  permitted: [OK]\n"}, "submissions/submissions.yaml:2", "verdict", "AC, WA"),
    ("two stars", {"submissions/submissions.yaml": "'**/x.py': {permitted: [AC]}\n"}, "submissions/submissions.yaml:1", "glob", "only"),
    ("brace bomb", {"submissions/submissions.yaml": "'" + "{a,b}" * 12 + "': {permitted: [AC]}\n"}, "submissions/submissions.yaml:1", "glob", "too many"),
    ("contradiction", {"submissions/submissions.yaml": "accepted/*: {permitted: [WA]}\n"}, "submissions/accepted/double.py", "expectation", "contradict"),
    ("impossible", {"submissions/submissions.yaml": "accepted/*: {required: [WA]}\n"}, "submissions/accepted/double.py", "expectation", "contradict each other"),
    ("score range", {"submissions/submissions.yaml": "accepted/*: {score: [9, 1]}\n"}, "submissions/submissions.yaml:1", "wrong-type", "[lowest, highest]"),
    ("rule language", {"submissions/submissions.yaml": "accepted/*: {language: C++}\n"}, "submissions/submissions.yaml:1", "language-code", "C++"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "where", "rule", "message"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN]
)
def test_refused(tmp_path: Path, changes: Changes, where: str, rule: str, message: str) -> None:
    reading = read(write(tmp_path, changes))
    assert reading.package is None
    errors = [one for one in reading.findings if one.severity is Severity.ERROR]
    assert [one for one in errors if (one.where, one.rule) == (where, rule) and message in one.message], errors
    for one in errors:
        assert one.message[0].isupper() or one.message[0] == "`"
        assert one.message[-1] in ".?"
        assert ".." not in one.message[-2:]


def test_the_name_of_a_package(tmp_path: Path) -> None:
    root = write(tmp_path).rename(tmp_path / "Doubles")
    (finding,) = read(root).findings
    assert finding.rule == "package-name"
    assert read(tmp_path / "none").findings[0].rule == "no-folder"


def test_an_alias_bomb_is_refused_quickly(tmp_path: Path) -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [" + f"*a{n - 1}, " * 9 + "]\n" for n in range(1, 12))
    reading = read(write(tmp_path, {"problem.yaml": bomb}))
    assert [one.rule for one in reading.findings] == ["yaml-too-large"]


def test_findings_are_bounded_and_an_error_is_never_lost(tmp_path: Path) -> None:
    changes: dict[str, str | None] = {f"data/secret/bad name {n}": "x" for n in range(1100)}
    changes["uuid.yaml"] = "x\n"
    changes["problem.yaml"] = problem("", without="uuid")
    reading = read(write(tmp_path, changes))
    assert reading.package is None
    assert len(reading.findings) == 1002
    assert reading.findings[-2].rule == "missing-key"
    assert "more findings" in reading.findings[-1].message


@pytest.mark.parametrize(
    "changes",
    [
        yaml("name: 12", without="name"),
        yaml("name: ''", without="name"),
        yaml("", without="name"),
        yaml("credits: {autors: Ada}", without="credits"),
        scored({"a": "max_score: 1.5\nscore_aggregation: pass-fail\n"}),
        scored({"a": "max_score: -1\nscore_aggregation: pass-fail\n"}),
        scored({"test": "max_score: x\n", "a": "max_score: 5\nscore_aggregation: pass-fail\n"}),
    ],
)
def test_one_fault_is_told_once(changes: Changes, tmp_path: Path) -> None:
    found = [one.message for one in read(write(tmp_path, changes)).findings if one.severity is Severity.ERROR]
    assert len(found) == 1, found
