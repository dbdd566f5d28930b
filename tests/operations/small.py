"""`manage.py` for a site whose only built-in problems are those in the folder named by its first argument."""

import os
import sys
from pathlib import Path

import django
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "judge.config.settings")
    django.setup()
    from judge.management import by_hand

    by_hand.CATALOG = Path(sys.argv.pop(1))  # before the command that publishes takes it from there
    execute_from_command_line(sys.argv)
