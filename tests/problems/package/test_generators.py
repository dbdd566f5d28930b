"""generators.yaml: which cases it lists, with which arguments and seeds."""

import hashlib
from pathlib import Path

import pytest

from problems.package.generators import seed_of
from problems.package.model import Package, Severity
from problems.package.read import read
from tests.problems.package.small import Changes, problem, write

NOTHING_MADE: Changes = {"data/secret/01-two.in": None, "data/secret/01-two.ans": None}


def listed(folder: Path, yaml: str, changes: Changes | None = None) -> Package:
    more: Changes = {**NOTHING_MADE, "generators/walk.py": "\n", "generators/generators.yaml": yaml, **(changes or {})}
    reading = read(write(folder, more))
    assert [one for one in reading.findings if one.severity is Severity.ERROR] == []
    assert reading.package is not None
    return reading.package


def test_the_seed_is_a_function_of_the_command() -> None:
    digest = int(hashlib.sha512(b"saltwalk.py {seed}").hexdigest(), 16)
    assert seed_of("  walk.py {seed}\n", salt="salt") == digest % 2**31
    assert seed_of("walk.py {seed}", repetition=3) == int(hashlib.sha512(b":2walk.py {seed}").hexdigest(), 16) % 2**31


def test_commands_texts_and_copies(tmp_path: Path) -> None:
    yaml = """\
solution: /submissions/accepted/double.py
version: 2025-12
data:
  secret:
    data:
      b-walk: walk.py --lines 10 'two words' {seed:2}
      a-fixed: walk.py 5
      c-typed: {in: "7", ans: '14', yaml: {hint: seven}}
      d-copied: {copy: by-hand/nine}
      e-both: {generate: walk.py 3, ans: "6\\n"}
"""
    changes: Changes = {
        "generators/by-hand/nine.in": "9\n",
        "generators/by-hand/nine.ans": "18\n",
        "generators/by-hand/nine.files/map": "m\n",
    }
    package = listed(tmp_path, yaml, changes)
    fixed, walk, typed, copied, both = package.cases[1:]
    assert [case.name for case in package.cases[1:]] == [
        "secret/a-fixed", "secret/b-walk", "secret/c-typed", "secret/d-copied", "secret/e-both",
    ]  # fmt: skip
    assert fixed.provenance is not None
    assert (fixed.provenance.generator, fixed.provenance.arguments, fixed.provenance.seed) == ("walk.py", ("5",), None)
    seed = seed_of("walk.py --lines 10 'two words' {seed:2}")
    assert walk.provenance is not None
    assert walk.provenance.arguments == ("--lines", "10", "two words", str(seed))
    assert (walk.provenance.seed, walk.input, walk.answer) == (seed, None, None)
    assert (typed.input_text, typed.answer_text, typed.settings.hint) == (b"7\n", b"14\n", "seven")
    assert copied.input == package.root / "generators/by-hand/nine.in"
    assert copied.files == {"map": package.root / "generators/by-hand/nine.files/map"}
    assert both.provenance is not None
    assert both.answer_text == b"6\n"
    assert package.model_solution.program.name == "submissions/accepted/double.py"
    assert package.model_solution.model_solution
    assert list(package.generators) == ["walk.py"]


def test_constants_stand_in_commands_and_generators_and_not_in_data(tmp_path: Path) -> None:
    yaml = """\
data:
  secret:
    data:
      a: walk.py {{most}}
      b: {in: "{{most}}"}
"""
    changes: Changes = {"problem.yaml": problem("constants: {most: 17}"), "generators/walk.py": "print({{most}})\n"}
    package = listed(tmp_path, yaml, changes)
    made, typed = package.cases[1:]
    assert made.provenance is not None
    assert made.provenance.arguments == ("17",)
    assert package.generators["walk.py"].files["walk.py"] == b"print(17)\n"
    assert typed.input_text == b"{{most}}\n"


def test_lists_number_their_cases_and_count_repeats_them(tmp_path: Path) -> None:
    yaml = """\
random_salt: pepper
data:
  secret:
    data:
    - small: walk.py {seed}
    - many: {generate: "walk.py {count} {seed}", count: 8..=10}
    - '': {in: '1', ans: '2'}
    - salted: {generate: "walk.py {seed}", random_salt: other}
"""
    package = listed(tmp_path, yaml)
    cases = {case.name.removeprefix("secret/"): case.provenance for case in package.cases[1:]}
    assert list(cases) == ["1-small", "2-many-08", "3-many-09", "4-many-10", "5", "6-salted"]
    seeds = {name: provenance.seed for name, provenance in cases.items() if provenance}
    assert seeds == {
        "1-small": seed_of("walk.py {seed}", salt="pepper"),
        "2-many-08": seed_of("walk.py 8 {seed}", salt="pepper", repetition=8),
        "3-many-09": seed_of("walk.py 9 {seed}", salt="pepper", repetition=9),
        "4-many-10": seed_of("walk.py 10 {seed}", salt="pepper", repetition=10),
        "6-salted": seed_of("walk.py {seed}", salt="other"),
    }


