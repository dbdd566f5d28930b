"""The door of the sandbox: what is asked (`Run`), what is answered (`Outcome`).

Orders flow down, facts flow up: an `Outcome` says how a program ended and what it used, never whether its answer was
right. Whoever needs a verdict makes it from these facts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

VERSION = 1
"""Raised when a run of the same program may give something else than before."""


class Ending(StrEnum):
    """How a run ended. Exactly one holds; when several limits were passed, the first one noticed."""

    EXITED = "exited"
    """By itself, with `Outcome.exit_code` (0 or not)."""
    SIGNALLED = "signalled"
    """By `Outcome.signal`, not sent by us."""
    CPU_TIME = "cpu_time"
    """Stopped: the whole process tree used more than `Quota.cpu_seconds`."""
    WALL_TIME = "wall_time"
    """Stopped: `Quota.wall_seconds` went by (asleep, or waiting for input that never comes)."""
    MEMORY = "memory"
    """Some process of the tree was killed for memory, whatever the exit status says."""
    OUTPUT = "output"
    """Stopped: it wrote more than its quota lets it, or the files of the box were full."""
    PROCESSES = "processes"
    """Failed after `Quota.processes` refused it a process or thread."""
    REFUSED = "refused"
    """Killed for a system call that is not allowed."""
    NOT_STARTED = "not_started"
    """The program could not be executed (no such file, not executable); `Outcome.stderr` says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """What one run may use. Seconds are seconds, sizes are bytes."""

    cpu_seconds: float
    wall_seconds: float
    memory_bytes: int
    output_bytes: int = 8 << 20
    stderr_bytes: int = 64 << 10
    """Standard error beyond this is thrown away. Only both streams together, beyond both sizes together, end a run."""
    processes: int = 64
    """Processes and threads together."""
    file_bytes: int = 64 << 20
    """All files that the run may write to its box together."""


Content = bytes | Path
"""Bytes, or a file on this host to take them from (never a path inside a box)."""

UNCHANGING = 0o555
"""A file of the worker's own with this mode is never written to again, only replaced: boxes show it without a copy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One program to run in a fresh box.

    The box's working folder is `/box`; nothing is in it but `files` (read-only to the program) and what the program
    writes. A name in `files` may have folders in it (`a/b.txt`), which are made.
    """

    argv: tuple[str, ...]
    """The program (absolute path inside the box, or relative to `/box`) and its arguments; never a shell line."""
    quota: Quota
    files: Mapping[str, Content] = field(default_factory=dict)
    stdin: Content | int = b""
    """Bytes or a host file, given as a read-only file; or a descriptor, the read end of a pipe between two runs."""
    stdout: int | None = None
    """None: kept in `Outcome.stdout`. A descriptor: the write end of a pipe, for an interactive run."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Added to the fixed small environment of the box; nothing of ours is inherited."""
    keep: tuple[str, ...] = ()
    """Files and folders below `/box` whose regular files come back in `Outcome.kept`, bounded by `Quota.file_bytes`."""
    writable: tuple[str, ...] = ()
    """Folders made below `/box` before the start, in which the program may write."""
    sealed: bool = False
    """Nothing can be made, changed or removed in `/box`, but in `writable`; `/tmp` is the program's own as ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a run did and used. `exit_code` is set for EXITED, `signal` when a signal ended the first process."""

    ending: Ending
    exit_code: int | None
    signal: int | None
    cpu_seconds: float
    """User and system time of the whole process tree, from the control group."""
    wall_seconds: float
    memory_bytes: int
    """Peak of the whole process tree, from the control group."""
    stdout: bytes
    """At most `Quota.output_bytes`; empty when `Run.stdout` was given."""
    stderr: bytes
    """At most `Quota.stderr_bytes`."""
    kept: Mapping[str, bytes] = field(default_factory=dict)
    """Path below `/box` -> bytes, for the regular files that `Run.keep` asked for and that were there."""


class SandboxFault(Exception):
    """The sandbox itself failed (its launcher died, the host refused something). Never the program's; try again."""


class Running(Protocol):
    """A run that has been started."""

    def wait(self) -> Outcome:
        """Wait for the end; everything of the run is dead when this returns. Raises `SandboxFault`."""
        ...

    def kill(self) -> None:
        """End it early; `wait` still gives the outcome."""
        ...


class Sandbox(Protocol):
    """Makes a fresh box for each run. One sandbox serves one worker; `close` ends whatever still runs."""

    def start(self, run: Run) -> Running:
        """Start `run` and return at once. Raises `SandboxFault`."""
        ...

    def run(self, run: Run) -> Outcome:
        """Start and wait."""
        ...

    def close(self) -> None:
        """Kill what runs, give back what was taken from the host."""
        ...
