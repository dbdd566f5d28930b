"""Make people anonymous whose courses have long been over."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from judge.operations.persons import due, forget_who_is_due


class Command(BaseCommand):
    help = "Make people anonymous whose courses have all been over for so many days; grades stay as they are."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=settings.FORGET_DAYS, help="default: PALFREY_FORGET_DAYS")
        parser.add_argument("--dry-run", action="store_true", help="say whom, and do nothing")

    def handle(self, *, days: int, dry_run: bool, **_: Any) -> None:
        if days <= 0:
            raise CommandError("Say after how many days: --days 365, or set PALFREY_FORGET_DAYS.")
        if dry_run:
            for user in (found := due(days)):
                self.stdout.write(user.username)
            if not found:
                self.stderr.write("Nobody is due.")
            return
        self.stdout.write(f"{forget_who_is_due(days)} forgotten.")
