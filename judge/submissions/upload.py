"""What somebody sent, as the files of a program: pasted text, one or several files, or a zip unpacked within bounds."""

from __future__ import annotations  # Django's generic classes take no arguments when they run

import hashlib
import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from itertools import takewhile
from pathlib import PurePosixPath

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from judge.assignments.models import Assignment
from judge.grading.job import ANSWERS
from judge.grading.languages import guess_of
from judge.submissions.actions import size_in_words, two_sizes
from judge.submissions.queries import SAMPLE, wants_answers
from problems.models import Version

MOST_ANSWERS = 48 << 20
"""Bytes of all answers of one submission together."""
ENTRIES = 200
"""Entries of a zip, folders included."""
DEPTH = 20
"""Folders within folders."""
NAME_LENGTH = 200
METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""The others unpack in steps without a bound."""
PACKAGING_BYTES = 1 << 20
"""How much bigger than its content a zip may be."""
JUNK = frozenset({"__MACOSX", ".DS_Store", "Thumbs.db", ".git", ".idea", ".vscode", "__pycache__"})
ENCRYPTED = 0x1
BROKEN = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error, EOFError, NotImplementedError),
    *(RuntimeError, OSError, ValueError, LookupError, OverflowError),
)
"""What the reading of a zip may raise."""
ZIP_HEADS = (b"PK\x03\x04", b"PK\x05\x06")


class Unusable(Exception):
    """The upload is no program. The message is a sentence for whoever sent it."""


def limit_of(version: Version) -> int:
    """How many bytes may be sent for `version`, all files together."""
    if not wants_answers(version):
        return int(version.facts.get("code_bytes", 128 << 10))
    cases = version.cases.exclude(group=SAMPLE).count()
    return min(MOST_ANSWERS, int(version.facts.get("output_bytes", 8 << 20)) * max(1, cases))


def language_of(version: Version, files: Mapping[str, bytes]) -> str:
    """Id of the language that the endings of the files mean; empty: they mean none."""
    if wants_answers(version):
        return ANSWERS
    found = guess_of(files)
    return found.id if found else ""


def seal(key: str, language: str, files: Mapping[str, bytes], assignment: Assignment | None) -> str:
    """What tells a submission that is sent twice: the same for the same key and the same content."""
    digest = hashlib.sha256(key.encode())
    digest.update(language.encode())
    digest.update(b"" if assignment is None else f"\0{assignment.pk}".encode())
    for name, content in files.items():
        digest.update(b"\0" + name.encode("utf-8", "replace") + b"\0" + hashlib.sha256(content).digest())
    return digest.hexdigest()


def files_of(uploads: Iterable[UploadedFile[bytes]], limit: int, *, text: bool = True) -> dict[str, bytes]:
    """The files of one upload, at most `limit` bytes together. A single zip is unpacked. `text`: they are programs,
    which hold no NUL; else answers. Raises `Unusable`.
    """
    found = list(uploads)
    if len(found) == 1:
        only = found[0]
        name = _plain_name(only.name)
        if name.lower().endswith(".zip") or _read(only, 4) in ZIP_HEADS:
            if (only.size or 0) > limit + PACKAGING_BYTES:
                raise Unusable(_too_big(name, only.size or 0, limit))
            only.seek(0)
            return unzip(name, only.read(), limit, text=text)
    files: dict[str, bytes] = {}
    for upload in found:
        name = _plain_name(upload.name)
        if (upload.size or 0) > limit:
            raise Unusable(_too_big(name, upload.size or 0, limit))
        if name in files:
            raise Unusable(
                _("Two files are named “%(name)s”. Send them in a zip, in folders of their own.") % {"name": name}
            )
        upload.seek(0)
        files[name] = upload.read()
    return checked(files, limit, text=text)


def unzip(name: str, content: bytes, limit: int, *, text: bool = True) -> dict[str, bytes]:
    """The files in a zip. Nothing is believed of what it says about sizes; nothing is written to disk."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = _entries(name, archive, limit)
    except BROKEN as error:
        raise Unusable(
            _(
                "“%(name)s” is no zip that can be read: it is cut off, damaged or of another kind. "
                "Pack it again as an ordinary zip."
            )
            % {"name": name}
        ) from error
    if not files:
        raise Unusable(_("There is no file in “%(name)s”.") % {"name": name})
    return checked(_without_common_folder(files), limit, text=text)


