"""What this host can and cannot hold, said aloud, with a cure for each lack."""

import os
import platform
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sandbox.box import LinuxSandbox, open_sandbox
from sandbox.cgroups import NONE, find
from sandbox.contract import Ending, Outcome, Quota, Run, SandboxFault

_QUOTA = Quota(cpu_seconds=2.0, wall_seconds=5.0, memory_bytes=64 << 20, processes=16, file_bytes=1 << 20)

_CPU_GAP = 0.03
"""Seconds between two ways of counting; a kernel may count one of them in ticks of 10 ms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing looked at. `cure` is empty when it holds."""

    what: str
    holds: bool
    needed: bool = True
    """Whether judging is refused without it."""
    cure: str = ""


def _lack(what: str, cure: str) -> Finding:
    return Finding(what=what, holds=False, needed=False, cure=cure)


NOT_HELD = (
    _lack(
        "No control groups: the laptop mode, for your own programs",
        "For programs of others: run as root, or as `systemd-run --user --scope -p Delegate=yes …` where systemd is.",
    ),
    _lack(
        "Memory is looked at every 5 to 50 ms",
        "A program can be over its limit for so long, and memory of the kernel's (pipes, sockets, timers) is not seen.",
    ),
    _lack(
        "CPU time is summed up from what lives",
        "What short-lived children used is lost when their parent does not wait for them.",
    ),
    _lack(
        "That a process was refused is not told",
        "Programs that had as many processes as may be, and failed, are taken for refused ones.",
    ),
    _lack(
        "Programs have your own number on this host",
        "Nothing of the host's is shown to them; but a bug of the kernel's would give them what you have.",
    ),
)
"""What the laptop mode cannot hold, in the doctor's words."""


def examine(state: Path, *, laptop: bool = False) -> list[Finding]:
    """Everything worth knowing about this host; each limit is tried by a program that goes beyond it."""
    findings = [_kernel()]
    try:
        hierarchies = NONE if laptop else find()
        sandbox = open_sandbox(state, laptop=laptop)
    except SandboxFault as fault:
        return [*findings, Finding(what="The sandbox cannot be opened", holds=False, cure=str(fault))]
    try:
        if laptop:
            findings.extend(NOT_HELD)
        else:
            findings.append(
                Finding(what=f"Control groups v{hierarchies.version} for memory, processes and CPU", holds=True)
            )
        findings.extend(tried(sandbox))
    finally:
        sandbox.close()
    findings.append(pinned(state, laptop=laptop))
    kernel = Path("/proc/sys")
    findings.append(_swap())
    findings.append(_reserving((kernel / "vm/overcommit_memory").read_text()))
    findings.append(_dumps((kernel / "kernel/core_pattern").read_text()))
    return findings


def _kernel() -> Finding:
    needed = (5, 12) if os.geteuid() == 0 else (5, 14)  # since then processes are counted for each user namespace
    version = tuple(int("".join(filter(str.isdigit, part)) or 0) for part in platform.release().split(".")[:2])
    return Finding(
        what=f"Linux {platform.release()} on {platform.machine()}",
        holds=version >= needed,
        cure="" if version >= needed else f"Use Linux {needed[0]}.{needed[1]} or newer.",
    )


