"""A program takes nothing from the ones beside and after it, and reaches nothing of the host's."""

import os
import socket
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sandbox.box import LinuxSandbox, open_sandbox
from sandbox.contract import Ending, Outcome, Quota, Run
from tests.sandbox.programs import HERE, MIB, compiled

QUOTA = Quota(cpu_seconds=8, wall_seconds=20, memory_bytes=256 * MIB)
NEIGHBOURS = HERE / "neighbours"


def program(name: str, *words: str) -> Run:
    return Run(argv=("program", *words), files={"program": compiled(NEIGHBOURS / name)}, quota=QUOTA)


@contextmanager
def beside_one_that_takes_all(sandbox: LinuxSandbox) -> Iterator[None]:
    run = program("takes_all.c")
    told, tells = os.pipe()
    greedy = sandbox.start(replace(run, stdout=tells))
    os.close(tells)
    try:
        assert os.read(told, 1) == b""  # it closes its output when it has taken all
        yield
    finally:
        os.close(told)
        greedy.kill()
        greedy.wait()


def look(sandbox: LinuxSandbox) -> Outcome:
    return sandbox.run(program("looks.c"))


def test_what_the_kernel_counts_by_user_is_not_taken_from_neighbours(sandbox: LinuxSandbox, state: Path) -> None:
    other = open_sandbox(state)
    try:
        with beside_one_that_takes_all(sandbox):
            same_slot = look(sandbox)
            # The numbers of two slots may meet, once in a thousand times; those of two runs after another do not.
            other_slot = [look(other) for _ in range(2)]
    finally:
        other.close()
    assert same_slot.exit_code == 0, same_slot
    assert 0 in [outcome.exit_code for outcome in other_slot], other_slot


def test_every_run_has_a_user_of_its_own(sandbox: LinuxSandbox) -> None:
    users = [look(sandbox).stdout for _ in range(20)]
    assert len(set(users)) == 20


@contextmanager
def servers() -> Iterator[tuple[str, str]]:
    """A port of 127.0.0.1 and an abstract name of the host's on which somebody listens."""
    name = f"palfrey-test-{os.getpid()}"
    with socket.socket() as tcp, socket.socket(socket.AF_UNIX) as abstract:
        tcp.bind(("127.0.0.1", 0))
        abstract.bind("\0" + name)
        tcp.listen()
        abstract.listen()
        yield str(tcp.getsockname()[1]), name


def test_servers_of_the_host_are_not_reached(sandbox: LinuxSandbox) -> None:
    with servers() as (port, name):
        outcome = sandbox.run(program("connects.c", port, name))
    assert (outcome.ending, outcome.exit_code) == (Ending.EXITED, 0), outcome


def test_the_run_after_a_fork_bomb_is_not_slower(sandbox: LinuxSandbox) -> None:
    bomb = {"program": compiled(HERE / "hostile" / "cpu_time" / "fork_bomb.c")}
    quota = Quota(cpu_seconds=0.3, wall_seconds=20, memory_bytes=256 * MIB)

    def seconds() -> float:
        start = time.perf_counter()
        assert sandbox.run(Run(argv=("/bin/true",), quota=QUOTA)).exit_code == 0
        return time.perf_counter() - start

    before, after = [], []
    for _ in range(5):
        before += [seconds() for _ in range(4)]
        assert sandbox.run(Run(argv=("program",), files=bomb, quota=quota)).ending is Ending.CPU_TIME
        after.append(seconds())
    # The box for it may have to be made first, which takes some milliseconds.
    assert statistics.median(after) < 2 * statistics.median(before) + 0.01


def test_descriptors_that_nobody_can_close_are_given_back(sandbox: LinuxSandbox) -> None:
    """Memory in flight in a circle of sockets: the kernel's collector frees it soon after the end."""
    files = {"program": compiled(HERE / "hostile" / "exited" / "circle_of_descriptors.c")}

    def shared() -> int:
        return next(int(line.split()[1]) for line in Path("/proc/meminfo").read_text().splitlines() if "Shmem:" in line)

    before = shared()
    for _ in range(20):
        assert sandbox.run(Run(argv=("program",), files=files, quota=QUOTA)).exit_code == 0
    end = time.monotonic() + 2
    while shared() - before > 40 << 10 and time.monotonic() < end:
        time.sleep(0.02)
    assert shared() - before < 40 << 10  # KB; all of them together had 160 MB
