"""What was compiled before, by everything that has a part in it: a regrade need not ask the compiler again.

Only workers write here, and only what came out of a box of theirs under exactly this name. A name is a digest over the
sources and all else (`key_of`), so that nobody can lay anything under the name of somebody else's program.
"""

import hashlib
import json
import os
import tempfile
import time
import zlib
from collections import OrderedDict
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from judge.grading.executable import Compilation, Executable
from judge.grading.language import Language
from judge.grading.verdict import Verdict
from sandbox.contract import Run

_FORMAT = b"palfrey compiled 1\n"
"""Changed when anything else is made of the same compiler's answer."""
LARGEST_BYTES = 8 << 20
"""A program that is bigger (it has a table in it) is compiled each time."""
_IN_MEMORY = 16
_FRESH_SECONDS = 7 * 24 * 3600.0
"""What is used and older than this is written anew, so that its age tells when it was last of use."""


class Store(Protocol):
    """Where entries stay for other processes. Its troubles are its own: it may forget, and never raises for a disk."""

    def get(self, key: str) -> bytes | None:
        """The entry of `key`, or None."""
        ...

    def put(self, key: str, entry: bytes) -> None:
        """Keep `entry`; another one under this key is replaced."""
        ...


class Kept:
    """Compilations by key: the last few in memory, and all that lasts in `store`, if there is one."""

    def __init__(self, store: Store | None = None) -> None:
        self._store = store
        self._last: OrderedDict[str, Compilation] = OrderedDict()

    def get(self, key: str, language: Language) -> Compilation | None:
        """What was compiled under `key`, marked as reused; None when that is not known, or cannot be read any more."""
        if key in self._last:
            self._last.move_to_end(key)
            return self._last[key]
        if self._store is None or not language.made_of:
            return None
        entry = self._store.get(key)
        found = unpacked(entry, language) if entry is not None else None
        if found is None:
            return None
        compilation, written = found
        if time.time() - written > _FRESH_SECONDS:
            self._store.put(key, packed(compilation))
        self._remember(key, compilation)
        return compilation

    def put(self, key: str, compilation: Compilation, language: Language) -> None:
        """Keep what was compiled, if it lasts. What cannot be told from its compiler's files stays in memory only."""
        if not compilation.lasting or _size(compilation) > LARGEST_BYTES:
            return
        self._remember(key, compilation)
        if self._store is not None and language.made_of:
            self._store.put(key, packed(compilation))

    def _remember(self, key: str, compilation: Compilation) -> None:
        self._last[key] = replace(compilation, reused=True)
        while len(self._last) > _IN_MEMORY:
            self._last.popitem(last=False)


class FolderStore:
    """A `Store` in a folder of this host, in which what was of no use for longest makes room. For a single user."""

    def __init__(self, folder: Path, most_bytes: int = 1 << 30) -> None:
        self._folder = folder
        self._most_bytes = most_bytes

    def get(self, key: str) -> bytes | None:
        """The entry of `key`, or None."""
        path = self._path(key)
        try:
            entry = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        return entry

    def put(self, key: str, entry: bytes) -> None:
        """Keep `entry`, unless the disk will not have it."""
        path = self._path(key)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(entry)
                Path(name).replace(path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
            self._make_room(path.parent)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / key

    def _make_room(self, folder: Path) -> None:
        """In one of the 256 folders, so that no more than its files need to be looked at; the last one stays."""
        about = sorted(((path.stat(), path) for path in folder.iterdir()), key=lambda each: -each[0].st_mtime)
        total = 0
        for stat, path in about:
            total += stat.st_size
            if total > self._most_bytes // 256 and path != about[0][1]:
                path.unlink(missing_ok=True)


def key_of(run: Run, language: Language, *, toolchain: str, fingerprint: str) -> str:
    """Names everything that has a part in what comes of compiling: command, files, limits, environment, compiler."""
    files = [(name, hashlib.sha256(_bytes(content)).hexdigest()) for name, content in sorted(run.files.items())]
    about = (run.argv, sorted(run.env.items()), run.quota, run.writable, run.keep, files)
    total = hashlib.sha256(_FORMAT)
    total.update(repr((language.id, language.label, toolchain, fingerprint, about)).encode())
    return total.hexdigest()


def packed(compilation: Compilation) -> bytes:
    """An entry: a digest over the rest, a line of JSON, and the files, compressed."""
    made = compilation.executable
    files = made.files if made else {}
    head = {
        "written": time.time(),
        "verdict": compilation.verdict,
        "note": compilation.note,
        "cpu_seconds": compilation.cpu_seconds,
        "toolchain": compilation.toolchain,
        "log": len(compilation.log),
        "entry": made.entry if made else None,
        "lines": dict(made.lines) if made else {},
        "files": [(name, len(content)) for name, content in files.items()],
    }
    # The fastest level: it takes a program to two fifths in 20 ms, and back in 10.
    body = json.dumps(head).encode() + b"\n" + zlib.compress(b"".join((compilation.log, *files.values())), 1)
    return _FORMAT + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def unpacked(entry: bytes, language: Language) -> tuple[Compilation, float] | None:
    """The compilation in an entry and when it was written (in seconds of the epoch); None for a broken one."""
    form, _, rest = entry.partition(b"\n")
    digest, _, body = rest.partition(b"\n")
    if form + b"\n" != _FORMAT or hashlib.sha256(body).hexdigest().encode() != digest:
        return None
    line, _, stored = body.partition(b"\n")
    head: dict[str, Any] = json.loads(line)
    content = zlib.decompress(stored)
    log, at = content[: head["log"]], head["log"]
    files: dict[str, bytes] = {}
    for name, size in head["files"]:
        files[name] = content[at : at + size]
        at += size
    executable = None
    if head["entry"] is not None:
        executable = Executable(language=language, entry=head["entry"], files=files, lines=head["lines"])
    compilation = Compilation(
        executable=executable,
        verdict=Verdict(head["verdict"]) if head["verdict"] else None,
        log=log,
        note=head["note"],
        cpu_seconds=head["cpu_seconds"],
        toolchain=head["toolchain"],
        lasting=True,
        reused=True,
    )
    return compilation, head["written"]


def _size(compilation: Compilation) -> int:
    return sum(map(len, compilation.executable.files.values())) if compilation.executable else 0


def _bytes(content: bytes | Path) -> bytes:
    return content if isinstance(content, bytes) else content.read_bytes()
