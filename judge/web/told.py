"""What a worker or a program of a package has said in English, in the reader's language.

What was said is kept as it was said (`problems.say`). Here its pattern is found again among those that have a
translation: ours by the contexts of `say`, those of a package by its `palfrey/messages.<language>.yaml`. The values of
a pattern may be such sentences themselves. What nobody has translated stays English.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from operator import itemgetter

from django.utils.formats import get_format, number_format
from django.utils.translation import get_language, pgettext, trans_real

from judge.blobs.store import BlobMissing
from judge.blobs.versions import VersionUnreadable, package_of
from judge.web.tongue import best, is_near
from problems.models import Version

_OURS = re.compile(r"%\((?P<name>\w+)\)(?P<kind>[sd])|%%")
"""A place for a value, or a per cent sign, in a pattern of `say`."""
_THEIRS = re.compile(r"\{(?P<name>\w+)\}(?P<kind>)")
"""A place for a value in a sentence of a package."""
_PLACE = re.compile(
    r"(?P<place>(?:Case|Sample) \d+ of \d+|Your program)(?: (?P<again>\(pass \d+\)))? (?P<what>.+)", re.DOTALL
)
YOURS = "Your program"
"""Stands in the place of a case where there is only one."""
_HIDING = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]")
"""Control characters but for tabs and newlines, and those that turn the direction of text."""
_POINT = re.compile(r"(?<=[.?])[ \n]")
_FIGURE = re.compile(r"(?P<whole>-?\d{1,3}(?:,\d{3})+|-?\d+)(?:\.(?P<part>\d+))?(?P<unit> \w+)?")
"""A number as programs write it, with its unit or without."""
KEY = 4
"""Characters at the start or end of a text by which its pattern is looked up."""
LONGEST, SENTENCES, DEPTH = 4_000, 8, 5
"""Characters that are looked at, sentences after the first of which the next may begin, and values within values."""


class _Pattern:
    """A text with places for values, and what it is in one language."""

    def __init__(self, text: str, other: str, value: re.Pattern[str]) -> None:
        """`value`: what a place looks like."""
        self._text, self._other, self._value = text, other, value
        pieces = value.sub("\0", text).split("\0")
        self.start, self.end = pieces[0][:KEY], pieces[-1][-KEY:]
        self._pieces = sorted(filter(None, pieces), key=len, reverse=True)
        self.says = sum(map(len, pieces))
        """How much of it are words of its own."""
        self.is_frame = not any(sign.isalpha() for piece in pieces for sign in piece)
        """It has no word of its own, and would be found in much that means something else."""
        self._shape: re.Pattern[str] | None = None

    def values(self, text: str) -> Mapping[str, str] | None:
        """The values with which `text` was made of it; None when it was not."""
        for piece in self._pieces:  # far quicker than the expression, and nearly always enough to know
            if piece not in text:
                return None
        if self._shape is None:
            self._shape = self._compiled()
        found = self._shape.fullmatch(text)
        return None if found is None else found.groupdict()

    def put(self, values: Mapping[str, str]) -> str:
        """The other text, with `values` in their places."""
        return self._value.sub(lambda place: values.get(place["name"], "") if place["name"] else "%", self._other)

    def _compiled(self) -> re.Pattern[str]:
        shape, at, seen = "", 0, set[str]()
        for found in self._value.finditer(self._text):
            name = found["name"]
            shape += re.escape(self._text[at : found.start()])
            if name is None:
                shape += "%"
            else:
                any_value = r"-?\d+" if found["kind"] == "d" else ".*?"
                shape += f"(?P={name})" if name in seen else f"(?P<{name}>{any_value})"
                seen.add(name)
            at = found.end()
        return re.compile(shape + re.escape(self._text[at:]), re.DOTALL)


_pattern = lru_cache(maxsize=4096)(_Pattern)


class _Shelf:
    """Texts in English and what they are in one language: as they stand, and with places for values."""

    def __init__(self, whole: Mapping[str, str], patterns: Iterable[_Pattern]) -> None:
        self.whole = whole
        self.patterns = sorted(patterns, key=lambda one: -one.says)  # the one that says most goes first
        self._places: dict[tuple[str, str], list[tuple[int, _Pattern]]] = {}
        """How a text must begin, or else end -> patterns that it may have been made of, by their numbers."""
        for number, one in enumerate(self.patterns):
            if len(one.start) == KEY or len(one.end) < KEY:
                place = one.start if len(one.start) == KEY else "", ""
            else:
                place = "", one.end
            self._places.setdefault(place, []).append((number, one))

    @classmethod
    def of(cls, pairs: Mapping[str, str], value: re.Pattern[str]) -> "_Shelf":
        named = {text: any(found["name"] for found in value.finditer(text)) for text in pairs}
        patterns = (_pattern(text, other, value) for text, other in pairs.items() if named[text])
        # One that is nothing but a value would be found in everything.
        return cls(
            {text: other for text, other in pairs.items() if not named[text]}, (one for one in patterns if one.says)
        )

    def with_(self, other: "_Shelf") -> "_Shelf":
        """Both; what stands in both is as `other` has it."""
        return _Shelf({**self.whole, **other.whole}, (*self.patterns, *other.patterns))

    def near(self, text: str) -> Iterator[_Pattern]:
        """The patterns that `text` may have been made of."""
        places = (text[:KEY], ""), ("", text[-KEY:]), ("", "")
        found = [one for place in places for one in self._places.get(place, ())]
        return (one for _, one in sorted(found, key=itemgetter(0)))


class Phrases:
    """All that is known in one language. As the key of a cache it is itself."""

    def __init__(self, ours: Mapping[str, str], parts: Mapping[str, str], theirs: Mapping[str, str]) -> None:
        """Sentences of the judge, what stands in the place of their values, and sentences of a package."""
        self._ours, self._theirs = _Shelf.of(ours, _OURS), _Shelf.of(theirs, _THEIRS)
        self._values = _Shelf.of(parts, _OURS).with_(self._theirs)

    def find(self, text: str) -> str | None:
        """`text` in the other language, as far as it is known; None when nothing of it is."""
        found = _PLACE.fullmatch(text)
        place = found and self._one(found["place"], self._values)
        if found is None or place is None:
            return self._whole(text) or self._one(text, self._values)  # what stands in others may stand alone
        if found["place"] == YOURS and (told := self._one(text, self._ours)):
            return told
        if found["again"]:
            place = f"{place} {self._one(found['again'], self._values) or found['again']}"
        return pgettext("joined", "%(place)s %(what)s") % {
            "place": place,
            "what": self._whole(found["what"]) or found["what"],
        }

    def _whole(self, text: str) -> str | None:
        # Two sentences that are known rather than one whose value holds the other. And a sentence of a package may
        # begin with a value, which must not swallow what the judge says before it.
        first, gap, rest = self._first(text)
        second = self._whole(rest) if first else None
        if second:
            return f"{first}{gap}{second}"
        whole = self._one(text, self._ours, frames=False)
        if whole or first:
            return whole or f"{first}{gap}{rest}"
        return self._with_message(text) or self._one(text, self._theirs) or self._one(text, self._ours)

    def _one(self, text: str, shelf: _Shelf, depth: int = DEPTH, *, frames: bool = True) -> str | None:
        """What `shelf` has for `text` as a whole. Not `frames`: only what has words of its own."""
        if text in shelf.whole:
            return shelf.whole[text]
        for pattern in shelf.near(text):
            found = pattern.values(text)
            if found is None or (pattern.is_frame and not frames):
                continue
            known = {name: self._value(value, depth - 1) for name, value in found.items()}
            if not pattern.is_frame or any(known.values()):
                return pattern.put({name: known[name] or _number(value) for name, value in found.items()})
        return None

    def _value(self, value: str, depth: int) -> str | None:
        """A value that is a part of a sentence, a list of such, or a sentence of the judge itself."""
        if depth == 0:
            return None
        told = self._listed(value, depth) or self._one(value, self._values, depth)
        return told or (self._one(value, self._ours, depth) if value.endswith((".", "?")) else None)

    def _listed(self, value: str, depth: int) -> str | None:
        """A list of parts of sentences."""
        if ", " not in value:
            return None
        joint, listed = pgettext("joined", "%(first)s, %(next)s"), ""
        for piece in value.split(", "):
            told = self._one(piece, self._values, depth)
            if told is None:
                return None
            listed = joint % {"first": listed, "next": told} if listed else told
        return listed

    def _first(self, text: str) -> tuple[str | None, str, str]:
        """The sentence of the judge with which `text` begins, what parts it from the rest, and that in English."""
        for at in islice(_POINT.finditer(text), SENTENCES):
            first = self._one(text[: at.start()], self._ours)
            if first is not None:
                return first, at[0], text[at.end() :]
        return None, "", text

    def _with_message(self, text: str) -> str | None:
        """A sentence of the judge that goes on after a colon with the words of a checker."""
        head, colon, message = text.partition(": ")
        first = self._one(f"{head}.", self._ours) if colon else None
        if first is None:
            return None
        return pgettext("joined", "%(what)s: %(message)s") % {
            "what": first.rstrip(".。"),
            "message": self._whole(message) or message,
        }


def tell(text: str, version: Version | None = None) -> str:
    """`text` in the reader's language; `version`: of the problem whose programs may have said it."""
    if not text or is_near(get_language() or "en", "en"):
        return text
    return _told(text[:LONGEST], phrases_of(version)) or text


