"""`./palfrey bench NAME`: measure against the floor, and print the ratios."""

import subprocess
import sys
from argparse import REMAINDER, ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

ALSO_CALLED = {"judge": "judging"}
HELPERS = {"filling", "live_judging", "live_pages", "live_site", "regrade_site"}
"""Beside the benches: what one of them needs."""


class Command(BaseCommand):
    help = "Measure against a floor: compiling, judging, lists, live, regrade, sandbox, steady (tests/bench)."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="what to measure")
        parser.add_argument("arguments", nargs=REMAINDER, help="passed on: --rounds N, --json")

    def handle(self, *_: Any, name: str, arguments: list[str], **__: Any) -> None:
        folder = Path(settings.BASE_DIR) / "tests" / "bench"
        names = sorted(path.stem for path in folder.glob("[!_]*.py") if path.stem not in HELPERS)
        name = ALSO_CALLED.get(name, name)
        if name not in names:
            raise CommandError(f"There is no bench {name}; there are: {', '.join(names)}.")
        done = subprocess.run(  # noqa: S603 - a bench of ours
            [sys.executable, "-m", f"tests.bench.{name}", *arguments], cwd=settings.BASE_DIR, check=False
        )
        sys.exit(done.returncode)
