"""The messages between a worker and a box, laid out as `launcher/launcher.h` has them."""

import errno
import os
import struct
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from sandbox.contract import Quota, Run, SandboxFault

REQUEST_BYTES = 160 * 1024
STRINGS = 6 * 1024
FILES = 1024
DESCRIPTORS = 250
MORE = 4
"""Position of the first descriptor of a file, or of standard output, among those of a request."""
SHELVED = 0xFFFFFFFF
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/box", "LANG": "C.UTF-8"}
"""What every program finds; `Run.env` is added."""
LARGEST = 1 << 50
"""No size beyond this is taken for meant."""
LONGEST_NAME = 250
"""Characters of a path in the box (the kernel takes 1,000 bytes of them)."""

_HEAD = struct.Struct("=7Q7Ixxxx")
_FILE = struct.Struct("=QQII")
_REPLY = struct.Struct("=3Ii3Q3Q4I96s")
_KEPT = struct.Struct("=IQ")


class Cause(IntEnum):
    """Why a box was ended before its program ended by itself."""

    NONE = 0
    CPU = 1
    WALL = 2
    OUTPUT = 3
    KILLED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Where a file's content stands: in which of the descriptors sent along, from where, how much.

    With `SHELVED` for a descriptor, `offset` is its number on the shelf.
    """

    descriptor: int
    offset: int
    size: int


class Reply(NamedTuple):
    """The facts of one run, as the box counted them."""

    exec_errno: int
    cause: Cause
    status: int
    cpu_ns: int
    wall_ns: int
    memory_bytes: int
    stdout_bytes: int
    stderr_bytes: int
    kept_bytes: int
    oom_kills: int
    refused_processes: int
    files_full: bool


REPLY_BYTES = _REPLY.size


def request(run: Run, parts: list[Part]) -> bytes:
    """`run` as one message; `parts` stand for `run.files` in order.

    Raises `SandboxFault` when it is too big, and `ValueError` for a request that makes no sense.
    """
    env, names, has_stdout = tuple(run.env.items()), tuple(run.files), run.stdout is not None
    head, strings = _unchanging(run.argv, run.quota, env, names, run.keep, run.writable, has_stdout, run.sealed)
    message = b"".join((head, *(_FILE.pack(part.offset, part.size, part.descriptor, 0) for part in parts), strings))
    if len(message) > REQUEST_BYTES:
        raise SandboxFault("The run has too many arguments, variables or files for one request.")
    return message


@lru_cache(maxsize=16)
def _unchanging(  # noqa: PLR0917 - by position the cache is asked faster
    argv: tuple[str, ...],
    quota: Quota,
    env: tuple[tuple[str, str], ...],
    names: tuple[str, ...],
    keep: tuple[str, ...],
    writable: tuple[str, ...],
    has_stdout: bool,
    sealed: bool,
) -> tuple[bytes, bytes]:
    """What comes before and after the parts: the same for every case of a submission, so it is kept."""
    given = dict(env)
    if not argv or not argv[0]:
        raise ValueError("The run names no program.")
    for name in (*names, *keep, *writable):
        parts = name.split("/")
        if "" in parts or ".." in parts or ("." in parts and name != ".") or len(name) > LONGEST_NAME:
            raise ValueError(f"{name!r} is not a plain path below /box.")
    if any("=" in name or not name for name in given):
        raise ValueError("A variable of the environment needs a name without '='.")
    if any("\0" in text for text in (*argv, *names, *keep, *writable, *given, *given.values())):
        raise ValueError("Arguments, names and variables cannot hold a NUL.")
    sizes = (quota.memory_bytes, quota.output_bytes, quota.stderr_bytes, quota.processes, quota.file_bytes)
    if not all(0 <= size <= LARGEST for size in sizes) or not 0 < quota.cpu_seconds < 1e6 > quota.wall_seconds > 0:
        raise ValueError(f"Not a quota: {quota}")
    variables = ENVIRONMENT | given
    if max(len(argv), len(variables)) >= STRINGS or max(len(names), len(keep), len(writable)) >= FILES:
        raise SandboxFault("The run has too many arguments, variables or files for one request.")
    head = _HEAD.pack(
        int(quota.cpu_seconds * 1e9),
        int(quota.wall_seconds * 1e9),
        quota.memory_bytes,
        quota.output_bytes,
        quota.stderr_bytes,
        quota.processes,
        quota.file_bytes,
        has_stdout,
        sealed,
        len(argv),
        len(variables),
        len(names),
        len(keep),
        len(writable),
    )
    pairs = (f"{name}={value}" for name, value in variables.items())
    return head, b"".join(os.fsencode(text) + b"\0" for text in chain(argv, pairs, names, keep, writable))


def reply(message: bytes) -> Reply:
    """The facts in a box's answer. Raises `SandboxFault` when the box says that it failed itself, or said nothing."""
    if len(message) != _REPLY.size:
        raise SandboxFault("The sandbox's box died before it could answer.")
    fault, exec_errno, cause, status, cpu, wall, memory, out, err, kept, oom, refused, full, _, where = _REPLY.unpack(
        message
    )
    if fault:
        place = where.rstrip(b"\0").decode(errors="replace")
        raise SandboxFault(
            f"The sandbox failed at {place}: {os.strerror(fault)} ({errno.errorcode.get(fault, fault)})."
        )
    return Reply(exec_errno, Cause(cause), status, cpu, wall, memory, out, err, kept, oom, refused, bool(full))


def kept(stream: bytes) -> dict[str, bytes]:
    """The files a box handed back. Names that are not plain text are left out."""
    files: dict[str, bytes] = {}
    at = 0
    while at < len(stream):
        name_bytes, size = _KEPT.unpack_from(stream, at)
        at += _KEPT.size
        name = stream[at : at + name_bytes]
        at += name_bytes
        try:
            text = name.decode()
        except UnicodeDecodeError:
            text = ""
        if text.isprintable() and text:
            files[text.removeprefix("./")] = stream[at : at + size]
        at += size
    return files
