"""`./palfrey import` and `export`: what is written and told, and that a package survives the way there and back."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from problems.package.archive import pack
from problems.package.compare import differences
from problems.package.model import Package
from problems.package.read import read
from tests.grading.folder import write_package
from tests.problems.package.older import LEGACY

Captured = pytest.CaptureFixture[str]


def lay_out(folder: Path, files: object, *, without: str = "\0") -> Path:
    assert isinstance(files, dict)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = (text.decode() if isinstance(text, bytes) else text).splitlines(keepends=True)
        path.write_text("".join(line for line in lines if without not in line))
    return folder


def package(folder: Path) -> Package:
    found = read(folder).package
    assert found is not None
    return found


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
def test_an_older_package_becomes_one_of_today(packed: bool, tmp_path: Path, capsys: Captured) -> None:
    given = lay_out(tmp_path / "older", {**LEGACY, "notes.txt": "x\n"})
    if packed:
        archive = tmp_path / "older.zip"
        archive.write_bytes(pack(given))
        given = archive
    call_command("import", str(given), "-o", str(tmp_path / "doubles"))
    out = capsys.readouterr().out
    assert package(tmp_path / "doubles").names == {"en": "Doubles"}
    assert "ignored: notes.txt: " in out
    assert f"{len(LEGACY)} of {len(LEGACY) + 1} files are used." in out
    assert f"./palfrey verify {tmp_path / 'doubles'}" in out


def test_a_limit_that_is_not_stated_is_measured_and_written(tmp_path: Path, capsys: Captured) -> None:
    given = lay_out(tmp_path / "older", LEGACY, without="time_limit")
    call_command("import", str(given), "-o", str(tmp_path / "doubles"))
    assert "Time limit: 1 s; the slowest that must be fast enough takes 0." in capsys.readouterr().out
    limits = package(tmp_path / "doubles").limits
    assert (limits.time_stated, limits.time_seconds) == (True, 1.0)


def test_what_cannot_be_taken_in_is_told_and_leaves_nothing(tmp_path: Path, capsys: Captured) -> None:
    given = lay_out(tmp_path / "older", {**LEGACY, "graders/g.py": "x\n"})
    with pytest.raises(CommandError, match="was not taken in, and nothing was kept"):
        call_command("import", str(given), "-o", str(tmp_path / "doubles"))
    assert "error: graders: " in capsys.readouterr().out
    assert not (tmp_path / "doubles").exists()


def test_what_is_there_is_not_written_over(tmp_path: Path) -> None:
    given = lay_out(tmp_path / "older", LEGACY)
    (tmp_path / "doubles").mkdir()
    with pytest.raises(CommandError, match="is there already"):
        call_command("import", str(given), "-o", str(tmp_path / "doubles"))
    with pytest.raises(CommandError, match="There is no"):
        call_command("import", str(tmp_path / "nothing"))


def test_without_a_name_the_archive_gives_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    call_command("import", str(lay_out(tmp_path / "My Problem-2", LEGACY)))
    assert package(tmp_path / "myproblem2").slug == "myproblem2"


@pytest.mark.parametrize("kind", ["2025-09", "legacy"])
def test_there_and_back(kind: str, tmp_path: Path, capsys: Captured) -> None:
    given = write_package(tmp_path)
    call_command("export", str(given), "--format", kind, "-o", str(tmp_path / "out.zip"))
    assert "4 cases." in capsys.readouterr().out
    call_command("import", str(tmp_path / "out.zip"), "-o", str(tmp_path / "again" / "plus"))
    other = package(tmp_path / "again" / "plus")
    assert [case.input.read_text() for case in other.cases if case.input][:2] == ["1 2\n", other_input(other)]
    assert all(case.answer is not None for case in other.cases)
    told = differences(package(given), other)
    assert {where.partition(".")[0] for where in told} <= {"cases", "examples", "generators"}, told
    call_command("verify", str(tmp_path / "again" / "plus"))


def other_input(found: Package) -> str:
    path = found.cases[1].input
    assert path is not None
    assert path.read_text().startswith("5 ")
    return path.read_text()


def test_what_the_older_format_cannot_say_is_not_written(tmp_path: Path) -> None:
    given = write_package(tmp_path, {"data/sample/1.yaml": "args: [-x]\n"})
    with pytest.raises(CommandError, match="cannot be said in the older format:\n  data/sample/1: "):
        call_command("export", str(given), "--format", "legacy", "-o", str(tmp_path / "out.zip"))
    assert not (tmp_path / "out.zip").exists()


def test_strict_leaves_our_folder_out(tmp_path: Path) -> None:
    ours = {"palfrey/mutants/m/m.py": "print(1)\n", "palfrey/mutants/m/hint.en.md": "Think.\n"}
    given = write_package(tmp_path, ours)
    for words, kept in (((), True), (("--strict",), False)):
        archive = tmp_path / f"{kept}.zip"
        call_command("export", str(given), *words, "-o", str(archive))
        assert (b"palfrey/mutants" in archive.read_bytes()) == kept


def test_a_package_that_cannot_be_built_is_not_exported(tmp_path: Path) -> None:
    given = write_package(tmp_path, {"input_validators/two.py": "print(1 // 0)\n"})
    with pytest.raises(CommandError, match=r"sample/1: input_validators/two\.py ended with exit code 1"):
        call_command("export", str(given), "-o", str(tmp_path / "out.zip"))
    assert not (tmp_path / "out.zip").exists()
