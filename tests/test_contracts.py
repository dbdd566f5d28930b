"""What the import contracts of pyproject.toml cannot say."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.operations.conftest import ROOT

LONGEST_FILE = 450
"""Lines; a file that grows beyond tells more than one story."""


def sources(*rooms: str) -> list[Path]:
    """The code of rooms, without migrations and without the programs that packages hold."""
    files = (file for room in rooms for file in sorted((ROOT / room).rglob("*.py")))
    return [file for file in files if file.is_file() and "migrations" not in file.parts and "catalog" not in file.parts]


def imported(file: Path) -> Iterator[str]:
    """The modules that `file` imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            yield node.module or ""


@pytest.mark.parametrize("file", sources("sandbox"), ids=lambda file: file.name)
def test_the_sandbox_needs_the_standard_library_only(file: Path) -> None:
    roots = {module.split(".")[0] for module in imported(file)}
    assert roots <= sys.stdlib_module_names | {"sandbox"}


def test_no_room_without_a_noun() -> None:
    nameless = {"utils", "util", "common", "core", "helpers", "misc", "base"}
    assert not [file for file in sources("sandbox", "problems", "judge") if {*file.parts, file.stem} & nameless]


def test_files_tell_one_story() -> None:
    for file in sources("sandbox", "problems", "judge", "tests"):
        assert len(file.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE, file


def test_every_file_says_what_it_is() -> None:
    for file in sources("sandbox", "problems", "judge"):
        module = ast.parse(file.read_bytes())
        assert not module.body or ast.get_docstring(module) or file.name in {"apps.py", "__init__.py"}, file


def test_nothing_made_by_programs_is_kept_among_the_sources() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert not [name for name in listed if "__pycache__" in name or name.endswith((".pyc", ".sqlite3", ".log"))]
