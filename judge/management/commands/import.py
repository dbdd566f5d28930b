"""`./palfrey import PACKAGE`: a package from elsewhere becomes a folder in the format that everything here reads."""

import re
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from judge.grading.build import BuildFailed, Built, build
from judge.grading.job import ReadyCase
from judge.grading.limit import NoTimeLimit, propose
from judge.grading.verify import Verified, verify
from problems.package.limits import with_time_limit
from problems.package.model import Package
from problems.package.read import read
from problems.package.takein import Fate, TakenIn, take_in
from sandbox.box import open_sandbox
from sandbox.contract import Sandbox, SandboxFault


class Command(BaseCommand):
    help = "Take in a package of 2025-09, an older format or Polygon, and write it as a folder in the format 2025-09."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("package", metavar="PACKAGE", type=Path, help="a ZIP, or a folder")
        parser.add_argument("-o", "--output", metavar="FOLDER", type=Path, help="where to; its name is the problem's")
        parser.add_argument("--verify", action="store_true", help="judge its example submissions as well")

    def handle(self, *, package: Path, output: Path | None, verify: bool, **_: Any) -> None:
        if not package.exists():
            raise CommandError(f"There is no {package}.")
        into = output or Path(re.sub(r"[^a-z0-9]", "", package.resolve().stem.lower()) or "problem")
        if into.exists():
            raise CommandError(f"{into} is there already: remove it, or name another folder with -o.")
        taken = take_in(package, into, slug=into.name)
        self._report(taken)
        if taken.package is None:
            raise CommandError(f"{package} was not taken in, and nothing was kept.")
        self.stdout.write(f"{into}: written.")
        if verify or not taken.package.limits.time_stated:
            try:
                with closing(open_sandbox(settings.PALFREY_CACHE / "sandbox", pinned=True)) as box:
                    self._try(taken.package, box, verify=verify)
            except (BuildFailed, NoTimeLimit, SandboxFault) as error:
                raise CommandError(str(error)) from error

    def _report(self, taken: TakenIn) -> None:
        for finding in taken.findings:
            self.stdout.write(f"{finding.severity}: {finding.where or 'package'}: {finding.message}")
        for file in taken.files:
            if file.fate is not Fate.USED:
                self.stdout.write(f"{file.fate}: {file.name}: {file.why}")
        used = sum(file.fate is Fate.USED for file in taken.files)
        self.stdout.write(f"{used} of {len(taken.files)} files are used.")

    def _try(self, package: Package, box: Sandbox, *, verify: bool) -> None:
        cases = _cases(package, box)
        if not package.limits.time_stated:
            package = self._with_limit(package, cases, box)
        if verify:
            complaints = [complaint for one in self._judged(package, cases, box) for complaint in one.complaints]
            if complaints:
                raise CommandError(f"{len(complaints)} examples do not get what they must.")

    def _with_limit(self, package: Package, cases: tuple[ReadyCase, ...], box: Sandbox) -> Package:
        proposed = propose(package.limits, verify(package, cases, box))
        where = package.root / "problem.yaml"
        where.write_bytes(with_time_limit(where.read_bytes(), proposed.seconds))
        self.stdout.write(
            f"Time limit: {proposed.seconds} s; the slowest right example takes {proposed.slowest_right:.2f} s."
        )
        stated = read(package.root).package
        assert stated is not None
        return stated

    def _judged(self, package: Package, cases: tuple[ReadyCase, ...], box: Sandbox) -> list[Verified]:
        verified: list[Verified] = []
        for one in verify(package, cases, box):
            said = "; ".join(one.complaints) or "as it must"
            got = f"{one.report.verdict}, {float(one.report.points):g}" if one.judged else "not judged"
            self.stdout.write(f"{one.example.program.name}: {got}: {said if one.judged else one.report.note}")
            verified.append(one)
        judged = [one for one in verified if one.judged]
        right = sum(not one.complaints for one in judged)
        self.stdout.write(f"{right} of {len(judged)} examples get what they must.")
        if len(judged) < len(verified):
            self.stdout.write(f"{len(verified) - len(judged)} more are in languages that are not judged here.")
        return verified


def _cases(package: Package, box: Sandbox) -> tuple[ReadyCase, ...]:
    for step in build(package, box, settings.PALFREY_CACHE / "built"):
        if isinstance(step, Built):
            return step.cases
    raise RuntimeError("the build ended without a result")
