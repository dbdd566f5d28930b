"""Whoever is killed at whatever moment: nothing stays behind, neither a process nor a control group."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sandbox import build
from sandbox.box import LinuxSandbox, open_sandbox
from sandbox.cgroups import SlotGroups, find, sweep
from sandbox.contract import Ending, Quota, Run, SandboxFault
from tests.sandbox.programs import MIB

QUOTA = Quota(cpu_seconds=60, wall_seconds=60, memory_bytes=64 * MIB)
WORKER = """
import sys
from pathlib import Path
from sandbox import build
from sandbox.box import open_sandbox
from sandbox.contract import Quota, Run
sandbox = open_sandbox(Path(sys.argv[1]))
quota = Quota(cpu_seconds=60, wall_seconds=60, memory_bytes=64 << 20)
script = ": MARK; setsid sh -c ': MARK; while :; do :; done' & while :; do :; done".replace("MARK", sys.argv[2])
running = [sandbox.start(Run(argv=("/bin/sh", "-c", script), quota=quota)) for _ in range(2)]
print(sandbox.slot_pid, flush=True)
running[0].wait()
"""


@pytest.fixture
def own(state: Path) -> Iterator[LinuxSandbox]:
    """A sandbox of the test's own, to do harm to."""
    opened = open_sandbox(state)
    yield opened
    opened.close()


