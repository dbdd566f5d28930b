"""The files of a package folder, listed once: which count, which are ignored, which must not be there."""

import codecs
import os
import re
import stat
from pathlib import Path

from problems.package.findings import Findings, escaped, ignored
from problems.say import say

MAX_FILES = 20_000
MAX_DEPTH = 16
MAX_TEXT_CHECKED = 64 << 20
"""Bytes of one file that are looked at for the rules of text files."""

MAX_YAML = 256 << 10
"""Bytes of one YAML file."""

NAME = re.compile(r"[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}")
BOM = codecs.BOM_UTF8
TEXT_ENDINGS = frozenset({".in", ".ans", ".out", ".interaction", ".statement", ".download", ".yaml", ".md", ".tex"})
KNOWN_AT_TOP = frozenset(
    "problem.yaml statement attachments solution data generators include submissions palfrey "  # noqa: SIM905
    "input_validators static_validator output_validator input_visualizer output_visualizer".split()
)
FREE_FORM = ("palfrey/", "attachments/", "generators/", "data/invalid_", "data/valid_output/")
"""Where odd text may be meant."""
_PROSE = re.compile(r"(statement|solution)/[^/]+\.(md|tex)|palfrey/.+\.md")
MAX_PROSE = 1 << 20
OUTSIDE_THE_FORMAT = frozenset({"README", "README.md", "LICENSE", "LICENSE.md", "answer_validators"})
"""Names often seen beside a package that mean nothing to a judge."""

PRINTED = frozenset({".pdf", ".html", ".ps", ".txt", ".md"})
"""Endings of files for readers at the top of a package, without which the problem is the same."""

OLDER_FORMATS = {
    "problem_statement": "statement",
    "output_validators": "output_validator",
    "input_format_validators": "input_validators",
    "output_visualizers": "output_visualizer",
}
"""Folders that must not be passed over: without its validator a problem is another problem."""


class Tree:
    """Regular files of a package by their path below it (`data/secret/1.in`), and its folders.

    What the format says to treat as absent (dotfiles, odd names) is not in it, and was told as a finding.
    """

    def __init__(self, root: Path, files: dict[str, Path], folders: set[str]) -> None:
        self.root = root
        self.files = files
        self.folders = folders

    def under(self, folder: str) -> dict[str, Path]:
        """Every file below `folder`, by its path below that folder, sorted."""
        start = folder + "/"
        return {name[len(start) :]: path for name, path in self.files.items() if name.startswith(start)}

    def yaml_bytes(self, name: str) -> bytes:
        """The start of the file `name`: enough that reading it as YAML tells when it is too large."""
        return head(self.files[name], MAX_YAML + 1)

    def entries(self, folder: str) -> list[str]:
        """Names of the files and folders directly in `folder`, sorted. A folder without any file is not there."""
        return sorted({name.partition("/")[0] for name in self.under(folder)})


def list_files(root: Path, findings: Findings, *, everything: bool = False, follow_links: bool = False) -> Tree:
    """List the package at `root`. Gives up, with an error finding, above `MAX_FILES` files or `MAX_DEPTH` folders.

    `everything`: also what the format says to treat as absent; formats that are not ours give it a meaning.
    `follow_links`: symbolic links may lead out of the package; only for a folder whose owner asked for it.
    """
    files: dict[str, Path] = {}
    folders: set[str] = set()
    inside = Path("/") if follow_links else root.resolve()

    def visit(folder: Path, prefix: str, depth: int) -> None:
        if depth > MAX_DEPTH:
            findings.error(
                prefix.rstrip("/"),
                "too-deep",
                say("said", "Folders are nested more than %(most)s deep: flatten them.", most=MAX_DEPTH),
            )
            return
        folded: dict[str, str] = {}
        with os.scandir(folder) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
        for entry in entries:
            name = prefix + entry.name
            if not everything and (reason := why_absent(entry.name)):
                tell = findings.notice if NAME.fullmatch(entry.name) else findings.warn
                tell(printable(name), "name-ignored", reason)
                continue
            if (other := folded.setdefault(entry.name.lower(), entry.name)) != entry.name:
                findings.error(
                    name,
                    "case-collision",
                    say(
                        "said", "Differs from %(other)s by upper and lower case only: rename one of them.", other=other
                    ),
                )
            path = Path(entry.path)
            if entry.is_symlink() and not _link_is_fine(path, name, inside, findings):
                continue
            try:
                mode = entry.stat().st_mode
            except OSError:
                findings.error(
                    name, "unreadable", say("said", "This cannot be read: check that it exists and its permissions.")
                )
                continue
            if stat.S_ISDIR(mode):
                folders.add(name)
                visit(path, name + "/", depth + 1)
            elif stat.S_ISREG(mode):
                files[name] = path
            else:
                findings.error(name, "special-file", say("said", "This is neither a file nor a folder: remove it."))
            if len(files) > MAX_FILES:
                return

    visit(root, "", 0)
    if len(files) > MAX_FILES:
        findings.error(
            "",
            "too-many-files",
            say("said", "The package has more than %(most)s files: remove what is not needed.", most=f"{MAX_FILES:,}"),
        )
        files = {}
    return Tree(root, files, folders)


