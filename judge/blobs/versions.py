"""A published version as files on this host: its package unpacked, its cases ready to be run."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from judge.blobs import store
from judge.grading.job import ReadyCase
from problems.models import Case, Version
from problems.package.archive import unpack
from problems.package.compare import Made
from problems.package.model import CaseSettings, Content, Finding, Package, Provenance, Severity
from problems.package.read import read
from problems.package.write import write


class VersionUnreadable(Exception):
    """A version that was published cannot be read any more. A fault of the judge, never of a student."""


def package_of(version: Version) -> Package:
    """The package of `version`, unpacked in the cache of this host. Raises `BlobMissing`, `VersionUnreadable`."""
    return _read(unpacked(version.archive), version.problem.slug)


def ready_cases(version: Version) -> tuple[ReadyCase, ...]:
    """The cases of `version` in judging order, with their files on this host. Raises what `package_of` raises."""
    written = {case.name: case for case in package_of(version).cases}
    return tuple(
        ReadyCase(
            name=row.name,
            group=row.group,
            input=store.path(row.input),
            answer=store.path(row.answer),
            files=written[row.name].files if row.name in written else {},
            settings=written[row.name].settings if row.name in written else CaseSettings(),
            provenance=_provenance(row.provenance),
            input_digest=row.input,
            answer_digest=row.answer,
        )
        for row in version.cases.all()
    )


def programs_of(version: Version, languages: Callable[[Package], frozenset[str]]) -> frozenset[str]:
    """What `languages` (of `judge.grading.needs`) says of the package; nothing when it cannot be read here and now."""
    try:
        return languages(package_of(version))
    except (store.BlobMissing, VersionUnreadable, OSError):
        return frozenset()


def export(version: Version, into: Path) -> None:
    """Write `version` as a package of 2025-09, made cases and all, to the folder `into`, which must not exist.

    Raises what `package_of` raises.
    """
    write(package_of(version), into, made=made_of(version))


def made_of(version: Version) -> dict[str, Made]:
    """What was made of its cases, by case. Raises what `package_of` raises."""
    return {case.name: Made(input=case.input, answer=case.answer) for case in ready_cases(version)}


def downloads_of(version: Version) -> dict[str, Content]:
    """The samples as files to have, by name: what their author says is to be downloaded, else what is run."""
    package = package_of(version)
    written = {case.name: case for case in package.cases}
    rows: dict[str, Case | None] = {case.name: case for case in version.cases.filter(group="sample")}
    rows |= dict.fromkeys(package.shown.keys() - rows.keys())
    found: dict[str, Content] = {}
    for name in sorted(rows):
        row, base = rows[name], name.removeprefix("sample/")
        extras = written[name].extras if name in written else package.shown.get(name, {})
        given = extras.get("in.download") or (store.path(row.input) if row else None)
        answer = extras.get("ans.download", extras.get("out")) or (store.path(row.answer) if row else None)
        if "interaction" in extras:
            given, answer = extras.get("in.download"), extras.get("ans.download")
            found[f"{base}.interaction"] = extras["interaction"]
        found |= {f"{base}.in": given} if given is not None else {}
        found |= {f"{base}.ans": answer} if answer is not None else {}
        if name in written:
            found |= {f"{base}.files/{below}": path for below, path in written[name].files.items()}
    return found


def unpacked(archive: str) -> Path:
    """The package with this digest as a folder on this host. Nothing may be written in it.

    Raises `BlobMissing`, `VersionUnreadable`.
    """
    folder = Path(settings.PALFREY_CACHE) / "packages" / archive
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        findings = unpack(store.path(archive), folder, ours=True)
    except OSError:
        if not folder.is_dir():  # otherwise another process was quicker
            raise
    else:
        _raise_for(findings, f"the archive {archive}")
    return folder


@lru_cache(maxsize=64)
def _read(folder: Path, slug: str) -> Package:
    reading = read(folder, slug=slug)
    _raise_for(reading.findings, f"the package of {slug}")
    assert reading.package is not None
    return reading.package


def _raise_for(findings: Iterable[Finding], what: str) -> None:
    errors = [f"{each.where}: {each.message}" for each in findings if each.severity is Severity.ERROR]
    if errors:
        raise VersionUnreadable(f"{what} cannot be read any more: {'; '.join(errors[:3])}")


def _provenance(kept: dict[str, object] | None) -> Provenance | None:
    if kept is None:
        return None
    seed = kept["seed"]
    arguments = kept["arguments"]
    assert isinstance(arguments, list)
    return Provenance(
        generator=str(kept["generator"]),
        arguments=tuple(map(str, arguments)),
        seed=seed if isinstance(seed, int) else None,
    )