def phrases_of(version: Version | None) -> Phrases:
    """What is known in the reader's language: sentences of ours, and of the programs of a version."""
    language = get_language() or "en"
    more: Mapping[str, str] = {}
    if version is not None:
        try:
            # The sentences are known by themselves, so that of an old version may be translated in the live one.
            messages = package_of(version.problem.live or version).messages
        except (BlobMissing, VersionUnreadable):
            messages = {}
        code = best(messages)
        more = messages[code] if code and is_near(code, language) else {}
    return _phrases(language, tuple(more.items()))


def visible(text: str) -> str:
    """What a program said, with the signs that would hide, turn or recolour text written out: `\\x1b`, `\\u202e`."""
    return _HIDING.sub(lambda found: ascii(found[0])[1:-1], text)


def figure(value: float, digits: int) -> str:
    """`0.021`: with so many digits after the decimal sign of the reader's language."""
    return localised(f"{value:.{digits}f}")


def localised(text: str) -> str:
    """A number as Python writes it, with the decimal sign of the reader's language."""
    return text.replace(".", str(get_format("DECIMAL_SEPARATOR")))


def grouped(number: int) -> str:
    """`1,735,079`, with the sign of the reader's language between its groups of digits."""
    return number_format(number, force_grouping=True)


@lru_cache(maxsize=2048)
def _told(text: str, phrases: Phrases) -> str | None:
    return phrases.find(text)


@lru_cache(maxsize=64)
def _phrases(language: str, more: tuple[tuple[str, str], ...]) -> Phrases:
    # Django has no other way to ask what is in a catalogue.
    catalog = trans_real.translation(language)._catalog  # type: ignore[attr-defined] # noqa: SLF001
    found: dict[str, dict[str, str]] = {"said": {}, "case": {}, "part": {}}
    for key, translation in catalog.items():
        part, mark, text = key.partition("\x04") if isinstance(key, str) else ("", "", "")
        if mark and part in found and translation:
            found[part][text] = translation
    return Phrases({**found["said"], **found["case"]}, found["part"], dict(more))


def _number(value: str) -> str:
    """A number with the signs of the reader's language between its digits."""
    found = _FIGURE.fullmatch(value)
    if found is None:
        return value
    whole, part = found["whole"].replace(",", get_format("THOUSAND_SEPARATOR")), found["part"]
    return whole + (get_format("DECIMAL_SEPARATOR") + part if part else "") + (found["unit"] or "")
