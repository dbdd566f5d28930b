"""A package as one file: packed always the same way, unpacked with every suspicion, all of it or nothing."""

import hashlib
import io
import os
import shutil
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from problems.package.findings import Findings
from problems.package.model import Finding
from problems.package.tree import MAX_FILES, list_files, printable
from problems.say import say

MAX_ARCHIVE = 512 << 20
MAX_BYTES = 1 << 30
"""Bytes of all files together, as counted while they are unpacked."""
MAX_RATIOS = ((16 << 20, 500), (64 << 20, 200))
"""Above so many bytes an archive may not unpack to more than so many times its size. Deflate does not reach more than
1,030: data that is one line again and again. What is drawn at random, a tree or a grid with walls stays below 150.
"""
MAX_DIRECTORY = 8 << 20
"""Bytes of the archive's own list of entries."""

MAX_BEHIND = 8 << 20
"""In so many of its last bytes the end of an archive is looked for, to tell what is wrong with it."""
_END, _END64 = b"PK\x05\x06", b"PK\x06\x07"
_FIXED_TIME = (1980, 1, 1, 0, 0, 0)
_OTHER_KINDS = (
    (b"Rar!", say("part", "a RAR archive")),
    (b"7z\xbc\xaf\x27\x1c", say("part", "a 7z archive")),
    (b"\x1f\x8b", say("part", "a gzip file")),
    (b"BZh", say("part", "a bzip2 file")),
    (b"\xfd7zXZ", say("part", "an xz file")),
    (b"%PDF", say("part", "a PDF")),
)
_MAC = ("__MACOSX", ".DS_Store")


def pack(folder: Path) -> bytes:
    """The package in `folder` as a ZIP: the same bytes for the same files. What the format ignores is left out."""
    tree = list_files(folder, Findings())
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(tree.files):
            path = tree.files[name]
            info = zipfile.ZipInfo(name, _FIXED_TIME)
            info.create_system = 3
            info.external_attr = (stat.S_IFREG | (0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644)) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())
    return buffer.getvalue()


def content_digest(folder: Path) -> str:
    """SHA-256, in hex, of names and bytes of the package's files; independent of times, order and how it is packed."""
    tree = list_files(folder, Findings())
    digest = hashlib.sha256()
    for name in sorted(tree.files):
        with tree.files[name].open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        digest.update(f"{name}\0{content}\n".encode())
    return digest.hexdigest()


def unpack(archive: bytes | Path, into: Path, *, ours: bool = False) -> tuple[Finding, ...]:
    """Unpack a package into `into`, which must not exist or be empty. Its parent must exist.

    `ours`: it was taken in before, and its ratio is not looked at. After an error finding nothing is there. Raises
    OSError only for faults of the host.
    """
    findings = Findings()
    size = len(archive) if isinstance(archive, bytes) else archive.stat().st_size
    with io.BytesIO(archive) if isinstance(archive, bytes) else archive.open("rb") as file:
        if _looks_like_zip(file, size, findings):
            try:
                with zipfile.ZipFile(file) as opened:
                    _unpack(opened, MAX_BYTES if ours else size, into, findings)
            except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, UnicodeDecodeError, NotImplementedError):
                findings.error(
                    "", "archive-damaged", say("said", "The archive is damaged: make it again and send it again.")
                )
    return findings.all()


def left_out(archive: bytes | Path) -> list[str]:
    """Names of what macOS adds, which `unpack` leaves out of an archive that it takes."""
    with zipfile.ZipFile(io.BytesIO(archive) if isinstance(archive, bytes) else archive) as opened:
        return [printable(one.filename) for one in opened.infolist() if not one.is_dir() and _from_mac(one.filename)]


def _from_mac(name: str) -> bool:
    parts = name.rstrip("/").split("/")
    return _MAC[0] in parts or parts[-1] == _MAC[1]


