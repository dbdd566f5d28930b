"""Compiles the C of the sandbox once for each version of its sources: the launcher, and the library of `client.py`."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from sandbox.contract import SandboxFault

SOURCES = Path(__file__).parent / "launcher"
CLIENT = "client.c"
FLAGS = ("-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror")


def launcher(folder: Path, source_folder: Path = SOURCES) -> Path:
    """The launcher's path below `folder` (such as `var/launcher`), compiled if it is not there for these sources.

    Any number of processes may ask at once. Raises `SandboxFault` with what to do when it cannot be compiled.
    """
    sources = [source for source in source_folder.glob("*.[ch]") if source.name != CLIENT]
    return _compiled(folder, "launcher", sources, "-static")


def client(folder: Path) -> Path:
    """The same for the library that `client.py` loads."""
    return _compiled(folder, "client.so", [SOURCES / CLIENT, SOURCES / "launcher.h"], "-shared", "-fPIC")


def _compiled(folder: Path, name: str, sources: Sequence[Path], *flags: str) -> Path:
    digest = hashlib.sha256("\0".join([*FLAGS, *flags]).encode())
    for source in sorted(sources):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    done = folder / digest.hexdigest()[:16] / name
    if done.exists():
        return done
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise SandboxFault("The sandbox needs a C compiler once: install gcc (on Debian: apt install gcc libc6-dev).")
    done.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=done.parent) as scratch:
        made = Path(scratch) / name
        units = [str(source) for source in sorted(sources) if source.suffix == ".c"]
        command = [compiler, *FLAGS, *flags, "-o", str(made), *units]
        result = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
        if result.returncode != 0:
            raise SandboxFault(f"The sandbox's {name} could not be compiled:\n{result.stderr.strip()}")
        made.chmod(0o755)
        os.replace(made, done)  # noqa: PTH105 - the atomic one
    return done
