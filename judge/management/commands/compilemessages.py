"""Makes of the texts in `judge/locale/` what Django reads: `./palfrey compilemessages`. `./palfrey` does it by itself.

Django's own command of this name needs the programs of gettext, which not every machine has.
"""

import tempfile
from pathlib import Path
from typing import Any

import polib
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Compile the translated texts that are newer than what was compiled of them."
    requires_system_checks = []

    def handle(self, *_args: Any, **_options: Any) -> None:
        for folder in settings.LOCALE_PATHS:
            for source in sorted(Path(folder).glob("*/LC_MESSAGES/*.po")):
                made = source.with_suffix(".mo")
                if not made.exists() or made.stat().st_mtime <= source.stat().st_mtime:
                    _compile(source, made)


def _compile(source: Path, made: Path) -> None:
    """Put in place as a whole: others may be reading, or doing the same."""
    with tempfile.NamedTemporaryFile(dir=made.parent, suffix=".mo.part", delete=False) as file:
        file.write(polib.pofile(str(source)).to_binary())
    part = Path(file.name)
    part.chmod(0o644)
    part.replace(made)