def _looks_like_zip(file: IO[bytes], size: int, findings: Findings) -> bool:
    """Check kind and size of the archive before any library reads it."""
    start = file.read(8)
    if not start:
        findings.error("", "archive-empty", say("said", "The file is empty: choose the package's ZIP."))
        return False
    if size > MAX_ARCHIVE:
        findings.error(
            "",
            "archive-too-large",
            say("said", "The archive is larger than %(mib)s MiB: leave generated data out.", mib=MAX_ARCHIVE >> 20),
        )
        return False
    for magic, kind in _OTHER_KINDS:
        if start.startswith(magic):
            findings.error(
                "", "not-a-zip", say("said", "This is %(kind)s, whatever its name says: send a ZIP.", kind=kind)
            )
            return False
    file.seek(max(0, size - (22 + 65535 + 20)))
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < 22:
        file.seek(max(0, size - MAX_BEHIND))
        behind = file.read().rfind(_END)
        if start.startswith(b"PK") and behind >= 0 > at:
            message = say(
                "said",
                "Something stands behind the end of the archive, as if another file was added to it. "
                "Pack the package again.",
            )
            findings.error("", "archive-damaged", message)
        elif start.startswith(b"PK"):
            findings.error(
                "", "archive-cut-off", say("said", "The archive is cut off: its end is missing. Send it again.")
            )
        else:
            findings.error("", "not-a-zip", say("said", "This is no ZIP archive: send the package as a ZIP."))
        return False
    entries, directory = struct.unpack_from("<HI", tail, at + 10)
    if tail[max(0, at - 20) : at].startswith(_END64) or entries > 2 * MAX_FILES or directory > MAX_DIRECTORY:
        findings.error(
            "",
            "too-many-files",
            say("said", "The archive has more than %(most)s files: remove what is not needed.", most=f"{MAX_FILES:,}"),
        )
        return False
    file.seek(0)
    return True


def _unpack(archive: zipfile.ZipFile, size: int, into: Path, findings: Findings) -> None:
    members = _members(archive, findings)
    if findings.ok:
        members = _without_top_folder(members, findings)
    if findings.ok and not members:
        findings.error("", "archive-empty", say("said", "There is no file in the archive."))
    if not findings.ok:
        return
    with _aside(into) as folder:
        _extract(archive, members, folder, size, findings)
        if findings.ok:
            folder.replace(into)


def _members(archive: zipfile.ZipFile, findings: Findings) -> dict[str, zipfile.ZipInfo]:
    """Files by their path. Everything that is no plain file with a plain name is told as an error."""
    members: dict[str, zipfile.ZipInfo] = {}
    seen: dict[str, tuple[str, bool]] = {}
    mac = encrypted = False
    infos = archive.infolist()
    if len(infos) > 2 * MAX_FILES:
        findings.error(
            "",
            "too-many-files",
            say("said", "The archive has more than %(most)s files: remove what is not needed.", most=f"{MAX_FILES:,}"),
        )
        return {}
    for info in infos:
        if info.header_offset < 0:
            raise zipfile.BadZipFile(info.orig_filename)
        where = printable(info.orig_filename)
        parts = info.filename.rstrip("/").split("/")
        if _from_mac(info.filename):
            mac = True
        elif fault := _fault(info, parts) or _double("/".join(parts), seen, is_folder=info.is_dir()):
            # A password is of the whole archive: once is enough.
            if not (encrypted and fault[0] == "encrypted"):
                findings.error(where, *fault)
            encrypted = encrypted or fault[0] == "encrypted"
        elif not info.is_dir():
            members["/".join(parts)] = info
    if len(members) > MAX_FILES:
        findings.error(
            "",
            "too-many-files",
            say("said", "The archive has more than %(most)s files: remove what is not needed.", most=f"{MAX_FILES:,}"),
        )
    if mac:
        findings.notice(
            "", "macos-files", say("said", "Left out what macOS adds to archives (`__MACOSX`, `.DS_Store`).")
        )
    return members


