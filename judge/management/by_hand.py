"""What the commands share that need no database: a package by its name, the workshop of this machine."""

from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError

from judge.grading.ahead import MadeAhead
from judge.grading.kept import FolderStore, Kept
from judge.grading.workshop import Workshop
from problems.package.model import Package, Severity
from problems.package.read import read

CATALOG = Path(settings.BASE_DIR) / "problems" / "catalog"
"""Where the built-in problems are."""


def package_called(slug: str) -> Package:
    """A built-in problem, or the package in a folder. Raises `CommandError` with what is wrong with it."""
    folder = CATALOG / slug if slug.isalnum() and (CATALOG / slug).is_dir() else Path(slug)
    if not folder.is_dir():
        names = ", ".join(sorted(path.name for path in CATALOG.glob("*") if path.is_dir()))
        raise CommandError(f"There is no problem “{slug}”: give the path of a package folder, or one of {names}.")
    reading = read(folder)
    if reading.package is None:
        errors = [finding for finding in reading.findings if finding.severity == Severity.ERROR]
        lines = [f"{finding.where or folder.name}: {finding.message}" for finding in errors[:20]]
        raise CommandError("\n".join([f"The package {folder} has errors:", *lines]))
    return reading.package


def workshop_of_this_machine() -> Workshop:
    """What was compiled and made ahead here before."""
    cache = Path(settings.PALFREY_CACHE)
    return Workshop(kept=Kept(FolderStore(cache / "compiled")), ahead=MadeAhead(cache / "ahead"))
