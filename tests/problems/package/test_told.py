"""What is read without being an error, or looks like what it is not, is told of; nothing of it goes by in silence."""

from pathlib import Path

import pytest

from problems.package.archive import unpack
from problems.package.model import Finding
from problems.package.prose import check_statements
from problems.package.read import read
from problems.package.takein import take_in
from problems.package.tex import convert
from tests.problems.package.older import LEGACY, zipped
from tests.problems.package.small import FILES, Changes, problem, write

PDF = "%PDF-1.4\n"
LISTED = "data:\n  secret:\n    data:\n      a: walk.py %s\n"
TALKS: Changes = {"problem.yaml": problem("type: interactive"), "output_validator/talk.py": "\n"}
TOLD: dict[str, tuple[Changes, str, str]] = {
    "text for a PDF": ({"statement/problem.sv.pdf": "Print it.\n"}, "not-a-pdf", "it is text. Save it as PDF"),
    "a page for a PDF": ({"solution/solution.en.pdf": "<!doctype html>\n"}, "not-a-pdf", "it is a page in HTML"),
    "text for an image": ({"statement/a.png": "drawn\n"}, "not-an-image", "it is text. Save it as PNG or JPEG"),
    "an empty image": ({"statement/img/a.jpg": b""}, "not-an-image", "there is nothing in it"),
    "a page for a drawing": ({"statement/a.svg": "<html></html>"}, "not-an-image", "it is a page in HTML"),
    "an image left elsewhere": (
        {"statement/a.png": "version https://git-lfs.github.com/spec/v1\n"}, "not-an-image", "Git LFS",
    ),
    "two statements": (
        {"statement/problem.en.tex": "Other.\n", "statement/problem.en.pdf": PDF},
        "two-statements", "is `problem.en.md`. Remove one",
    ),
    "a misspelled seed": (
        {"generators/walk.py": "\n", "generators/generators.yaml": LISTED % '"{sed}"'},
        "placeholder", "`{sed}` stands for nothing here, and goes to the generator as it is; did you mean `seed`?",
    ),
    "a rule for nothing": (
        {"submissions/submissions.yaml": "wrong_answer/sane.py: {required: [WA]}\n"},
        "rule-without-file", "`wrong_answer/sane.py` is the name of no submission that is there",
    ),
    "a folder of which nothing is known, in part": (
        {
            "submissions/half/ruled.py": "\n", "submissions/half/other.py": "\n",
            "submissions/submissions.yaml": "half/ruled.py: {required: [WA]}\n",
        },
        "unknown-folder", "Nothing says which verdicts these must get",
    ),
    "a rule for no case": (
        {"submissions/submissions.yaml": "wrong_answer/same.py:\n  secret/1-*: {required: [WA]}\n"},
        "rule-without-case", "`secret/1-*` is the name of no case or group that is there",
    ),
    "two output validators in two languages": (
        {"output_validator/a.py": "\n", "output_validator/b.cpp": "\n"},
        "several-programs", "not started: `a.py` beside it is",
    ),
    "an input validator in two languages": (
        {"input_validators/v/a.py": "\n", "input_validators/v/b.c": "\n"},
        "several-programs", "not started: `a.py` beside it is",
    ),
    "an output validator beside a folder with another": (
        {"output_validator/a.py": "\n", "output_validator/b/build": "\n", "output_validator/b/run": "\n"},
        "several-programs", "not started: `a.py` beside it is",
    ),
    "an output validator in C++ beside a folder with another": (
        {"output_validator/a.cpp": "\n", "output_validator/b/__main__.py": "\n"},
        "several-programs", "not started: `a.cpp` beside it is",
    ),
    "a program in Java beside a validator": (
        {"output_validator/a.py": "\n", "output_validator/B.java": "\n"},
        "several-programs", "not started: `a.py` beside it is",
    ),
    "a language that there is not": (
        {"include/pyhton3/x.py": "\n"}, "ignored", "there is no language `pyhton3`; did you mean `python3`?",
    ),
    "a line that nobody says": (
        {**TALKS, "data/sample/1.interaction": "<1\nhello\n>2\n"}, "interaction", "begin it with `<` for the judge",
    ),
    "a conversation of nobody": (
        {"data/sample/1.interaction": "<1\n>2\n"}, "interaction", "neither interactive nor multi-pass",
    ),
    "passes where there is one": (
        {"problem.yaml": problem("  validation_passes: 3")}, "no-effect", "of no type `multi-pass`",
    ),
}  # fmt: skip


def told(folder: Path, changes: Changes, rule: str) -> list[Finding]:
    return [one for one in read(write(folder, changes)).findings if one.rule == rule]


@pytest.mark.parametrize("name", TOLD)
def test_an_author_is_told_of(name: str, tmp_path: Path) -> None:
    changes, rule, message = TOLD[name]
    found = told(tmp_path, changes, rule)
    assert found
    assert message in found[0].message
    where = found[0].where.partition(":")[0]
    assert any(name == where or name.startswith(f"{where}/") for name in changes)


