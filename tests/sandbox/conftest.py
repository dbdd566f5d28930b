"""One sandbox for all tests of the room, and small programs compiled once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.box import LinuxSandbox, open_sandbox


@pytest.fixture(scope="session")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the launcher and what belongs to it."""
    return tmp_path_factory.mktemp("sandbox")


@pytest.fixture(scope="session")
def shared_sandbox(state: Path) -> Iterator[LinuxSandbox]:
    opened = open_sandbox(state)
    yield opened
    opened.close()


@pytest.fixture
def sandbox(shared_sandbox: LinuxSandbox) -> Iterator[LinuxSandbox]:
    """The shared sandbox; it must be the same slot, alive, after the test."""
    slot = shared_sandbox.slot_pid
    yield shared_sandbox
    assert shared_sandbox.slot_pid == slot
