"""Brings the texts to be translated in `judge/locale/` up to date: `./palfrey makemessages`."""

from typing import Any

from django.conf import settings
from django.core.management.commands import makemessages
from django.utils.translation import to_locale


class Command(makemessages.Command):
    """Django's own, with our languages and options, so that it needs none."""

    # `problems.say`: the context says which part of a sentence a text is.
    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=say:1c,2", "--keyword=_lazy"]
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]

    def handle(self, *args: Any, **options: Any) -> None:
        options |= {
            "locale": [to_locale(code) for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE],
            "add_location": "file",
            "no_wrap": True,
            "no_obsolete": True,
            "ignore_patterns": ["tests", "var", "catalog", "sandbox", "docs", ".venv", "node_modules"],
        }
        super().handle(*args, **options)
