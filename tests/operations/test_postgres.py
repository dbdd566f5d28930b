"""The database of a production site: the tests of rows and pages once more on a PostgreSQL of their own."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.operations.conftest import ROOT
from tests.postgres import Postgres, can_run

ROOMS = ("tests/submissions", "tests/people", "tests/grades", "tests/regrades/test_applying.py")
WHICH = "(not test_worker or test_from_submit_to_verdict) and not made_ahead and not one_hog"
"""Of the tests with a real worker one is enough here; what is about programs and files is the same on any database."""
pytestmark = pytest.mark.skipif(
    not can_run(), reason="needs root and an installed PostgreSQL (apt-get install postgresql)"
)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The address of a server in a folder of its own."""
    server = Postgres()
    try:
        server.start()
        yield server.url
    finally:
        server.remove()


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
