"""`./palfrey verify SLUG`: does every example of a package get what the package says it must get?"""

from argparse import ArgumentParser
from contextlib import closing
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from judge.grading.build import BuildFailed
from judge.grading.job import ReadyCase
from judge.grading.lesson import TraceFailed, trace_lessons
from judge.grading.verify import verify
from judge.management.by_hand import cases_of, package_called
from sandbox.box import open_sandbox
from sandbox.contract import SandboxFault


class Command(BaseCommand):
    help = "Judge every example submission of a package, and say which does not get what its folder says it must get."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="a problem of the catalog, or a folder")

    def handle(self, *_: Any, slug: str, **__: Any) -> None:
        package = package_called(slug)
        wrong = 0
        cases: tuple[ReadyCase, ...] = ()
        try:
            with closing(open_sandbox(settings.PALFREY_CACHE / "sandbox", pinned=True, laptop=settings.LAPTOP)) as box:
                cases = cases_of(package, box)
                for one in verify(package, cases, box):
                    slowest = max((result.cpu_seconds for result in one.results), default=0.0)
                    name = one.example.program.name.removeprefix("submissions/")
                    mark = "WRONG" if one.complaints else "ok   " if one.judged else "-    "
                    self.stdout.write(f"{mark}  {name:48} {one.report.verdict.replace('_', ' '):22} {slowest:6.2f} s")
                    for complaint in one.complaints:
                        self.stdout.write(f"       {complaint}")
                    if not one.judged:
                        self.stdout.write(f"       {one.report.note}")
                    wrong += bool(one.complaints)
                figures = sum(1 for _ in trace_lessons(package, box))
        except (BuildFailed, TraceFailed, SandboxFault) as error:
            raise CommandError(str(error), returncode=2) from error
        if figures:
            self.stdout.write(f"{figures} traces of lessons can be played.")
        self.stdout.write(f"{len(package.examples)} examples over {len(cases)} cases, {wrong} not as they must be.")
        if wrong:
            raise SystemExit(1)