def _fault(info: zipfile.ZipInfo, parts: list[str]) -> tuple[str, str] | None:
    """What is wrong with an entry by itself: rule and message."""
    kind = stat.S_IFMT(info.external_attr >> 16)
    fault = None
    if info.filename.startswith("/") or parts[0][1:2] == ":":
        fault = "name-absolute", say("said", "The name is absolute: names start inside the package.")
    elif ".." in parts:
        fault = "name-climbs", say("said", "The name climbs out of the archive with `..`: remove this entry.")
    elif "" in parts or "." in parts or "\\" in info.orig_filename or "\0" in info.orig_filename:
        fault = (
            "name-odd",
            say("said", "The name has an empty part, a backslash or a NUL: pack it with `/` between plain names."),
        )
    elif any(len(part.encode("utf-8", "surrogatepass")) > 255 for part in parts) or len(parts) > 20:
        fault = "name-odd", say("said", "The name is too long or nested too deeply: shorten it.")
    elif kind == stat.S_IFLNK:
        fault = "link", say("said", "This is a link: put a copy of the file instead.")
    elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        fault = (
            "special-file",
            say("said", "This is neither a file nor a folder (a device, a pipe or the like): remove it."),
        )
    elif info.flag_bits & 0x1 or info.flag_bits & 0x40:
        fault = "encrypted", say("said", "The archive has a password: send it without.")
    elif info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        fault = "compression", say("said", "This is compressed in an unusual way: pack it with plain ZIP (deflate).")
    return fault


def _double(name: str, seen: dict[str, tuple[str, bool]], *, is_folder: bool) -> tuple[str, str] | None:
    """Whether `name` collides with an earlier one: rule and message. `seen`: lower case -> spelling, is it a folder."""
    parts = name.split("/")
    for length in range(1, len(parts) + 1):
        path, folder = "/".join(parts[:length]), is_folder or length < len(parts)
        spelled, was_folder = (
            seen.setdefault(path.lower(), (path, folder)) if folder else seen.get(path.lower(), ("", False))
        )
        if spelled and spelled != path:
            return (
                "case-collision",
                say(
                    "said",
                    "Differs from %(other)s by upper and lower case only: rename one of them.",
                    other=printable(spelled),
                ),
            )
        if spelled and folder != was_folder:
            return "double-name", say("said", "The same name is a file and a folder: rename one of them.")
        if spelled and not folder:
            return "double-name", say("said", "Stands twice in the archive: keep one.")
        seen[path.lower()] = path, folder
    return None


def _without_top_folder(members: dict[str, zipfile.ZipInfo], findings: Findings) -> dict[str, zipfile.ZipInfo]:
    tops = {name.partition("/")[0] for name in members}
    if len(tops) != 1 or any("/" not in name for name in members):
        return members
    (top,) = tops
    findings.notice(
        "",
        "top-folder",
        say(
            "said", "Took the content of the folder `%(folder)s` in the archive as the package.", folder=printable(top)
        ),
    )
    return {name.partition("/")[2]: info for name, info in members.items()}


@contextmanager
def _aside(into: Path) -> Iterator[Path]:
    """A folder beside `into` that is gone afterwards, unless it was renamed."""
    folder = Path(tempfile.mkdtemp(prefix=f".{into.name}.", dir=into.parent))
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        if folder.exists():
            shutil.rmtree(folder)


def _extract(
    archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], folder: Path, size: int, findings: Findings
) -> None:
    allowed, ratio = min((MAX_BYTES, 0), *((max(free, ratio * size), ratio) for free, ratio in MAX_RATIOS))
    left = allowed
    for name, info in members.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = 0o755 if (info.external_attr >> 16) & stat.S_IXUSR else 0o644
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
        with archive.open(info) as source, os.fdopen(descriptor, "wb") as copy:
            while block := source.read(1 << 16):
                left -= len(block)
                if left < 0:
                    findings.error("", "archive-bomb", _too_much(allowed >> 20, ratio))
                    return
                copy.write(block)


def _too_much(mib: int, ratio: int) -> str:
    if not ratio:
        return say("said", "The archive unpacks to more than %(mib)s MiB: leave generated data out.", mib=mib)
    return say(
        "said",
        "The archive unpacks to more than %(mib)s MiB, which is more than %(times)s times its size: that is one line "
        "again and again. Leave it out, and have a generator make it.",
        mib=mib,
        times=ratio,
    )
