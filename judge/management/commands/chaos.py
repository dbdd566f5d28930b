"""`./palfrey chaos`: kill everything in turn while submissions are judged, and count what came of them."""

import subprocess
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Judge on a set of its own while its parts are killed at random; exit 0 only if nothing is lost or wrong."
    requires_system_checks = []

    def run_from_argv(self, argv: list[str]) -> None:
        """All arguments are those of tests/chaos (`--help` tells them)."""
        self.handle(arguments=argv[2:])

    def handle(self, *_: Any, arguments: list[str], **__: Any) -> None:
        done = subprocess.run(  # noqa: S603 - our own
            [sys.executable, "-m", "tests.chaos", *arguments], cwd=settings.BASE_DIR, check=False
        )
        sys.exit(done.returncode)
