"""The messages between a worker and a box, laid out as `launcher/launcher.h` has them."""

import errno
import os
import struct
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain

from sandbox.contract import Run, SandboxFault

REQUEST_BYTES = 160 * 1024
STRINGS = 6 * 1024
FILES = 1024
DESCRIPTORS = 250
SHELVED = 0xFFFFFFFF

_HEAD = struct.Struct("=7Q6I")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
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

    SIZE = _REPLY.size


def request(run: Run, env: dict[str, str], parts: list[Part]) -> bytes:
    """`run` as one message; `parts` stand for `run.files` in order. Raises `SandboxFault` when it is too big."""
    quota = run.quota
    head = _HEAD.pack(
        int(quota.cpu_seconds * 1e9),
        int(quota.wall_seconds * 1e9),
        quota.memory_bytes,
        quota.output_bytes,
        quota.stderr_bytes,
        quota.processes,
        quota.file_bytes,
        run.stdout is not None,
        len(run.argv),
        len(env),
        len(parts),
        len(run.keep),
        len(run.writable),
    )
    files = b"".join(_FILE.pack(part.offset, part.size, part.descriptor, 0) for part in parts)
    variables = (f"{name}={value}" for name, value in env.items())
    strings = b"".join(
        os.fsencode(text) + b"\0" for text in chain(run.argv, variables, run.files, run.keep, run.writable)
    )
    message = head + files + strings
    most_names = max(len(parts), len(run.keep), len(run.writable))
    if len(message) > REQUEST_BYTES or max(len(run.argv), len(env)) >= STRINGS or most_names >= FILES:
        raise SandboxFault("The run has too many arguments, variables or files for one request.")
    return message


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
    return Reply(
        exec_errno=exec_errno,
        cause=Cause(cause),
        status=status,
        cpu_ns=cpu,
        wall_ns=wall,
        memory_bytes=memory,
        stdout_bytes=out,
        stderr_bytes=err,
        kept_bytes=kept,
        oom_kills=oom,
        refused_processes=refused,
        files_full=bool(full),
    )


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
