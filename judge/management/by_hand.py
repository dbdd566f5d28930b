"""What the commands share that need no database: a package by its name, the workshop of this machine."""

from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError

from judge.grading.ahead import MadeAhead
from judge.grading.build import Built, build
from judge.grading.job import ReadyCase
from judge.grading.kept import FolderStore, Kept
from judge.grading.workshop import Workshop
from problems.package.model import Package, Severity
from problems.package.read import read
from sandbox.contract import Sandbox

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
    if not reading.package.limits.time_stated:
        raise CommandError(f"{folder} states no time limit: write one, or let ./palfrey import measure it.")
    return reading.package


def cases_of(package: Package, box: Sandbox) -> tuple[ReadyCase, ...]:
    """The cases of a package, built in the cache of this machine. Raises `BuildFailed`, `SandboxFault`."""
    for step in build(package, box, Path(settings.PALFREY_CACHE) / "built", workshop_of_this_machine()):
        if isinstance(step, Built):
            return step.cases
    raise RuntimeError("the build ended without a result")


def workshop_of_this_machine() -> Workshop:
    """What was compiled and made ahead here before."""
    cache = Path(settings.PALFREY_CACHE)
    return Workshop(kept=Kept(FolderStore(cache / "compiled")), ahead=MadeAhead(cache / "ahead"))
