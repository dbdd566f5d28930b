"""What a good package reads as."""

from decimal import Decimal
from pathlib import Path

import pytest

from problems.package.model import Aggregation, Package, ProblemType, Severity
from problems.package.read import read
from tests.problems.package.small import FILES, SCORING, VALIDATOR, Changes, problem, write


def good(folder: Path, changes: Changes | None = None) -> Package:
    reading = read(write(folder, changes))
    assert [one for one in reading.findings if one.severity is Severity.ERROR] == []
    assert reading.package is not None
    return reading.package


def test_a_small_package_reads_whole_and_silently(tmp_path: Path) -> None:
    reading = read(write(tmp_path))
    assert reading.findings == ()
    package = reading.package
    assert package is not None
    assert (package.slug, package.names) == ("doubles", {"en": "Doubles"})
    assert package.types == {ProblemType.PASS_FAIL}
    assert package.limits.time_seconds == 1.0
    assert (package.limits.memory_bytes, package.limits.output_bytes, package.limits.code_bytes) == (
        2048 << 20,
        8 << 20,
        128 << 10,
    )
    assert [group.name for group in package.groups] == ["sample", "secret"]
    assert [(case.name, case.group) for case in package.cases] == [("sample/1", "sample"), ("secret/01-two", "secret")]
    assert package.cases[1].input == package.root / "data/secret/01-two.in"
    assert package.cases[1].answer == package.root / "data/secret/01-two.ans"
    assert [case.settings.full_feedback for case in package.cases] == [True, False]
    assert package.statements == {"en": package.root / "statement/problem.en.md"}
    assert package.credits == ("Ada Example",)
    assert package.output_validator is None
    assert package.input_validators[0].files == {"digits.py": VALIDATOR.encode()}
    accepted, wrong = package.examples
    assert (accepted.program.name, accepted.permitted, accepted.required) == (
        "submissions/accepted/double.py",
        frozenset({"AC"}),
        frozenset(),
    )
    assert (wrong.permitted, wrong.required) == (frozenset({"AC", "WA"}), frozenset({"WA"}))
    assert package.model_solution is accepted


def test_where_no_program_is_sent_no_time_limit_is_asked_for(tmp_path: Path) -> None:
    """Answers run nowhere: whoever leaves the limit out of such a problem is not told to measure one."""
    answers: Changes = {
        "problem.yaml": problem("type: submit-answer", without="limits").replace("  time_limit: 1\n", ""),
        "submissions/accepted/double.py": None,
        "submissions/wrong_answer/same.py": None,
        "submissions/accepted/mine/01-two.out": "4\n",
    }
    reading = read(write(tmp_path / "answers", answers))
    assert reading.findings == ()
    assert reading.package is not None
    assert reading.package.limits.time_stated
    programs = read(
        write(tmp_path / "programs", {"problem.yaml": problem(without="limits").replace("  time_limit: 1\n", "")})
    )
    assert programs.package is not None
    assert not programs.package.limits.time_stated


def test_limits_are_exact_in_bytes_and_seconds(tmp_path: Path) -> None:
    limits = (
        "  time_resolution: 0.1\n  memory: 64\n  output: 1\n  code: 16\n  compilation_time: 7\n  validation_memory: 100"
    )
    text = problem(limits).replace("time_limit: 1", "time_limit: 0.3")
    package = good(tmp_path, {"problem.yaml": text})
    assert package.limits.time_seconds == float(Decimal("0.3"))
    assert package.limits.memory_bytes == 64 << 20
    assert package.limits.output_bytes == 1 << 20
    assert package.limits.code_bytes == 16 << 10
    assert package.limits.compile_seconds == 7
    assert package.limits.validation_memory_bytes == 100 << 20


