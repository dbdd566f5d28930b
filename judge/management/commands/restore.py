"""`./palfrey restore FILE`: make the site what it was when the file was written."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from judge.operations.backup import BackupFailed, restore
from judge.operations.site import CannotStart, alone


class Command(BaseCommand):
    help = "Put back what `backup` wrote. Stop the site first; with accounts in it, --replace must be given."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="what `backup` wrote")
        parser.add_argument("--replace", action="store_true", help="also where there are accounts already")

    def handle(self, *_: Any, file: Path, replace: bool, **__: Any) -> None:
        settings.VAR.mkdir(parents=True, exist_ok=True)
        try:
            with alone(settings.VAR / "up.lock"):
                told = restore(file, replace=replace)
        except (BackupFailed, CannotStart, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Restored the site as of {told.made}: rows of {told.engine} and {told.blobs} files.")
