"""What is written is read again as the same, in either format; what the older one cannot say is told."""

# ruff: noqa: E501 -- a row of the table is a line

from pathlib import Path

import pytest

from problems.package.archive import pack
from problems.package.compare import Made, differences
from problems.package.model import Package, Severity
from problems.package.read import read
from problems.package.takein import Format, take_in
from problems.package.write import write, write_legacy
from tests.problems.package.small import SCORING, Changes, problem
from tests.problems.package.small import write as written

NO_SECRET: Changes = {"data/secret/01-two.in": None, "data/secret/01-two.ans": None}
CHECK = "import sys\nsys.exit(42 if sys.stdin.read() else 43)\n"
STATIC: Changes = {"static_validator/look.py": CHECK}
GENERATED: Changes = {
    **NO_SECRET,
    "generators/generators.yaml": (
        "data:\n  sample: {data: {two: {in: '2', ans: '4', yaml: {hint: Think.}}}}\n"
        "  secret:\n    test_group.yaml: {output_validator_args: [case_sensitive]}\n"
        "    data: {made: walk.py 5, placed: {in: '7'}}\n"
    ),
    "generators/walk.py": "import sys\nprint(sys.argv[1])\n",
}
GROUPS: Changes = {
    **NO_SECRET,
    "problem.yaml": SCORING,
    "data/secret/test_group.yaml": "max_score: 100\n",
    **{f"data/secret/{name}{ending}": "1\n" for name in ("a/1", "a/2", "a/3", "b/1") for ending in (".in", ".ans")},
    "data/secret/a/test_group.yaml": "max_score: 40\nscore_aggregation: sum\n",
    "data/secret/b/test_group.yaml": "max_score: 60\noutput_validator_args: [case_sensitive]\n",
}
BOTH: list[tuple[str, Changes]] = [
    ("nothing special", {}),
    ("generated", GENERATED),
    ("groups", GROUPS),
    ("own validator", {"output_validator/check.py": CHECK, "data/secret/test_group.yaml": "output_validator_args: [a, b]\n"}),
    ("validator of several files", {"output_validator/check/check.py": CHECK, "output_validator/check/part.txt": "x"}),
    ("limits", {"problem.yaml": problem("  memory: 64\n  output: 2\n  code: 10\n  validation_time: 9")}),
    ("credits", {"problem.yaml": problem("credits: {authors: [Ada, Bo], testers: Cy}\nsource: A contest\nkeywords: [a, b]", without="credits")}),
    ("names", {"problem.yaml": problem("name: {en: Doubles, de: Doppelt}", without="name"), "statement/problem.de.md": "x\n"}),
    ("probes", {f"data/invalid_output/x.{ending}": "1\n" for ending in ("in", "ans", "out")}),
    ("hints", {"data/secret/01-two.yaml": "hint: Think.\ndescription: 'Small: two.'\n"}),
    ("rules", {"submissions/time_limit_exceeded/a.py": "x", "submissions/run_time_error/b.py": "x"}),
    ("their rules", {"submissions/submissions.yaml": "wrong_answer: {permitted: [WA, AC], required: [WA], message: no}\n"}),
    ("mutants", {"palfrey/mutants/x/a.py": "x", "palfrey/mutants/x/hint.en.md": "x\n"}),
    ("include and attachments", {"include/default/a.txt": "x", "attachments/b.txt": "x"}),
    ("pictures", {"data/sample/1.png": b"\x89PNG"}),
]  # fmt: skip
CURRENT: list[tuple[str, Changes]] = [
    ("only shown", {"data/sample/2.interaction": "<1\n>2\n", "data/sample/2.in.download": "", "data/sample/2.ans.download": ""}),
    ("arguments and files", {"data/secret/01-two.yaml": "args: [-x, '5']\n", "data/secret/01-two.files/map.txt": "x"}),
    ("shown otherwise", {"data/sample/1.in.statement": "x\n", "data/sample/1.in.download": "y\n"}),
    ("requirements", {**GROUPS, "data/secret/b/test_group.yaml": "max_score: 60\nrequire_pass: sample\n"}),
    ("static validator", {**STATIC, "data/secret/test_group.yaml": "static_validation_score: pass-fail\nstatic_validator_args: [a, '5']\n"}),
    ("static validator listed", {**STATIC, **GENERATED, "generators/generators.yaml": "data:\n  secret:\n    test_group.yaml: {static_validation_score: pass-fail, static_validator_args: [a]}\n    data: {placed: {in: '7', ans: '14'}}\n"}),
    ("static validator with points", {**GROUPS, **STATIC, "data/secret/a/test_group.yaml": "max_score: 40\nscore_aggregation: sum\nstatic_validation_score: 4\n"}),
    ("constants", {"problem.yaml": problem("constants: {two: 2}"), "submissions/accepted/double.py": "print({{two}} * int(input()))\n"}),
    ("languages", {"problem.yaml": problem("languages: [cpp, python3]")}),
    ("two languages of cases", {"data/secret/01-two.yaml": "output_validator_args: [case_sensitive]\n", "data/secret/02.in": "1\n", "data/secret/02.ans": "2\n"}),
]  # fmt: skip


