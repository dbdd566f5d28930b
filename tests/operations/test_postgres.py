"""The database of a production site: the tests of rows and pages once more on a PostgreSQL of their own."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.operations.conftest import ROOT
from tests.postgres import Postgres, can_run

WHAT = (
    "submissions/test_assignments.py",
    "submissions/test_commands.py",
    "submissions/test_fit.py",
    "submissions/test_ledger.py",
    "submissions/test_order.py",
    "submissions/test_queries.py",
    "submissions/test_submit.py",
    "submissions/test_trip.py",
    "people",
    "grades/test_gradebook.py",
    "grades/test_similarity.py",
    "grades/test_statistics.py",
    "regrades/test_applying.py",
)
"""Claims and leases, locks and turns, orders and counts, what must not be there twice, JSON, reports."""
WHICH = (
    "(not test_trip or from_submit_to_verdict) and not made_ahead and not one_hog and not without_room and not tidies"
    " and not names_that and not may_be_named and not hangs and not cannot_hold and not unknown_language"
    " and not what_it_needs and not spellings and not files_that_are_none and not what_is_wrong_is_told"
    " and not offered and not no_token and (not test_similarity or report or rare or only_who)"
)
"""Of the tests with a real worker one is enough here; what is about programs, files and names is the same on any."""
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
    files = [f"tests/{name}" for name in WHAT]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", WHICH, *files],
        cwd=ROOT,
        env={**environment, "PALFREY_TEST_DATABASE_URL": postgres},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
