"""`./palfrey collect`: delete from the store what no row names any more."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand

from judge.operations.collect import collect


class Command(BaseCommand):
    help = "Delete bytes that no row names any more, and outputs older than they are kept; the site may run meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--grace-days", type=float, default=7, help="leave alone what is younger (7, at least 2)")
        parser.add_argument("--dry-run", action="store_true", help="only say what would go")

    def handle(self, *_: Any, grace_days: float, dry_run: bool, **__: Any) -> None:
        found = collect(timedelta(days=grace_days), really=not dry_run)
        self.stdout.write(
            f"{found.deleted} of {found.looked_at} files {'would go' if dry_run else 'deleted'}, "
            f"{found.freed_bytes / (1 << 20):.1f} MiB; outputs of {found.outputs_forgotten} case results forgotten."
        )
