"""`./palfrey selftest`: try whether this host can do what the site needs."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from judge.operations.selftest import selftest


class Command(BaseCommand):
    help = "Try database, store, disk, sandbox and languages of this host; exit 1 when something does not hold."

    def handle(self, *_: Any, **__: Any) -> None:
        good = True
        for one in selftest():
            good = good and one.holds
            self.stdout.write(f"{'ok  ' if one.holds else 'NO  '}{one.what}{': ' + one.told if one.told else ''}")
        if not good:
            raise CommandError("Not everything holds.")