def test_norwegian_is_a_language_and_not_false(tmp_path: Path) -> None:
    text = problem("name:\n  no: Dobbelt\n  pt-BR: Dobros", without="name")
    changes: Changes = {
        "problem.yaml": text,
        "statement/problem.en.md": None,
        "statement/problem.no.md": "Skriv.\n",
        "statement/problem.pt-BR.tex": "Escreva.\n",
    }
    package = good(tmp_path, changes)
    assert package.names == {"no": "Dobbelt", "pt-BR": "Dobros"}
    assert sorted(package.statements) == ["no", "pt-BR"]


def test_settings_are_inherited_from_group_to_case(tmp_path: Path) -> None:
    changes: Changes = {
        "problem.yaml": SCORING,
        "data/secret/01-two.in": None,
        "data/secret/01-two.ans": None,
        "data/secret/test_group.yaml": "output_validator_args: [float_tolerance, 1e-6]\ninput_validator_args: [all]\n",
        "data/secret/a/test_group.yaml": "max_score: 30\nargs: [--fast]\nfull_feedback: true\n",
        "data/secret/a/1.in": "1\n",
        "data/secret/a/1.ans": "2\n",
        "data/secret/a/2.in": "1\n",
        "data/secret/a/2.ans": "2\n",
        "data/secret/a/2.yaml": "args: []\nhint: Think.\noutput_validator_args: [case_sensitive]\n"
        "input_validator_args: {digits: [one]}\n",
        "data/secret/b/test_group.yaml": "max_score: 70\nscore_aggregation: min\nrequire_pass: [sample, secret/a]\n",
        "data/secret/b/1.in": "1\n",
        "data/secret/b/1.ans": "2\n",
    }
    package = good(tmp_path, changes)
    assert [(group.name, group.aggregation, group.max_score, group.require_pass) for group in package.groups] == [
        ("sample", Aggregation.PASS_FAIL, None, ()),
        ("secret", Aggregation.SUM, 100, ()),
        ("secret/a", Aggregation.PASS_FAIL, 30, ()),
        ("secret/b", Aggregation.MIN, 70, ("sample", "secret/a")),
    ]
    first, second, third = (case.settings for case in package.cases if case.group != "sample")
    assert (first.args, first.output_validator_args, first.full_feedback) == (
        ("--fast",),
        ("float_tolerance", "1e-6"),
        True,
    )
    assert first.input_validator_args == {"": ("all",)}
    assert (second.args, second.output_validator_args, second.hint) == ((), ("case_sensitive",), "Think.")
    assert second.input_validator_args == {"input_validators/digits.py": ("one",)}
    assert (third.args, third.full_feedback) == ((), False)


def test_files_of_a_case(tmp_path: Path) -> None:
    changes: Changes = {
        "data/sample/1.files/deep/map.txt": "x\n",
        "data/sample/1.out": "02\n",
        "data/sample/1.png": b"\x89PNG",
        "data/sample/1.in.statement": "one\n",
        "data/sample/1.in.download": "one\n",
        "data/sample/1.ans.download": "two\n",
        "data/secret/deeper/more.in": "",
        "data/secret/deeper/more.ans": "",
    }
    package = good(tmp_path, changes)
    sample = package.cases[0]
    assert sample.files == {"deep/map.txt": package.root / "data/sample/1.files/deep/map.txt"}
    assert sorted(sample.extras) == ["ans.download", "in.download", "in.statement", "out", "png"]
    assert [(case.name, case.group) for case in package.cases][2] == ("secret/deeper/more", "secret")


