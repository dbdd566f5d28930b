"""Which languages this worker can really judge: those whose small test program passes in its box."""

import fcntl
import json
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from judge.grading.compile import compile_files
from judge.grading.compilers import fingerprint
from judge.grading.keys import digest_of, language_tools
from judge.grading.language import Language
from judge.grading.languages import LANGUAGES
from judge.grading.run import Allowance, measure
from problems.package.model import Limits
from sandbox.contract import VERSION, Sandbox

_LIMITS = Limits(time_seconds=10, compile_seconds=30)
_ALLOWANCE = Allowance(cpu_seconds=10, memory_bytes=512 << 20, output_bytes=1 << 20)
LATELY_SECONDS = 600.0
"""What one worker has found out, others that start on its host within this time believe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """A language that passed its test here, and by what it is compiled or run."""

    language: str
    version: str
    tools: str
    """Digest of compiler, libraries and sandbox, as in `Judgement.basis`: the same, the same results."""


def offered(box: Sandbox, languages: Iterable[Language] = tuple(LANGUAGES.values())) -> Mapping[str, Toolchain]:
    """Try every language: id -> its toolchain, for those that work. Seconds, not milliseconds: ask once, at the start.

    Raises `SandboxFault`.
    """
    found: dict[str, Toolchain] = {}
    for language in languages:
        version = _tried(language, box)
        if version is not None:
            found[language.id] = Toolchain(language=language.id, version=version, tools=language_tools(language, box))
    return found


def offered_lately(box: Sandbox, languages: Iterable[Language], file: Path) -> Mapping[str, Toolchain]:
    """As `offered`, for several workers that start at the same time: one tries, and keeps in `file` what works.

    What is missing is tried by each, as is what has been changed since. Raises `SandboxFault`.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    found: dict[str, Toolchain] = {}
    with file.with_suffix(".lock").open("w") as door:
        fcntl.flock(door, fcntl.LOCK_EX)
        known = _read(file)
        for language in languages:
            key = _key(language)
            kept = known.get(language.id)
            if kept is None or kept["key"] != key or not 0 <= time.time() - kept["at"] < LATELY_SECONDS:
                for name, toolchain in offered(box, [language]).items():
                    known[name] = {"key": key, "at": time.time(), "toolchain": asdict(toolchain)}
                    found[name] = toolchain
            else:
                found[language.id] = Toolchain(**kept["toolchain"])
        aside = file.with_suffix(f".{os.getpid()}")
        aside.write_text(json.dumps(known), encoding="utf-8")
        aside.replace(file)
    return found


def _read(file: Path) -> dict[str, dict[str, Any]]:
    try:
        known: dict[str, dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known


def _key(language: Language) -> str:
    """Names all that decides whether it works, but the host."""
    programs = [Path(argv[0]) for argv in (language.compile, language.run) if argv[0].startswith("/")]
    there = [path.stat() for path in programs if path.exists()]
    return digest_of(
        repr(language),
        fingerprint(language),
        VERSION,
        [(about.st_ino, about.st_size, about.st_mtime) for about in there],
    )


def _tried(language: Language, box: Sandbox) -> str | None:
    compiled = compile_files(language, {language.source: language.self_test}, _LIMITS, box, include={})
    if compiled.executable is None:
        return None
    measured = measure(compiled.executable, box, _ALLOWANCE, stdin=b"41\n")
    return compiled.toolchain if measured.verdict is None and measured.outcome.stdout.split() == [b"42"] else None