def soon(fact: Callable[[], bool], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if fact():
            return True
        time.sleep(0.01)
    return fact()


def marked(mark: str) -> list[int]:
    """Processes with `mark` on their command line, the test's own left out."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                words = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if mark.encode() in words:
                found.append(int(folder.name))
    return found


def lives(pid: int) -> bool:
    """Whether `pid` is there and has not ended (whoever inherits the dead may be slow to notice)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def children(pid: int) -> set[int]:
    return {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


def folders(slot: int | None) -> list[Path]:
    """The control groups of a slot (other workers of this host have theirs beside them)."""
    words = Path(f"/proc/{slot}/cmdline").read_text().split("\0")
    name = next(word.removeprefix("name=") for word in words if word.startswith("name="))
    found = [base / name for base in find().bases]
    assert all(folder.is_dir() for folder in found)
    return found


@pytest.mark.parametrize("victim", ["worker", "slot"])
def test_kill_9_leaves_no_process_and_no_group(state: Path, victim: str) -> None:
    mark = f"mark-{victim}-{os.getpid()}-{time.monotonic_ns()}"
    worker = subprocess.Popen([sys.executable, "-c", WORKER, state, mark], stdout=subprocess.PIPE)
    assert worker.stdout is not None
    slot = int(worker.stdout.readline())
    boxes, groups = children(slot), folders(slot)
    assert soon(lambda: len(marked(mark)) >= 5)  # two boxes with two shells each, and the worker
    os.kill(worker.pid if victim == "worker" else slot, signal.SIGKILL)
    worker.wait(10)  # with its slot gone, the worker ends by a SandboxFault
    worker.stdout.close()
    assert soon(lambda: not marked(mark), 1.0)
    assert soon(lambda: not any(lives(pid) for pid in (slot, *boxes)), 1.0)
    if victim == "slot":
        sweep(find())
    assert soon(lambda: not any(folder.exists() for folder in groups), 1.0)


BUSY = """
import sys
from pathlib import Path
from sandbox import build
from sandbox.box import open_sandbox
from sandbox.contract import Quota, Run
sandbox = open_sandbox(Path(sys.argv[1]))
quota = Quota(cpu_seconds=60, wall_seconds=60, memory_bytes=64 << 20)
script = f": {sys.argv[1]}; setsid sh -c ': {sys.argv[1]}; while :; do :; done' & sleep 0.02"
while True:
    sandbox.run(Run(argv=("/bin/sh", "-c", script), quota=quota, files={"big": bytes(100000)}))
"""


@pytest.mark.byname
def test_kill_9_at_any_moment_leaves_nothing_after_a_second(state: Path, tmp_path: Path) -> None:
    """Moments from the first steps of opening to the middle of a run. Groups made before there was a slot to give them
    back are swept by whoever opens the next sandbox."""
    build.launcher(tmp_path / "launcher")
    slots = 0
    for number in range(40):
        worker = subprocess.Popen([sys.executable, "-c", BUSY, tmp_path])
        time.sleep(0.05 + 0.45 * random.random() if number % 2 else 0.1 + 0.02 * number / 4)
        launchers = [pid for pid in marked(f"root={tmp_path}") if b"name=" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        groups = [folder for pid in launchers for folder in folders(pid)]
        slots += bool(groups)
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait(10)
        assert soon(lambda: not marked(str(tmp_path)), 1.0), marked(str(tmp_path))
        assert soon(lambda: not any(folder.exists() for folder in groups), 1.0)  # noqa: B023 - called at once
    assert slots > 10


def test_kill_9_of_the_slot_is_a_fault_and_the_next_run_has_a_new_one(own: LinuxSandbox) -> None:
    running = own.start(Run(argv=("/bin/sleep", "50"), quota=QUOTA))
    slot = own.slot_pid
    assert slot
    os.kill(slot, signal.SIGKILL)
    with pytest.raises(SandboxFault):
        running.wait()
    soon(lambda: not children_or_none(slot))
    outcome = own.run(Run(argv=("/bin/echo", "again"), quota=QUOTA))
    assert (outcome.ending, outcome.stdout) == (Ending.EXITED, b"again\n")
    assert own.slot_pid != slot


def children_or_none(pid: int) -> set[int]:
    try:
        return children(pid)
    except OSError:
        return set()


def test_kill_9_of_one_box_is_a_fault_of_that_run_only(own: LinuxSandbox) -> None:
    other = own.start(Run(argv=("/bin/sh", "-c", "sleep 1; echo well"), quota=QUOTA))
    time.sleep(0.3)
    earlier = children(own.slot_pid or 0)
    running = own.start(Run(argv=("/bin/sleep", "50"), quota=QUOTA))
    time.sleep(0.3)
    for pid in sorted(earlier | children(own.slot_pid or 0)):
        if b"sleep\x0050" in b"".join(Path(f"/proc/{child}/cmdline").read_bytes() for child in children_or_none(pid)):
            os.kill(pid, signal.SIGKILL)
    with pytest.raises(SandboxFault, match="died"):
        running.wait()
    assert other.wait().stdout == b"well\n"


def test_nothing_lives_when_the_answer_is_there(sandbox: LinuxSandbox) -> None:
    for number in range(10):
        mark = f"mark-orphan-{number}-{time.monotonic_ns()}"
        script = f"for i in 1 2 3; do setsid sh -c ': {mark}; while :; do :; done' & done; sleep 0.05"
        assert sandbox.run(Run(argv=("/bin/sh", "-c", script), quota=QUOTA)).exit_code == 0
        assert marked(mark) == []


def test_a_forgotten_run_is_ended(own: LinuxSandbox) -> None:
    mark = f"mark-forgotten-{time.monotonic_ns()}"
    running = own.start(Run(argv=("/bin/sh", "-c", f": {mark}; while :; do :; done"), quota=QUOTA))
    assert soon(lambda: bool(marked(mark)))
    del running
    assert soon(lambda: not marked(mark), 1.0)


def test_close_ends_what_runs_and_gives_the_groups_back(state: Path) -> None:
    sandbox = open_sandbox(state)
    groups = folders(sandbox.slot_pid)
    running = sandbox.start(Run(argv=("/bin/sleep", "50"), quota=QUOTA))
    sandbox.close()
    sandbox.close()
    with pytest.raises(SandboxFault):
        running.wait()
    with pytest.raises(SandboxFault, match="closed"):
        sandbox.run(Run(argv=("/bin/true",), quota=QUOTA))
    assert not any(folder.exists() for folder in groups)


def test_groups_of_the_dead_are_swept_and_those_of_the_living_are_not(own: LinuxSandbox) -> None:
    dead = [base / "00dead" for base in find().bases]
    for folder in dead:
        (folder / "7").mkdir(parents=True)
    living = folders(own.slot_pid)
    sweep(find())
    assert not any(folder.exists() for folder in dead)
    assert all(folder.is_dir() for folder in living)
    assert own.run(Run(argv=("/bin/true",), quota=QUOTA)).exit_code == 0


def test_nothing_is_left_of_a_run(own: LinuxSandbox) -> None:
    for _ in range(20):
        own.run(Run(argv=("/bin/true",), quota=QUOTA))
    groups = folders(own.slot_pid)
    assert soon(lambda: all(sum(inner.is_dir() for inner in folder.iterdir()) <= 2 for folder in groups))
    assert soon(lambda: len(children(own.slot_pid or 0)) <= 2)
    descriptors = len(list(Path(f"/proc/{own.slot_pid}/fd").iterdir()))
    ours = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        own.run(Run(argv=("/bin/true",), quota=QUOTA, stdin=Path("/etc/hostname"), files={"a": b"x"}))
    assert soon(lambda: len(list(Path(f"/proc/{own.slot_pid}/fd").iterdir())) <= descriptors), "a box may just be made"
    assert len(list(Path("/proc/self/fd").iterdir())) <= ours + 1  # one input is remembered


def test_groups_are_made_while_others_sweep() -> None:
    """A sweep of another process may take a folder for a leftover before it is locked: then it is made again."""
    hierarchies, over = find(), threading.Event()

    def others() -> None:
        while not over.is_set():
            sweep(hierarchies)

    sweepers = [threading.Thread(target=others) for _ in range(2)]
    for sweeper in sweepers:
        sweeper.start()
    try:
        for _ in range(300):
            groups = SlotGroups(hierarchies)
            assert all(folder.is_dir() for folder in groups.folders)
            groups.close()
    finally:
        over.set()
        for sweeper in sweepers:
            sweeper.join()
