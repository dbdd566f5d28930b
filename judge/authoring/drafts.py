"""The working copy of a problem as files: read it, change it, never lose what somebody else has just written.

Its bytes are an archive in the store, so every state of it is there whole or not at all. A change is made on a copy of
the folder, packed, unpacked again (what is saved can always be opened), and put in place by compare-and-swap.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from judge.authoring import archives
from judge.authoring.making import PublishFailed
from judge.authoring.models import Draft
from judge.blobs import store
from judge.blobs.versions import unpacked
from judge.people.models import User
from judge.people.refusal import Refused
from judge.submissions.actions import size_in_words
from problems.models import Problem
from problems.package.archive import pack, unpack
from problems.package.findings import Findings
from problems.package.model import Severity
from problems.package.read import Reading, read
from problems.package.takein import Fate, TakenIn
from problems.package.tree import list_files

TRIES = 5
TOLD, TOLD_USED, TOLD_TEXT = 200, 1_000, 1_000
"""Findings and files, and files that are used, that are kept of a report, and characters of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingCopy:
    """One state of a problem's working copy."""

    slug: str
    archive: str
    revision: int
    """0: nobody has changed anything yet, it is as the live version, or the newest, is."""
    changed: datetime | None
    changed_by: User | None

    @property
    def folder(self) -> Path:
        """Its files on this host; nothing may be written in it. Raises what `unpacked` raises."""
        return unpacked(self.archive)

    @property
    def reading(self) -> Reading:
        """What the package reader says of it."""
        return _read(self.folder, self.slug)

    @property
    def files(self) -> Mapping[str, Path]:
        """Path below the package -> file, sorted."""
        return dict(sorted(list_files(self.folder, Findings()).files.items()))


def working_copy(problem: Problem) -> WorkingCopy:
    """The working copy of `problem` as it is now. Raises `Refused` when there is nothing to work on."""
    draft = Draft.objects.select_related("changed_by").filter(problem=problem).first()
    if draft is not None:
        return copy_in(draft, problem.slug)
    version = problem.live or problem.versions.order_by("-number").first()
    if version is None:
        raise Refused(_("There is nothing in this problem yet. Upload a package."))
    return WorkingCopy(slug=problem.slug, archive=version.archive, revision=0, changed=None, changed_by=None)


def copy_in(draft: Draft, slug: str) -> WorkingCopy:
    """The working copy that a row keeps."""
    return WorkingCopy(
        slug=slug,
        archive=draft.archive,
        revision=draft.revision,
        changed=draft.changed,
        changed_by=draft.changed_by,
    )


def change(problem: Problem, by: User | None, edit: Callable[[Path], None]) -> WorkingCopy:
    """Apply `edit` to a copy of the folder and put it in place of the working copy.

    When somebody else was quicker, `edit` is applied again to what they left: it must look at the files that it
    replaces, and raise `Refused` when these are not what it expects. Files are shared with the old folder: `edit` uses
    `write` and `Path.unlink`, and never opens one for writing.
    """
    for _try in range(TRIES):
        seen = working_copy(problem)
        with tempfile.TemporaryDirectory(prefix="editing-", dir=_place()) as aside:
            folder = Path(aside, "package")
            shutil.copytree(seen.folder, folder, copy_function=os.link)
            edit(folder)
            archive = keep(folder)
        if archive == seen.archive or replace(problem, seen, archive, by):
            return working_copy(problem)
    raise Refused(_("Others are changing this problem at the same time. Try once more."))


def write(folder: Path, name: str, content: bytes) -> None:
    """Put a file into the folder that `change` hands to an edit."""
    target = folder / name
    executable = target.exists() and bool(target.stat().st_mode & 0o100)
    target.unlink(missing_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    if executable or content.startswith(b"#!"):
        target.chmod(0o755)


def keep(folder: Path) -> str:
    """Put a package folder into the store, as an archive that is sure to unpack, and give its digest.

    Raises `Refused` when no archive can be made that would be taken again.
    """
    archive = pack(folder)
    digest = store.digest_of(archive)
    with tempfile.TemporaryDirectory(prefix="opening-", dir=_place()) as aside:
        findings = unpack(archive, Path(aside, "package"))
        errors = [finding for finding in findings if finding.severity is Severity.ERROR]
        if errors:
            raise PublishFailed(_("This cannot be saved: %(fault)s") % {"fault": errors[0].message}, findings)
        ready = _place() / digest
        if not ready.exists():
            try:
                Path(aside, "package").rename(ready)
            except OSError:
                if not ready.is_dir():  # otherwise another process was quicker
                    raise
    archives.may_go(digest)
    return store.put(archive)


def report_of(taken: TakenIn) -> dict[str, Any]:
    """What is kept, beside the working copy, of how a package was taken in: bounded, ready for JSON."""
    left = [file for file in taken.files if file.fate is not Fate.USED]
    used = [file for file in taken.files if file.fate is Fate.USED]
    found = sorted(taken.findings, key=lambda one: list(Severity).index(one.severity))
    return {
        "when": timezone.now().isoformat(),
        "files": len(taken.files),
        "used": len(used),
        "findings": [
            {"severity": str(one.severity), "where": one.where[:TOLD_TEXT], "message": one.message[:TOLD_TEXT]}
            for one in found[:TOLD]
        ],
        "ignored": [{"name": one.name[:TOLD_TEXT], "why": one.why[:TOLD_TEXT]} for one in left[:TOLD]],
        "used_as": [{"name": one.name[:TOLD_TEXT], "why": one.why[:TOLD_TEXT]} for one in used[:TOLD_USED]],
    }


def replace(problem: Problem, seen: WorkingCopy, archive: str, by: User | None, **told: Any) -> bool:
    """Make `archive` the working copy if it is still as it was `seen`; False when somebody was quicker.

    `told`: `taken`, when it is no change of what was there before, but another package.
    """
    now = timezone.now()
    if seen.revision == 0:
        _, new = Draft.objects.get_or_create(
            problem=problem, defaults={"archive": archive, "changed": now, "changed_by": by, **told}
        )
        return new
    current = Draft.objects.filter(problem=problem, revision=seen.revision)
    done = current.update(archive=archive, revision=F("revision") + 1, changed=now, changed_by=by, **told) == 1
    if done:
        archives.may_go(seen.archive)
    return done


def must_be_small(what: str, size: int) -> None:
    """Raises `Refused` for a file or archive longer than the desk takes."""
    if size > settings.PACKAGE_BYTES:
        raise Refused(
            _(
                "%(what)s has %(size)s; at most %(most)s are taken. Leave generated data out: cases can be "
                "made by generators."
            )
            % {"what": what, "size": size_in_words(size), "most": size_in_words(settings.PACKAGE_BYTES)}
        )


def _place() -> Path:
    place = Path(settings.PALFREY_CACHE) / "packages"
    place.mkdir(parents=True, exist_ok=True)
    return place


@lru_cache(maxsize=64)
def _read(folder: Path, slug: str) -> Reading:
    return read(folder, slug=slug)
