"""`./palfrey playground SLUG`: what does the checker say of right outputs that are changed a little?"""

from argparse import ArgumentParser
from contextlib import closing
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from judge.grading.build import BuildFailed
from judge.grading.check import CheckerBroken
from judge.grading.playground import Answer, NoPlayground, Opinion, Playground, Row, play
from judge.management.by_hand import cases_of, package_called, workshop_of_this_machine
from sandbox.box import open_sandbox
from sandbox.contract import SandboxFault

_MARKS = {Opinion.BROKEN: "BROKEN", Opinion.LENIENT: "LENIENT", Opinion.HARSH: "HARSH"}


class Command(BaseCommand):
    help = "Change right outputs a little (blanks, case, nan, cut off) and say what the checker says of each."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="a problem of the catalog, or a folder")

    def handle(self, *_: Any, slug: str, **__: Any) -> None:
        package = package_called(slug)
        try:
            with closing(open_sandbox(settings.PALFREY_CACHE / "sandbox", pinned=True, laptop=settings.LAPTOP)) as box:
                cases = cases_of(package, box)
                for step in play(package, cases, box, workshop_of_this_machine()):
                    match step:
                        case Row():
                            self._row(step)
                        case Playground():
                            self._sum(step)
        except (BuildFailed, CheckerBroken, NoPlayground, SandboxFault) as error:
            raise CommandError(str(error), returncode=2) from error

    def _row(self, row: Row) -> None:
        counts = [f"{row.count(answer)} {answer.replace('_', ' ')}" for answer in Answer if row.count(answer)]
        self.stdout.write(f"{_MARKS.get(row.opinion, ''):8} {row.words:40} {', '.join(counts)}")

    def _sum(self, ground: Playground) -> None:
        by = ground.checker or "the format's default validator"
        self.stdout.write(f"\n{len(ground.rows)} changes of {len(ground.cases)} outputs, checked by {by}.")
        for row in ground.surprising:
            self.stdout.write(f"\n{row.said}")
            told = next((cell for cell in row.cells if cell.message), None)
            if told and row.opinion != Opinion.LENIENT:
                self.stdout.write(f"    {told.case}: {told.message}")
        if not ground.surprising:
            self.stdout.write("Nothing is surprising.")
