"""Each worker's programs have a core to themselves, and where there are too few they take turns."""

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import pairwise
from pathlib import Path

import pytest

from sandbox import cores
from sandbox.box import LinuxSandbox, open_sandbox
from sandbox.contract import Outcome, Quota, Run
from sandbox.cores import Core

QUOTA = Quota(cpu_seconds=5, wall_seconds=10, memory_bytes=64 << 20)
ALLOWED = ("/bin/grep", "Cpus_allowed_list", "/proc/self/status")
BUSY = "import time; begun = time.monotonic(); sum(range(1_000_000)); print(begun, time.monotonic())"


@pytest.fixture(autouse=True)
def every_core_again() -> Iterator[None]:
    """Whatever a test did, this thread may run anywhere afterwards."""
    before = os.sched_getaffinity(0)
    yield
    os.sched_setaffinity(0, before)


def cores_of(outcome: Outcome) -> str:
    return outcome.stdout.decode().split()[-1]


def test_a_pinned_sandbox_runs_everything_on_one_core(state: Path) -> None:
    before = os.sched_getaffinity(0)
    with closing(open_sandbox(state, pinned=True)) as sandbox:
        mine = os.sched_getaffinity(0)
        assert len(mine) == 1
        seen = {cores_of(sandbox.run(Run(argv=ALLOWED, quota=QUOTA))) for _ in range(5)}
        assert seen == {str(*mine)}
        assert sandbox.slot_pid
        assert os.sched_getaffinity(sandbox.slot_pid) == (before - mine or before), "boxes are made on the others"
    assert os.sched_getaffinity(0) == before


def test_without_being_pinned_a_program_may_use_every_core(sandbox: LinuxSandbox) -> None:
    program = "import os; print(len(os.sched_getaffinity(0)))"
    outcome = sandbox.run(Run(argv=("/usr/bin/python3", "-c", program), quota=QUOTA))
    assert int(outcome.stdout) == len(os.sched_getaffinity(0))


def test_a_program_cannot_leave_its_core(state: Path) -> None:
    program = "import os; os.sched_setaffinity(0, range(os.cpu_count()))"
    with closing(open_sandbox(state, pinned=True)) as sandbox:
        outcome = sandbox.run(Run(argv=("/usr/bin/python3", "-c", program), quota=QUOTA))
    assert b"PermissionError" in outcome.stderr


def test_a_new_slot_keeps_to_the_same_cores(state: Path) -> None:
    before = os.sched_getaffinity(0)
    with closing(open_sandbox(state, pinned=True)) as sandbox:
        assert sandbox.slot_pid
        os.kill(sandbox.slot_pid, 9)
        time.sleep(0.1)
        assert cores_of(sandbox.run(Run(argv=ALLOWED, quota=QUOTA))) == str(*os.sched_getaffinity(0))
        mine = os.sched_getaffinity(0)
        assert os.sched_getaffinity(sandbox.slot_pid) == (before - mine or before)


def test_workers_choose_different_cores_and_then_share(tmp_path: Path) -> None:
    every = os.sched_getaffinity(0)
    numbers = []
    with ExitStack() as stack:
        for _ in range(len(every) + 1):
            core = stack.enter_context(closing(Core(tmp_path)))
            numbers.append(core.number)
            os.sched_setaffinity(0, every)
    assert sorted(numbers[:-1]) == sorted(every)
    assert numbers[-1] in every
    with closing(Core(tmp_path)) as core:
        assert core.number == min(every), "a core that was given up can be chosen again"


def test_never_two_runs_on_one_core(state: Path) -> None:
    """One more sandbox than cores: the two that share one take turns, and all the runs come to their end."""
    workers = len(os.sched_getaffinity(0)) + 1
    spans: list[tuple[int, float, float]] = []
    ready = threading.Barrier(workers)

    def work() -> None:
        with closing(open_sandbox(state, pinned=True)) as sandbox:
            (core,) = os.sched_getaffinity(0)
            ready.wait(60)
            for _ in range(4):
                outcome = sandbox.run(Run(argv=("/usr/bin/python3", "-S", "-c", BUSY), quota=QUOTA))
                begun, ended = map(float, outcome.stdout.split())
                spans.append((core, begun, ended))

    threads = [threading.Thread(target=work) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(spans) == 4 * workers
    for core in {span[0] for span in spans}:
        on_it = sorted((begun, ended) for where, begun, ended in spans if where == core)
        overlaps = [(a, b) for a, b in pairwise(on_it) if b[0] < a[1]]
        assert not overlaps


def test_a_worker_that_is_stopped_holds_nobody_up_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "PATIENCE_SECONDS", 0.2)
    every = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(every)})
    with closing(Core(tmp_path)) as stopped, closing(Core(tmp_path)) as other:
        stopped.take()
        begun = time.monotonic()
        other.take()
        assert 0.2 <= time.monotonic() - begun < 2
        other.leave()
        for _ in range(20):
            other.take()
            other.leave()
        assert time.monotonic() - begun < 2, "it waits once for who is stopped, not for each run"
        stopped.leave()
        other.take()
        with (tmp_path / f"{min(every)}-turn").open() as turn, pytest.raises(BlockingIOError):
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
