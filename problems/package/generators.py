"""`generators/generators.yaml`: test cases as commands of generators, in the form that BAPCtools reads.

A case is a command (`walk.py --lines 10 {seed}`), or a map with `generate`, or is written in place (`in`, `ans`, …), or
copied from a file below `generators/`. The seed is a function of the command alone: SHA-512 of `random_salt`, of `:k-1`
for the repetition k of a `count` (nothing for 1), and of the command without blanks around it, modulo 2^31. BAPCtools
makes the same, so both make the same bytes.
"""

import hashlib
import itertools
import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from problems.package.findings import Findings, ignored
from problems.package.groups import CASE_FILES
from problems.package.model import Content, Provenance
from problems.package.programs import put_constants
from problems.package.repetitions import (
    MAX_COUNT,
    TEXTS,
    consecutive,
    count_numbered,
    is_folder,
    numbered_names,
    repetitions,
)
from problems.package.tree import NAME, Tree
from problems.package.yaml_text import Fields, Items, Map, Node, Scalar, did_you_mean, parse_map
from problems.say import say

WHERE = "generators/generators.yaml"
MAX_CASES = 5_000
SHOWN = (frozenset({"interaction"}), frozenset({"in.statement", "ans.statement"}))
"""Files that are enough for a sample that is shown and not run."""
FOLDERS = ("sample", "secret", "invalid_input", "invalid_output", "valid_output")
_BEYOND_THE_FORMAT = ("invalid_answer", "fuzz", "testing_tool_test")
_EVERYWHERE = frozenset({"solution", "random_salt", "retries"})
_CASE_KEYS = _EVERYWHERE | {"generate", "copy", "count", "match", "yaml", *TEXTS}
_FOLDER_KEYS = _EVERYWHERE | {"data", "test_group.yaml", "include"}
_ROOT_KEYS = _FOLDER_KEYS | {"version", "generators"}
_SEED = re.compile(r"\{seed(:[0-9]+)?\}")
_NO_PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w{0,39})\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedCase:
    """One case of generators.yaml."""

    name: str
    """Path below `data/`."""
    line: int
    provenance: Provenance | None = None
    contents: Mapping[str, Content] = field(default_factory=dict)
    """Extension without first dot -> what was written in place, or the file to copy."""
    files: Mapping[str, Path] = field(default_factory=dict)
    """Path in the case's `.files` -> file to copy."""
    settings: Map | None = None
    """The case's `.yaml`, when it is written in place as a map."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What generators.yaml says, in its order."""

    cases: Mapping[str, ListedCase] = field(default_factory=dict)
    groups: Mapping[str, Map] = field(default_factory=dict)
    """Folder below `data/` (`""`: data itself) -> its `test_group.yaml`."""
    solution: str | None = None
    """The submission that makes the answers, such as `submissions/accepted/bfs.cpp`."""
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Folder below `data/` -> the keys in generators.yaml under which it stands."""
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Generator -> the files below `generators/` it is put together from, when that is said."""


def read_listing(text: bytes, tree: Tree, constants: Mapping[str, str], findings: Findings) -> Listing:
    """Read generators.yaml. What is wrong is told and left out."""
    root = parse_map(text, WHERE, findings)
    if root is None:
        return Listing()
    return _Reader(tree, constants, findings).root(root)


def seed_of(command: str, *, salt: str = "", repetition: int = 1) -> int:
    """The seed that stands for `{seed}` in `command`."""
    text = salt + ("" if repetition == 1 else f":{repetition - 1}") + command.strip()
    return int.from_bytes(hashlib.sha512(text.encode()).digest(), "big") % 2**31