def tried(sandbox: LinuxSandbox) -> Iterator[Finding]:
    """Whether this host judges rightly, by programs that go beyond each limit or use a known amount; about a second.

    A worker asks this before it takes work.
    """
    yield _try(sandbox, "A program runs", ("/bin/sh", "-c", "exit 7"), lambda o: o.exit_code == 7)
    yield _try(
        sandbox,
        "The CPU limit holds",
        ("/bin/sh", "-c", "while :; do :; done"),
        lambda o: o.ending is Ending.CPU_TIME,
        Quota(cpu_seconds=0.1, wall_seconds=5.0, memory_bytes=64 << 20),
    )
    yield _try(
        sandbox,
        "The wall limit holds",
        ("/bin/sleep", "5"),
        lambda o: o.ending is Ending.WALL_TIME,
        Quota(cpu_seconds=1.0, wall_seconds=0.1, memory_bytes=64 << 20),
    )
    yield _try(
        sandbox,
        "The memory limit holds",
        ("/bin/sh", "-c", 'a=0123456789abcdef; while :; do a="$a$a"; done'),
        lambda o: o.ending is Ending.MEMORY,
    )
    yield _try(
        sandbox,
        "The limit of processes holds",
        ("/bin/sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do sleep 1 & done; exit 1"),
        lambda o: o.ending is Ending.PROCESSES,
    )
    yield _try(
        sandbox,
        "Nothing of the host's /etc or /root is seen",
        ("/bin/ls", "/root", "/etc/shadow"),
        lambda o: o.exit_code == 2,
    )
    yield _try(
        sandbox,
        "There is no network",
        ("/bin/bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/1"),
        lambda o: o.exit_code == 1 and b"refused" not in o.stderr,  # of a network there would be somebody who refuses
    )
    yield _try(
        sandbox,
        "CPU time is told truly",
        ("/bin/sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; times"),
        lambda o: abs(o.cpu_seconds - _told_by_times(o.stdout)) < _CPU_GAP,
    )
    yield _try(
        sandbox,
        "Memory is told truly",
        ("/bin/dd", "if=/dev/zero", "of=/dev/null", "bs=32M", "count=1"),
        lambda o: 30 << 20 <= o.memory_bytes < 40 << 20,  # kernels keep their counts in pieces of some pages
    )


def pinned(state: Path, *, laptop: bool = False) -> Finding:
    """Whether programs can be kept to one core, as those are who are judged. Nobody who judges is in its way, nor is it
    in theirs.
    """
    what = "Programs keep to one core"
    try:
        with closing(open_sandbox(state, pinned=True, laptop=laptop, cores="cores-tried")) as sandbox:
            sandbox.run(Run(argv=("/bin/true",), quota=_QUOTA))
    except SandboxFault as fault:
        return Finding(what=what, holds=False, cure=str(fault))
    return Finding(what=what, holds=True)


def _told_by_times(printed: bytes) -> float:
    """Seconds of user and system time of the shell itself, as its `times` prints them (`0m0.120000s 0m0.003s`)."""
    seconds = 0.0
    for word in printed.split()[:2]:
        minutes, _, rest = word.decode().rstrip("s").partition("m")
        seconds += 60 * float(minutes) + float(rest)
    return seconds


def _try(
    sandbox: LinuxSandbox, what: str, argv: tuple[str, ...], holds: Callable[[Outcome], bool], quota: Quota = _QUOTA
) -> Finding:
    try:
        outcome = sandbox.run(Run(argv=argv, quota=quota))
    except SandboxFault as fault:
        return Finding(what=what, holds=False, cure=str(fault))
    if holds(outcome):
        return Finding(what=what, holds=True)
    return Finding(
        what=what, holds=False, cure=f"This is a fault of the sandbox on this kernel; it was told: {outcome}"
    )


def _swap() -> Finding:
    swaps = Path("/proc/swaps").read_text().splitlines()[1:]
    return Finding(
        what="No swap is used" if not swaps else "Swap is used",
        holds=not swaps,
        needed=False,
        cure="" if not swaps else "Turn it off (swapoff -a): a program's time depends on what else is swapped.",
    )


def _reserving(mode: str) -> Finding:
    """In mode 2 the kernel counts what is reserved, and boxes leave reserving unlimited: Java and Go need it."""
    strict = mode.strip() == "2"
    return Finding(
        what="The kernel refuses to promise more memory than there is" if strict else "Memory is counted when touched",
        holds=not strict,
        needed=False,
        cure="Set vm.overcommit_memory to 0 or 1: a program may reserve all that the kernel would promise."
        if strict
        else "",
    )


def _dumps(pattern: str) -> Finding:
    """Files and pipes know the limit that keeps programs from dumping; a socket, since Linux 6.16, does not."""
    handled = pattern.startswith("@")
    return Finding(
        what="Core dumps go to a socket of the host's" if handled else "Core dumps of programs go nowhere",
        holds=not handled,
        needed=False,
        cure="Name a file or a pipe in kernel.core_pattern: dumps to a socket cannot be refused for one program."
        if handled
        else "",
    )
