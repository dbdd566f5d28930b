"""Finds the class to start among compiled Java classes, by reading the class files (JVM specification, chapter 4)."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass

_PUBLIC, _STATIC = 0x0001, 0x0008
_UTF8, _CLASS = 1, 7
_SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
"""Constant kind -> bytes after the kind; text (1) carries its own length, and 5 and 6 take two places."""


@dataclass(frozen=True, slots=True)
class _Class:
    name: str
    public: bool
    starts: bool


def main_class(classes: Mapping[str, bytes]) -> str | None:
    """Name of the class with `public static void main(String[])`: `Main` first, then a public one, then by name."""
    candidates: list[_Class] = []
    for content in classes.values():
        try:
            read = _read(content)
        except (struct.error, IndexError, KeyError):
            continue
        if read.starts:
            candidates.append(read)
    candidates.sort(key=lambda found: (found.name.rpartition(".")[2] != "Main", not found.public, found.name))
    return candidates[0].name if candidates else None


class _Reader:
    def __init__(self, content: bytes, at: int) -> None:
        self.content, self.at = content, at

    def number(self, size: int) -> int:
        (value,) = struct.unpack_from({1: ">B", 2: ">H", 4: ">I"}[size], self.content, self.at)
        self.at += size
        return int(value)

    def skip(self, size: int) -> None:
        self.at += size

    def skip_attributes(self) -> None:
        for _ in range(self.number(2)):
            self.skip(2)
            self.skip(self.number(4))


def _read(content: bytes) -> _Class:
    reader = _Reader(content, 8)
    texts: dict[int, str] = {}
    names: dict[int, int] = {}
    count = reader.number(2)
    index = 1
    while index < count:
        kind = reader.number(1)
        if kind == _UTF8:
            length = reader.number(2)
            texts[index] = content[reader.at : reader.at + length].decode("utf-8", "replace")
            reader.skip(length)
        elif kind == _CLASS:
            names[index] = reader.number(2)
        else:
            reader.skip(_SIZES[kind])
        index += 2 if kind in (5, 6) else 1
    flags = reader.number(2)
    name = texts[names[reader.number(2)]].replace("/", ".")
    reader.skip(2)
    reader.skip(2 * reader.number(2))
    for _ in range(reader.number(2)):
        reader.skip(6)
        reader.skip_attributes()
    starts = False
    for _ in range(reader.number(2)):
        access, method, descriptor = (reader.number(2) for _ in range(3))
        reader.skip_attributes()
        wanted = _PUBLIC | _STATIC
        if access & wanted == wanted and texts[method] == "main" and texts[descriptor] == "([Ljava/lang/String;)V":
            starts = True
    return _Class(name, bool(flags & _PUBLIC), starts)
