"""Run in the guest by its init: the sandbox on control groups v2. Prints one line a check, then a last one."""

import ctypes
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

from sandbox import cgroups
from sandbox.box import LinuxSandbox, open_sandbox
from sandbox.cgroups import find
from sandbox.contract import Ending, Quota, Run

MIB = 1 << 20
QUOTA = Quota(cpu_seconds=20, wall_seconds=60, memory_bytes=256 * MIB, file_bytes=16 * MIB)
QUOTAS = {
    Ending.CPU_TIME: Quota(cpu_seconds=0.3, wall_seconds=60, memory_bytes=256 * MIB),
    Ending.WALL_TIME: Quota(cpu_seconds=20, wall_seconds=1, memory_bytes=64 * MIB),
    Ending.MEMORY: Quota(cpu_seconds=160, wall_seconds=300, memory_bytes=64 * MIB, file_bytes=256 * MIB),
    Ending.OUTPUT: Quota(cpu_seconds=20, wall_seconds=60, memory_bytes=64 * MIB, output_bytes=MIB, file_bytes=16 * MIB),
    Ending.PROCESSES: Quota(cpu_seconds=20, wall_seconds=60, memory_bytes=256 * MIB, processes=32),
}

DELEGATED = (
    "cpu_time/loop",
    "cpu_time/fork_bomb",
    "cpu_time/orphans",
    "wall_time/sleeps",
    "memory/hog",
    "memory/in_a_child",
    "memory/spread",
    "memory/pipes",
    "memory/files",
    "output/flood",
    "processes/forks",
    "processes/threads",
    "refused/x32",
    "signalled/9-kill",
    "exited/network",
    "exited/looks_around",
    "exited/other_processes",
    "exited/namespaces_and_mounts",
    "exited/orphan_burns_on",
    "figures/touch",
    "figures/children",
    "figures/shared",
)
"""Tried again by an ordinary user to whom a group was handed over, and in a container with few rights."""


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def hostile(sandbox: LinuxSandbox, program: Path) -> str:
    ending = Ending(program.parent.name)
    files = {"given.txt": b"given", "folder/inner.txt": b"inner", "program": program.read_bytes()}
    run = Run(argv=("program",), files=files, quota=QUOTAS.get(ending, QUOTA), stdin=b"input\n")
    outcome = sandbox.run(run)
    good = outcome.ending is ending and (ending is not Ending.EXITED or outcome.exit_code == 0)
    return "" if good else str(outcome)


def figures(sandbox: LinuxSandbox, program: Path) -> str:
    outcome = sandbox.run(Run(argv=("program",), files={"program": program.read_bytes()}, quota=QUOTA))
    return "" if 64 * MIB <= outcome.memory_bytes < 66 * MIB else str(outcome)


def crash() -> None:
    """Outside of any box, with a core limit of 0: a handler is given the dump all the same."""
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.abort()
    os.waitpid(pid, 0)


def dumps() -> list[str]:
    time.sleep(1)
    found = sorted(path.name for path in Path("/tmp").glob("dump-*"))
    for name in found:
        (Path("/tmp") / name).unlink()
    return found


def handle_dumps() -> None:
    """As systemd-coredump and apport do: dumps go to a program of the host's, which runs as root."""
    handler = Path("/handler")
    handler.write_text("#!/usr/bin/busybox sh\n/usr/bin/busybox head -c 100 > /tmp/dump-$1\n")
    handler.chmod(0o755)
    Path("/proc/sys/kernel/core_pattern").write_text("|/handler %e")
    crash()
    said = dumps()
    say(f"guest: {'good' if said else 'bad'} a dump outside of a box goes to the handler {said}")


def hand_over(group: Path, user: int) -> None:
    """As systemd does it for `systemd-run --user --scope -p Delegate=yes`, but for its mark."""
    group.mkdir()
    for path in (group, *(group / f"cgroup.{name}" for name in ("procs", "subtree_control", "threads"))):
        os.chown(path, user, user)


def as_user(user: int) -> int:
    """Everything again that matters, as an ordinary user to whom a group was handed over; gives the exit status."""
    state, group = Path("/user-state"), Path("/sys/fs/cgroup/handed-over")
    shutil.copytree("/state/launcher", state / "launcher")
    for path in (state, *state.rglob("*")):
        os.chown(path, user, user)
    hand_over(group, user)
    pid = os.fork()
    if pid == 0:
        (group / "cgroup.procs").write_text(str(os.getpid()))
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
        try:
            delegated(state, group)
        except Exception as error:  # noqa: BLE001 - the line is the report
            say(f"guest: bad delegated {error!r}")
        os._exit(0)
    return os.waitpid(pid, 0)[1]


