"""Packages of Polygon read as their authors meant them."""

from pathlib import Path

from problems.package.model import Aggregation, Package, ProblemType, Severity
from problems.package.takein import Fate, Format, TakenIn, take_in
from tests.problems.package.older import zipped
from tests.problems.package.polygon_small import FILES, POINTS
from tests.problems.package.small import Changes


def taken(folder: Path, changes: Changes | None = None) -> TakenIn:
    return take_in(zipped(changes, of=FILES), folder / "doubles", slug="doubles")


def good(folder: Path, changes: Changes | None = None) -> Package:
    found = taken(folder, changes)
    assert [one for one in found.findings if one.severity is Severity.ERROR] == []
    assert found.format is Format.POLYGON
    assert found.package is not None
    return found.package


def test_what_it_is(tmp_path: Path) -> None:
    package = good(tmp_path)
    assert package.names == {"en": "Doubles", "ru": "Удвоение"}
    assert package.types == {ProblemType.PASS_FAIL}
    assert (package.limits.time_seconds, package.limits.memory_bytes) == (1.5, 256 << 20)
    assert package.keywords == ("math", "two pointers")
    assert package.version == "7"
    assert package.uuid == good(tmp_path / "again").uuid
    assert {language: path.name for language, path in package.statements.items()} == {
        "en": "problem.en.tex",
        "ru": "problem.ru.pdf",
    }
    statement = package.statements["en"].read_text()
    assert statement.startswith("Print twice the number.\n")
    assert "\\begin{Input}\nA number.\n\\end{Input}\n" in statement


def test_tests_are_files_or_made_and_windows_leaves_no_trace(tmp_path: Path) -> None:
    package = good(tmp_path)
    assert [case.name for case in package.cases] == ["sample/01", "secret/02", "secret/03"]
    sample, manual, generated = package.cases
    assert sample.input is not None
    assert sample.input.read_bytes() == b"1\n"
    assert manual.answer is not None
    assert generated.provenance is not None
    assert (generated.input, generated.provenance.generator, generated.provenance.arguments) == (None, "gen", ("500",))
    assert set(package.generators["gen"].files) == {"gen.cpp", "testlib.h"}


def test_solutions_have_what_their_tags_say(tmp_path: Path) -> None:
    package = good(tmp_path)
    assert {one.program.name: (set(one.permitted), set(one.required)) for one in package.examples} == {
        "submissions/accepted/main.py": ({"AC"}, set()),
        "submissions/wrong_answer/wa.py": ({"AC", "WA"}, {"WA"}),
        "submissions/wrong_answer/pe.py": ({"AC", "WA"}, {"WA"}),
        "submissions/slow/slow.py": ({"AC", "TLE"}, set()),
    }
    assert package.model_solution.program.name == "submissions/accepted/main.py"


def test_points(tmp_path: Path) -> None:
    changes: Changes = {"problem.xml": POINTS.replace('<dependencies><dependency group="1"/></dependencies>', "")}
    package = good(tmp_path, changes)
    assert package.scoring
    assert [(group.name, group.aggregation, group.max_score) for group in package.groups] == [
        ("sample", Aggregation.PASS_FAIL, None),
        ("secret", Aggregation.SUM, 100),
        ("secret/01-group-1", Aggregation.PASS_FAIL, 40),
        ("secret/02-group-2-30", Aggregation.SUM, 60),
    ]
    assert [case.group for case in package.cases] == [
        "sample", "secret/01-group-1", "secret/02-group-2-30", "secret/02-group-2-30",
    ]  # fmt: skip
    dependent = good(tmp_path / "dependent", {"problem.xml": POINTS})
    assert dependent.groups[3].require_pass == ("secret/01-group-1",)


def test_every_file_is_told_of(tmp_path: Path) -> None:
    fates = {one.name: one for one in taken(tmp_path).files}
    assert fates.keys() == FILES.keys()
    assert {name for name, one in fates.items() if one.fate is not Fate.USED} == {
        "doall.bat",
        "solutions/broken.py",
        "statement-sections/english/example.01",
    }
    assert all(one.why for one in fates.values() if one.fate is not Fate.USED)


