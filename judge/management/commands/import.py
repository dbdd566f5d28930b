"""`./palfrey import PACKAGE`: a package from elsewhere becomes a folder in the format that everything here reads."""

import re
from argparse import ArgumentParser
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from judge.blobs import statements
from judge.grading.build import BuildFailed
from judge.grading.foresight import foreseen
from judge.grading.limit import NoTimeLimit, propose
from judge.grading.verify import verify
from judge.management.by_hand import cases_of
from problems.package.limits import with_time_limit
from problems.package.model import Package
from problems.package.takein import Fate, TakenIn, take_in
from sandbox.box import open_sandbox
from sandbox.contract import SandboxFault


class Command(BaseCommand):
    help = "Take in a package of 2025-09, an older format or Polygon, and write it as a folder in the format 2025-09."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("package", metavar="PACKAGE", type=Path, help="a ZIP, or a folder")
        parser.add_argument("-o", "--output", metavar="FOLDER", type=Path, help="where to; its name is the problem's")
        parser.add_argument(
            "--files", action="store_true", help="say of each file what became of it, also of those that are used"
        )
        parser.add_argument(
            "--follow-links", action="store_true", help="of a folder that you trust: copy what links outside it lead to"
        )

    def handle(self, *, package: Path, output: Path | None, follow_links: bool, files: bool, **_: Any) -> None:
        if not package.exists():
            raise CommandError(f"There is no {package}.")
        into = output or Path(re.sub(r"[^a-z0-9]", "", package.resolve().stem.lower()) or "problem")
        if into.exists():
            raise CommandError(f"{into} is there already: remove it, or name another folder with -o.")
        taken = take_in(package, into, slug=into.name, follow_links=follow_links)
        self._report(taken, every_file=files)
        if any(finding.rule == "link-outside" for finding in taken.findings):
            self.stdout.write("If you trust this folder, --follow-links takes copies of what these links lead to.")
        if taken.package is None:
            raise CommandError(f"{package} was not taken in, and nothing was kept.")
        self.stdout.write(f"{into}: written. See whether its examples get what they must: ./palfrey verify {into}")
        for finding in (*foreseen(taken.package), *statements.findings(taken.package)):
            self.stdout.write(f"{finding.severity}: {finding.where}: {finding.message}")
        if not taken.package.limits.time_stated:
            self._state_time_limit(taken.package)

    def _report(self, taken: TakenIn, *, every_file: bool) -> None:
        for finding in taken.findings:
            self.stdout.write(f"{finding.severity}: {finding.where or 'package'}: {finding.message}")
        for file in taken.files:
            if file.fate is not Fate.USED:
                self.stdout.write(f"{file.fate}: {file.name}: {file.why}")
            elif every_file:
                self.stdout.write(f"{file.fate}: {file.name}{f' as {file.why}' if file.why else ''}")
        used = sum(file.fate is Fate.USED for file in taken.files)
        self.stdout.write(f"{used} of {len(taken.files)} files are used.")

    def _state_time_limit(self, package: Package) -> None:
        """Measure the limit that the package leaves open, and write it down."""
        try:
            with closing(open_sandbox(settings.PALFREY_CACHE / "sandbox", pinned=True, laptop=settings.LAPTOP)) as box:
                timed = [one for one in package.examples if one.bounds_time_from_below or one.bounds_time_from_above]
                only = replace(package, examples=tuple(timed))
                verified = verify(only, cases_of(package, box), box, run_everything=False)
                proposed = propose(package.limits, verified)
        except (BuildFailed, NoTimeLimit, SandboxFault) as error:
            raise CommandError(f"Its time limit cannot be measured: {error}") from error
        where = package.root / "problem.yaml"
        where.write_bytes(with_time_limit(where.read_bytes(), proposed.seconds))
        self.stdout.write(
            f"Time limit: {proposed.seconds} s; the slowest that must be fast enough takes "
            f"{proposed.slowest_right:.2f} s."
        )
