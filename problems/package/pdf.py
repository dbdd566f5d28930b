"""Whether a PDF does something by itself: viewers of browsers run scripts that stand in a PDF.

A PDF can hide its words in many ways. So this errs on one side: what cannot be looked through is taken to act.
"""

import re
import zlib
from functools import lru_cache
from pathlib import Path

INFLATED_BYTES = 64 << 20
"""Of all that is packed in one PDF; one with more is not looked through."""
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")
_NAMES = re.compile(rb"/[^\s/<>\[\](){}%]+")
_ACTS = frozenset(
    b"/" + name
    for name in (b"JS", b"JavaScript", b"Launch", b"SubmitForm", b"ImportData", b"RichMedia", b"XFA", b"Rendition")
)
_HIDDEN = frozenset(
    b"/" + name
    for name in (b"Encrypt", b"Crypt", b"ASCIIHexDecode", b"AHx", b"ASCII85Decode", b"A85", b"LZWDecode", b"LZW",
                 b"RunLengthDecode", b"RL")
)  # fmt: skip
"""Ways to pack a stream beside the usual one, and locks: behind them nothing is looked for."""
_STREAM = re.compile(rb"(?<!end)stream\r?\n")
_ABOUT_BYTES = 64 << 10
"""So much before a stream is looked at for what it says of the stream."""


def acts(content: bytes) -> bool:
    """Whether the PDF may hold a script, start a program or send a form; True also where that cannot be told."""
    if _names(content) & (_ACTS | _HIDDEN):
        return True
    left = INFLATED_BYTES
    for found in _STREAM.finditer(content):
        unpacker = zlib.decompressobj()
        try:
            unpacked = unpacker.decompress(content[found.end() :], left)
        except zlib.error:  # packed as images are, or not at all: then it has been looked at above
            continue
        left -= len(unpacked)
        if left <= 0 or _names(unpacked) & _ACTS:
            return True
        about = _names(content[max(0, found.start() - _ABOUT_BYTES) : found.start()])
        if {b"/First", b"/Predictor"} <= about and not unpacker.eof:
            return True
    return False


@lru_cache(maxsize=256)
def file_acts(path: Path, _size: int, _changed_ns: int) -> bool:
    """`acts` of a file; size and time of the last change name its content."""
    return acts(path.read_bytes())


def shows_only(path: Path) -> bool:
    """Whether the file does nothing but show pages, for sure."""
    stat = path.stat()
    return not file_acts(path, stat.st_size, stat.st_mtime_ns)


def _names(text: bytes) -> set[bytes]:
    """The names in it, as they are meant: any letter of one may be written by its number."""
    found = set(_NAMES.findall(text))
    return {_ESCAPED.sub(lambda code: bytes([int(code[1], 16)]), name) if b"#" in name else name for name in found}
