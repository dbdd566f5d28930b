"""Setting single values in YAML that a person wrote: everything else, comments too, stays to the letter.

A path is keys of maps within maps. Where a list stands on the way, its entries are maps of one key each, as in
`generators.yaml`, and a key names the one entry that has it.
"""

import json
import re
from collections.abc import Sequence
from decimal import Decimal

import yaml

from problems.package.findings import Findings
from problems.package.yaml_text import Items, Map, Node, Scalar, parse_map
from problems.say import say

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_PLAIN_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9_./=+-]*( [A-Za-z0-9_./=+-]+)+")
"""A command that YAML reads as it is."""


class CannotEdit(Exception):
    """The text is written in a way that this cannot change without losing something. The message is a sentence, made
    of `pattern` and `values`: who shows it within another sentence asks for the pattern in the reader's language."""

    def __init__(self, pattern: str, /, **values: str) -> None:
        super().__init__(pattern % values)
        self.pattern, self.values = pattern, values


def put(text: bytes, path: Sequence[str], value: Decimal | str | None) -> bytes:
    """`text` with the value at `path` set to a number, plain word or uuid; None takes it away.

    Maps that are missing are made. Raises `CannotEdit`, also for a text that is no YAML.
    """
    before = _parsed(text)
    plain = text.decode("utf-8")
    if _at(before, path) is None and value is None:
        return text
    changed = _put(plain, list(path), None if value is None else _written(value)).encode()
    if not _as_meant(before, _parsed(changed), path, value):
        raise CannotEdit(say("part", "what stands there is written in an unusual way."))
    return changed


def add(text: bytes, path: Sequence[str], key: str, value: str, *, inside: str = "") -> bytes:
    """`text` with one entry more, the last, in the map or list of one-key maps at `path`: `key: value`.

    `inside`: `key: {inside: value}`. Maps that are missing are made. Raises `CannotEdit`.
    """
    before = _parsed(text)
    place = _at(before, path)
    written = value if _PLAIN_WORDS.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    written = f"{{{inside}: {written}}}" if inside else written
    if isinstance(place, Map) and key in place.nodes:
        raise CannotEdit(say("part", "`%(key)s` is there already."), key=key)
    plain = text.decode("utf-8")
    target = _walk(plain, path)
    if not isinstance(target, yaml.CollectionNode):
        changed = _put(plain, [*path, key], written)
    elif target.flow_style:
        changed = _added_in_flow(plain, target, f"{key}: {written}")
    else:
        changed = _added_below(plain, target, f"{key}: {written}")
    after = _parsed(changed.encode())
    found, here = _at(after, [*path, key]), _at(after, path)
    if isinstance(here, Items):
        found = here.nodes[-1].nodes.get(key) if isinstance(here.nodes[-1], Map) else None
    only = found.nodes.get(inside) if inside and isinstance(found, Map) and len(found.nodes) == 1 else found
    if not isinstance(only, Scalar) or only.text != value or not _is_one_more(before, after, path, key):
        raise CannotEdit(say("part", "what stands there is written in an unusual way."))
    return changed.encode()


def _is_one_more(before: Node, after: Node, path: Sequence[str], key: str) -> bool:
    """Whether nothing differs but the new entry."""
    old, new = _at(before, path), _at(after, path)
    if not isinstance(new, Items):
        return _without(before, [*path, key]) == _without(after, [*path, key])
    if not isinstance(old, Items) or list(map(_plain, old.nodes)) != list(map(_plain, new.nodes[:-1])):
        return False
    return _without(before, path) == _without(after, path)


def _walk(text: str, path: Sequence[str]) -> yaml.Node | None:
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    for key in path:
        pair = _pair(node, key) if isinstance(node, yaml.CollectionNode) else None
        if pair is None:
            return None
        node = pair[1]
    return node


