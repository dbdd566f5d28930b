"""Big files for boxes, stored once in a folder that the slot shows to its boxes, so that a run need not copy them.

A compiled program is given to every case of a submission; mounting it from the shelf costs a tenth of copying it. The
folder is root's alone: a program sees the files that its run was given, under their names in its box, and no others.

A host file that is `UNCHANGING` is linked instead of copied, so that a precompiled header of 100 MB costs nothing here.
"""

import fcntl
import os
import secrets
import shutil
import stat
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path

from sandbox.contract import UNCHANGING, Content, SandboxFault

SMALLEST = 64 << 10
"""Bytes; what is smaller is copied into the box faster than it is mounted."""
LARGEST = 512 << 20
"""Bytes of all that is kept together."""
GRACE_SECONDS = 30.0
"""A file that is given up stays so long, for the box that was just promised it."""

_Key = tuple[int, ...]


class Shelf:
    """Numbered files in a folder of their own below `parent`. May be used from several threads."""

    def __init__(self, parent: Path) -> None:
        parent.mkdir(parents=True, exist_ok=True)
        _sweep(parent)
        self.folder = parent / secrets.token_hex(8)
        self.folder.mkdir(mode=0o700)
        self._held = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        fcntl.flock(self._held, fcntl.LOCK_SH)
        self._lock = threading.Lock()
        self._last = 0
        self._bytes = 0
        # The content is remembered with its number: while it lives, no other bytes can have its identity.
        self._files: OrderedDict[_Key, tuple[int, int, Content]] = OrderedDict()
        self._given_up: list[tuple[float, int]] = []

    def place(self, content: Content) -> int | None:
        """The number of the file with `content`, or None when it is better copied. Raises `SandboxFault`."""
        key: _Key
        try:
            linked = False
            if isinstance(content, bytes):
                size, key = len(content), (id(content),)
            else:
                about = content.stat()
                size, key = about.st_size, (about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns)
                linked = stat.S_IMODE(about.st_mode) == UNCHANGING and about.st_uid == os.geteuid()
                if not linked:
                    key += (about.st_ctime_ns,)  # of a linked one it moves with each link
            if not SMALLEST <= size <= LARGEST:
                return None
            with self._lock:
                if key in self._files:
                    self._files.move_to_end(key)
                    return self._files[key][0]
                return self._add(key, size, content, linked=linked)
        except OSError as error:
            raise SandboxFault(f"A file for the box cannot be read or stored: {error}") from None

    def close(self) -> None:
        """Remove the folder. May be called again."""
        with self._lock:
            self._files.clear()
            if self._held >= 0:
                os.close(self._held)
                self._held = -1
                shutil.rmtree(self.folder, ignore_errors=True)

    def _add(self, key: _Key, size: int, content: Content, *, linked: bool) -> int:
        self._last += 1
        path = self.folder / str(self._last)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif linked and _link(content, path):
            size = 0
        else:
            shutil.copyfile(content, path)
        path.chmod(UNCHANGING)
        self._files[key] = self._last, size, content
        self._bytes += size
        now = time.monotonic()
        while self._bytes > LARGEST:
            _, (number, freed, _) = self._files.popitem(last=False)
            self._bytes -= freed
            self._given_up.append((now + GRACE_SECONDS, number))
        while self._given_up and self._given_up[0][0] < now:
            (self.folder / str(self._given_up.pop(0)[1])).unlink(missing_ok=True)
        return self._last


def _link(content: Path, path: Path) -> bool:
    try:
        path.hardlink_to(content)
    except OSError:  # on another file system, or one without links
        return False
    return True


def _sweep(parent: Path) -> None:
    """Remove the shelves of workers that were killed: nobody holds their lock."""
    for folder in parent.iterdir():
        with suppress(OSError):
            fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if time.time() - folder.stat().st_mtime > GRACE_SECONDS:  # not one that is just being made
                    shutil.rmtree(folder)
            finally:
                os.close(fd)
