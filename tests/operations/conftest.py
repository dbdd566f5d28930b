"""A real broker for whoever asks, on a socket of its own."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judge.operations import broker

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "PALFREY_SECRET_KEY": "k3y-" + "".join(chr(97 + 7 * n % 26) for n in range(60)),
    "PALFREY_HOSTS": "judge.example.org,.example.net",
}


@pytest.fixture
def start_broker(tmp_path: Path) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """Starts the embedded broker on `tmp_path/b.sock` with its data in `tmp_path/broker`, as often as called."""
    started: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        process = subprocess.Popen(broker.command(tmp_path / "b.sock", tmp_path / "broker"), stdout=subprocess.DEVNULL)
        started.append(process)
        broker.wait_for(f"unix://{tmp_path}/b.sock")
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture
def production(tmp_path: Path) -> dict[str, str]:
    """The environment of a production site that wants for nothing."""
    own = {
        name: value for name, value in os.environ.items() if not name.startswith(("PALFREY_", "DATABASE_", "REDIS_"))
    }
    own.pop("DJANGO_SETTINGS_MODULE", None)
    return {**own, **PRODUCTION, "PALFREY_VAR": str(tmp_path)}
