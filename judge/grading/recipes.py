"""Cases that are made already, on this host: kept by their recipe, so that a build that was killed goes on from there.

The recipe of a case is all that what is made of it, and whether it is right, depends on: its own facts, its generator,
and the package's files but for its texts, its other cases and its other examples. A case is there whole or not at
all, and everything here may be deleted at any time.
"""

import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from judge.grading.job import ReadyCase
from problems.package.model import Content, Example, Package, Program, TestCase

_FORMAT = b"1"
"""Changed when what is made of the same recipe changes."""
_BESIDE = frozenset({"attachments", "data", "generators", "palfrey", "solution", "statement", "submissions"})
"""Folders of a package in which there is nothing that all cases depend on."""
_BUILDING = "building-"
KEPT_DAYS = 30
"""A case that was of no use for so long may go."""


class MadeCases:
    """The cases of one package in the folder `place`, which all packages share."""

    def __init__(self, package: Package, place: Path) -> None:
        self._place = place
        self._cases = package.cases
        self._generators = package.generators
        self._common = _common(package)

    def take(self, case: TestCase, ready: ReadyCase) -> bool:
        """Put what is kept of `case` at the places that `ready` names; False: nothing is."""
        kept = self._folder(case)
        try:
            os.utime(kept)
            for name, target in (("in", ready.input), ("ans", ready.answer)):
                target.parent.mkdir(parents=True, exist_ok=True)
                os.link(kept / name, target)
        except OSError:
            for target in (ready.input, ready.answer):
                target.unlink(missing_ok=True)
            return False
        return True

    def keep(self, case: TestCase, ready: ReadyCase) -> None:
        """Keep what was made of `case`."""
        kept = self._folder(case)
        kept.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=_BUILDING, dir=kept.parent))
        try:
            os.link(ready.input, aside / "in")
            os.link(ready.answer, aside / "ans")
            if not kept.exists():
                aside.rename(kept)
        except OSError:  # another was quicker, or the disk is full: it is made again then
            pass
        finally:
            shutil.rmtree(aside, ignore_errors=True)

    def agreed(self, example: Example) -> bool:
        """Whether `example` was right on all these cases before."""
        try:
            os.utime(self._agreement(example))
        except OSError:
            return False
        return True

    def keep_agreed(self, example: Example) -> None:
        """Keep that `example` is right on all these cases."""
        self._agreement(example).mkdir(parents=True, exist_ok=True)

    def _agreement(self, example: Example) -> Path:
        total = hashlib.sha256(self._common)
        _add(total, f"agrees\0{example.program.name}\0{example.language}", b"")
        _add_files(total, example.program.files)
        for case in self._cases:
            _add(total, self._folder(case).name, b"")
        recipe = total.hexdigest()
        return self._place / recipe[:2] / recipe

    def _folder(self, case: TestCase) -> Path:
        generator = self._generators.get(case.provenance.generator) if case.provenance else None
        recipe = _recipe(self._common, case, generator)
        return self._place / recipe[:2] / recipe


def tidy(place: Path, turn: int) -> None:
    """Remove from one of the 256 folders of `place` what was of no use for long."""
    oldest = time.time() - KEPT_DAYS * 24 * 3600
    for kept in (place / f"{turn % 256:02x}").glob("*"):
        try:
            old = kept.stat().st_mtime < oldest
        except FileNotFoundError:
            continue
        if old:
            shutil.rmtree(kept, ignore_errors=True)


@contextmanager
def workplace(into: Path) -> Iterator[Path]:
    """A folder in `into` to build in, that is gone in the end; those of builders that were killed are removed."""
    into.mkdir(parents=True, exist_ok=True)
    with (into / "lock").open("w") as door:
        fcntl.flock(door, fcntl.LOCK_EX)
        for left in into.glob(f"{_BUILDING}*"):
            handle = _held(left)
            if handle is not None:
                shutil.rmtree(left, ignore_errors=True)
                os.close(handle)
        work = Path(tempfile.mkdtemp(prefix=_BUILDING, dir=into))
        mine = _held(work)
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)
        if mine is not None:
            os.close(mine)


def _held(folder: Path) -> int | None:
    """A lock on `folder`, which ends with this process; None: somebody else has it."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


def _common(package: Package) -> bytes:
    """Digest of what all cases depend on."""
    total = hashlib.sha256(_FORMAT)
    for folder, folders, files in os.walk(package.root):
        here = Path(folder).relative_to(package.root)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith((".", "__pycache__")) and (here != Path() or name not in _BESIDE)
        )
        for name in sorted(files):
            _add(total, (here / name).as_posix(), Path(folder, name))
    accepted = [one for one in package.examples if one.folder == "accepted"]
    for example in [one for one in package.examples if one.model_solution] or accepted:
        _add(total, f"{example.program.name}\0{example.language}", b"")
        _add_files(total, example.program.files)
    return total.digest()


def _recipe(common: bytes, case: TestCase, generator: Program | None) -> str:
    total = hashlib.sha256(common)
    _add_files(total, generator.files if generator else {})
    _add(total, repr((case.name, case.group, case.provenance, case.settings)), b"")
    for name, content in (
        ("in", case.input if case.input is not None else case.input_text),
        ("ans", case.answer if case.answer is not None else case.answer_text),
    ):
        if content is not None:
            _add(total, name, content)
    if case.provenance is not None and case.input is not None:
        _add(total, "the same as its generator gives", b"")
    _add_files(total, case.files)
    return total.hexdigest()


def _add_files(total: "hashlib._Hash", files: Mapping[str, Content]) -> None:
    for name in sorted(files):
        _add(total, name, files[name])


def _add(total: "hashlib._Hash", name: str, content: Content) -> None:
    body = content if isinstance(content, bytes) else content.read_bytes() if content.is_file() else b""
    total.update(f"{name}\0{len(body)}\0".encode("utf-8", "surrogateescape"))
    total.update(body)
