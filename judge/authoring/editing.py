"""What people do with the files of a working copy. Nothing that somebody typed is lost: a conflict keeps both texts."""

import hashlib
import itertools
import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from judge.authoring import drafts
from judge.authoring.actions import must_edit
from judge.people.models import User
from judge.people.refusal import Refused
from problems.models import Problem, Version
from problems.package.findings import Findings
from problems.package.generators import WHERE as LISTED
from problems.package.generators import read_listing
from problems.package.model import Package
from problems.package.read import read
from problems.package.stored import copies_of
from problems.package.tree import MAX_DEPTH, MAX_FILES, Tree, list_files, printable, why_absent
from problems.package.yaml_edit import CannotEdit, put
from problems.package.yaml_edit import add as put_case

ROOT_FILE = "problem.yaml"
TEXT_BYTES = 1 << 20
"""What is longer than this is no text to edit in a page; it can be downloaded and replaced."""
NAME_LENGTH = 300
ABSENT = ""
"""What `base` is of a file that was not there."""


class Conflict(Refused):
    """Somebody else has changed the same file meanwhile. `newer`: what is there now; None: it is gone."""

    def __init__(self, message: str, newer: bytes | None) -> None:
        super().__init__(message)
        self.newer = newer


def base_of(content: bytes | None) -> str:
    """What a form keeps of the content that it was loaded with."""
    return ABSENT if content is None else hashlib.sha256(content).hexdigest()


def is_text(content: bytes) -> bool:
    """Whether a page can edit it and give back the same."""
    if len(content) > TEXT_BYTES or b"\0" in content or b"\r" in content:
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def must_be_a_path(name: str) -> None:
    """Raises `Refused` for what is the path of no file in any package."""
    parts, shown = name.split("/"), _shown(name)
    if len(name) > NAME_LENGTH or len(parts) > MAX_DEPTH:
        raise Refused(_("%(name)s is too long or nested too deeply. Choose a shorter path.") % {"name": shown})
    if any(why_absent(part) for part in parts):
        raise Refused(
            _(
                "%(name)s cannot be a file of a package: names have only letters, digits, _ . and -, do not start "
                "with a dot or -, and stand between single slashes."
            )
            % {"name": shown}
        )


def save(by: User, problem: Problem, name: str, content: bytes, base: str) -> None:
    """Write one file. `base`: `base_of` what the person saw. Raises `Refused`, and `Conflict` when that is outdated."""
    must_edit(by, problem)
    drafts.must_be_small(printable(name), len(content))

    def edit(folder: Path, tree: Tree) -> None:
        before = _content(folder, tree, name)
        if before == content:
            return
        if base_of(before) != base:
            raise Conflict(_("Somebody else has changed %(name)s while you were writing.") % {"name": name}, before)
        _check_name(tree, name)
        drafts.write(folder, name, content)

    _change(problem, by, edit)


def add(by: User, problem: Problem, files: Mapping[str, bytes], *, replace: bool = False) -> None:
    """Add files under new names; `replace`: also over those that are there. All of them or none. Raises `Refused`."""
    must_edit(by, problem)
    if not files:
        raise Refused(_("Choose at least one file."))
    for name, content in files.items():
        drafts.must_be_small(printable(name), len(content))

    def edit(folder: Path, tree: Tree) -> None:
        for name, content in files.items():
            if name in tree.files and not replace:
                raise Refused(
                    _("There is a file %(name)s already. Tick “replace” if yours is to take its place.")
                    % {"name": name}
                )
            _check_name(tree, name)
            drafts.write(folder, name, content)
            tree.files.setdefault(name, folder / name)

    _change(problem, by, edit)


def remove(by: User, problem: Problem, name: str, base: str) -> None:
    """Remove one file that is as the person saw it. Raises `Refused`, `Conflict`."""
    must_edit(by, problem)

    def edit(folder: Path, tree: Tree) -> None:
        _must_be_as_seen(folder, tree, name, base)
        (folder / name).unlink()

    _change(problem, by, edit)