@pytest.mark.parametrize(
    ("rule", "changes"),
    [
        ("not-a-pdf", {"statement/problem.sv.pdf": "\n" + PDF}),
        ("not-an-image", {"statement/a.png": b"\xff\xd8\xff\xe0 a JPEG is shown all the same"}),
        ("not-an-image", {"statement/a.svg": "<?xml version='1.0'?>\n<!-- by hand -->\n<svg:svg xmlns:svg='x'/>"}),
        ("not-an-image", {"statement/a.svg": "<svg></svg>".encode("utf-16")}),
        ("not-an-image", {"attachments/a.png": "no page shows it\n"}),
        ("placeholder", {"generators/walk.py": "", "generators/generators.yaml": LISTED % "'{1} {seed:2} {name}'"}),
        (
            "unknown-folder",
            {"submissions/half/a.py": "\n", "submissions/submissions.yaml": "half/a.py: {required: [WA]}\n"},
        ),
        ("rule-without-file", {"submissions/submissions.yaml": "wrong_answer/*.py: {required: [WA]}\n"}),
        ("rule-without-file", {"submissions/submissions.yaml": "wrong_answer: {required: [WA]}\n"}),
        ("rule-without-case", {"submissions/submissions.yaml": "'*/*.py':\n  sample: {permitted: [AC, WA]}\n"}),
        ("several-programs", {"output_validator/run": "", "output_validator/b.cpp": "", "output_validator/a.py": ""}),
        ("several-programs", {"output_validator/b.cpp": "", "output_validator/c.c": "", "output_validator/n/a.py": ""}),
        ("several-programs", {"output_validator/a.py": "", "output_validator/lib/__init__.py": ""}),
        ("ignored", {"include/default/x.py": "", "include/cpp/x.h": ""}),
        ("interaction", {**TALKS, "data/sample/1.interaction": "<1\n>2\n---\n<3\r\n>\n"}),
        ("no-effect", {"problem.yaml": problem("  validation_passes: 3\ntype: multi-pass")}),
    ],
)  # fmt: skip
def test_nobody_is_told_of_what_is_meant(rule: str, changes: Changes, tmp_path: Path) -> None:
    assert told(tmp_path, changes, rule) == []


def test_what_was_published_with_two_programs_is_judged_on(tmp_path: Path) -> None:
    assert read(write(tmp_path, {"output_validator/a.py": "", "output_validator/b.cpp": ""})).package is not None


def test_a_pdf_that_may_act_is_told_of_before_a_student_asks(tmp_path: Path) -> None:
    for name, words, rules in (("calm", "", []), ("acting", "/OpenAction<</S/JavaScript>>", ["acting-pdf"])):
        package = read(write(tmp_path / name, {"solution/solution.en.pdf": f"{PDF}{words}\n"})).package
        assert package is not None
        found = check_statements(package, lambda path, language, constants: convert("", language="en", constants={}))
        assert [one.rule for one in found] == rules


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Two\n\nwords<br>here\n", ":3"),
        ('```\n<b>\n```\n<IMG src="x" onerror="y">\n', ":4"),
        ("<!-- a note -->\n", ":1"),
        ("`<b>` and ``<i> ` ``, $a <b> c$, x <y> z, <https://example.org>, a <b and c> d\n\n~~~\n<p>\n~~~\n", None),
    ],
)
def test_html_in_markdown_is_told_of(text: str, line: str | None, tmp_path: Path) -> None:
    package = read(write(tmp_path, {"statement/problem.en.md": text})).package
    assert package is not None
    found = check_statements(package, lambda path, language, constants: convert("", language="en", constants={}))
    assert [(one.rule, one.where) for one in found] == ([("html", f"statement/problem.en.md{line}")] if line else [])


def test_a_link_that_would_act_is_only_text_and_told_of() -> None:
    text = "See\n\\href{java script:alert(1)}{this} or \\href{https://example.org}{that} or \\url{file:///etc/passwd}."
    made = convert(text, language="en", constants={})
    assert made.html.count("<a ") == 1
    assert "this or <a" in made.html
    assert 'href="https://example.org"' in made.html
    assert [(note.line, "Only the text of this link" in note.message) for note in made.notes] == [(2, True)]


def test_why_a_package_is_read_as_an_older_one(tmp_path: Path) -> None:
    why = "Read as a package of the older format, because `problem_format_version` is not in it."
    for number, (of, says) in enumerate(((LEGACY, [why]), (FILES, []))):
        taken = take_in(zipped(of=of), tmp_path / str(number), slug="doubles")
        notices = [one.message for one in taken.findings if one.rule == "format-version"]
        assert [message[: len(why)] for message in notices] == says


def test_a_description_of_no_case_is_told_by_its_own_name(tmp_path: Path) -> None:
    taken = take_in(zipped({"data/secret/foo.desc": "What it is.\n"}), tmp_path / "taken", slug="doubles")
    assert taken.package is not None
    (about,) = [one for one in taken.findings if "foo" in one.where]
    assert (about.where, about.rule) == ("data/secret/foo.desc", "ignored")
    assert "there is no case of this name, such as `secret/foo.in`" in about.message
    assert [one.why for one in taken.files if one.name == about.where] == [about.message.removeprefix("Ignored: ")]


def test_something_behind_an_archive_is_told_from_one_that_is_cut_off(tmp_path: Path) -> None:
    whole = zipped()
    (behind,) = unpack(whole + b"x" * 70_000, tmp_path / "one")
    (cut,) = unpack(whole[:-30], tmp_path / "two")
    assert (behind.rule, cut.rule) == ("archive-damaged", "archive-cut-off")
    assert "Something stands behind the end" in behind.message


@pytest.mark.parametrize("of", [FILES, LEGACY], ids=["2025-09", "legacy"])
def test_names_that_would_turn_or_break_a_line_are_escaped(of: Changes, tmp_path: Path) -> None:
    names = ("data/secret/a\u202egnp.exe", "data/secret/b\nc", "\x1b[31m.txt")
    folder = tmp_path / "given"
    for name, content in {**of, **dict.fromkeys(names, "x\n")}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else str(content).encode())
    taken = take_in(folder, tmp_path / "taken", slug="doubles")
    shown = [*(one.name for one in taken.files), *(one.where for one in taken.findings)]
    assert [name for name in shown if not name.isprintable()] == []
    assert {"data/secret/a\\u202egnp.exe", "data/secret/b\\nc", "\\x1b[31m.txt"} <= set(shown)
