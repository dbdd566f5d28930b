"""Sentences that a worker writes and others read, in whatever language: a pattern and values, in English.

What is kept is the English sentence. Whoever shows it finds its pattern again among those that are translated
(`judge.web.told`), and with it the values; so rows stay readable, and old ones are shown in a language that came later.
`./palfrey makemessages` finds the patterns here by the name `say`.
"""

from typing import Literal

Part = Literal["said", "case", "part"]
"""`said`: a sentence. `case`: the end of one that begins with “Case 4 of 12” or “Your program”. `part`: such a
beginning, and what may stand in the place of a value."""


def say(part: Part, pattern: str, /, **values: object) -> str:  # noqa: ARG001
    """`pattern` with `values` in the places of its `%(names)s`; without values, the pattern as it is."""
    return pattern % values if values else pattern
