"""The database of a production site: the tests of rows and pages once more on a PostgreSQL of their own."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.operations.conftest import ROOT

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
ROOMS = ("tests/submissions", "tests/people", "tests/grades", "tests/authoring", "tests/regrades/test_applying.py")
WHICH = "(not test_worker or test_from_submit_to_verdict) and not test_desk_trip"
"""Of the tests with a real worker one is enough here."""
pytestmark = pytest.mark.skipif(
    not PROGRAMS or os.geteuid() != 0, reason="needs root and an installed PostgreSQL (apt-get install postgresql)"
)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The address of a server in a folder of its own; root may not run one, so it runs as its package's account."""
    folder = Path(tempfile.mkdtemp(prefix="palfrey-postgres-"))
    shutil.chown(folder, "postgres")
    binaries = PROGRAMS[-1].parent
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    as_postgres = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups", "--pdeathsig", "KILL"]
    data = folder / "data"
    subprocess.run(
        [*as_postgres, str(binaries / "initdb"), "--auth=trust", "--encoding=UTF8", "--no-sync", "-D", str(data)],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    words = ["-D", str(data), "-h", "127.0.0.1", "-p", str(port), "-k", str(folder), "-c", "fsync=off"]
    server = subprocess.Popen([*as_postgres, str(PROGRAMS[-1]), *words], cwd=folder, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while subprocess.run(
        [str(binaries / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)], check=False
    ).returncode:
        assert time.monotonic() < deadline, "PostgreSQL does not answer"
        time.sleep(0.1)
    yield f"postgres://postgres@127.0.0.1:{port}/postgres"
    server.terminate()
    server.wait(timeout=30)
    shutil.rmtree(folder)


def test_rows_and_pages_behave_the_same(postgres: str) -> None:
    rooms = [room for room in ROOMS if (ROOT / room).exists()]
    assert rooms
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", WHICH, *rooms],
        cwd=ROOT,
        env={**environment, "PALFREY_TEST_DATABASE_URL": postgres},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
