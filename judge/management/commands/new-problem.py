"""`./palfrey new-problem NAME`: a package to start from."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from problems.package.template import lay_out


class Command(BaseCommand):
    help = "Write a small complete problem into the new folder NAME, to be turned into one of your own."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", type=Path, help="a-z and 0-9; a path of a new folder is fine too")
        parser.add_argument("--title", metavar="TITLE", default="", help="what the problem is called on the pages")

    def handle(self, *, name: Path, title: str, **_: Any) -> None:
        try:
            folder = lay_out(name.parent, name.name, title)
        except FileExistsError as error:
            raise CommandError(f"{name} is there already: remove it, or take another name.") from error
        except ValueError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{folder}: written. Begin with {folder}/statement/problem.en.md; the comments in the other files say what "
            f"to replace.\nSee whether everything fits, now and after each change: ./palfrey verify {folder}"
        )