def rename(by: User, problem: Problem, name: str, new: str, base: str) -> None:
    """Give one file another path. Raises `Refused`, `Conflict`."""
    must_edit(by, problem)

    def edit(folder: Path, tree: Tree) -> None:
        _must_be_as_seen(folder, tree, name, base)
        if new in tree.files:
            raise Refused(_("There is a file %(name)s already. Choose another name.") % {"name": new})
        del tree.files[name]
        _check_name(tree, new)
        (folder / new).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).rename(folder / new)

    _change(problem, by, edit)


def drop_copies(by: User, problem: Problem) -> int:
    """Remove the stored copies of what generators.yaml lists, so that its lines have effect again; gives how many files
    went. Raises `Refused`."""
    must_edit(by, problem)
    gone: list[frozenset[str]] = []

    def edit(folder: Path, tree: Tree) -> None:
        names = stored_copies(folder, tree)
        if not names:
            raise Refused(_("Nothing that generators.yaml lists lies in data/ as well."))
        gone.append(names)
        for name in names:
            (folder / name).unlink()

    _change(problem, by, edit)
    return len(gone[-1])


def stored_copies(folder: Path, tree: Tree) -> frozenset[str]:
    """The files in `data/` that stand before what generators.yaml says of the same cases and groups."""
    content = _content(folder, tree, LISTED)
    return frozenset() if content is None else copies_of(read_listing(content, tree, {}, Findings()), tree.files)


def set_values(
    by: User, problem: Problem, values: Mapping[str, Mapping[tuple[str, ...], Decimal | str | None]]
) -> None:
    """Set values in YAML files, keeping what else stands there, comments too: file -> path of keys -> value.

    None takes a key away. Raises `Refused`.
    """
    must_edit(by, problem)

    def edit(folder: Path, tree: Tree) -> None:
        for name, changes in values.items():
            before = _content(folder, tree, name)
            text = before or b""
            try:
                for path, value in changes.items():
                    text = put(text, path, value)
            except CannotEdit as error:
                raise Refused(
                    _("%(name)s cannot be changed by this form: %(error)s Edit it as text.")
                    % {"name": name, "error": _told(error)}
                ) from error
            if text != before:
                _check_name(tree, name)
                drafts.write(folder, name, text)

    _change(problem, by, edit)


def case_of(package: Package | None, *, command: str, text: str) -> str:
    """The case of a package that is made by this command, or else has this input; empty when there is none."""
    for case in package.cases if package else ():
        made = case.provenance
        if command:
            if made is not None and " ".join((made.generator, *made.arguments)) == command:
                return case.name
        elif text and (case.input_text == text.encode() or (case.input and case.input.read_bytes() == text.encode())):
            return case.name
    return ""


def _is_input(name: str, path: Path, text: str) -> bool:
    return name.startswith("data/") and name.endswith(".in") and path.read_bytes() == text.encode()