def head(path: Path, size: int) -> bytes:
    """At most `size` bytes from the start of a file."""
    with path.open("rb") as file:
        return file.read(size)


def printable(name: str) -> str:
    """A file name for people: `escaped`, and bounded."""
    return escaped(name)[:300]


def check_text(tree: Tree, findings: Findings) -> None:
    """Text files are UTF-8 without byte-order mark, with LF, and end in a newline. Odd ones are told, not refused."""
    for name, path in tree.files.items():
        if path.suffix not in TEXT_ENDINGS or name.startswith(FREE_FORM) or ".files/" in name:
            continue
        text = head(path, MAX_TEXT_CHECKED + 1)
        if message := _text_fault(text[:MAX_TEXT_CHECKED], whole=len(text) <= MAX_TEXT_CHECKED):
            findings.warn(name, "text-form", message)


def check_prose(tree: Tree, findings: Findings) -> None:
    """What a page shows must be text, of a length that a page can show, and not nothing."""
    for name, path in tree.files.items():
        if not _PROSE.fullmatch(name):
            continue
        text = head(path, MAX_PROSE + 1)
        if len(text) > MAX_PROSE:
            findings.error(
                name,
                "too-long",
                say("said", "Longer than %(kib)s KiB, which no page can show: shorten it.", kib=MAX_PROSE >> 10),
            )
        elif not text.strip():
            findings.error(name, "no-text", say("said", "There is nothing in it: write it, or remove the file."))
        elif (bad := _not_text(text)) >= 0:
            line = text.count(b"\n", 0, bad) + 1
            findings.error(
                f"{name}:{line}", "not-utf8", say("said", "This line is not UTF-8 text: save the file as UTF-8.")
            )


def _not_text(content: bytes) -> int:
    """Where `content` is no text, or -1."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as fault:
        return fault.start
    return content.find(b"\0")


def _text_fault(text: bytes, *, whole: bool) -> str | None:
    if text.startswith(BOM):
        return say("said", "Starts with a byte-order mark: save it as UTF-8 without one.")
    if b"\r" in text:
        return say("said", "Has carriage returns: save it with Unix line endings.")
    if whole and text and not text.endswith(b"\n"):
        return say("said", "Does not end in a newline: add one.")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(text, final=whole)
    except UnicodeDecodeError as fault:
        line = text.count(b"\n", 0, fault.start) + 1
        return say("said", "Is not UTF-8 (line %(line)s): save it as UTF-8.", line=line)
    return None


def why_absent(name: str) -> str:
    """Why the format treats a file or folder of this name as if it were not there; empty when it does not."""
    if name == "__pycache__" or name.endswith(".pyc"):
        return ignored(say("part", "Python's own cache is no part of a package."))
    if NAME.fullmatch(name):
        return ""
    if name.startswith("."):
        return ignored(say("part", "names that start with a dot are no part of a package."))
    return say(
        "said",
        "Ignored as if it were not there: names have only letters, digits, `_`, `.` and "
        "`-`, do not start with `-`, and are at most 255 long. Rename it if it is meant.",
    )


def _link_is_fine(path: Path, name: str, inside: Path, findings: Findings) -> bool:
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        message = say("said", "This symbolic link leads nowhere: remove it or mend its target.")
        if Path(name).suffix in PRINTED and "/" not in name:
            # Repositories of contests keep links to what is printed, and make it later.
            findings.warn(name, "ignored", ignored(message))
        else:
            findings.error(name, "broken-link", message)
        return False
    if not target.is_relative_to(inside):
        findings.error(
            name, "link-outside", say("said", "This symbolic link leaves the package: put a copy of the file instead.")
        )
        return False
    if target.is_dir() and path.parent.resolve().is_relative_to(target):
        findings.error(
            name, "link-circle", say("said", "This symbolic link leads to a folder that contains it: remove it.")
        )
        return False
    return True


def tell_unknown_at_top(tree: Tree, findings: Findings) -> None:
    """Tell what stands at the top of a package and means nothing there."""
    for name in sorted({name.partition("/")[0] for name in tree.files}):
        if name in OLDER_FORMATS:
            today = OLDER_FORMATS[name]
            findings.error(
                name,
                "older-format",
                say(
                    "said",
                    "`%(name)s/` is of an older format: it is `%(today)s/` in 2025-09. Rename it.",
                    name=name,
                    today=today,
                ),
            )
        elif name in OUTSIDE_THE_FORMAT:
            findings.notice(name, "ignored", ignored(say("part", "the format has no place for it.")))
        elif name not in KNOWN_AT_TOP:
            findings.warn(
                name,
                "ignored",
                ignored(say("part", "the format knows no `%(name)s` at the top of a package.", name=name)),
            )
