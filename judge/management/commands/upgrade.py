"""`./palfrey upgrade`: after the code of a newer Palfrey was put in place."""

from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from judge.operations.backup import BackupFailed, backup
from judge.submissions.fit import breaking_ahead
from judge.submissions.workers import anybody_at_work


class Command(BaseCommand):
    help = "Back up, bring the tables up to date, gather static files, and try whether all holds."

    def handle(self, *_: Any, **__: Any) -> None:
        if breaking_ahead() and anybody_at_work():
            raise CommandError(
                "Nothing was changed: workers of the former code are at work, and this step changes tables under them. "
                "Stop the site first."
            )
        folder = settings.VAR / "backups"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = folder / f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}.tar"
        try:
            told = backup(file)
        except (BackupFailed, OSError) as error:
            raise CommandError(f"Nothing was changed, because no backup could be made: {error}") from error
        self.stdout.write(f"Backed up to {file} ({told.blobs} files).")
        back = f"To go back: put the former code in place, then ./palfrey restore --replace {file}"
        try:
            call_command("migrate", interactive=False, verbosity=1, stdout=self.stdout)
            if not settings.LOCAL:
                call_command("collectstatic", interactive=False, verbosity=0)
            call_command("selftest", stdout=self.stdout)
        except Exception as error:
            raise CommandError(f"{error}\n{back}") from error
        self.stdout.write(f"Upgraded. Start the site again. {back}")
