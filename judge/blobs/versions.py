"""A published version as files on this host: its package unpacked, its cases ready to be run."""

import shutil
import tempfile
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from judge.blobs import store
from judge.grading.job import ReadyCase
from problems.models import Version
from problems.package.archive import unpack
from problems.package.model import CaseSettings, Package, Provenance
from problems.package.read import read


class VersionUnreadable(Exception):
    """A version that was published cannot be read any more. A fault of the judge, never of a student."""


def package_of(version: Version) -> Package:
    """The package of `version`, unpacked in the cache of this host. Raises `BlobMissing`, `VersionUnreadable`."""
    return _read(_unpacked(version.archive), version.problem.slug)


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
        )
        for row in version.cases.all()
    )


def _unpacked(archive: str) -> Path:
    packages = Path(settings.PALFREY_CACHE) / "packages"
    folder = packages / archive
    if not folder.is_dir():
        content = store.get(archive)
        packages.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(dir=packages, prefix=".new-"))
        try:
            unpack(content, aside / "package")
            (aside / "package").rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process was quicker
                raise
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    return folder


@lru_cache(maxsize=64)
def _read(folder: Path, slug: str) -> Package:
    reading = read(folder, slug=slug)
    if reading.package is None:
        errors = "; ".join(f"{finding.where}: {finding.message}" for finding in reading.findings[:3])
        raise VersionUnreadable(f"the package of {slug} in the cache cannot be read: {errors}")
    return reading.package


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
