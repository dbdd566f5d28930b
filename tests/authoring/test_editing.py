"""What is typed at the desk is kept or refused with a sentence; nothing of anybody's is lost, nothing half saved."""

from decimal import Decimal
from pathlib import Path

import pytest
from django.conf import settings

from judge.authoring import actions, drafts, editing
from judge.authoring.editing import ABSENT, Conflict, base_of
from judge.authoring.models import Draft
from judge.people.models import Role, User
from judge.people.refusal import Refused
from problems.models import Problem
from problems.package.model import Severity
from problems.package.takein import take_in
from tests.conftest import person
from tests.problems.package.older import zipped
from tests.problems.package.polygon_small import FILES as POLYGON

pytestmark = pytest.mark.django_db

STATEMENT = "statement/problem.en.md"


def text(problem: Problem, name: str) -> bytes:
    return drafts.working_copy(problem).files[name].read_bytes()


def test_the_template_is_a_good_package(sums: Problem) -> None:
    reading = drafts.working_copy(sums).reading
    assert reading.package is not None
    assert reading.package.names == {"en": "Sums"}
    assert reading.package.uuid == sums.uuid
    assert [one for one in reading.findings if one.severity is not Severity.NOTICE] == []


def test_two_files_changed_in_two_tabs_are_both_kept(sums: Problem, instructor: User) -> None:
    statement, about = text(sums, STATEMENT), text(sums, "problem.yaml")
    editing.save(instructor, sums, STATEMENT, b"Mine\n", base_of(statement))
    editing.save(instructor, sums, "problem.yaml", about + b"# theirs\n", base_of(about))
    assert text(sums, STATEMENT) == b"Mine\n"
    assert text(sums, "problem.yaml").endswith(b"# theirs\n")
    assert Draft.objects.get().revision == 3


def test_an_old_tab_does_not_overwrite_a_newer_text(sums: Problem, instructor: User) -> None:
    old = base_of(text(sums, STATEMENT))
    editing.save(instructor, sums, STATEMENT, b"newer\n", old)
    with pytest.raises(Conflict) as conflict:
        editing.save(instructor, sums, STATEMENT, b"older\n", old)
    assert conflict.value.newer == b"newer\n"
    assert text(sums, STATEMENT) == b"newer\n"
    with pytest.raises(Conflict):
        editing.remove(instructor, sums, STATEMENT, old)
    with pytest.raises(Conflict):
        editing.rename(instructor, sums, STATEMENT, "statement/problem.de.md", old)
    with pytest.raises(Conflict):
        editing.save(instructor, sums, STATEMENT, b"as if it were new\n", ABSENT)
    editing.save(instructor, sums, STATEMENT, b"older\n", base_of(conflict.value.newer))
    assert text(sums, STATEMENT) == b"older\n", "once it was seen, it may be overwritten"
    editing.save(instructor, sums, STATEMENT, b"older\n", old)  # the same text again harms nobody


def test_stored_copies_go_and_what_is_listed_counts_again(sums: Problem, instructor: User) -> None:
    case = next(one for one in drafts.working_copy(sums).reading.package.cases if one.provenance)  # type: ignore[union-attr]
    with pytest.raises(Refused):
        editing.drop_copies(instructor, sums)
    mine = {f"data/{case.name}.in": b"1\n", f"data/{case.name}.ans": b"1\n", "data/secret/own.in": b"2\n"}
    editing.add(instructor, sums, mine)
    assert editing.drop_copies(instructor, sums) == 2
    assert not mine.keys() - {"data/secret/own.in"} & drafts.working_copy(sums).files.keys()
    assert "data/secret/own.in" in drafts.working_copy(sums).files