def delegated(state: Path, group: Path) -> None:
    hierarchies = find()
    good = hierarchies.version == 2 and hierarchies.bases == (group / "palfrey",)
    say(f"guest: {'good' if good else 'bad'} delegated group {hierarchies}")
    inner = group / "inner"
    inner.mkdir()
    before = cgroups._is_handed_over(inner)
    os.setxattr(inner, "user.delegate", b"1")
    good = (before, cgroups._is_handed_over(inner)) == (False, True)
    say(f"guest: {'good' if good else 'bad'} delegated mark of systemd's")
    sandbox = open_sandbox(state)
    again = open_sandbox(state)
    again.close()
    for name in DELEGATED:
        program = Path("/programs") / name
        check = figures if program.parent.name == "figures" else hostile
        trouble = check(sandbox, program)
        say(f"guest: {'bad' if trouble else 'good'} delegated {name} {trouble}")
    sandbox.close()
    left = [str(folder) for base in hierarchies.bases for folder in base.iterdir() if folder.is_dir()]
    say(f"guest: {'bad' if left else 'good'} delegated nothing left {left or ''}")


RIGHTS = {5, 6, 7, 8, 21, 23}
"""KILL, SETGID, SETUID, SETPCAP, SYS_ADMIN, SYS_NICE."""
CAPABILITIES = 41
"""So many there are, with those of newer kernels."""


def as_container() -> int:
    """As a container with the rights that docker-compose.yml names: groups of its own, mounted read-only."""
    group = Path("/sys/fs/cgroup/container")
    group.mkdir()
    pid = os.fork()
    if pid == 0:
        (group / "cgroup.procs").write_text(str(os.getpid()))
        calls = ctypes.CDLL(None)
        if calls.unshare(0x00020000 | 0x02000000):  # CLONE_NEWNS, CLONE_NEWCGROUP
            os._exit(1)
        for words in (
            ["mount", "--make-rprivate", "/"],
            ["umount", "/sys/fs/cgroup"],
            ["mount", "-t", "cgroup2", "-o", "ro,nosuid,nodev,noexec", "none", "/sys/fs/cgroup"],
        ):
            subprocess.run(["/usr/bin/busybox", *words], check=True)
        for number in range(CAPABILITIES):
            if number not in RIGHTS:
                calls.prctl(24, number, 0, 0, 0)  # PR_CAPBSET_DROP
        calls.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
        os.execv(sys.executable, [sys.executable, "-m", "tests.sandbox.guest.inside", "contained"])
    return os.waitpid(pid, 0)[1]


def contained() -> int:
    """Inside of it."""
    held = Path("/proc/self/status").read_text()
    fewer = f"CapEff:\t{sum(1 << number for number in RIGHTS):016x}" in held
    say(f"guest: {'good' if fewer else 'bad'} contained rights")
    locked = not os.access("/sys/fs/cgroup", os.W_OK)
    say(f"guest: {'good' if locked else 'bad'} contained groups are read-only")
    sandbox = open_sandbox(Path("/contained-state"), pinned=True)
    for name in DELEGATED:
        program = Path("/programs") / name
        check = figures if program.parent.name == "figures" else hostile
        trouble = check(sandbox, program)
        say(f"guest: {'bad' if trouble else 'good'} contained {name} {trouble}")
    sandbox.close()
    return 0


def main() -> int:
    if sys.argv[1:] == ["contained"]:
        return contained()
    hierarchies = find()
    say(f"guest: control groups v{hierarchies.version}")
    handle_dumps()
    sandbox = open_sandbox(Path("/state"))
    for program in sorted(Path("/programs").glob("*/*")):
        check = figures if program.parent.name == "figures" else hostile
        trouble = check(sandbox, program)
        say(f"guest: {'bad' if trouble else 'good'} {program.parent.name}/{program.name} {trouble}")
    dumped = dumps()
    say(f"guest: {'bad' if dumped else 'good'} no dump of a box goes to the handler {dumped or ''}")
    waits = []
    for _ in range(5):
        time.sleep(0.3)
        start = time.perf_counter()
        sandbox.run(Run(argv=("/bin/true",), quota=QUOTA))
        waits.append(time.perf_counter() - start)
    say(f"guest: after a rest {min(waits) * 1000:.1f} to {max(waits) * 1000:.1f} ms a run")
    sandbox.close()
    left = [str(folder) for base in hierarchies.bases for folder in base.iterdir() if folder.is_dir()]
    say(f"guest: {'bad' if left else 'good'} nothing left {left or ''}")
    as_user(1000)
    shutil.copytree("/state/launcher", "/contained-state/launcher")
    status = as_container()
    say(f"guest: {'bad' if status else 'good'} contained status {status}")
    say("guest: done")
    return 0


if __name__ == "__main__":
    sys.exit(main())
