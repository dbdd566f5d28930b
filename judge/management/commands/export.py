"""`./palfrey export SLUG`: a problem as an archive that other judges take."""

import tempfile
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from judge.grading.build import BuildFailed
from judge.management.by_hand import cases_of, package_called
from problems.package.archive import pack
from problems.package.compare import Made
from problems.package.model import Finding, Severity
from problems.package.write import write, write_legacy
from sandbox.box import open_sandbox
from sandbox.contract import SandboxFault

FORMATS = ("2025-09", "legacy")


class Command(BaseCommand):
    help = "Write a problem of the catalog, or any package folder, as a ZIP; what is made by generators is in it."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="name of a catalog problem, or path of a package folder")
        parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="for DOMjudge and Kattis: legacy")
        parser.add_argument("--strict", action="store_true", help="leave out the folder palfrey/, which is ours")
        parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="where to; SLUG.zip when not given")

    def handle(self, *, slug: str, output: Path | None, strict: bool, **options: Any) -> None:
        package = package_called(slug)
        try:
            with closing(open_sandbox(settings.PALFREY_CACHE / "sandbox", pinned=True, laptop=settings.LAPTOP)) as box:
                cases = cases_of(package, box)
        except (BuildFailed, SandboxFault) as error:
            raise CommandError(str(error)) from error
        made = {case.name: Made(input=case.input, answer=case.answer) for case in cases}
        with tempfile.TemporaryDirectory() as aside:
            into = Path(aside, package.slug)
            if options["format"] == "legacy":
                told = write_legacy(package, into, made=made, strict=strict)
                if not into.exists():
                    raise CommandError(f"{slug} cannot be said in the older format:\n{_lines(told)}")
                for finding in told:
                    self.stdout.write(f"{finding.severity}: {finding.where}: {finding.message}")
            else:
                write(package, into, made=made, strict=strict)
            archive = pack(into)
        target = output or Path(f"{package.slug}.zip")
        target.write_bytes(archive)
        self.stdout.write(f"{target}: {len(archive):,} bytes, {len(package.cases)} cases.")


def _lines(findings: tuple[Finding, ...]) -> str:
    errors = [one for one in findings if one.severity is Severity.ERROR]
    return "\n".join(f"  {one.where or 'package'}: {one.message}" for one in errors[:20])
