"""What differs between two states of a problem: files with their lines, cases, limits. Bounded, whatever is in them."""

import difflib
import filecmp
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from problems.models import Version
from problems.package.findings import Findings
from problems.package.tree import list_files

FILES = 300
"""Files that are named; of more only the number is told."""
COMPARED_BYTES = 128 << 10
COMPARED_LINES = 3_000
"""A file with more than this is only said to differ."""
LINES = 400
"""Lines of difference that are shown of one file."""
LINE = 300
"""Characters of one line that are shown."""
CASES = 500

LIMITS = ("time_seconds", "memory_bytes", "output_bytes", "code_bytes", "out_of")
"""Facts of a version that are compared one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a difference. `kind`: `add`, `del`, `same`, or `gap` for lines that are left out."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A file that is not in both, or not the same. `kind`: `added`, `removed`, `changed`."""

    name: str
    kind: str
    lines: tuple[Line, ...] = ()
    """Empty for what is no text, or too long to compare."""
    clipped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseChanges:
    """Names of cases."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    same: int

    @property
    def any(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def files(old: Path, new: Path) -> tuple[list[FileChange], int]:
    """The files that differ between two package folders, and how many more there are than are told."""
    before, after = (list_files(folder, Findings()).files for folder in (old, new))
    differing = [
        name
        for name in sorted(before.keys() | after.keys())
        if name not in before or name not in after or not filecmp.cmp(before[name], after[name], shallow=False)
    ]
    told = [_change(name, before.get(name), after.get(name)) for name in differing[:FILES]]
    return told, len(differing) - len(told)


def cases(old: Version, new: Version) -> CaseChanges:
    """The cases that differ between two versions, by name, input and answer."""
    before, after = ({case.name: (case.input, case.answer) for case in one.cases.all()} for one in (old, new))
    both = before.keys() & after.keys()
    changed = sorted(name for name in both if before[name] != after[name])
    return CaseChanges(
        added=tuple(sorted(after.keys() - before.keys())[:CASES]),
        removed=tuple(sorted(before.keys() - after.keys())[:CASES]),
        changed=tuple(changed[:CASES]),
        same=len(both) - len(changed),
    )


def limits(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """Which facts of versions differ: name, old, new."""
    return [(name, old.get(name), new.get(name)) for name in LIMITS if old.get(name) != new.get(name)]


def lines(old: str, new: str) -> tuple[tuple[Line, ...], bool]:
    """The lines that differ, with a few around them, and whether that is not all of them."""
    found: list[Line] = []
    for line in _lines(old, new):
        if len(found) == LINES:
            return tuple(found), True
        found.append(line)
    return tuple(found), False


def _change(name: str, before: Path | None, after: Path | None) -> FileChange:
    kind = "added" if before is None else "removed" if after is None else "changed"
    texts = [_text(path) for path in (before, after)]
    if None in texts:
        return FileChange(name=name, kind=kind)
    shown, clipped = lines(str(texts[0]), str(texts[1]))
    return FileChange(name=name, kind=kind, lines=shown, clipped=clipped)


def _text(path: Path | None) -> str | None:
    if path is None:
        return ""
    if path.stat().st_size > COMPARED_BYTES:
        return None
    content = path.read_bytes()
    if b"\0" in content or content.count(b"\n") > COMPARED_LINES:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _lines(old: str, new: str) -> Iterator[Line]:
    compared = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2)
    for number, line in enumerate(compared):
        if number < 2:  # the names of the files
            continue
        if line.startswith("@@"):
            if number > 2:
                yield Line(kind="gap", text="…")
            continue
        text = line[1:] if len(line) <= LINE else line[1:LINE] + "…"
        yield Line(kind={"+": "add", "-": "del"}.get(line[0], "same"), text=text)
