"""`./palfrey up`: everything on this machine, in the foreground."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from judge.grading.languages import LANGUAGES, named
from judge.operations import site


class Command(BaseCommand):
    help = "Start everything on this machine (broker, workers, sweeper, pages) and stop it in order on Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="where the pages are (8000; 0: any free one)")
        parser.add_argument(
            "--workers", type=int, default=site.workers_here(), help="how many submissions are judged at the same time"
        )
        parser.add_argument(
            "--languages", default=",".join(LANGUAGES), help="ids of the languages to offer, separated by commas"
        )
        parser.add_argument("--no-demo", dest="demo", action="store_false", help="make no accounts to try it with")

    def handle(self, *_args: Any, port: int, workers: int, languages: str, demo: bool, **_options: Any) -> None:
        try:
            named(languages)
        except ValueError as error:
            raise CommandError(str(error)) from error
        try:
            site.serve(site.Wishes(port=port, workers=max(1, workers), languages=languages, demo=demo))
        except site.CannotStart as error:
            sys.exit(f"palfrey: {error}")
        except KeyboardInterrupt:
            sys.exit(130)
