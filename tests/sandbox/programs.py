"""Makes a `Run` of a small program in any of the languages that the tests are written in."""

import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from sandbox.contract import Quota, Run

MIB = 1 << 20
HERE = Path(__file__).parent
_CACHE = Path(tempfile.gettempdir()) / f"palfrey-tests-programs-{os.getuid()}"
INTERPRETERS = {
    ".py": ("/usr/bin/python3",),
    ".js": ("/usr/bin/node",),
    ".java": ("/usr/bin/java", "-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
}
GIVEN = {"given.txt": b"given", "folder/inner.txt": b"inner"}


@functools.cache
def compiled(source: Path) -> bytes:
    """The program that the host's gcc or g++ makes of `source`."""
    shared = HERE / "hostile" / "attack.h"
    key = hashlib.sha256(source.read_bytes() + shared.read_bytes()).hexdigest()[:20]
    program = _CACHE / key
    if not program.exists():
        _CACHE.mkdir(exist_ok=True)
        compiler = "g++" if source.suffix == ".cpp" else "gcc"
        with tempfile.TemporaryDirectory(dir=_CACHE) as scratch:
            made = Path(scratch) / "program"
            subprocess.run([compiler, "-O1", "-w", "-pthread", "-o", made, source], check=True)
            made.replace(program)
    return program.read_bytes()


def run_of(source: Path, quota: Quota, *, stdin: bytes = b"input\n", keep: tuple[str, ...] = ()) -> Run:
    """`source` as a run, given.txt and folder/inner.txt beside it; skips when its interpreter is not installed."""
    if source.suffix in (".c", ".cpp"):
        files = {**GIVEN, "program": compiled(source)}
        argv: tuple[str, ...] = ("program",)
    else:
        interpreter = INTERPRETERS[source.suffix]
        if shutil.which(interpreter[0]) is None:
            pytest.skip(f"{interpreter[0]} is not installed")
        name = source.name if source.suffix == ".java" else f"program{source.suffix}"
        files = {**GIVEN, name: source.read_bytes()}
        argv = (*interpreter, name)
    return Run(argv=argv, files=files, quota=quota, stdin=stdin, keep=keep)
