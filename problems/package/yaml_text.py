"""YAML as an author wrote it: every value with its line, nothing guessed.

Only the shape is taken from the YAML parser; what a plain word means is decided by whoever asks for it (`Fields.text`,
`Fields.number`, …). So `no` stays the code of a language and `1e-6` is a number.
"""

import difflib
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import yaml

from problems.package.findings import Findings
from problems.package.tree import BOM, MAX_YAML
from problems.say import say

MAX_NODES = 100_000
"""Values in one document, counting each use of an alias (so that aliases cannot blow up)."""
MAX_DEPTH = 40

NUMBER = re.compile(r"[-+]?([0-9]*\.[0-9]+|[0-9]+\.|[0-9]+)([Ee][-+]?[0-9]+)?")
WHOLE = re.compile(r"[-+]?[0-9]+")
_WORDS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_TAGS = frozenset(
    {"!", *("tag:yaml.org,2002:" + kind for kind in ("str", "int", "float", "bool", "null", "seq", "map"))}
)
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The parser in C where there is one, ten times as fast. Only events are asked of it; it makes no objects."""


@dataclass(frozen=True, slots=True)
class Scalar:
    line: int
    text: str
    quoted: bool = False

    @property
    def is_null(self) -> bool:
        return not self.quoted and self.text in _NULLS

    @property
    def flag(self) -> bool | None:
        """The truth value, or None when it is something else."""
        return None if self.quoted else _WORDS.get(self.text)

    @property
    def number(self) -> Decimal | None:
        """The exact number, or None when it is something else, or has an exponent beyond reason."""
        if self.quoted or len(self.text) > 400 or not NUMBER.fullmatch(self.text):
            return None
        value = Decimal(self.text)
        return value if value == 0 or abs(value.adjusted()) <= 400 else None


@dataclass(frozen=True, slots=True)
class Items:
    line: int
    nodes: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Map:
    line: int
    nodes: "dict[str, Node]"
    lines: dict[str, int]
    """Key -> line of the key."""


Node = Scalar | Items | Map


def parse(text: bytes, where: str, findings: Findings) -> Node | None:
    """The document in `text`; None for an empty one, and after an error finding."""
    if len(text) > MAX_YAML:
        findings.error(
            where,
            "yaml-too-large",
            say("said", "Larger than %(kib)s KiB: split it or make it shorter.", kib=MAX_YAML >> 10),
        )
        return None
    try:
        decoded = text.removeprefix(BOM).decode("utf-8")
        return _Composer(yaml.parse(decoded, Loader=_LOADER), where, findings).document()
    except UnicodeDecodeError as fault:
        line = text.count(b"\n", 0, fault.start) + 1
        findings.error(f"{where}:{line}", "not-utf8", say("said", "This line is not UTF-8: save the file as UTF-8."))
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        line = mark.line + 1 if mark else 1
        findings.error(
            f"{where}:{line}",
            "yaml",
            say("said", "This is not YAML: %(fault)s.", fault=fault.problem or fault.context or "unreadable"),
        )
    except yaml.YAMLError:
        findings.error(where, "yaml", say("said", "This is not YAML: it has a character that YAML does not allow."))
    except _RefusedError as fault:
        findings.error(f"{where}:{fault.line}", fault.rule, fault.message)
    return None


def parse_map(text: bytes, where: str, findings: Findings) -> Map | None:
    """As `parse`, for files that must be a map (or empty: an empty map)."""
    before = len(findings.all())
    node = parse(text, where, findings)
    if (node is None and len(findings.all()) == before) or (isinstance(node, Scalar) and node.is_null):
        return Map(1, {}, {})
    if node is not None and not isinstance(node, Map):
        findings.error(
            f"{where}:{node.line}",
            "wrong-type",
            say("said", "This file must be a map: lines of the form `key: value`."),
        )
        return None
    return node


class _RefusedError(Exception):
    """YAML that may be well-formed but is not taken."""

    def __init__(self, line: int, rule: str, message: str) -> None:
        super().__init__(message)
        self.line, self.rule, self.message = line, rule, message


class _Composer:
    """Makes nodes from the parser's events, and stops at the first that is too much."""

    def __init__(self, events: Iterator[yaml.Event], where: str, findings: Findings) -> None:
        self.events = events
        self.where = where
        self.findings = findings
        self.taken = 0
        self.anchors: dict[str, tuple[Node, int]] = {}
        """Anchor -> node, and how many values it has."""

    def document(self) -> Node | None:
        found: Node | None = None
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                if found is not None:
                    raise _RefusedError(
                        _line(event), "yaml", say("said", "There is a second document after `---`: keep one.")
                    )
                found = self.node(next(self.events), MAX_DEPTH)
        return found

    def node(self, event: yaml.Event, depth: int) -> Node:
        line = _line(event)
        if depth == 0:
            raise _RefusedError(line, "yaml", say("said", "This is nested too deeply."))
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self.anchors:
                raise _RefusedError(
                    line,
                    "yaml",
                    say("said", "`*%(anchor)s` stands for nothing above it.", anchor=str(event.anchor)[:80]),
                )
            node, size = self.anchors[event.anchor]
            self.take(line, size)
            return node
        assert isinstance(event, yaml.NodeEvent)
        before = self.taken
        self.take(line, 1)
        tag = getattr(event, "tag", None)
        if tag is not None and tag not in _TAGS:
            self.findings.error(
                f"{self.where}:{line}",
                "yaml-tag",
                say("said", "The tag %(tag)s is not allowed: remove it.", tag=tag[:80]),
            )
        if isinstance(event, yaml.ScalarEvent):
            node = Scalar(line, event.value, quoted=bool(event.style) or tag == "tag:yaml.org,2002:str")
        elif isinstance(event, yaml.SequenceStartEvent):
            nodes = []
            while not isinstance(inner := next(self.events), yaml.SequenceEndEvent):
                nodes.append(self.node(inner, depth - 1))
            node = Items(line, tuple(nodes))
        else:
            node = self.map(line, depth)
        if event.anchor is not None:
            self.anchors[event.anchor] = node, self.taken - before
        return node

    def map(self, line: int, depth: int) -> Map:
        nodes: dict[str, Node] = {}
        lines: dict[str, int] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            at = _line(event)
            key = self.node(event, depth - 1)
            value = self.node(next(self.events), depth - 1)
            if not isinstance(key, Scalar):
                raise _RefusedError(at, "yaml-key", say("said", "A key must be a word: write `key: value`."))
            if key.text in nodes:
                message = say(
                    "said",
                    "`%(name)s` stands twice (first on line %(line)s).",
                    name=key.text[:80],
                    line=lines[key.text],
                )
                self.findings.error(f"{self.where}:{at}", "double-key", message)
            else:
                nodes[key.text], lines[key.text] = value, at
        return Map(line, nodes, lines)

    def take(self, line: int, size: int) -> None:
        self.taken += size
        if self.taken > MAX_NODES:
            raise _RefusedError(
                line,
                "yaml-too-large",
                say("said", "This has more than %(most)s values: make it shorter.", most=f"{MAX_NODES:,}"),
            )


