"""Sentences that a worker writes and others read, in whatever language: a pattern and values, in English.

What is kept is the English sentence. Whoever shows it finds its pattern again among those that are translated
(`judge.web.told`), and with it the values; so rows stay readable, and old ones are shown in a language that came later.
`./palfrey makemessages` finds the patterns here by the name `say`.
"""

from typing import Literal

Part = Literal["case", "said"]
"""`case`: the end of a sentence that begins with “Case 4 of 12”. `said`: a sentence, or a part of one."""


def say(part: Part, pattern: str, /, **values: object) -> str:  # noqa: ARG001
    """`pattern` with `values` in the places of its `%(names)s`; without values, the pattern as it is."""
    return pattern % values if values else pattern
