"""Expected and got, one below the other: the lines that differ, the first difference marked, blanks made visible."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

LINES = 6
"""Pairs of lines that are shown."""
LINE_CHARACTERS = 400
WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One printed line."""

    kind: str
    """`got` for the reader's own line, else empty."""
    label: str
    html: SafeString


def difference(expected: str, got: str) -> list[Row]:
    """The first lines of `got` that are not as expected, each below the one it should be; empty when nothing differs.

    Spacing counts only when nothing else differs, capitals only when no word does, as the judge compares.
    """
    wanted, written = expected.removesuffix("\n").split("\n"), got.removesuffix("\n").split("\n")
    readings: Sequence[Callable[[str], object]] = (
        lambda line: line.casefold().split(),
        str.split,
        str,
    )
    for reading in readings:
        rows = list(_pairs(wanted, written, reading))
        if rows:
            return rows
    return []


def _pairs(wanted: Sequence[str], written: Sequence[str], reading: Callable[[str], object]) -> Iterator[Row]:
    shown = 0
    for number, (right, mine) in enumerate(zip_longest(wanted, written), 1):
        if right is not None and mine is not None and reading(right) == reading(mine):
            continue
        at = _first_difference(right or "", mine or "")
        yield Row(kind="", label=_("Expected, line %(n)d") % {"n": number}, html=_line(right, at, "ins"))
        yield Row(kind="got", label=_("Yours, line %(n)d") % {"n": number}, html=_line(mine, at, "mark"))
        shown += 1
        if shown == LINES:
            return


def _first_difference(right: str, mine: str) -> int:
    """Which word is the first that differs."""
    words = zip_longest(WORD.findall(right.casefold()), WORD.findall(mine.casefold()))
    return next((index for index, (one, other) in enumerate(words) if one != other), -1)


def _line(line: str | None, at: int, tag: str) -> SafeString:
    if line is None:
        return format_html('<span class="inv">{}</span>', _("no such line"))
    clipped = line[:LINE_CHARACTERS]
    parts, place = [], 0
    for index, word in enumerate(WORD.finditer(clipped)):
        if index == at:
            parts.append(_visible(clipped[place : word.start()]))
            parts.append(format_html(f"<{tag}>{{}}</{tag}>", _visible(word[0])))
            place = word.end()
    rest = clipped[place:]
    body = rest.rstrip(" \t\r")
    parts.append(_visible(body))
    parts.append(_trailing(rest[len(body) :]))
    parts.append(format_html('<span class="inv">{}</span>', "…" if len(line) > LINE_CHARACTERS else "↵"))
    return format_html_join("", "{}", ((part,) for part in parts))


def _trailing(blanks: str) -> SafeString:
    signs = {" ": "·", "\t": "→", "\r": "CR"}
    return format_html_join("", '<span class="inv">{}</span>', ((signs[blank],) for blank in blanks))


def _visible(text: str) -> SafeString:
    """Text with tabs and characters that print as nothing spelled out."""
    pieces = re.split(r"([^\x20-\x7e\u00a1-\uffff]+)", text)
    return format_html_join(
        "",
        "{}",
        (
            (format_html('<span class="inv">{}</span>', _spelled(piece)) if odd % 2 else piece,)
            for odd, piece in enumerate(pieces)
        ),
    )


def _spelled(characters: str) -> str:
    return "".join("→" if character == "\t" else f"[U+{ord(character):04X}]" for character in characters)
