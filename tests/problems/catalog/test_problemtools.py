"""problemtools, a tool from elsewhere, gives every example of what we export in the older format the verdict it must
get. Slow, and problemtools is not among our requirements: `pip install problemtools`, then by name.

What it remarks besides: it knows no folder `generators/`, nor submissions in `brute_force/` and `rejected/`; it finds
no statement, because it wants one in TeX; its Java is newer than ours, and it limits the address space, which Node
takes without using it. Those languages are left to our own judge. It would run Python by PyPy, so it is told not to.
"""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.problems.catalog.bare import CATALOG, package
from tests.problems.catalog.exported import export

VERIFY = shutil.which("verifyproblem")
pytestmark = [pytest.mark.byname, pytest.mark.skipif(VERIFY is None, reason="problemtools is not installed")]

SLUGS = sorted(path.parent.name for path in CATALOG.glob("*/problem.yaml"))
FOLDERS = ("accepted", "wrong_answer", "run_time_error", "time_limit_exceeded")
LEFT_OUT = (".java", ".js")
GOT = re.compile(r"^\s*(\S+/\S+) \(.*?\) OK: (\w+)", re.MULTILINE)
PYTHON = (
    "python3: {name: 'Python 3', compile: 'python3 -m py_compile {files}', run: '/usr/bin/python3 \"{mainfile}\"'}\n"
)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_example_gets_its_verdict(slug: str, tmp_path: Path) -> None:
    folder = export(slug, "legacy", tmp_path)
    (tmp_path / "config/problemtools").mkdir(parents=True)
    (tmp_path / "config/problemtools/languages.yaml").write_text(PYTHON)
    limit = f"{package(slug).limits.time_seconds:g}"
    assert VERIFY is not None
    # It keeps outputs in files: a program that flushes each line would pay for the disk, and not for what it does.
    with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
        done = subprocess.run(
            [VERIFY, folder, "-p", "validators", "data", "submissions", "-t", limit],
            env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path / "config"), "TMPDIR": memory},
            capture_output=True,
            text=True,
            check=False,
        )
    printed = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)
    names = [one.program.name.removeprefix("submissions/") for one in package(slug).examples if one.folder in FOLDERS]
    assert {name for name, _ in GOT.findall(printed)} == {name for name in names if not name.endswith(LEFT_OUT)}, (
        printed[-5000:]
    )
    assert "did not accept input" not in printed, printed[-5000:]
