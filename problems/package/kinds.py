"""Whether PDFs and images are what their names say: a page would show nothing, or not what is meant."""

import re

from problems.package.findings import Findings
from problems.package.tree import Tree, head
from problems.say import say

_PDF = re.compile(r"statement/problem\.[^/]+\.pdf|solution/solution(\.[^/]+)?\.pdf")
_IMAGE = re.compile(r"(statement|solution)/.+\.(png|jpe?g|gif|webp|svg)", re.IGNORECASE)
_PDF_BYTES = 1 << 10
"""Readers find the head of a PDF in so much."""
_SVG_BYTES = 64 << 10
"""So much may stand before the first element of a drawing."""
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")
_ELEMENT = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?svg[\s>/]", re.IGNORECASE)
_POINTER = b"version https://git-lfs.github.com/spec/"


def check_kinds(tree: Tree, findings: Findings) -> None:
    """Every PDF that is a statement or a solution, and every image beside them."""
    for name, path in tree.files.items():
        if _PDF.fullmatch(name):
            start = head(path, _PDF_BYTES)
            if b"%PDF" not in start:
                message = say("said", "This is no PDF: %(what)s.", what=_what(start))
                cure = say("said", "Save it as PDF, or give it the ending of what it is (`.md`, `.tex`).")
                findings.error(name, "not-a-pdf", f"{message} {cure}")
        elif _IMAGE.fullmatch(name):
            start = head(path, _SVG_BYTES)
            svg = name.lower().endswith(".svg")
            if not (_is_drawing(start) if svg else _is_picture(start)):
                wrong = (
                    say(
                        "said",
                        "This is no SVG drawing: %(what)s. Save it as SVG anew, or remove it.",
                        what=_what(start),
                    )
                    if svg
                    else say(
                        "said",
                        "This is no image: %(what)s. Save it as PNG or JPEG anew, or remove it.",
                        what=_what(start),
                    )
                )
                findings.error(name, "not-an-image", wrong)


def _is_picture(start: bytes) -> bool:
    """Of any of the kinds: browsers go by the bytes, not by the name."""
    return start.startswith(_PICTURES) or (start[:4] == b"RIFF" and start[8:12] == b"WEBP")


def _is_drawing(start: bytes) -> bool:
    return _ELEMENT.search(start.replace(b"\0", b"")) is not None  # it may be UTF-16


def _what(start: bytes) -> str:
    """What it is instead, as far as that can be told."""
    if not start.strip():
        return say("part", "there is nothing in it")
    if start.startswith(_POINTER):
        return say("part", "it only says where Git LFS keeps the file")
    if _is_picture(start):
        return say("part", "it is an image")
    if start.startswith(b"%PDF"):
        return say("part", "it is a PDF")
    if re.match(rb"\s*<(!doctype|html)", start, re.IGNORECASE):
        return say("part", "it is a page in HTML")
    try:
        start[: _PDF_BYTES - 4].decode("utf-8")
    except UnicodeDecodeError:
        return say("part", "its first bytes are those of something else")
    return say("part", "it is text")
