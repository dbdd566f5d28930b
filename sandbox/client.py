"""What a worker asks of a box, by the small library of `launcher/client.c`."""

import ctypes
import errno
import os
from collections.abc import Sequence
from pathlib import Path

from sandbox.wire import REPLY_BYTES


class Client:
    """Starts runs and hears how they ended. May be used from several threads."""

    def __init__(self, library: Path) -> None:
        functions = ctypes.CDLL(str(library))
        self._begin = functions.begin
        self._begin.argtypes = [
            *(ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t),
            *(ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int),
            *(ctypes.c_void_p, ctypes.c_size_t),
        ]
        self._answer = functions.answer
        self._answer.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t]
        self._answer.restype = ctypes.c_ssize_t

    def begin(
        self, requests: int, message: bytes, *, stop: int, result: int, stdin: int, afresh: bool, more: Sequence[int]
    ) -> int:
        """Send a request with its descriptors; gives the one on which the answer will come. Raises `OSError`.

        `afresh`: the box gets a description of its own of what `stdin` is open on, at its start and read-only.
        """
        rest = (ctypes.c_int * len(more))(*more) if more else None
        answers: int = self._begin(requests, message, len(message), stop, result, stdin, afresh, rest, len(more))
        if answers < 0:
            raise OSError(-answers, os.strerror(-answers))
        return answers

    def answer(self, answers: int, seconds: float) -> bytes | None:
        """The answer of a box, empty when it died without one; None when none came in that time. Raises `OSError`."""
        into = ctypes.create_string_buffer(REPLY_BYTES + 1)
        size: int = -errno.EINTR
        while size == -errno.EINTR:  # a signal; Python has looked at it by now, and it may have raised
            size = self._answer(answers, int(1000 * seconds), into, REPLY_BYTES + 1)
        if size == -errno.ETIMEDOUT:
            return None
        if size < 0:
            raise OSError(-size, os.strerror(-size))
        return into.raw[:size]
