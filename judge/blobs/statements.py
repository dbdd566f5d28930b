"""Statements in TeX, made HTML once on each host: when a version is made, or when its page is first looked at."""

import fcntl
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from django.conf import settings

from problems.package.model import Finding, Package
from problems.package.prose import check_statements
from problems.package.tex import RECIPE, Converted, Note, convert

FAULT_SECONDS = 3600
"""After this time a statement that could not be made HTML is tried again: perhaps the host was only too busy."""


class Busy(Exception):
    """Another text is being made HTML on this host: try again in a moment."""


def converted(path: Path, language: str, constants: Mapping[str, str]) -> Converted:
    """The statement in the file `path` as HTML (not cleaned). Raises `NoConverter`.

    What came of it is kept, a fault as well, under a digest of all it depends on. One is made at a time on a host.
    """
    return of_text(path.read_bytes().decode("utf-8", "replace"), language, constants)


def of_text(text: str, language: str, constants: Mapping[str, str], *, passing: bool = False) -> Converted:
    """As `converted`. `passing`: of a text that is still being written nothing is kept, and it does not wait for its
    turn: raises `Busy`.
    """
    folder = Path(settings.PALFREY_CACHE) / "statements"
    asked = json.dumps([RECIPE, language, dict(sorted(constants.items())), text])
    kept = folder / f"{hashlib.sha256(asked.encode()).hexdigest()}.json"
    if (found := _kept(kept)) is not None:
        return found
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | (fcntl.LOCK_NB if passing else 0))
        except BlockingIOError:
            raise Busy from None
        if (found := _kept(kept)) is not None:  # another was quicker
            return found
        made = convert(text, language=language, constants=constants)
        if not passing:
            _keep(kept, made)
    return made


def findings(package: Package) -> Sequence[Finding]:
    """What the pages of `package` will not show as its author means it; its statements are made HTML by that."""
    return list(check_statements(package, converted))


def _kept(kept: Path) -> Converted | None:
    try:
        facts = json.loads(kept.read_bytes())
        if facts["fault"] and time.time() - kept.stat().st_mtime > FAULT_SECONDS:
            return None
    except OSError:
        return None
    notes = tuple(Note(line=line, message=message) for line, message in facts["notes"])
    return Converted(html=facts["html"], fault=facts["fault"], notes=notes)


def _keep(kept: Path, made: Converted) -> None:
    facts = {"html": made.html, "fault": made.fault, "notes": [[note.line, note.message] for note in made.notes]}
    handle, temporary = tempfile.mkstemp(dir=kept.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(facts, file)
    Path(temporary).replace(kept)