def test_groups_may_be_listed_and_cases_included(tmp_path: Path) -> None:
    yaml = """\
data:
  sample: {data: {}}
  secret:
    data:
      one:
        test_group.yaml: {max_score: 40, output_validator_args: [case_sensitive]}
        data: {tiny: walk.py 1, typed: {in: '1', ans: '2'}}
      two:
        test_group.yaml: {max_score: 60}
        include: [one]
        data: {large: walk.py 9}
"""
    package = listed(tmp_path, yaml, {"problem.yaml": problem("type: scoring")})
    assert [(group.name, group.max_score) for group in package.groups[1:]] == [
        ("secret", 100), ("secret/one", 40), ("secret/two", 60),
    ]  # fmt: skip
    assert [(case.name, case.settings.output_validator_args) for case in package.cases[1:]] == [
        ("secret/one/tiny", ("case_sensitive",)),
        ("secret/one/typed", ("case_sensitive",)),
        ("secret/two/large", ()),
        ("secret/two/tiny", ()),
        ("secret/two/typed", ()),
    ]


def test_what_stands_in_data_goes_before_what_is_listed(tmp_path: Path) -> None:
    yaml = "data: {secret: {data: {x: walk.py 1, y: walk.py 2}}}\n"
    package = listed(tmp_path, yaml, {"data/secret/x.in": "5\n", "data/secret/x.ans": "10\n"})
    x, y = package.cases[1:]
    assert (x.input, x.answer) == (package.root / "data/secret/x.in", package.root / "data/secret/x.ans")
    assert x.provenance is not None  # an exported package has both, and where a case came from stays known
    assert (y.input, y.provenance is not None) == (None, True)
    told = [(one.where, one.message) for one in read(package.root).findings if one.rule == "stored-and-listed"]
    assert [where for where, _ in told] == ["generators/generators.yaml:1"]
    assert "`data/secret/x.in` is listed here and lies in the package as well (such files: 1)" in told[0][1]


def test_a_generator_put_together_from_several_files(tmp_path: Path) -> None:
    yaml = "generators: {maker: [walk.py, lib/help.py]}\ndata: {secret: {data: {x: maker 1}}}\n"
    package = listed(tmp_path, yaml, {"generators/lib/help.py": "help\n"})
    assert list(package.generators["maker"].files) == ["walk.py", "help.py"]


BROKEN = [
    ("x: nowhere.py 1", "no-such-generator", "no generator `generators/nowhere.py`"),
    ("x: /etc/passwd", "command", "below `generators/`"),
    ("x: ../submissions/accepted/double.py", "command", "below `generators/`"),
    ("x: walk.py {seed} {seed}", "command", "only once"),
    ("x: walk.py 'open", "command", "quote"),
    ("x:", "wrong-type", "is empty"),
    ("x: [walk.py]", "wrong-type", "a command or a map"),
    ("x: {copy: nowhere}", "no-such-file", "no such `.in`"),
    ("x: {copy: ../../outside}", "no-such-file", "no such `.in`"),
    ("x: {ans: '1'}", "case-without-input", "give `generate`, `copy` or `in`"),
    ("x: {generate: walk.py, count: 101}", "count", "up to 100"),
    ("x: {generate: walk.py, count: [1, 1]}", "count", "different"),
    ("x: {generate: walk.py, counts: 2}", "unknown-key", "did you mean `x.count`?"),
    ("x: {generate: walk.py, in.statement: {link: in}}", "link", "in place"),
    ("x/y: walk.py 1", "name", "cannot name a case"),
    ("test_group: walk.py 1", "name", "cannot name a case"),
    ("x: {dta: {y: walk.py}}", "unknown-key", "did you mean `x.data`?"),
]


@pytest.mark.parametrize(("entry", "rule", "message"), BROKEN, ids=[row[0] for row in BROKEN])
def test_refused_with_its_line(tmp_path: Path, entry: str, rule: str, message: str) -> None:
    yaml = f"data:\n  secret:\n    data:\n      good: walk.py 1\n      {entry}\n"
    reading = read(write(tmp_path, {"generators/walk.py": "\n", "generators/generators.yaml": yaml}))
    assert reading.package is None
    found = [one for one in reading.findings if one.rule == rule]
    assert found
    assert found[0].where == "generators/generators.yaml:5"
    assert message.replace("x.", "") in found[0].message.replace("x.", "")


@pytest.mark.parametrize(
    ("yaml", "rule"),
    [
        ("data: {secrets: {data: {}}}", "unknown-key"),
        ("solution: submissions/accepted/double.py", "wrong-type"),
        ("solution: /submissions/accepted/none.py", "no-such-solution"),
        ("data: {secret: {data: [{a: walk.py, b: walk.py}]}}", "wrong-type"),
        ("data: {secret: {include: [none], data: {x: walk.py}}}", "include"),
        ("generators: {g: [none.py]}\ndata: {secret: {data: {x: g 1}}}", "no-such-generator"),
        ("data: {valid_output: {data: {x: walk.py}}}", "case-without-output"),
    ],
)
def test_other_faults_of_the_listing(tmp_path: Path, yaml: str, rule: str) -> None:
    reading = read(write(tmp_path, {"generators/walk.py": "\n", "generators/generators.yaml": yaml + "\n"}))
    assert reading.package is None
    assert rule in [one.rule for one in reading.findings if one.severity is Severity.ERROR]


def test_a_whole_folder_may_be_included(tmp_path: Path) -> None:
    yaml = """\
data:
  sample: {data: {one: {in: '1', ans: '2'}}}
  secret: {include: [sample], data: {two: {in: '2'}}}
"""
    names = [case.name for case in listed(tmp_path, yaml).cases]
    assert {"sample/one", "secret/one", "secret/two"} <= set(names)