def _pair(node: yaml.CollectionNode, key: str) -> tuple[yaml.Node, yaml.Node] | None:
    """Key and value of a map, or of the one map with this key alone in a list. Raises `CannotEdit` for several."""
    if isinstance(node, yaml.MappingNode):
        return next((pair for pair in node.value if pair[0].value == key), None)
    alone = [one.value[0] for one in node.value if isinstance(one, yaml.MappingNode) and len(one.value) == 1]
    found = [pair for pair in alone if pair[0].value == key]
    if len(found) > 1:
        raise CannotEdit(say("part", "`%(key)s` stands there more than once."), key=key)
    return found[0] if found else None


def _added_in_flow(text: str, node: yaml.CollectionNode, entry: str) -> str:
    entry = f"{{{entry}}}" if isinstance(node, yaml.SequenceNode) else entry
    if not node.value:
        at = node.start_mark.index + 1
        return text[:at] + entry + text[at:]
    last = node.value[-1]
    at = (last[1] if isinstance(last, tuple) else last).end_mark.index
    return f"{text[:at]}, {entry}{text[at:]}"


def _added_below(text: str, node: yaml.CollectionNode, entry: str) -> str:
    """After the last line of what stands in `node`, before comments that may follow."""
    indent = " " * node.start_mark.column
    dash = "- " if isinstance(node, yaml.SequenceNode) else ""
    leaf: yaml.Node = node
    while isinstance(leaf, yaml.CollectionNode) and leaf.value and not leaf.flow_style:
        last = leaf.value[-1]
        leaf = last[1] if isinstance(last, tuple) else last
    end = leaf.end_mark.index
    if getattr(leaf, "style", None) in ("|", ">"):
        at = text.rfind("\n", 0, end) + 1 if end < len(text) else end
    else:
        found = text.find("\n", end)
        at = len(text) if found < 0 else found + 1
    start = text[:at] if not text[:at] or text[:at].endswith("\n") else text[:at] + "\n"
    return f"{start}{indent}{dash}{entry}\n{text[at:]}"


def _parsed(text: bytes) -> Map:
    findings = Findings()
    found = parse_map(text, "", findings)
    if found is None or not findings.ok:
        raise CannotEdit(say("part", "it is not YAML that can be read."))
    return found


def _at(found: Node | None, path: Sequence[str]) -> Node | None:
    for key in path:
        if isinstance(found, Items):
            of = [one for one in found.nodes if isinstance(one, Map) and list(one.nodes) == [key]]
            found = of[0] if len(of) == 1 else None
        found = found.nodes.get(key) if isinstance(found, Map) else None
    return found


def _written(value: Decimal | str) -> str:
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    if not _PLAIN.fullmatch(value):
        raise CannotEdit(say("part", "%(value)s is no plain word."), value=repr(value))
    return value


def _put(text: str, path: list[str], written: str | None) -> str:
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if node is None or (isinstance(node, yaml.ScalarNode) and not node.value):
        return _appended(text, path, written)
    depth = 0
    while depth < len(path):
        if not isinstance(node, yaml.CollectionNode):
            raise CannotEdit(say("part", "`%(list)s` is no map."), list=".".join(path[:depth]))
        pair = _pair(node, path[depth])
        if pair is None and isinstance(node, yaml.MappingNode):
            return _inserted(text, node, path[depth:], written, top=depth == 0)
        if pair is None:
            raise CannotEdit(say("part", "there is no `%(key)s`."), key=path[depth])
        key, inner = pair
        if depth + 1 == len(path):
            return _taken(text, node, key, inner) if written is None else _replaced(text, key, inner, written)
        if isinstance(inner, yaml.ScalarNode) and inner.value in ("", "~", "null"):
            return _replaced(text, key, inner, _flow(path[depth + 1 :], written))
        node, depth = inner, depth + 1
    return text


def _flow(path: list[str], written: str | None) -> str:
    assert written is not None
    for key in reversed(path):
        written = f"{{{key}: {written}}}"
    return written


def _lines(path: list[str], written: str | None, indent: str) -> str:
    assert written is not None
    keys = "".join(f"{indent}{'  ' * depth}{key}:\n" for depth, key in enumerate(path[:-1]))
    return f"{keys}{indent}{'  ' * (len(path) - 1)}{path[-1]}: {written}\n"