def _line(event: yaml.Event) -> int:
    assert event.start_mark is not None
    return int(event.start_mark.line) + 1


class Fields:
    """Takes the values of one map by key and type, and tells what is wrong with them.

    A getter gives None when the key is absent or null, and after an error finding.
    """

    def __init__(
        self, of: Map, where: str, findings: Findings, known: Collection[str] | None, *, path: str = ""
    ) -> None:
        self.map = of
        self.where = where
        self.findings = findings
        self.path = path
        if known is not None:
            for key in of.nodes:
                if key not in known:
                    self.error(
                        key,
                        "unknown-key",
                        say(
                            "said", "Unknown key `%(key)s`%(hint)s", key=self._named(key), hint=did_you_mean(key, known)
                        ),
                    )

    def __contains__(self, key: str) -> bool:
        return key in self.map.nodes

    def at(self, key: str) -> str:
        return f"{self.where}:{self.map.lines.get(key, self.map.line)}"

    def error(self, key: str, rule: str, message: str) -> None:
        self.findings.error(self.at(key), rule, message)

    def warn(self, key: str, rule: str, message: str) -> None:
        self.findings.warn(self.at(key), rule, message)

    def node(self, key: str) -> Node | None:
        node = self.map.nodes.get(key)
        return None if isinstance(node, Scalar) and node.is_null else node

    def text(self, key: str) -> str | None:
        """A string. A number or truth value without quotes is refused: what was meant is not sure."""
        node = self.node(key)
        if node is None:
            return None
        if isinstance(node, Scalar):
            if node.flag is None and node.number is None:
                return node.text
            self.wrong(key, say("said", "`%(key)s` must be text: put %(text)s in quotes."), text=node.text[:80])
        else:
            self.wrong(key, say("said", "`%(key)s` must be text."))
        return None

    def number(self, key: str) -> Decimal | None:
        node = self.node(key)
        if node is None:
            return None
        value = node.number if isinstance(node, Scalar) else None
        if value is None:
            self.wrong(key, say("said", "`%(key)s` must be a number in decimal digits."))
        return value

    def integer(self, key: str, most: int = 10**15) -> int | None:
        """A whole number whose digits say at most `most`, above and below 0."""
        node = self.node(key)
        if node is None:
            return None
        value = node.number if isinstance(node, Scalar) else None
        whole = value is not None and value == value.to_integral_value()
        if not whole and not (isinstance(node, Scalar) and not node.quoted and WHOLE.fullmatch(node.text)):
            self.wrong(key, say("said", "`%(key)s` must be a whole number."))
        elif value is None or abs(value) > most:
            self.wrong(key, say("said", "`%(key)s` is too large: it may be at most %(most)s."), most=most)
        else:
            return int(value)
        return None

    def flag(self, key: str) -> bool | None:
        node = self.node(key)
        if node is None:
            return None
        value = node.flag if isinstance(node, Scalar) else None
        if value is None:
            self.wrong(key, say("said", "`%(key)s` must be true or false."))
        return value

    def choice(self, key: str, allowed: Collection[str]) -> str | None:
        node = self.node(key)
        if node is None:
            return None
        if isinstance(node, Scalar) and node.text in allowed:
            return node.text
        given = node.text if isinstance(node, Scalar) else ""
        listed = ", ".join(sorted(allowed))
        if near := _nearest(given, allowed):
            pattern = say("said", "`%(key)s` must be one of %(list)s; did you mean `%(near)s`?")
            self.wrong(key, pattern, list=listed, near=near)
        else:
            self.wrong(key, say("said", "`%(key)s` must be one of %(list)s."), list=listed)
        return None

    def texts(self, key: str, *, one_is_fine: bool = False) -> tuple[str, ...] | None:
        """A list of strings; numbers in it are taken as they are written."""
        node = self.node(key)
        if node is None:
            return None
        if isinstance(node, Scalar) and one_is_fine:
            return (node.text,)
        if isinstance(node, Items) and all(isinstance(one, Scalar) and not one.is_null for one in node.nodes):
            return tuple(one.text for one in node.nodes if isinstance(one, Scalar))
        if isinstance(node, Scalar):
            items = ", ".join(node.text.split()[:8])[:80]
            self.wrong(key, say("said", "`%(key)s` must be a list: write [%(list)s]."), list=items)
        else:
            self.wrong(key, say("said", "`%(key)s` must be a list of texts."))
        return None

    def fields(self, key: str, known: Collection[str] | None) -> "Fields | None":
        """The map at `key`."""
        node = self.node(key)
        if node is None:
            return None
        if not isinstance(node, Map):
            self.wrong(key, say("said", "`%(key)s` must be a map: lines of the form `key: value`, indented below it."))
            return None
        return Fields(node, self.where, self.findings, known, path=self._named(key))

    def wrong(self, key: str, pattern: str, **values: object) -> None:
        """Tell of a value that is none of those the key may have. `pattern`: as `say` takes it, with `%(key)s`."""
        self.error(key, "wrong-type", pattern % {"key": self._named(key), **values})

    def _named(self, key: str) -> str:
        return f"{self.path}.{key[:80]}" if self.path else key[:80]


def plain(node: Node) -> Any:
    """What a node of YAML says, as maps, lists, texts and numbers."""
    if isinstance(node, Scalar):
        if node.is_null:
            return None
        return node.flag if node.flag is not None else node.number if node.number is not None else node.text
    if isinstance(node, Items):
        return [plain(one) for one in node.nodes]
    return {key: plain(one) for key, one in node.nodes.items()}


def did_you_mean(word: str, known: Collection[str]) -> str:
    """The end of a sentence: `; did you mean …?` when something near is known, else a full stop."""
    near = _nearest(word, known)
    return say("part", "; did you mean `%(near)s`?", near=near) if near else say("part", ".")


def _nearest(word: str, known: Collection[str]) -> str:
    """The known word that is nearest to `word`; empty when none is near."""
    return next(iter(difflib.get_close_matches(word[:80], known, n=1)), "")
