"""What may be asked, and what the box's counters mean: the one place that chooses an `Ending`."""

import os
import signal
from pathlib import PurePosixPath

from sandbox.contract import Ending, Outcome, Run
from sandbox.wire import Cause, Reply

LARGEST = 1 << 50
"""No size beyond this is taken for meant."""
LONGEST = 1000
"""Bytes of a path in the box."""


def check(run: Run) -> None:
    """Raises `ValueError` for a request that no box could carry out."""
    if not run.argv or not run.argv[0]:
        raise ValueError("The run names no program.")
    for name in (*run.files, *run.keep, *run.writable):
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or str(path) != name or len(os.fsencode(name)) > LONGEST:
            raise ValueError(f"{name!r} is not a plain path below /box.")
    if any("=" in name or not name for name in run.env):
        raise ValueError("A variable of the environment needs a name without '='.")
    texts = (*run.argv, *run.files, *run.keep, *run.writable, *run.env, *run.env.values())
    if any("\0" in text for text in texts):
        raise ValueError("Arguments, names and variables cannot hold a NUL.")
    quota = run.quota
    sizes = (quota.memory_bytes, quota.output_bytes, quota.stderr_bytes, quota.processes, quota.file_bytes)
    if not all(0 <= size <= LARGEST for size in sizes) or not 0 < quota.cpu_seconds < 1e6 > quota.wall_seconds > 0:
        raise ValueError(f"Not a quota: {quota}")


def outcome(run: Run, facts: Reply, stdout: bytes, stderr: bytes, kept: dict[str, bytes]) -> Outcome:
    """The facts of `run` as its caller reads them."""
    signalled = os.WTERMSIG(facts.status) if os.WIFSIGNALED(facts.status) else None
    exit_code = os.WEXITSTATUS(facts.status) if os.WIFEXITED(facts.status) else None
    ending = _ending(run, facts, exit_code, signalled)
    if ending is Ending.NOT_STARTED:
        exit_code = None
        stderr = f"{run.argv[0]}: {os.strerror(facts.exec_errno)}\n".encode(errors="surrogateescape")
    return Outcome(
        ending=ending,
        exit_code=exit_code if ending is Ending.EXITED else None,
        signal=signalled,
        cpu_seconds=facts.cpu_ns / 1e9,
        wall_seconds=facts.wall_ns / 1e9,
        memory_bytes=facts.memory_bytes,
        stdout=stdout,
        stderr=stderr,
        kept=kept,
    )


def _ending(run: Run, facts: Reply, exit_code: int | None, signalled: int | None) -> Ending:
    """The first of these that holds."""
    failed = exit_code != 0 and facts.cause is Cause.NONE
    rules = (
        (facts.exec_errno != 0, Ending.NOT_STARTED),
        (facts.oom_kills > 0, Ending.MEMORY),  # whatever the first process then made of it
        (facts.cause is Cause.CPU or facts.cpu_ns > run.quota.cpu_seconds * 1e9, Ending.CPU_TIME),
        (facts.cause is Cause.WALL, Ending.WALL_TIME),
        (facts.cause is Cause.OUTPUT or signalled == signal.SIGXFSZ, Ending.OUTPUT),
        (signalled == signal.SIGSYS, Ending.REFUSED),
        (failed and facts.refused_processes > 0, Ending.PROCESSES),
        (failed and facts.files_full, Ending.OUTPUT),
        (signalled is not None, Ending.SIGNALLED),
    )
    return next((ending for holds, ending in rules if holds), Ending.EXITED)
