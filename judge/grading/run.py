"""Runs one program on one case, and says what its ending means.

The programs of authors are run with the same patience: how busy the machine is refuses no package."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import assert_never

from judge.grading.executable import Executable
from judge.grading.verdict import Verdict
from sandbox.contract import Content, Ending, Outcome, Quota, Run, Sandbox

LEEWAY = 1.3
"""A program is let run to this many times its limit, so that a slow moment of the machine costs nobody a verdict."""
NEAR = 0.85
"""From this part of the limit on it is measured again."""
MORE = 2
"""How often more."""
PATIENCE = 5
"""A program that the machine was too busy for is run once more, with so many times the wall limit."""
SHARE = 1 / 10
"""Who had more of a processor than this, and took too long, did not sleep."""
_SHARE_OF_BUSY = 1 / 40
"""The same on a host where others wait for processors; starting an interpreter that then sleeps takes less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What a program may use on one case: CPU seconds, bytes of memory, bytes of output of every kind together."""

    cpu_seconds: float
    memory_bytes: int
    output_bytes: int
    file_writing: bool = False
    """Whether it may write into its working folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One case run, once or (near the limit) three times; `outcome` is that of the run that counts."""

    verdict: Verdict | None
    """None: it ended well, and its output is to be checked."""
    outcome: Outcome
    cpu_range: tuple[float, float] | None


def run_of(
    executable: Executable,
    allowance: Allowance,
    *,
    stdin: Content = b"",
    files: Mapping[str, Path] | None = None,
    args: tuple[str, ...] = (),
) -> Run:
    """The run of a submission on one case."""
    return Run(
        argv=executable.command(allowance.memory_bytes) + args,
        files={**executable.files, **(files or {})},
        stdin=stdin,
        env=executable.environment(allowance.memory_bytes),
        sealed=not allowance.file_writing,
        quota=Quota(
            cpu_seconds=LEEWAY * allowance.cpu_seconds,
            wall_seconds=2 * LEEWAY * allowance.cpu_seconds + 3,
            memory_bytes=allowance.memory_bytes,
            output_bytes=allowance.output_bytes,
            stderr_bytes=allowance.output_bytes + 1,
            file_bytes=allowance.output_bytes,
        ),
    )


def measure(
    executable: Executable,
    box: Sandbox,
    allowance: Allowance,
    *,
    stdin: Content,
    files: Mapping[str, Path] | None = None,
    args: tuple[str, ...] = (),
) -> Measured:
    """Run, again if near the limit, and count the best. Raises `SandboxFault`, and `OSError` for a lost input."""
    run = run_of(executable, allowance, stdin=stdin, files=files, args=args)
    outcome = patiently(run, box)
    outcomes = [outcome]
    if near(outcome, allowance):
        outcomes += [patiently(run, box) for _ in range(MORE)]
    return measured(outcomes, executable, allowance)


def patiently(run: Run, box: Sandbox) -> Outcome:
    """Run, and once more with patience if the machine was too busy for it. Raises `SandboxFault`."""
    outcome = box.run(run)
    if starved(outcome):
        outcome = box.run(replace(run, quota=replace(run.quota, wall_seconds=PATIENCE * run.quota.wall_seconds)))
    return outcome


def measured(outcomes: Sequence[Outcome], executable: Executable, allowance: Allowance) -> Measured:
    """What several runs of the same come to."""
    counts = best(outcomes)
    used = [outcome.cpu_seconds for outcome in outcomes]
    return Measured(
        verdict=verdict_of(counts, executable, allowance),
        outcome=counts,
        cpu_range=(min(used), max(used)) if len(used) > 1 else None,
    )


def best(outcomes: Sequence[Outcome]) -> Outcome:
    """Of several measurements the one that counts: the fastest that ended by itself."""
    return min(outcomes, key=lambda outcome: (_stopped(outcome), outcome.cpu_seconds))


def verdict_of(outcome: Outcome, executable: Executable, allowance: Allowance) -> Verdict | None:
    """What a run's ending means under the limits; None when it ended well and the output decides."""
    if outcome.ending != Ending.NOT_STARTED and outcome.cpu_seconds > allowance.cpu_seconds:
        return Verdict.TIME_LIMIT_EXCEEDED
    ending = outcome.ending
    match ending:
        case Ending.CPU_TIME | Ending.WALL_TIME:
            return Verdict.TIME_LIMIT_EXCEEDED
        case Ending.MEMORY:
            return Verdict.MEMORY_LIMIT_EXCEEDED
        case Ending.OUTPUT:
            return Verdict.OUTPUT_LIMIT_EXCEEDED
        case Ending.NOT_STARTED:
            return Verdict.JUDGE_ERROR
        case Ending.EXITED | Ending.SIGNALLED | Ending.PROCESSES | Ending.REFUSED:
            if len(outcome.stdout) + len(outcome.stderr) > allowance.output_bytes:
                return Verdict.OUTPUT_LIMIT_EXCEEDED
            if ending == Ending.EXITED and outcome.exit_code == 0:
                return None
            if any(mark in outcome.stderr for mark in executable.language.out_of_memory):
                return Verdict.MEMORY_LIMIT_EXCEEDED
            return Verdict.RUN_TIME_ERROR
        case _:
            assert_never(ending)


def near(outcome: Outcome, allowance: Allowance) -> bool:
    """Whether a run ended by itself so near the limit that it is measured again."""
    return not _stopped(outcome) and NEAR <= outcome.cpu_seconds / allowance.cpu_seconds <= LEEWAY


def starved(outcome: Outcome, *, others_cpu_seconds: float = 0.0) -> bool:
    """Whether a run that took too long was kept from the processor: one that sleeps uses next to none of it.

    What the partner used whom it may have waited for counts as well, but where others wait for processors: there both
    start slowly, and one that sleeps would be waited for again and again.
    """
    if outcome.ending != Ending.WALL_TIME:
        return False
    share = outcome.cpu_seconds / outcome.wall_seconds
    together = share + others_cpu_seconds / outcome.wall_seconds
    return together > SHARE or (share > _SHARE_OF_BUSY and crowded(_pressure()))


def slept(outcome: Outcome, limit_seconds: float) -> bool:
    """Whether a run that took too long computed next to nothing: a small part of the time, and of its `limit_seconds`
    of CPU. Else it may have been busy on a host with too many others."""
    most = SHARE * min(outcome.wall_seconds, limit_seconds)
    return outcome.ending == Ending.WALL_TIME and outcome.cpu_seconds < most


def crowded(pressure: str) -> bool:
    """Whether of the last ten seconds something on this host waited for a processor for more than half; `pressure` is
    the kernel's /proc/pressure/cpu, empty where it does not tell.
    """
    found = re.match(r"some avg10=([0-9.]+)", pressure)
    return found is not None and float(found[1]) > 50


def _pressure() -> str:
    try:
        return Path("/proc/pressure/cpu").read_text(encoding="ascii")
    except OSError:
        return ""


def _stopped(outcome: Outcome) -> bool:
    return outcome.ending in (Ending.CPU_TIME, Ending.WALL_TIME)
