"""Files that are made once on a host, so that compiling takes less: precompiled headers, class archives.

They lie in a folder for all workers of the host, and each compile that may use one has it mounted into its box. They
are made in a box as well, of nothing but the compiler's own files, before any program of a student's is seen.
"""

import fcntl
import hashlib
import os
import tempfile
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from judge.grading.compilers import ask_version, fingerprint
from judge.grading.language import AHEAD, ENVIRONMENT, OUT, Ahead, Language
from sandbox.contract import UNCHANGING, Ending, Quota, Run, Sandbox

STAYS_SECONDS = 24 * 3600.0
"""So long a file stays after a new compiler's has come, for workers that are not started anew at once."""
LEAST_MEMORY_BYTES = 256 << 20
"""Pages of these files count for the compile that reads them first; below this limit they would crowd it out."""
_LONGEST_MESSAGE = 500
_QUOTA = Quota(cpu_seconds=120, wall_seconds=300, memory_bytes=2 << 30, output_bytes=1 << 20, file_bytes=512 << 20)


class MadeAhead:
    """The files made ahead on this host, in `folder`. Any number of processes may use it at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def lacking(self, languages: Iterable[Language], box: Sandbox) -> list[Language]:
        """Those for which something could be made and is not there. Raises `SandboxFault`."""
        return [each for each in languages if each.ahead and not self._path(each, each.ahead, box).is_file()]

    def make(self, languages: Iterable[Language], box: Sandbox) -> list[str]:
        """Make what is not there yet; some seconds for each language. Gives a sentence for each that failed.

        Raises `SandboxFault`.
        """
        failed = []
        for language in languages:
            if language.ahead is None:
                continue
            try:
                self._make(language, language.ahead, box)
            except OSError as error:
                failed.append(f"Compiling {language.label} stays slow: {self._folder} cannot be written ({error}).")
            except _Refused as refused:
                failed.append(f"Compiling {language.label} stays slow, because its compiler refused: {refused}")
        return failed

    def file(self, language: Language, laid: Mapping[str, bytes], box: Sandbox, *, memory_bytes: int) -> Path | None:
        """What a compile of `laid` gets as `Ahead.made`, with `Ahead.flags`; None when there is nothing for it."""
        ahead = language.ahead
        if ahead is None or not any(ahead.asked_by in content for content in laid.values()):
            return None
        if memory_bytes < LEAST_MEMORY_BYTES or any(name.split("/")[0] == AHEAD for name in laid):
            return None
        made = self._path(language, ahead, box)
        return made if made.is_file() else None

    def _path(self, language: Language, ahead: Ahead, box: Sandbox) -> Path:
        about = (ahead.make, sorted(ahead.files.items()), ask_version(language, box), fingerprint(language))
        return self._folder / f"{language.id}-{hashlib.sha256(repr(about).encode()).hexdigest()[:24]}"

    def _make(self, language: Language, ahead: Ahead, box: Sandbox) -> None:
        path = self._path(language, ahead, box)
        if path.is_file():
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / f"{language.id}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if path.is_file():  # somebody else was quicker
                return
            self._write(path, _asked(ahead, box))
            self._tidy(language, path)

    def _write(self, path: Path, content: bytes) -> None:
        handle, name = tempfile.mkstemp(dir=self._folder, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(UNCHANGING)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def _tidy(self, language: Language, newest: Path) -> None:
        """Remove what other compilers had made, and what a worker that was killed had begun."""
        old = time.time() - STAYS_SECONDS
        for path in (*self._folder.glob(f"{language.id}-*"), *self._folder.glob(".new-*")):
            with suppress(OSError):
                if path != newest and path.stat().st_mtime < old:
                    path.unlink()


class _Refused(Exception):
    """The compiler did not make the file."""


def _asked(ahead: Ahead, box: Sandbox) -> bytes:
    folder, _, _ = ahead.made.rpartition("/")
    outcome = box.run(
        Run(
            argv=ahead.make,
            files=ahead.files,
            env={**ENVIRONMENT, "TMPDIR": "/tmp"},  # noqa: S108 - of the box
            quota=_QUOTA,
            writable=(f"{OUT}/{folder}" if folder else OUT,),
            keep=(f"{OUT}/{ahead.made}",),
        )
    )
    made = outcome.kept.get(f"{OUT}/{ahead.made}")
    if outcome.ending != Ending.EXITED or outcome.exit_code != 0 or not made:
        said = (outcome.stderr + outcome.stdout).decode("utf-8", "replace").strip()
        raise _Refused(f"{outcome.ending}, {said[:_LONGEST_MESSAGE]}")
    return made