def add_case(by: User, problem: Problem, *, like: str, command: str, text: str = "") -> str:
    """Add a secret case beside the case `like`, made by the generator's `command`, or else with the input `text`; gives
    its name.

    It is written into generators.yaml, where the cases beside it stand there, else as a file. Raises `Refused`, also
    when the case is there already.
    """
    must_edit(by, problem)
    if not command and not text:
        raise Refused(_("This input is too long, or no text: make a generator for it."))
    folder = like.rpartition("/")[0] if like.startswith("secret/") else "secret"
    names: list[str] = []

    def edit(package: Path, tree: Tree) -> None:
        there = case_of(read(package, slug=problem.slug).package, command=command, text=text)
        if not there and not command:  # an input without its answer is no case yet
            there = next((name for name, path in tree.files.items() if _is_input(name, path, text)), "")
        if there:
            raise Refused(_("This case is in the working copy already: it is %(name)s.") % {"name": there})
        content = _content(package, tree, LISTED)
        places = read_listing(content, tree, {}, Findings()).places if content is not None else {}
        place = places.get(folder)
        taken = {*tree.files, *(content or b"").decode("utf-8", "replace").replace(":", " ").split()}
        name = next(
            name
            for number in itertools.count(1)
            if (name := f"suggested-{number}") not in taken and f"data/{folder}/{name}.in" not in taken
        )
        names.append(f"{folder}/{name}")
        if place is None and not command:
            _check_name(tree, f"data/{folder}/{name}.in")
            drafts.write(package, f"data/{folder}/{name}.in", text.encode())
            return
        try:
            path = (*(place or ("data", "secret")), "data")
            changed = put_case(content or b"", path, name, command or text, inside="" if command else "in")
        except CannotEdit as error:
            line = command or json.dumps(text)
            raise Refused(
                _("%(name)s cannot be changed by a button: %(error)s Write this case there: %(line)s")
                % {"name": LISTED, "error": _told(error), "line": line}
            ) from error
        _check_name(tree, LISTED)
        drafts.write(package, LISTED, changed)

    _change(problem, by, edit)
    return names[-1]


def take(by: User, problem: Problem, version: Version, seen: int) -> None:
    """Make a version the working copy, instead of what it is at revision `seen`. Raises `Refused`."""
    must_edit(by, problem)
    current = drafts.working_copy(problem)
    if current.revision != seen:
        raise Refused(_("Somebody else has just changed the working copy. Look at it before you drop it."))
    if current.archive != version.archive and not drafts.replace(problem, current, version.archive, by, taken=None):
        raise Refused(_("Somebody else has just changed the working copy. Look at it before you drop it."))


def _change(problem: Problem, by: User, edit: Callable[[Path, Tree], None]) -> None:
    def on(folder: Path) -> None:
        edit(folder, list_files(folder, Findings()))

    drafts.change(problem, by, on)


def _must_be_as_seen(folder: Path, tree: Tree, name: str, base: str) -> None:
    before = _content(folder, tree, name)
    if before is None:
        raise Refused(_("There is no file %(name)s any more.") % {"name": printable(name)})
    if name == ROOT_FILE:
        raise Refused(_("%(name)s must stay: every package starts with it.") % {"name": ROOT_FILE})
    if base_of(before) != base:
        raise Conflict(_("Somebody else has changed %(name)s meanwhile. Look at it first.") % {"name": name}, before)


def _content(folder: Path, tree: Tree, name: str) -> bytes | None:
    return (folder / name).read_bytes() if name in tree.files else None


def _shown(name: str) -> str:
    return f"“{printable(name)[:80]}”"


def _check_name(tree: Tree, name: str) -> None:
    """Raises `Refused` for a path that no package can have, or that cannot stand beside the others."""
    must_be_a_path(name)
    parts, shown = name.split("/"), _shown(name)
    if name in tree.files:
        return
    if len(tree.files) >= MAX_FILES:
        raise Refused(_("A package has at most %(most)s files.") % {"most": f"{MAX_FILES:,}"})
    folded = name.lower()
    for other in tree.files:
        low = other.lower()
        if low == folded or low.startswith(f"{folded}/") or folded.startswith(f"{low}/"):
            raise Refused(
                _("%(name)s cannot stand beside %(other)s. Choose another name.") % {"name": shown, "other": other}
            )
        for mine, theirs in zip(parts[:-1], other.split("/")[:-1], strict=False):
            if mine != theirs:
                if mine.lower() == theirs.lower():
                    raise Refused(
                        _("%(name)s differs from %(other)s by capital letters only. Choose one spelling.")
                        % {"name": shown, "other": other}
                    )
                break


def _told(error: CannotEdit) -> str:
    return pgettext("part", error.pattern) % error.values