def _appended(text: str, path: list[str], written: str | None) -> str:
    start = text if not text or text.endswith("\n") else text + "\n"
    return start + _lines(path, written, "")


def _inserted(text: str, node: yaml.MappingNode, path: list[str], written: str | None, *, top: bool) -> str:
    if node.flow_style:
        at = node.start_mark.index + 1
        inner = _flow(path[1:], written) if len(path) > 1 else written or ""
        return f"{text[:at]}{path[0]}: {inner}{', ' if node.value else ''}{text[at:]}"
    if top:
        return _appended(text, path, written)
    first = node.value[0][0].start_mark
    begin = first.index - first.column
    indent = text[begin : first.index]
    if indent.strip():
        raise CannotEdit(say("part", "its first key does not begin its line."))
    return text[:begin] + _lines(path, written, indent) + text[begin:]


def _replaced(text: str, key: yaml.Node, inner: yaml.Node, written: str) -> str:
    if not isinstance(inner, yaml.ScalarNode) or "\n" in text[inner.start_mark.index : inner.end_mark.index]:
        raise CannotEdit(say("part", "what stands there is no plain value on one line."))
    begin, end = inner.start_mark.index, inner.end_mark.index
    if begin == end:  # nothing after the colon
        at = text.index(":", key.end_mark.index) + 1
        return f"{text[:at]} {written}{text[at:]}"
    return text[:begin] + written + text[end:]


def _taken(text: str, node: yaml.CollectionNode, key: yaml.Node, inner: yaml.Node) -> str:
    if node.flow_style:
        begin, end = key.start_mark.index, inner.end_mark.index
        if after := re.match(r"\s*,\s*", text[end:]):
            return text[:begin] + text[end + after.end() :]
        before = re.search(r",\s*\Z", text[:begin])
        return text[: before.start() if before else begin] + text[end:]
    begin = key.start_mark.index - key.start_mark.column
    end = inner.end_mark.index
    if text[begin : key.start_mark.index].strip() or "\n" in text[key.start_mark.index : end]:
        raise CannotEdit(say("part", "what is to be taken away does not stand on a line of its own."))
    stop = text.find("\n", end)
    whole = text[:begin] + ("" if stop < 0 else text[stop + 1 :])
    if len(node.value) == 1:  # a map without a key would be nothing
        raise CannotEdit(say("part", "it is the only value there."))
    return whole


def _as_meant(before: Node, after: Node, path: Sequence[str], value: Decimal | str | None) -> bool:
    """Whether nothing differs but the value at `path`."""
    found = _at(after, path)
    if value is None:
        if found is not None:
            return False
    elif not isinstance(found, Scalar) or found.text != _written(value):
        return False
    return _without(before, path) == _without(after, path)


def _without(node: Node, path: Sequence[str]) -> object:
    """The node as plain values, without what is at `path`, and without the maps that are empty then."""
    if isinstance(node, Map):
        kept = {
            key: _without(inner, path[1:] if path and key == path[0] else ())
            for key, inner in node.nodes.items()
            if not (path and key == path[0] and len(path) == 1)
        }
        return {key: inner for key, inner in kept.items() if not (path and key == path[0] and inner in ({}, None))}
    if isinstance(node, Scalar):
        return None if node.is_null and path else (node.text, node.quoted)
    return tuple(
        _without(inner, path if path and isinstance(inner, Map) and list(inner.nodes) == [path[0]] else ())
        for inner in node.nodes
    )


def _plain(node: Node) -> object:
    return _without(node, ())


def values(text: bytes, paths: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """What stands at each path, as it is written; empty for what is not there or no single value, or in no YAML."""
    found = parse_map(text, "", Findings())
    at = {path: _at(found, path) for path in paths}
    return {path: node.text if isinstance(node, Scalar) and not node.is_null else "" for path, node in at.items()}
