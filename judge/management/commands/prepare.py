"""Make ahead what makes compiling fast. A worker has it done when it starts and finds that something is not there."""

import os
from contextlib import closing
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from judge.blobs.compiled import made_ahead
from judge.grading.languages import LANGUAGES, named
from sandbox.box import open_sandbox
from sandbox.contract import SandboxFault


class Command(BaseCommand):
    help = "Make what makes compiling fast on this host: precompiled headers and class archives, once for a compiler."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        some = ",".join(id_ for id_, language in LANGUAGES.items() if language.ahead)
        parser.add_argument("--languages", default=some, help="ids of languages, separated by commas (%(default)s)")

    def handle(self, *, languages: str, **_: Any) -> None:
        try:
            wanted = named(languages)
        except ValueError as error:
            raise CommandError(str(error)) from error
        os.nice(10)  # judging goes on meanwhile
        try:
            with closing(open_sandbox(settings.PALFREY_CACHE / "sandbox", laptop=settings.LAPTOP)) as box:
                failed = made_ahead().make(wanted, box)
        except SandboxFault as fault:
            raise CommandError(f"Nothing can be made ahead here: {fault}") from fault
        if failed:
            raise CommandError("\n".join(failed))
        self.stdout.write(f"Made ahead, or there already: {languages}.")