class _Reader:
    def __init__(self, tree: Tree, constants: Mapping[str, str], findings: Findings) -> None:
        self.tree = tree
        self.constants = constants
        self.findings = findings
        self.cases: dict[str, ListedCase] = {}
        self.keys: dict[str, list[str]] = {}
        """Key -> names of cases that it stands for, so that `include` finds them."""
        self.groups: dict[str, Map] = {}
        self.places: dict[str, tuple[str, ...]] = {}

    def root(self, root: Map) -> Listing:
        fields = Fields(root, WHERE, self.findings, None)
        for key in root.nodes:
            if key not in _ROOT_KEYS:
                fields.warn(key, "ignored", ignored(say("part", "`%(key)s` means nothing here.", key=key[:80])))
        self._group_yaml(fields, "")
        # Numbers before names run through the whole file, so that all of them get the same width.
        width = len(str(count_numbered(root)))
        numbers = itertools.count(1)
        data = fields.fields("data", None)
        for key, node in () if data is None else data.map.nodes.items():
            assert data is not None
            if key in _BEYOND_THE_FORMAT:
                data.findings.notice(
                    data.at(key), "ignored", ignored(say("part", "the format has no `data/%(key)s`.", key=key))
                )
            elif key not in FOLDERS:
                data.error(
                    key,
                    "unknown-key",
                    say(
                        "said",
                        "There is no `data/%(key)s`: use one of %(list)s.",
                        key=key[:80],
                        list=", ".join(FOLDERS),
                    ),
                )
            elif isinstance(node, Map):
                salt = fields.text("random_salt") or ""
                self.places[key] = ("data", key)
                inner = Fields(node, WHERE, self.findings, _FOLDER_KEYS, path=key)
                self.keys.setdefault(key, []).extend(self._folder(inner, key, salt, numbers, width))
            elif data.node(key) is not None:
                data.wrong(key, say("said", "`%(key)s` must be a map with `data`."))
        solution = fields.text("solution")
        if solution is not None and not solution.startswith("/"):
            fields.wrong(
                "solution", say("said", "`%(key)s` must start from the package: write /submissions/accepted/NAME.")
            )
        return Listing(
            cases=self.cases,
            groups=self.groups,
            places=self.places,
            solution=solution.lstrip("/") if solution else None,
            parts=self._parts(fields),
        )

    def _parts(self, fields: Fields) -> dict[str, tuple[str, ...]]:
        found = fields.fields("generators", None)
        if found is None:
            return {}
        return {name: found.texts(name) or () for name in found.map.nodes}

    def _group_yaml(self, fields: Fields, folder: str) -> None:
        group = fields.fields("test_group.yaml", None)
        if group is not None:
            self.groups[folder] = group.map

    def _folder(self, fields: Fields, folder: str, salt: str, numbers: Iterator[int], width: int) -> list[str]:
        """Read one folder of cases; gives the names of all cases in it."""
        self._group_yaml(fields, folder)
        salt = fields.text("random_salt") or salt
        self._tell_unused(fields)
        names: list[str] = []
        for key in fields.texts("include") or ():
            names += self._include(fields, folder, key)
        for key, line, numbered, child in self._children(fields, numbers, width):
            if is_folder(child):
                assert isinstance(child, Map)
                name = next(numbered)
                if self._name_is_fine(name, line):
                    inner = Fields(child, WHERE, self.findings, _FOLDER_KEYS, path=name)
                    self.places[f"{folder}/{name}"] = (*self.places[folder], "data", key)
                    made = self._folder(inner, f"{folder}/{name}", salt, numbers, width)
                    self.keys.setdefault(key, []).extend(made)
                    names += made
            else:
                made = self._case(key, child, folder=folder, names=numbered, line=line, salt=salt)
                self.keys.setdefault(key, []).extend(made)
                names += made
        return names

    def _children(
        self, fields: Fields, numbers: Iterator[int], width: int
    ) -> Iterator[tuple[str, int, Iterator[str], Node]]:
        """Key, line, names to take from, and value of each entry of a folder's `data`."""
        node = fields.node("data")
        if isinstance(node, Map):
            for key in sorted(node.nodes):
                yield key, node.lines[key], itertools.repeat(key), node.nodes[key]
        elif isinstance(node, Items):
            entries = [one for one in node.nodes if isinstance(one, Map) and len(one.nodes) == 1]
            for other in node.nodes:
                if other not in entries:
                    self._error(
                        other.line,
                        "wrong-type",
                        say("said", "Each entry of a list of cases must be one `- name: command`."),
                    )
            folders = sum(is_folder(child) for one in entries for child in one.nodes.values())
            folder_numbers = itertools.count(1)
            for one in entries:
                ((key, child),) = one.nodes.items()
                own, digits = (folder_numbers, len(str(folders))) if is_folder(child) else (numbers, width)
                name = "" if Scalar(0, key).is_null else key
                yield key, one.lines[key], numbered_names(name, own, digits), child
        elif node is not None:
            fields.wrong("data", say("said", "`%(key)s` must be a map or a list of cases."))

    def _name_is_fine(self, name: str, line: int) -> bool:
        if NAME.fullmatch(name) and name != "test_group":
            return True
        self._error(
            line,
            "name",
            say("said", "`%(name)s` cannot name a case or folder: use letters, digits, `_`, `.`, `-`.", name=name[:80]),
        )
        return False

    def _include(self, fields: Fields, folder: str, key: str) -> list[str]:
        if key not in self.keys:
            fields.error(
                "include",
                "include",
                say("said", "`include` names `%(key)s`, which does not stand above.", key=key[:80]),
            )
        names = []
        for source in self.keys.get(key, ()):
            name = f"{folder}/{source.rpartition('/')[2]}"
            if self._add(replace(self.cases[source], name=name, line=fields.map.lines["include"])):
                names.append(name)
        return names

    def _case(self, key: str, node: Node, *, folder: str, names: Iterator[str], line: int, salt: str) -> list[str]:
        """Read one entry, which may stand for several cases; gives their names."""
        if isinstance(node, Items):
            self._error(line, "wrong-type", say("said", "`%(key)s` must be a command or a map.", key=key[:80]))
            return []
        if isinstance(node, Scalar):
            if node.is_null:
                self._error(
                    line,
                    "wrong-type",
                    say("said", "`%(key)s` is empty: give a command or a map with `in`.", key=key[:80]),
                )
                return []
            node = Map(line, {"generate": Scalar(line, node.text, quoted=True)}, {"generate": line})
        fields = Fields(node, WHERE, self.findings, _CASE_KEYS, path=key)
        self._tell_unused(fields)
        if "match" in fields:
            fields.findings.notice(fields.at("match"), "ignored", ignored(say("part", "`match` has no effect here.")))
        salt = fields.text("random_salt") or salt
        counts = repetitions(node)
        if counts is None:
            fields.error(
                "count",
                "count",
                say(
                    "said",
                    "`count` must be a number up to %(most)s, a range 1..=5, or different numbers.",
                    most=MAX_COUNT,
                ),
            )
            counts = [1]
        padding = max((len(str(count)) for count in counts), default=0) if consecutive(counts) else 0
        beside = self._copied(fields)
        contents = self._contents(fields, beside)
        settings = (
            fields.fields("yaml", None) if not isinstance(fields.node("yaml"), Scalar) else self._settings(fields)
        )
        made = []
        for count in counts:
            name = next(names) + (f"-{count:0{padding}}" if "count" in fields else "")
            full = f"{folder}/{name}"
            provenance = self._provenance(fields, line, salt, count)
            if not self._name_is_fine(name, line):
                continue
            only_shown = folder == "sample" and any(enough <= contents.keys() for enough in SHOWN)
            if provenance is None and not only_shown and "in" not in contents and "generate" not in fields:
                self._error(
                    line,
                    "case-without-input",
                    say("said", "`%(case)s` has no input: give `generate`, `copy` or `in`.", case=full),
                )
            elif self._add(
                ListedCase(
                    name=full,
                    line=line,
                    provenance=None if "in" in contents else provenance,
                    contents=contents,
                    files={name[6:]: file for name, file in beside.items() if name.startswith("files/")},
                    settings=settings.map if settings else None,
                )
            ):
                made.append(full)
        return made

    def _provenance(self, fields: Fields, line: int, salt: str, count: int) -> Provenance | None:
        command = fields.text("generate")
        if command is None:
            return None
        command = put_constants(command.encode(), self.constants).decode()
        if "count" in fields:
            command = command.replace("{count}", str(count))
        try:
            words = shlex.split(command)
        except ValueError:
            words = []
        if not words:
            self._error(line, "command", say("said", "This command is empty or a quote in it is not closed."))
            return None
        if len(_SEED.findall(command)) > 1:
            self._error(line, "command", say("said", "`{seed}` may stand only once in a command."))
            return None
        for name in _NO_PLACEHOLDER.findall(_SEED.sub("", command.replace("{name}", ""))):
            hint = did_you_mean(name, ("seed", "name", "count", *self.constants))
            message = say(
                "said",
                "`{%(name)s}` stands for nothing here, and goes to the generator as it is%(hint)s",
                name=name,
                hint=hint,
            )
            self.findings.warn(f"{WHERE}:{line}", "placeholder", message)
        generator = PurePosixPath(words[0])
        if generator.is_absolute() or ".." in generator.parts:
            self._error(
                line, "command", say("said", "A command starts with a program below `generators/`, such as `walk.py`.")
            )
            return None
        uses_seed = any(_SEED.search(word) for word in words[1:])
        seed = seed_of(command, salt=salt, repetition=count) if uses_seed else None
        arguments = [_SEED.sub(str(seed), word.replace("{name}", "testcase")) for word in words[1:]]
        return Provenance(generator=str(generator), arguments=tuple(arguments), seed=seed)

    def _copied(self, fields: Fields) -> dict[str, Path]:
        """The files that `copy` names, by what follows the case's name and a dot (`in`, `files/map.txt`)."""
        copy = fields.text("copy")
        if copy is None:
            return {}
        source = posixpath.normpath(f"generators/{copy.removesuffix('.in')}") + "."
        return {path.removeprefix(source): file for path, file in self.tree.files.items() if path.startswith(source)}

    def _contents(self, fields: Fields, beside: Mapping[str, Path]) -> dict[str, Content]:
        """What was written in place, over what is copied from `beside`."""
        contents: dict[str, Content] = {kind: file for kind, file in beside.items() if kind in CASE_FILES}
        if "copy" in fields and "in" not in contents:
            fields.error(
                "copy",
                "no-such-file",
                say("said", "There is no such `.in` file to copy (the path starts in `generators/`)."),
            )
        for key in TEXTS:
            node = fields.node(key)
            if isinstance(node, Map):
                linked = node.nodes.get("link")
                source = fields.map.nodes.get(linked.text) if isinstance(linked, Scalar) else None
                if len(node.nodes) != 1 or not isinstance(source, Scalar):
                    fields.error(
                        key,
                        "link",
                        say(
                            "said",
                            "`%(key)s` must be text, or {link: in} to a text of the same case that is in place.",
                            key=key,
                        ),
                    )
                else:
                    contents[key] = _line(source.text)
            elif isinstance(node, Scalar):
                contents[key] = _line(node.text)
            elif key in fields and isinstance(scalar := fields.map.nodes[key], Scalar) and scalar.quoted:
                contents[key] = b""
            elif node is not None:
                fields.wrong(key, say("said", "`%(key)s` must be text."))
        return contents

    def _settings(self, fields: Fields) -> Fields | None:
        text = fields.text("yaml")
        found = None if text is None else parse_map(text.encode(), fields.at("yaml"), self.findings)
        return None if found is None else Fields(found, WHERE, self.findings, None)

    def _tell_unused(self, fields: Fields) -> None:
        for key in ("solution", "retries"):
            if key in fields:
                fields.findings.notice(
                    fields.at(key),
                    "ignored",
                    ignored(say("part", "`%(key)s` has an effect only at the top of generators.yaml.", key=key)),
                )

    def _add(self, case: ListedCase) -> bool:
        if case.name in self.cases:
            self._error(
                case.line,
                "double-case",
                say(
                    "said",
                    "`%(name)s` stands twice (first on line %(line)s).",
                    name=case.name,
                    line=self.cases[case.name].line,
                ),
            )
        elif len(self.cases) >= MAX_CASES:
            if len(self.cases) == MAX_CASES:
                self._error(
                    case.line,
                    "too-many-cases",
                    say("said", "More than %(most)s cases: make fewer.", most=f"{MAX_CASES:,}"),
                )
        else:
            self.cases[case.name] = case
            return True
        return False

    def _error(self, line: int, rule: str, message: str) -> None:
        self.findings.error(f"{WHERE}:{line}", rule, message)


def _line(text: str) -> bytes:
    """A text as a file of its own: it ends in a newline."""
    return text.encode() if not text or text.endswith("\n") else f"{text}\n".encode()
