"""What the test processes of one run share, so that each thing is made once; no framework is needed for it."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
_SHARED = "PALFREY_TESTS_SHARED"
_DEAR = (
    "tests/operations/test_postgres.py::test_rows_and_pages_behave_the_same",
    "tests/operations/test_up.py::test_up_from_nothing_to_nothing",
    "tests/operations/test_backup.py::test_there_and_back",
    "tests/web/test_access.py::test_every_address_for_everybody",
    "tests/web/test_course_browser.py::test_no_page_of_a_course_has_a_fault_that_a_machine_can_find",
    "tests/submissions/test_order.py::test_one_hog_delays_another_by_no_more_than_one_case",
)
"""Tests that take longest, these first: at the end of a run they would hold it up."""


def shared(own: Path) -> Path:
    """The folder of this run, for all its processes: that of the first one, which passes it on to its children."""
    return Path(os.environ.setdefault(_SHARED, str(own)))


def built() -> Path:
    """Where cases of packages lie that were built in this run."""
    return _common() / "built"


def _common() -> Path:
    return Path(os.environ[_SHARED]) / "shared"


def cache(folder: Path) -> Path:
    """`folder` as a `PALFREY_CACHE` in which cases, which are kept by content, and the launcher are those of the run.

    Each two test processes agree by locks about the processors on which they judge, as workers of a host do.
    """
    pair = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) // (os.cpu_count() or 1)
    for name, target in (
        ("built", built()),
        ("sandbox/launcher", _common() / "launcher"),
        ("sandbox/cores", _common() / f"cores-{pair}"),
    ):
        target.mkdir(parents=True, exist_ok=True)
        link = folder / name
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.is_symlink():
            link.symlink_to(target)
    return folder


def dear_first(items: Sequence[T], names: Sequence[str], processes: int) -> list[T]:
    """`items`, which are called `names`, so that each process begins with some of the longest.

    Each process is given an equal stretch of the list, and takes from the others when it has no more.
    """
    tests = [name.partition("[")[0] for name in names]
    dear = [item for one in _DEAR for item, test in zip(items, tests, strict=True) if test == one]
    rest = [item for item, test in zip(items, tests, strict=True) if test not in _DEAR]
    ordered: list[T] = []
    for process in range(processes):
        here = dear[process::processes]
        more = max(0, (len(items) - len(ordered)) // (processes - process) - len(here))
        ordered += here + rest[:more]
        del rest[:more]
    return ordered + rest
