"""Taking in a package from anywhere: an archive or a folder, of 2025-09, an older format, or Polygon.

What comes out is a folder in the format 2025-09, or nothing; and a report of every file that was given.
"""

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from problems.package import older, polygon
from problems.package.archive import left_out, unpack
from problems.package.draft import Draft
from problems.package.findings import Findings, escaped
from problems.package.model import Finding, Package, Severity
from problems.package.problem_yaml import WHERE
from problems.package.read import read
from problems.package.tree import Tree, list_files, printable, why_absent
from problems.package.yaml_text import Scalar, parse_map
from problems.say import say

MAX_LISTED = 20_000
NAMED = 3
"""Files of the new package that are named beside one that was given."""


class Format(StrEnum):
    """What a package was written for."""

    CURRENT = "2025-09"
    OLDER = "legacy"
    POLYGON = "polygon"


class Fate(StrEnum):
    """What became of a file that was given."""

    USED = "used"
    IGNORED = "ignored"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFate:
    """One file that was given. `why`: the reason, for what is not used; else the files that it has become, if it is
    called otherwise in the new package."""

    name: str
    fate: Fate
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenIn:
    """What came of a package. `package` is None exactly when a finding is an error; then nothing was kept."""

    package: Package | None
    format: Format | None
    """None: not even that could be told."""
    findings: tuple[Finding, ...]
    files: tuple[FileFate, ...]
    """Every file of the archive or folder, by name."""


def take_in(given: bytes | Path, into: Path, *, slug: str, follow_links: bool = False) -> TakenIn:
    """Take in the package `given`, an archive or a folder, as the folder `into`, which must not exist.

    `slug`: what the package is called when it is one of 2025-09; others say it themselves if they can.
    `follow_links`: take copies of what the symbolic links of a folder lead to, also outside of it. Raises nothing for
    what an author may have done wrong, and OSError for faults of the host.
    """
    findings = Findings()
    into.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{into.name}.", dir=into.parent) as aside:
        folder = Path(aside, "given")
        outside: list[str] = []
        if isinstance(given, Path) and given.is_dir():
            folder = given.resolve()
        else:
            for finding in unpack(given, folder):
                findings.add(finding)
            outside = left_out(given) if findings.ok else []
        tree = list_files(folder, findings, everything=True, follow_links=follow_links) if findings.ok else None
        if tree is not None and WHERE in tree.files:
            # Its format cannot be told when it is no YAML, and whatever else were said of it would mislead.
            told = Findings()
            findings = told if parse_map(tree.yaml_bytes(WHERE), WHERE, told) is None else findings
        if tree is None or not findings.ok:
            return _refused(findings)
        made = Path(aside, "made")
        taken = _take_in(None if follow_links else folder, tree, made, slug, findings)
        if taken.package is not None:
            made.rename(into)
            taken = replace(taken, package=read(into, slug=slug).package)
    mac = (FileFate(name=name, fate=Fate.IGNORED, why=say("part", "macOS adds it to archives.")) for name in outside)
    return replace(taken, files=(*taken.files, *mac))


def format_of(tree: Tree) -> Format:
    """What the package in `tree` was written for."""
    if "problem.xml" in tree.files and WHERE not in tree.files:
        return Format.POLYGON
    return Format.OLDER if older.looks_older(tree, _version(tree)) else Format.CURRENT


def _version(tree: Tree) -> str:
    """What the package says it was written for; empty: nothing."""
    found = parse_map(tree.yaml_bytes(WHERE), WHERE, Findings()) if WHERE in tree.files else None
    node = found.nodes.get("problem_format_version") if found else None
    return node.text if isinstance(node, Scalar) and not node.is_null else ""


def _refused(findings: Findings) -> TakenIn:
    told = findings.all()
    files = [
        FileFate(name=one.where, fate=Fate.REFUSED, why=one.message)
        for one in told
        if one.severity is Severity.ERROR and one.where
    ]
    return TakenIn(package=None, format=None, findings=told, files=tuple(files))


def _take_in(folder: Path | None, tree: Tree, made: Path, slug: str, findings: Findings) -> TakenIn:
    """`folder`: where to read a package that needs no translation, with all that is odd; None: read a copy."""
    kind = format_of(tree)
    if kind is Format.OLDER and not _version(tree):
        lacks = (
            say("part", "`problem_format_version` is not in it")
            if WHERE in tree.files
            else say("part", "there is no `problem.yaml`")
        )
        message = say("said", "Read as a package of the older format, because %(lacks)s.", lacks=lacks)
        cure = say("said", "For 2025-09 write `problem_format_version: 2025-09`.")
        findings.notice(WHERE, "format-version", f"{message} {cure}")
    if kind is Format.CURRENT:
        ours = [name for name in tree.files if not any(map(why_absent, name.split("/")))]
        draft = Draft(files={name: tree.files[name] for name in ours}, origins={name: name for name in ours})
    else:
        draft = (older if kind is Format.OLDER else polygon).translate(tree, slug, findings)
    package: Package | None = None
    if findings.ok:
        draft.lay_out(made)
        reading = read(folder if folder and kind is Format.CURRENT else made, slug=slug)
        package = reading.package
        for finding in reading.findings:
            findings.add(_of_given(finding, draft))
    told = findings.all()
    fates = _fates(tree, kind, draft, told)
    return TakenIn(package=package, format=kind, findings=told, files=tuple(fates))


def _of_given(finding: Finding, draft: Draft) -> Finding:
    """A finding about the new package, told of the file that was given."""
    name, _, _ = finding.where.partition(":")
    written = isinstance(draft.files.get(name), bytes)  # by us: its lines are not those of the file that was given
    if not written and draft.origins.get(name, name) == name:
        return finding
    return replace(finding, where=draft.origins.get(name, name))


def _fates(tree: Tree, kind: Format, draft: Draft, told: Iterable[Finding]) -> Iterable[FileFate]:
    refused: dict[str, str] = {}
    ignored: dict[str, str] = {}
    for finding in told:
        name = finding.where.partition(":")[0]
        if finding.severity is Severity.ERROR:
            refused.setdefault(name, finding.message)
        elif finding.rule in ("ignored", "name-ignored") and ":" not in finding.where:
            ignored.setdefault(name, finding.message.removeprefix("Ignored: "))
    used = {*draft.used, *draft.origins.values()}
    becomes: dict[str, list[str]] = {}
    for new, old in sorted(draft.origins.items()):
        becomes.setdefault(old, []).append(new)
    for name in sorted(tree.files):
        parts = name.split("/")
        above = ["/".join(parts[:length]) for length in range(len(parts), 0, -1)]
        reason = next((ignored[printable(one)] for one in above if printable(one) in ignored), "")
        reason = draft.ignored.get(name, reason)
        if escaped(name) in refused:
            yield FileFate(name=printable(name), fate=Fate.REFUSED, why=refused[escaped(name)])
        elif reason or (kind is not Format.CURRENT and name not in used):
            why = reason or next(filter(None, map(why_absent, parts)), "").removeprefix("Ignored: ")
            yield FileFate(
                name=printable(name), fate=Fate.IGNORED, why=why or say("part", "nothing there has this name.")
            )
        else:
            names = becomes.get(name, [])
            more = " …" if len(names) > NAMED else ""
            yield FileFate(name=name, fate=Fate.USED, why="" if names == [name] else ", ".join(names[:NAMED]) + more)
