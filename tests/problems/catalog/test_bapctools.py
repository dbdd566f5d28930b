"""BAPCtools, a tool from elsewhere, gives every example of what we export the verdict it must get. Slow: run by name.

It ends with an error whenever it has something to remark, so that what counts here is read from what it prints. The
remarks that remain: it wants a statement in TeX; it would have an output in other case accepted; and an answer that is
an empty line looks to it as if it began with a blank. JavaScript is left to our own judge: BAPCtools limits the address
space, of which Node takes gigabytes without using them. It needs two processors (with one it runs nothing) and goes by
the clock: let nothing else run beside it.
"""

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.problems.catalog.bare import CATALOG, package
from tests.problems.catalog.exported import export

pytestmark = pytest.mark.byname

SLUGS = sorted(path.parent.name for path in CATALOG.glob("*/problem.yaml"))
VERDICT = re.compile(r"^(\S+/\S+?):\s+(AC|WA|TLE|RTE)\s*[\d.]+s @ (\S+)(?!.*slowest:)")
EMPTY = re.compile(r"^(\S+/\S+?): (\S+)\s+Output is empty but was accepted!")
"""Stands in place of the verdict of a case whose right output is empty."""


def bt(folder: Path, *arguments: str) -> str:
    """What BAPCtools prints, in a copy of a package."""
    tools = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"}
    done = subprocess.run(
        [tools / "bt", *arguments, "--no-bar"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)


@pytest.fixture(scope="module", params=SLUGS)
def copy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package of the catalog as we export it."""
    folder = export(str(request.param), "2025-09", tmp_path_factory.mktemp("bapctools"))
    # Where PyPy is installed it would be taken for Python, in which slow examples are no longer too slow.
    command = """python3: {compile: 'python3 -m py_compile {files}', run: 'python3 "{mainfile}"'}"""
    (folder.parent / "languages.yaml").write_text(command)
    return folder


def test_every_example_gets_its_verdict(copy: Path) -> None:
    # By the wall clock, in which the file system counts too: a right program that flushes 40,000 lines takes twice its
    # CPU time. No example that must be too slow gets by with half as much again.
    printed = bt(copy, "run", "-v", "-t", f"{1.5 * package(copy.name).limits.time_seconds:.1f}")
    verdicts: dict[str, dict[str, str]] = defaultdict(dict)
    for line in printed.splitlines():
        if found := VERDICT.match(line):
            verdicts[found[1]][found[3]] = found[2]
        elif found := EMPTY.match(line):
            verdicts[found[1]][found[2]] = "AC"
    examples = [one for one in package(copy.name).examples if not one.program.name.endswith(".js")]
    assert verdicts.keys() == {one.program.name.removeprefix("submissions/") for one in examples}, printed[-5000:]
    for example in examples:
        got = verdicts[example.program.name.removeprefix("submissions/")]
        assert set(got.values()) <= example.permitted, (example.program.name, got)
        assert not example.required or set(got.values()) & example.required, (example.program.name, got)
    assert verdicts["accepted/" + package(copy.name).model_solution.program.name.rpartition("/")[2]].keys() == {
        case.name for case in package(copy.name).cases
    }


def test_every_case_is_made_and_every_probe_judged_as_it_must_be(copy: Path) -> None:
    printed = bt(copy, "generate", "-v")
    assert " failed" not in printed, printed[-5000:]
    for probe in package(copy.name).probes:
        assert f"Generate: {probe.name} " in printed
    for kind in ("--input", "--answer", "--invalid", "--valid-output"):
        printed = bt(copy, "validate", kind)
        assert "was accepted by all" not in printed
        assert "rejected" not in printed or kind == "--invalid", printed[-5000:]