def checked(files: dict[str, bytes], limit: int, *, text: bool = True) -> dict[str, bytes]:
    """Refuse what is too big, empty, or no text at all."""
    total = sum(len(content) for content in files.values())
    if total > limit:
        raise Unusable(_too_big(_("The program") if text else _("All of it"), total, limit))
    if not text:
        if not any(files.values()):
            raise Unusable(_("There is no answer in it. Paste one or choose its file, then send it again."))
        return files
    if not any(content.strip() for content in files.values()):
        raise Unusable(_("The program is empty. Paste it or choose its file, then send it again."))
    for name, content in files.items():
        if b"\0" in content:
            raise Unusable(_no_text(name, content))
    return files


def _entries(zip_name: str, archive: zipfile.ZipFile, limit: int) -> dict[str, bytes]:
    entries = archive.infolist()
    if len(entries) > ENTRIES:
        raise Unusable(
            _("“%(name)s” holds %(count)d entries; at most %(limit)d can be taken.")
            % {"name": zip_name, "count": len(entries), "limit": ENTRIES}
        )
    files: dict[str, bytes] = {}
    room = limit
    for entry in entries:
        path = PurePosixPath(entry.filename.replace("\\", "/"))
        if not path.name.strip() or len(entry.filename) > NAME_LENGTH or len(path.parts) > DEPTH:
            raise Unusable(
                _(
                    "“%(name)s” has an entry without a name, or with one too long or too deep: at most %(length)d "
                    "letters and %(depth)d folders can be taken. Pack the folder of your program again."
                )
                % {"name": zip_name, "length": NAME_LENGTH, "depth": DEPTH}
            )
        if entry.is_dir() or JUNK & set(path.parts) or path.name.startswith("._"):
            continue
        if path.is_absolute() or ".." in path.parts or re.match(r"[A-Za-z]:", entry.filename):
            raise Unusable(
                _("“%(name)s” leads out of its folder. Pack the folder of your program itself.")
                % {"name": entry.filename}
            )
        if entry.flag_bits & ENCRYPTED:
            raise Unusable(_("“%(name)s” asks for a password. Pack it without one.") % {"name": zip_name})
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise Unusable(_("“%(name)s” is a link. Put the file itself into the zip.") % {"name": entry.filename})
        if str(path) in files:
            raise Unusable(_("“%(name)s” is in the zip twice.") % {"name": entry.filename})
        if entry.compress_type not in METHODS:
            raise Unusable(
                _(
                    "“%(name)s” is compressed by a method that is not taken here. Pack it again as an ordinary zip "
                    "(the method “deflate”)."
                )
                % {"name": entry.filename}
            )
        with archive.open(entry) as packed:
            content = packed.read(room + 1)
        if len(content) > room:
            raise Unusable(_too_big(_("What is in the zip"), None, limit))
        room -= len(content)
        files[str(path)] = content
    return files


def _without_common_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    """Take off the folder around everything, if there is one (packing a folder puts it there)."""
    folders = [PurePosixPath(name).parts[:-1] for name in files]
    shared = len(list(takewhile(lambda level: len(set(level)) == 1, zip(*folders, strict=False))))
    return {"/".join(PurePosixPath(name).parts[shared:]): content for name, content in files.items()}


def _plain_name(name: str | None) -> str:
    """The last part of a file's name, whatever folders a browser put in front of it."""
    return re.split(r"[/\\]", name or "")[-1] or "program"


def _read(upload: UploadedFile[bytes], count: int) -> bytes:
    upload.seek(0)
    return bytes(upload.read(count))


def _too_big(what: str, size: int | None, limit: int) -> str:
    if size is None:
        return _("%(what)s is too big: this problem takes at most %(limit)s.") % {
            "what": what,
            "limit": size_in_words(limit),
        }
    has, most = two_sizes(size, limit)
    return _(
        "%(what)s has %(size)s; this problem takes at most %(limit)s. Leave out data files and compiled files."
    ) % {
        "what": what,
        "size": has,
        "limit": most,
    }


def _no_text(name: str, content: bytes) -> str:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return _("“%(name)s” is saved as UTF-16. Save it as UTF-8 and send it again.") % {"name": name}
    line = content.count(b"\n", 0, content.index(b"\0")) + 1
    return _(
        "“%(name)s” has a NUL character in line %(line)d, so it is no program text. "
        "Send the source, not a compiled file, saved as UTF-8."
    ) % {"name": name, "line": line}