def test_a_count_of_tests_that_is_not_theirs_is_told(tmp_path: Path) -> None:
    changed = str(FILES["problem.xml"]).replace("<test-count>3<", "<test-count>1000000<")
    found = taken(tmp_path, {"problem.xml": changed})
    told = [one.message for one in found.findings if one.rule == "test-count"]
    assert told == ["`<test-count>` says 1000000, and tests that stand here: 3. Those are taken."]
    assert not [one for one in taken(tmp_path / "good").findings if one.rule == "test-count"]


def test_every_heading_is_in_the_language_of_the_statement(tmp_path: Path) -> None:
    changes: Changes = {f"statement-sections/russian/{name}.tex": "Да.\n" for name in ("legend", "input", "notes")}
    text = good(tmp_path, changes).statements["ru"].read_text()
    assert "\\section*{Примечания}\n\nДа.\n" in text
    assert "Notes" not in text


def test_a_statement_that_has_no_sections_is_taken_apart(tmp_path: Path) -> None:
    sections = dict.fromkeys(one for one in FILES if one.startswith("statement-sections/english/"))
    whole = (
        "\\begin{problem}{Double}{standard input}{standard output}{1 second}{256 megabytes}\r\n\r\n"
        "Print twice the number.\r\n\r\n\\InputFile\r\nA number.\r\n\r\n\\OutputFile\r\nTwice that.\r\n\r\n"
        "\\Examples\r\n\\begin{example}\\exmp{1}{2}%\r\n\\end{example}\r\n\r\n"
        "\\Note\r\nIt may be $-1$.\r\n\\end{problem}\r\n"
    )
    changes: Changes = {
        **sections,
        "statements/english/problem.tex": whole,
        "statements/english/picture.png": b"\x89PNG",
    }
    package = good(tmp_path, changes)
    assert package.statements["en"].read_text() == (
        "Print twice the number.\n\n\\begin{Input}\nA number.\n\\end{Input}\n\n"
        "\\begin{Output}\nTwice that.\n\\end{Output}\n\n\\section*{Notes}\n\nIt may be $-1$.\n"
    )
    assert (package.root / "statement" / "picture.png").is_file()


def test_what_tries_the_checker_and_the_validator_does_so_here(tmp_path: Path) -> None:
    def testset(folder: str, parts: str, verdicts: str) -> str:
        endings = {"input": "", "output": ".o", "answer": ".a"}
        patterns = "".join(
            f"<{one}-path-pattern>{folder}/%02d{endings[one]}</{one}-path-pattern>" for one in parts.split()
        )
        tests = "".join(f'<test verdict="{one}"/>' for one in verdicts.split())
        return f"<testset>{patterns}<tests>{tests}</tests></testset>"

    xml = str(FILES["problem.xml"])
    xml = xml.replace("</checker>", testset("files/c", "input output answer", "ok crashed wrong-answer") + "</checker>")
    xml = xml.replace("</validator>", testset("files/v", "input", "valid invalid") + "</validator>")
    files: Changes = {f"files/c/0{n}{ending}": f"{n}\r\n" for n in (1, 2, 3) for ending in ("", ".o", ".a")}
    found = taken(tmp_path, {"problem.xml": xml, "files/v/01": "1\n", "files/v/02": "x\n", **files})
    assert found.package is not None, found.findings
    probes = {one.name: one for one in found.package.probes}
    assert list(probes) == ["invalid_input/01", "invalid_output/01", "valid_output/01"]
    assert probes["invalid_output/01"].extras.keys() == {"out"}
    assert probes["invalid_output/01"].input is not None
    assert probes["invalid_output/01"].input.read_bytes() == b"3\n"
    why = {file.name: file.why for file in found.files if file.fate is Fate.IGNORED}
    assert why["files/c/02.o"] == why["files/v/01"].replace("valid", "crashed") != ""


def test_what_became_of_each_file_is_told(tmp_path: Path) -> None:
    files = {file.name: (file.fate, file.why) for file in taken(tmp_path).files}
    assert files["tests/02"] == (Fate.USED, "data/secret/02.in")
    assert files["doall.bat"][0] is Fate.IGNORED
    assert files["problem.xml"][1].startswith("generators/generators.yaml, problem.yaml")
