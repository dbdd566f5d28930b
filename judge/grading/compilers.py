"""Which compilers this host has: what they call themselves, and the files that decide what they make."""

import glob
import hashlib
import os
import time
from collections.abc import Iterator
from stat import S_ISDIR

from judge.grading.language import Language
from sandbox.contract import Ending, Quota, Run, Sandbox

LOOKED_AT_SECONDS = 60.0
"""So old may be what is known of the files: after an upgrade it takes so long until it is noticed."""

_versions: dict[tuple[str, ...], str] = {}
_files: dict[tuple[str, ...], tuple[float, str]] = {}


def ask_version(language: Language, box: Sandbox) -> str:
    """Compiler or interpreter with its version, and the flags that matter. Raises `SandboxFault`."""
    if language.version not in _versions:
        quota = Quota(cpu_seconds=10, wall_seconds=30, memory_bytes=1 << 30)
        env = language.environment(memory_bytes=quota.memory_bytes)
        outcome = box.run(Run(argv=language.version, quota=quota, env=env))
        if outcome.ending != Ending.EXITED:
            return f"{language.version[0]} (no answer)"
        lines = (outcome.stdout + outcome.stderr).decode("utf-8", "replace").strip().splitlines()
        _versions[language.version] = lines[0].removeprefix("info: ") if lines else ""
    flags = " ".join(part for part in language.compile if part.startswith(("-std", "-O", "-static")))
    return f"{_versions[language.version]} {flags}".strip()


def fingerprint(language: Language) -> str:
    """Digest of the names, sizes and times of all files that decide what the language's compiler makes.

    Hosts with the same packages have the same. A program's headers and libraries may change without the compiler's
    version, so the version alone does not do.
    """
    now = time.monotonic()
    since, known = _files.get(language.made_of, (0.0, ""))
    if not known or now - since > LOOKED_AT_SECONDS:
        total = hashlib.sha256()
        for pattern in language.made_of:
            for path in sorted(glob.glob(pattern)):  # noqa: PTH207 - as text it takes a third of the time
                for line in _described(path):
                    total.update(line.encode("utf-8", "surrogateescape"))
        known = total.hexdigest()
        _files[language.made_of] = now, known
    return known


def _described(path: str) -> Iterator[str]:
    """A line for a file or a link, or for each below a folder."""
    try:
        about = os.lstat(path)
        below = sorted(os.listdir(path)) if S_ISDIR(about.st_mode) else None  # noqa: PTH208 - as above
    except OSError:
        return
    if below is None:
        yield f"{path}\0{about.st_size}\0{int(about.st_mtime)}\n"  # packages keep whole seconds
        return
    for name in below:
        yield from _described(f"{path}/{name}")
