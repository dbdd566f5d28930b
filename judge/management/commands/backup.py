"""`./palfrey backup FILE`: everything that the site must not lose, in one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from judge.operations.backup import BackupFailed, backup


class Command(BaseCommand):
    help = "Write rows, bytes and key of the site to one tar file; the site may run meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="where to write it; what is there is replaced once it is whole")

    def handle(self, *_: Any, file: Path, **__: Any) -> None:
        try:
            told = backup(file)
        except (BackupFailed, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{file}: rows of {told.engine} and {told.blobs} files, as of {told.made}.")