def test_two_at_the_very_same_time(sums: Problem, instructor: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between reading and writing somebody else writes: the change is made again on top of theirs."""
    other, write = person("otto", Role.ADMIN), drafts.write
    meanwhile = [("attachments/theirs.txt", b"theirs\n")]

    def slow(folder: Path, name: str, content: bytes) -> None:
        if meanwhile:
            editing.add(other, sums, dict([meanwhile.pop()]))
        write(folder, name, content)

    monkeypatch.setattr(drafts, "write", slow)
    editing.add(instructor, sums, {"attachments/mine.txt": b"mine\n"})
    assert text(sums, "attachments/theirs.txt") == b"theirs\n"
    assert text(sums, "attachments/mine.txt") == b"mine\n"


def test_files_come_and_go(sums: Problem, instructor: User) -> None:
    editing.add(instructor, sums, {"data/secret/1.in": b"3 4\n", "data/secret/1.ans": b"7\n"})
    editing.rename(instructor, sums, "data/secret/1.in", "data/sample/2.in", base_of(b"3 4\n"))
    editing.remove(instructor, sums, "data/secret/1.ans", base_of(b"7\n"))
    files = drafts.working_copy(sums).files
    assert "data/sample/2.in" in files
    assert not [name for name in files if name.startswith("data/secret/")]
    editing.add(instructor, sums, {"data/sample/2.in": b"5 6\n"}, replace=True)
    assert text(sums, "data/sample/2.in") == b"5 6\n"


def test_an_invalid_text_is_kept_and_told(sums: Problem, instructor: User) -> None:
    editing.save(instructor, sums, "problem.yaml", b"name: [\n", base_of(text(sums, "problem.yaml")))
    assert text(sums, "problem.yaml") == b"name: [\n"
    assert drafts.working_copy(sums).reading.package is None


REFUSED = {
    "out of the package": ("../etc/passwd", "cannot be a file"),
    "absolute": ("/etc/passwd", "cannot be a file"),
    "hidden": ("data/.htaccess", "cannot be a file"),
    "of blanks": ("data/my case.in", "cannot be a file"),
    "NUL": ("data/a\0b", "cannot be a file"),
    "not to be encoded": ("data/\ud800", "cannot be a file"),
    "empty": ("", "cannot be a file"),
    "a folder": ("data/", "cannot be a file"),
    "too long": ("a" * 301, "too long"),
    "too deep": ("a/" * 20 + "a", "too long or nested"),
    "below a file": ("problem.yaml/a", "cannot stand beside problem.yaml"),
    "a folder that is there": ("data", "cannot stand beside data/"),
    "capitals of a file": ("Problem.yaml", "cannot stand beside problem.yaml"),
    "capitals of a folder": ("Data/secret/1.in", "capital letters"),
    "cache": ("generators/__pycache__/a.pyc", "cannot be a file"),
}


@pytest.mark.parametrize("why", REFUSED)
def test_a_name_that_no_package_can_have(why: str, sums: Problem, instructor: User) -> None:
    name, message = REFUSED[why]
    before = Draft.objects.get().archive
    with pytest.raises(Refused, match=message):
        editing.add(instructor, sums, {"attachments/good.txt": b"good\n", name: b"bad\n"})
    with pytest.raises(Refused, match=message):
        editing.save(instructor, sums, name, b"bad\n", ABSENT)
    with pytest.raises(Refused, match=message):
        editing.rename(instructor, sums, STATEMENT, name, base_of(text(sums, STATEMENT)))
    assert Draft.objects.get().archive == before, "all or nothing"


def test_what_is_refused_besides(sums: Problem, instructor: User, monkeypatch: pytest.MonkeyPatch) -> None:
    about = base_of(text(sums, "problem.yaml"))
    with pytest.raises(Refused, match=r"problem\.yaml must stay"):
        editing.remove(instructor, sums, "problem.yaml", about)
    with pytest.raises(Refused, match=r"problem\.yaml must stay"):
        editing.rename(instructor, sums, "problem.yaml", "other.yaml", about)
    with pytest.raises(Refused, match="already"):
        editing.add(instructor, sums, {"problem.yaml": b""})
    with pytest.raises(Refused, match="already"):
        editing.rename(instructor, sums, STATEMENT, "problem.yaml", base_of(text(sums, STATEMENT)))
    with pytest.raises(Refused, match="no file nothing any more"):
        editing.remove(instructor, sums, "nothing", ABSENT)
    with pytest.raises(Refused, match="at least one"):
        editing.add(instructor, sums, {})
    monkeypatch.setattr(settings, "PACKAGE_BYTES", 100)
    with pytest.raises(Refused, match="at most 100 bytes"):
        editing.add(instructor, sums, {"attachments/a.txt": b"a" * 101})
    monkeypatch.setattr("judge.authoring.editing.MAX_FILES", 9)
    with pytest.raises(Refused, match="at most 9 files"):
        editing.add(instructor, sums, {"attachments/a.txt": b"a"})


def test_what_could_not_be_opened_again_is_not_saved(
    sums: Problem, instructor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("problems.package.archive.MAX_RATIOS", ((1 << 20, 200),))
    before = Draft.objects.get().archive
    with pytest.raises(Refused, match="cannot be saved: The archive unpacks to more than"):
        editing.add(instructor, sums, {"attachments/zeros": bytes(8 << 20)})
    assert Draft.objects.get().archive == before
    assert text(sums, STATEMENT)


def test_limits_keep_comments(sums: Problem, instructor: User) -> None:
    editing.set_values(
        instructor, sums, {"problem.yaml": {("limits", "time_limit"): Decimal(3), ("limits", "output"): Decimal(16)}}
    )
    now = text(sums, "problem.yaml").decode()
    assert "  time_limit: 3\n  # MiB\n  memory: 256\n" in now
    assert "  output: 16\n" in now
    assert "# keywords" in now
    editing.save(instructor, sums, "problem.yaml", b"limits: 5\n", base_of(now.encode()))
    with pytest.raises(Refused, match="Edit it as text"):
        editing.set_values(instructor, sums, {"problem.yaml": {("limits", "time_limit"): Decimal(3)}})


def test_who_may_not_changes_nothing(sums: Problem, student: User, classmate: User, instructor: User) -> None:
    base = base_of(text(sums, STATEMENT))
    for attempt in (
        lambda: editing.save(student, sums, STATEMENT, b"x", base),
        lambda: editing.add(student, sums, {"a": b""}),
        lambda: editing.remove(student, sums, STATEMENT, base),
        lambda: editing.rename(student, sums, STATEMENT, "a", base),
        lambda: editing.set_values(student, sums, {}),
        lambda: actions.discard(student, sums, called="sums"),
        lambda: actions.add_owner(student, sums, "sam"),
        lambda: actions.remove_owner(student, sums, instructor),
        lambda: actions.upload(student, b"", "a.zip", problem=sums),
    ):
        with pytest.raises(Refused, match="Only admins and the owners"):
            attempt()
    with pytest.raises(Refused, match="Only instructors"):
        actions.start(student, "mine", "Mine")
    with pytest.raises(Refused, match="Only instructors"):
        actions.upload(student, b"", "mine.zip")
    actions.add_owner(instructor, sums, "kim")
    editing.save(classmate, sums, STATEMENT, b"by an owner\n", base)
    assert Draft.objects.get().changed_by == classmate
    actions.remove_owner(classmate, sums, classmate)
    with pytest.raises(Refused):
        editing.add(classmate, sums, {"a": b""})


def test_a_problem_of_which_nothing_was_made_can_be_deleted(sums: Problem, instructor: User) -> None:
    actions.discard(instructor, sums, called="sums")
    assert not Problem.objects.exists()
    assert not Draft.objects.exists()
    assert actions.start(instructor, "sums", "Sums again").uuid != sums.uuid


def test_the_report_of_a_package_names_every_file(tmp_path: Path) -> None:
    report = drafts.report_of(take_in(zipped(of=POLYGON), tmp_path / "doubles", slug="doubles"))
    assert {"name": "tests/02", "why": "data/secret/02.in"} in report["used_as"]
    assert len(report["used_as"]) + len(report["ignored"]) == report["files"]
