"""Publish a package folder, or all built-in problems."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from judge.authoring.actions import PublishFailed, publish
from judge.blobs import statements
from judge.blobs.versions import package_of
from judge.grading.build import Making
from judge.management.by_hand import CATALOG
from sandbox.box import open_sandbox
from sandbox.contract import SandboxFault


class Command(BaseCommand):
    help = "Build a problem package and make it the version that new submissions are judged against."

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("path", nargs="?", type=Path, help="folder of a package")
        which.add_argument("--builtin", action="store_true", help="every problem that comes with this project")
        parser.add_argument("--verify", action="store_true", help="only when ./palfrey verify finds nothing wrong")

    def handle(self, *, path: Path | None, **options: Any) -> None:
        folders = [path] if path is not None else sorted(each.parent for each in CATALOG.glob("*/problem.yaml"))
        for folder in folders if options["verify"] else ():
            call_command("verify", str(folder))
        failed = []
        try:
            box = open_sandbox(settings.PALFREY_CACHE / "sandbox", pinned=True, laptop=settings.LAPTOP)
            try:
                failed = [
                    str(error)
                    for folder in folders
                    if (error := self._publish(folder, box, gently=path is None)) is not None
                ]
            finally:
                box.close()
        except SandboxFault as fault:
            raise CommandError(f"Nothing can be built here: {fault}") from fault
        if failed:
            raise CommandError("\n".join(failed))

    def _publish(self, folder: Path, box: Any, *, gently: bool) -> PublishFailed | None:
        self._slug, self._building = folder.resolve().name, False
        try:
            version = publish(folder, box, told=self._tell, gently=gently)
        except PublishFailed as error:
            return error
        live = version.problem.live
        if live != version:
            self.stdout.write(
                f"{version.problem.slug}: version {live.number if live else '?'} stays live, chosen at the desk."
            )
            return None
        self.stdout.write(f"{version.problem.slug}: version {version.number} is live, {version.facts['cases']} cases.")
        for finding in statements.findings(package_of(version)):
            self.stdout.write(f"  {finding.severity}: {finding.where}: {finding.message}")
        return None

    def _tell(self, step: Making) -> None:
        if not self._building:
            self._building = True
            self.stdout.write(f"{self._slug}: making {step.total} cases …")
            self.stdout.flush()
        if self.stderr.isatty():
            self.stderr.write(f"\r{step.done} of {step.total}: {step.case}\x1b[K", ending="")