def package(folder: Path, changes: Changes) -> Package:
    found = read(written(folder, changes)).package
    assert found is not None
    return found


def built(found: Package, into: Path) -> dict[str, Made]:
    """Inputs and answers for the cases that leave them to be made: what they are does not matter here."""
    made: dict[str, Made] = {}
    for case in found.cases:
        path = into / case.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".in").write_text(f"{case.name}\n")
        path.with_suffix(".ans").write_text("5\n")
        made[case.name] = Made(input=path.with_suffix(".in"), answer=path.with_suffix(".ans"))
    return made


def again(folder: Path) -> Package:
    taken = take_in(pack(folder), folder.parent / "again", slug="doubles")
    assert [one for one in taken.findings if one.severity is Severity.ERROR] == []
    assert taken.package is not None
    return taken.package


ROWS = [*BOTH, *CURRENT]


@pytest.mark.parametrize("changes", [row[1] for row in ROWS], ids=[row[0] for row in ROWS])
def test_2025_09_is_read_again_as_the_same(tmp_path: Path, changes: Changes) -> None:
    found = package(tmp_path / "given", changes)
    made = built(found, tmp_path / "made")
    write(found, tmp_path / "doubles", made=made)
    other = again(tmp_path / "doubles")
    assert all(case.input is not None and case.answer is not None for case in other.cases)
    assert differences(found, other, made=made) == []


@pytest.mark.parametrize("changes", [row[1] for row in BOTH], ids=[row[0] for row in BOTH])
def test_legacy_is_read_again_as_the_same(tmp_path: Path, changes: Changes) -> None:
    found = package(tmp_path / "given", changes)
    made = built(found, tmp_path / "made")
    told = write_legacy(found, tmp_path / "doubles", made=made)
    assert told == ()
    assert (tmp_path / "doubles/problem_statement/problem.en.md").is_file()
    other = again(tmp_path / "doubles")
    assert take_in(tmp_path / "doubles", tmp_path / "third", slug="doubles").format is Format.OLDER
    assert differences(found, other, made=made) == []


LOST = [
    (row, "error")
    for row in CURRENT
    if row[0].startswith(("arguments and", "requirements", "two languages", "static validator"))
]
LOST += [(row, "notice") for row in CURRENT if row[0] == "languages"]


@pytest.mark.parametrize(
    ("changes", "severity"), [(row[1], said) for row, said in LOST], ids=[row[0] for row, _ in LOST]
)
def test_what_legacy_cannot_say_is_told(tmp_path: Path, changes: Changes, severity: str) -> None:
    found = package(tmp_path / "given", changes)
    told = write_legacy(found, tmp_path / "doubles", made=built(found, tmp_path / "made"))
    assert {one.severity for one in told} == {severity}
    assert (tmp_path / "doubles").exists() == (severity != "error")


def test_strict_leaves_our_folder_out(tmp_path: Path) -> None:
    found = package(tmp_path / "given", {"palfrey/mutants/x/a.py": "x", "palfrey/mutants/x/hint.en.md": "x\n"})
    write(found, tmp_path / "one", made={}, strict=True)
    write_legacy(found, tmp_path / "two", made={}, strict=True)
    assert not (tmp_path / "one/palfrey").exists()
    assert not (tmp_path / "two/palfrey").exists()


def test_static_validation_is_written_for_who_does_not_read_our_listing(tmp_path: Path) -> None:
    (changes,) = (row[1] for row in CURRENT if row[0] == "static validator listed")
    found = package(tmp_path / "given", changes)
    write(found, tmp_path / "doubles", made=built(found, tmp_path / "made"))
    text = (tmp_path / "doubles/data/secret/test_group.yaml").read_text()
    assert text == "static_validation_score: pass-fail\nstatic_validator_args:\n- a\n"
