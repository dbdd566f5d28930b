"""Setting single values in YAML that a person wrote: everything else, comments too, stays to the letter."""

import re
from collections.abc import Sequence
from decimal import Decimal

import yaml

from problems.package.findings import Findings
from problems.package.yaml_text import Map, Node, Scalar, parse_map

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


class CannotEdit(Exception):
    """The text is written in a way that this cannot change without losing something. The message is a sentence."""


def put(text: bytes, path: Sequence[str], value: Decimal | str | None) -> bytes:
    """`text` with the value at `path` (keys of maps within maps) set to a number or plain word; None takes it away.

    Maps that are missing are made. Raises `CannotEdit`, also for a text that is no YAML.
    """
    before = _parsed(text)
    plain = text.decode("utf-8")
    if _at(before, path) is None and value is None:
        return text
    changed = _put(plain, list(path), value).encode()
    if not _as_meant(before, _parsed(changed), path, value):
        raise CannotEdit("what stands there is written in an unusual way.")
    return changed


def _parsed(text: bytes) -> Map:
    findings = Findings()
    found = parse_map(text, "", findings)
    if found is None or not findings.ok:
        raise CannotEdit("it is not YAML that can be read.")
    return found


def _at(found: Node | None, path: Sequence[str]) -> Node | None:
    for key in path:
        found = found.nodes.get(key) if isinstance(found, Map) else None
    return found


def _written(value: Decimal | str) -> str:
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    if not _PLAIN.fullmatch(value):
        raise CannotEdit(f"{value!r} is no plain word.")
    return value


def _put(text: str, path: list[str], value: Decimal | str | None) -> str:
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if node is None or (isinstance(node, yaml.ScalarNode) and not node.value):
        return _appended(text, path, value)
    depth = 0
    while depth < len(path):
        if not isinstance(node, yaml.MappingNode):
            raise CannotEdit(f"`{'.'.join(path[:depth])}` is no map.")
        pair = next((pair for pair in node.value if pair[0].value == path[depth]), None)
        if pair is None:
            return _inserted(text, node, path[depth:], value, top=depth == 0)
        key, inner = pair
        if depth + 1 == len(path):
            return _taken(text, node, key, inner) if value is None else _replaced(text, key, inner, _written(value))
        if isinstance(inner, yaml.ScalarNode) and inner.value in ("", "~", "null"):
            return _replaced(text, key, inner, _flow(path[depth + 1 :], value))
        node, depth = inner, depth + 1
    return text


def _flow(path: list[str], value: Decimal | str | None) -> str:
    assert value is not None
    written = _written(value)
    for key in reversed(path):
        written = f"{{{key}: {written}}}"
    return written


def _lines(path: list[str], value: Decimal | str | None, indent: str) -> str:
    assert value is not None
    keys = "".join(f"{indent}{'  ' * depth}{key}:\n" for depth, key in enumerate(path[:-1]))
    return f"{keys}{indent}{'  ' * (len(path) - 1)}{path[-1]}: {_written(value)}\n"


def _appended(text: str, path: list[str], value: Decimal | str | None) -> str:
    start = text if not text or text.endswith("\n") else text + "\n"
    return start + _lines(path, value, "")


def _inserted(text: str, node: yaml.MappingNode, path: list[str], value: Decimal | str | None, *, top: bool) -> str:
    if node.flow_style:
        at = node.start_mark.index + 1
        inner = _flow(path[1:], value) if len(path) > 1 else _written(value) if value is not None else ""
        return f"{text[:at]}{path[0]}: {inner}{', ' if node.value else ''}{text[at:]}"
    if top:
        return _appended(text, path, value)
    first = node.value[0][0].start_mark
    begin = first.index - first.column
    indent = text[begin : first.index]
    if indent.strip():
        raise CannotEdit("its first key does not begin its line.")
    return text[:begin] + _lines(path, value, indent) + text[begin:]


def _replaced(text: str, key: yaml.Node, inner: yaml.Node, written: str) -> str:
    if not isinstance(inner, yaml.ScalarNode) or "\n" in text[inner.start_mark.index : inner.end_mark.index]:
        raise CannotEdit("what stands there is no plain value on one line.")
    begin, end = inner.start_mark.index, inner.end_mark.index
    if begin == end:  # nothing after the colon
        at = text.index(":", key.end_mark.index) + 1
        return f"{text[:at]} {written}{text[at:]}"
    return text[:begin] + written + text[end:]


def _taken(text: str, node: yaml.MappingNode, key: yaml.Node, inner: yaml.Node) -> str:
    if node.flow_style:
        begin, end = key.start_mark.index, inner.end_mark.index
        if after := re.match(r"\s*,\s*", text[end:]):
            return text[:begin] + text[end + after.end() :]
        before = re.search(r",\s*\Z", text[:begin])
        return text[: before.start() if before else begin] + text[end:]
    begin = key.start_mark.index - key.start_mark.column
    end = inner.end_mark.index
    if text[begin : key.start_mark.index].strip() or "\n" in text[key.start_mark.index : end]:
        raise CannotEdit("what is to be taken away does not stand on a line of its own.")
    stop = text.find("\n", end)
    whole = text[:begin] + ("" if stop < 0 else text[stop + 1 :])
    if len(node.value) == 1:  # a map without a key would be nothing
        raise CannotEdit("it is the only value there.")
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
    return tuple(_without(inner, ()) for inner in node.nodes)


def values(text: bytes, paths: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """What stands at each path, as it is written; empty for what is not there or no single value, or in no YAML."""
    found = parse_map(text, "", Findings())
    at = {path: _at(found, path) for path in paths}
    return {path: node.text if isinstance(node, Scalar) and not node.is_null else "" for path, node in at.items()}
