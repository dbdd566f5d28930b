"""What goes into a box: sealed memory files, which nobody can change and which a program may reopen by name."""

import fcntl
import os
import struct
import threading
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from sandbox.contract import Content, SandboxFault
from sandbox.shelf import Shelf
from sandbox.wire import DESCRIPTORS, MORE, SHELVED, Part

CACHE_BYTES = 64 << 20
"""Standard inputs that are host files stay in memory for the next run, up to this much together."""
_SET_FLAGS, _NO_ACCESS_TIME = 0x40086602, struct.pack("l", 0x80)
"""Of linux/fs.h: without it, a run could see when an earlier one has read the same input."""
_SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
_MOST_OPENED = DESCRIPTORS - 10

_Key = tuple[int, ...]


class Inputs:
    """Standard inputs and files for runs. May be used from several threads.

    `lasting`: whether an input that is a host file may serve the next run too.
    """

    def __init__(self, shelf: Shelf, *, lasting: bool) -> None:
        self._shelf = shelf
        self._most = CACHE_BYTES if lasting else -1
        self.held = threading.RLock()
        """Held while a descriptor of `stdin` is used: another thread could close it to make room."""
        self._kept: OrderedDict[_Key, tuple[int, int]] = OrderedDict()
        self._bytes = 0

    def stdin(self, content: Content, closing: list[int]) -> int:
        """A descriptor on `content`, for others to be opened afresh from, while `held`. Raises `SandboxFault`.

        What the caller has to close after sending goes into `closing`; so it does in `files`.
        """
        if isinstance(content, bytes):
            fd = _sealed(content)
            closing.append(fd)
            return fd
        try:
            about = os.stat(content)  # noqa: PTH116 - on the path of every run, and twice as fast
        except OSError as error:
            raise SandboxFault(f"The input cannot be read: {error}") from None
        key = (about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key][0]
        fd = _sealed(_opened(content, closing))
        if about.st_size > self._most:
            closing.append(fd)
            return fd
        self._kept[key] = fd, about.st_size
        self._bytes += about.st_size
        while self._bytes > self._most:
            _, (oldest, size) = self._kept.popitem(last=False)
            os.close(oldest)
            self._bytes -= size
        return fd

    def files(self, contents: Iterable[Content], more: list[int], closing: list[int]) -> list[Part]:
        """Where each of `contents` stands; the descriptors needed for it are added to `more`. Raises `SandboxFault`."""
        parts: list[Part] = []
        packed: int | None = None
        position = end = 0
        for content in contents:
            shelved = self._shelf.place(content)
            if shelved is not None:
                parts.append(Part(descriptor=SHELVED, offset=shelved, size=0))
                continue
            if isinstance(content, Path):
                if len(more) < _MOST_OPENED:
                    opened = _opened(content, closing)
                    parts.append(Part(descriptor=MORE + len(more), offset=0, size=os.fstat(opened).st_size))
                    more.append(opened)
                    continue
                content = content.read_bytes()  # noqa: PLW2901 - too many to open at once
            if packed is None:
                packed = os.memfd_create("files", os.MFD_CLOEXEC)
                closing.append(packed)
                position = MORE + len(more)
                more.append(packed)
            parts.append(Part(descriptor=position, offset=end, size=len(content)))
            _write(packed, content)
            end += len(content)
        return parts

    def close(self) -> None:
        """Give the memory back."""
        with self.held:
            for fd, _ in self._kept.values():
                os.close(fd)
            self._kept.clear()
            self._bytes = 0


def _opened(path: Path, closing: list[int]) -> int:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise SandboxFault(f"A file for the box cannot be read: {error}") from None
    closing.append(fd)
    return fd


def _write(fd: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]


def _sealed(content: bytes | int) -> int:
    fd = os.memfd_create("input", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        os.fchmod(fd, 0o444)
        if isinstance(content, bytes):
            _write(fd, content)
        else:
            while os.sendfile(fd, content, None, 1 << 30):
                pass
        with suppress(OSError):  # kernels before 6.0
            fcntl.ioctl(fd, _SET_FLAGS, _NO_ACCESS_TIME)
        fcntl.fcntl(fd, fcntl.F_ADD_SEALS, _SEALS)
    except OSError:
        os.close(fd)
        raise
    return fd