def test_constants_are_put_into_programs_and_groups_but_not_into_data(tmp_path: Path) -> None:
    changes: Changes = {
        "problem.yaml": problem("constants:\n  most: 1000\n  word: {value: 5, tex: $5$}"),
        "input_validators/digits.py": "MOST = {{most}} + {{word.value}}  # {{unknown}}\n",
        "submissions/accepted/double.py": "print('{{word.tex}}')\n",
        "include/default/limits.txt": "{{most}}\n",
        "data/secret/test_group.yaml": "args: ['{{most}}']\n",
        "data/secret/01-two.in": "{{most}}\n",
        "generators/make.py": "{{most}}\n",
    }
    package = good(tmp_path, changes)
    assert package.constants == {
        "most": "1000",
        "most.value": "1000",
        "word": "5",
        "word.value": "5",
        "word.tex": "$5$",
    }
    assert package.input_validators[0].files["digits.py"] == b"MOST = 1000 + 5  # {{unknown}}\n"
    assert package.examples[0].program.files["double.py"] == b"print('$5$')\n"
    assert package.include == {"default": {"limits.txt": b"1000\n"}}
    assert package.generators["make.py"].files["make.py"] == b"1000\n"
    assert package.cases[1].settings.args == ("1000",)
    assert package.cases[1].input is not None
    assert package.cases[1].input.read_bytes() == b"{{most}}\n"


def test_a_folder_is_one_program(tmp_path: Path) -> None:
    changes: Changes = {
        "submissions/accepted/two/main.cpp": "int main() {}\n",
        "submissions/accepted/two/more/lib.h": "\n",
        "output_validator/check.cpp": "int main() {}\n",
        "output_validator/check.h": "\n",
    }
    package = good(tmp_path, changes)
    assert package.output_validator is not None
    assert package.output_validator.name == "output_validator"
    assert sorted(package.output_validator.files) == ["check.cpp", "check.h"]
    two = next(one for one in package.examples if one.program.name == "submissions/accepted/two")
    assert sorted(two.program.files) == ["main.cpp", "more/lib.h"]


def test_a_lonely_output_validator_is_the_program(tmp_path: Path) -> None:
    package = good(tmp_path, {"output_validator/check.py": "\n"})
    assert package.output_validator is not None
    assert package.output_validator.name == "output_validator/check.py"


def test_cases_that_test_the_validators(tmp_path: Path) -> None:
    changes: Changes = {
        "data/invalid_input/word.in": "word\n",
        "data/invalid_output/one.in": "1\n",
        "data/invalid_output/one.ans": "2\n",
        "data/invalid_output/one.out": "3\r\n",
    }
    package = good(tmp_path, changes)
    assert [(case.name, case.group) for case in package.probes] == [
        ("invalid_input/word", "invalid_input"),
        ("invalid_output/one", "invalid_output"),
    ]
    assert package.probes[1].extras == {"out": package.root / "data/invalid_output/one.out"}
    assert len(package.cases) == 2


def test_submissions_yaml(tmp_path: Path) -> None:
    yaml = """\
wrong_answer:
  permitted: [AC, WA, RTE]
wrong_answer/*:
  message: too small
"{accepted,none}/{double,quad}.{py,c}":
  language: python3
  model_solution: true
  authors: [Ada Example <ada@example.org>, {name: Bo}]
  use_for_time_limit: false
mixed/*.py:
  permitted: [AC, TLE]
  required: [TLE]
  sample: {permitted: [AC]}
  secret/*-two: {required: [TLE], message: slow}
"""
    changes: Changes = {"submissions/submissions.yaml": yaml, "submissions/mixed/some.py": "\n"}
    package = good(tmp_path, changes)
    accepted, mixed, wrong = package.examples
    assert (accepted.language, accepted.model_solution, accepted.authors) == ("python3", True, ("Ada Example", "Bo"))
    assert not accepted.bounds_time_from_below
    assert wrong.permitted == {"AC", "WA", "RTE"}
    assert (wrong.required, wrong.message) == (frozenset({"WA"}), "too small")
    assert wrong.bounds_time_from_below
    assert mixed.folder == "mixed"
    assert (mixed.permitted, mixed.required) == (frozenset({"AC", "TLE"}), frozenset({"TLE"}))
    assert mixed.bounds_time_from_above
    assert [(one.within, sorted(one.permitted), one.message) for one in mixed.expectations] == [
        ("sample", ["AC"], ""),
        ("secret/*-two", ["AC", "RTE", "TLE", "WA"], "slow"),
    ]


