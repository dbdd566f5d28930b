#!/usr/bin/env python3
"""Django's command line; `./palfrey NAME` makes the environment first and then runs `manage.py NAME`."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "judge.config.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"palfrey: {error}")
