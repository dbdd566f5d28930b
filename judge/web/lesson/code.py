"""Code shown beside a figure: coloured lines, and of each line the beats of the trace at which it is done.

A line ends in `#: take look` (or `//: take look`) for these; that mark is not shown.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.safestring import SafeString

from judge.grading.languages import LANGUAGES
from judge.web.highlight import as_text, source_lines
from problems.package.replay import Beat

MARK = re.compile(r"\s*(?:#|//):((?:\s+[a-z-]+)+)\s*$")
ORDER = (".py", ".cpp", ".java", ".c", ".js")


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A piece of code in one language."""

    label: str
    lines: SafeString
    beats: tuple[tuple[str, ...], ...]
    """Of each line."""


def shown_code(files: Mapping[str, bytes], anchor: str) -> list[Code]:
    """The piece in every language it is written in, the best known first."""
    endings = sorted(files, key=lambda ending: (ORDER.index(ending) if ending in ORDER else len(ORDER), ending))
    return [_shown(files[ending], ending, f"{anchor}-{number}") for number, ending in enumerate(endings)]


def _shown(content: bytes, ending: str, anchor: str) -> Code:
    language = next((each for each in LANGUAGES.values() if ending in each.suffixes), None)
    lines, beats = [], []
    for line in as_text(content).rstrip("\n").split("\n"):
        mark = MARK.search(line)
        lines.append(line[: mark.start()] if mark else line)
        beats.append(tuple(word for word in mark[1].split() if word in list(Beat)) if mark else ())
    return Code(
        label=_family(language.label) if language else ending.removeprefix(".").upper(),
        lines=source_lines("\n".join(lines).encode(), language.code if language else "", anchor),
        beats=tuple(beats),
    )


def _family(label: str) -> str:
    """`C++17` is C++ here, `Python 3` Python."""
    return re.sub(r"[ \d].*$", "", label)
