"""Compiles the launcher, once for each version of its sources."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from sandbox.contract import SandboxFault

SOURCES = Path(__file__).parent / "launcher"
FLAGS = ("-std=gnu17", "-static", "-O2", "-Wall", "-Wextra", "-Werror")


def launcher(folder: Path, source_folder: Path = SOURCES) -> Path:
    """The launcher's path below `folder` (such as `var/launcher`), compiled if it is not there for these sources.

    Any number of processes may ask at once. Raises `SandboxFault` with what to do when it cannot be compiled.
    """
    sources = sorted(source_folder.glob("*.[ch]"))
    digest = hashlib.sha256("\0".join(FLAGS).encode())
    for source in sources:
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    done = folder / digest.hexdigest()[:16] / "launcher"
    if done.exists():
        return done
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise SandboxFault("The sandbox needs a C compiler once: install gcc (on Debian: apt install gcc libc6-dev).")
    done.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=done.parent) as scratch:
        made = Path(scratch) / "launcher"
        command = [compiler, *FLAGS, "-o", str(made), *(str(source) for source in sources if source.suffix == ".c")]
        result = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
        if result.returncode != 0:
            raise SandboxFault(f"The sandbox's launcher could not be compiled:\n{result.stderr.strip()}")
        made.chmod(0o755)
        os.replace(made, done)  # noqa: PTH105 - the atomic one
    return done