def test_mutants_of_the_reference(tmp_path: Path) -> None:
    changes: Changes = {
        "palfrey/mutants/triples/triple.py": "print(3 * int(input()))\n",
        "palfrey/mutants/triples/hint.en.md": "Twice, not three times.\n",
        "palfrey/mutants/triples/hint.ro.md": "De două ori.\n",
    }
    (mutant,) = good(tmp_path, changes).mutants
    assert (mutant.name, list(mutant.program.files), sorted(mutant.hints)) == ("triples", ["triple.py"], ["en", "ro"])


@pytest.mark.parametrize(
    ("name", "part", "message"),
    [
        (".gitignore", ".gitignore", "start with a dot"),
        ("data/secret/odd name.in", "data/secret/odd name.in", "as if it were not there"),
        ("tools/x.py", "tools", "knows no `tools`"),
        ("README.md", "README.md", "no place for it"),
        ("data/secrets/1.in", "data/secrets", "did you mean `secret`?"),
        ("data/secret/notes.txt", "data/secret/notes.txt", "not a file of a test case"),
        ("submissions/lost.py", "submissions/lost.py", "folder such as"),
        ("include/lost.py", "include/lost.py", "include/default/"),
        ("statement/problem.md", "statement/problem.md", "problem.<language>"),
        ("submissions/accepted_/x.py", "submissions/accepted_", "did you mean `accepted`?"),
        ("input_validators/x.viva", "input_validators/x.viva", "VIVA"),
        ("attachments/more/x.txt", "attachments/more", "templates/"),
    ],
)
def test_what_is_ignored_is_told_and_nothing_breaks(tmp_path: Path, name: str, part: str, message: str) -> None:
    reading = read(write(tmp_path, {name: "x\n"}))
    assert reading.package is not None
    (finding,) = reading.findings
    assert finding.where == part
    assert message in finding.message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"2\r\n", "carriage returns"),
        (b"2", "end in a newline"),
        (b"\xef\xbb\xbf2\n", "byte-order mark"),
        (b"2\n\xff\n", "not UTF-8 (line 2)"),
    ],
)
def test_odd_text_is_a_warning(tmp_path: Path, content: bytes, message: str) -> None:
    reading = read(write(tmp_path, {"data/secret/01-two.in": content}))
    assert reading.package is not None
    (finding,) = reading.findings
    assert (finding.severity, finding.where) == (Severity.WARNING, "data/secret/01-two.in")
    assert message.lower() in finding.message.lower()


def test_links_inside_are_followed_and_links_outside_are_not(tmp_path: Path) -> None:
    root = write(tmp_path)
    (root / "data/secret/02-link.in").symlink_to("01-two.in")
    (root / "data/secret/02-link.ans").symlink_to("01-two.ans")
    package = read(root).package
    assert package is not None
    assert [case.name for case in package.cases][-1] == "secret/02-link"

    (tmp_path / "secret.txt").write_text("not yours\n")
    (root / "attachments").mkdir()
    (root / "attachments/secret.txt").symlink_to(tmp_path / "secret.txt")
    (root / "attachments/circle").symlink_to(root, target_is_directory=True)
    (root / "attachments/broken").symlink_to("nowhere")
    reading = read(root)
    assert reading.package is None
    assert {(one.where, one.rule) for one in reading.findings} == {
        ("attachments/secret.txt", "link-outside"),
        ("attachments/circle", "link-circle"),
        ("attachments/broken", "broken-link"),
    }


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("problems.package.tree.MAX_FILES", len(FILES) - 1)
    reading = read(write(tmp_path))
    assert reading.package is None
    assert any(one.rule == "too-many-files" for one in reading.findings)


def test_the_folder_may_be_called_otherwise_when_the_name_is_given(tmp_path: Path) -> None:
    root = write(tmp_path).rename(tmp_path / "Upload-17")
    assert read(root).package is None
    package = read(root, slug="doubles").package
    assert package is not None
    assert package.slug == "doubles"
