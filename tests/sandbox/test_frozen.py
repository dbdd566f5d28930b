"""Time in which a whole worker stood still (stopped, swapped out, a machine overloaded) is no time of its programs."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from sandbox.box import LinuxSandbox, open_sandbox
from sandbox.contract import Ending, Quota, Run
from tests.sandbox.programs import MIB

QUOTA = Quota(cpu_seconds=1, wall_seconds=1.2, memory_bytes=64 * MIB)
STILL_SECONDS = 1.8


@pytest.fixture
def slot(state: Path) -> Iterator[LinuxSandbox]:
    """A sandbox of the test's own, to be stopped."""
    opened = open_sandbox(state)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("script", "ending"), [("sleep 0.7; echo there", Ending.EXITED), ("sleep 9", Ending.WALL_TIME)]
)
def test_standing_still_costs_no_wall_time(slot: LinuxSandbox, script: str, ending: Ending) -> None:
    running = slot.start(Run(argv=("/bin/sh", "-c", script), quota=QUOTA))
    time.sleep(0.3)
    head = psutil.Process(slot.slot_pid)
    everything = [head, *head.children(recursive=True)]
    for process in everything:
        process.send_signal(signal.SIGSTOP)
    time.sleep(STILL_SECONDS)
    for process in everything:
        process.send_signal(signal.SIGCONT)
    outcome = running.wait()
    assert outcome.ending == ending
    assert outcome.wall_seconds < QUOTA.wall_seconds + 0.5
    assert outcome.stdout == (b"there\n" if ending == Ending.EXITED else b"")
