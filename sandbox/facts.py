"""What the box's counters mean: the one place that chooses an `Ending`."""

import os
import signal

from sandbox.contract import Ending, Outcome, Run
from sandbox.wire import Cause, Reply


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
    if facts.exec_errno:
        return Ending.NOT_STARTED
    if facts.oom_kills:  # whatever the first process then made of it
        return Ending.MEMORY
    if facts.cause is Cause.CPU or facts.cpu_ns > run.quota.cpu_seconds * 1e9:
        return Ending.CPU_TIME
    if facts.cause is Cause.WALL:
        return Ending.WALL_TIME
    if facts.cause is Cause.OUTPUT or signalled == signal.SIGXFSZ:
        return Ending.OUTPUT
    if signalled == signal.SIGSYS:
        return Ending.REFUSED
    failed = exit_code != 0 and facts.cause is Cause.NONE
    if failed and facts.refused_processes:
        return Ending.PROCESSES
    if failed and facts.files_full:
        return Ending.OUTPUT
    return Ending.EXITED if signalled is None else Ending.SIGNALLED
