"""How many cases an entry of `generators/generators.yaml` makes, and how they are called."""

import re
from collections.abc import Iterator

from problems.package.yaml_text import Items, Map, Node, Scalar

MAX_COUNT = 100
TEXTS = ("in", "ans", "out", "interaction", "in.statement", "ans.statement", "in.download", "ans.download")
"""Files of a case whose content may be written in place."""
_MAKES_A_CASE = frozenset({"generate", "copy", "count", "match", "yaml", *TEXTS})
_RANGE = re.compile(r"(-?[0-9]{1,6})\.\.=(-?[0-9]{1,6})")


def is_folder(node: Node) -> bool:
    return isinstance(node, Map) and not _MAKES_A_CASE.intersection(node.nodes)


def consecutive(counts: list[int]) -> bool:
    return bool(counts) and max(counts) - min(counts) == len(counts) - 1


def repetitions(node: Node) -> list[int] | None:
    """The repetitions that `count` of a case asks for; None when it cannot be read."""
    count = node.nodes.get("count") if isinstance(node, Map) else None
    if count is None:
        return [1]
    counts: list[int] = []
    if isinstance(count, Items):
        numbers = [one.number if isinstance(one, Scalar) else None for one in count.nodes]
        counts = [int(one) for one in numbers if one is not None and one == int(one)]
        if len(counts) < len(numbers):
            return None
    elif isinstance(count, Scalar) and (match := _RANGE.fullmatch(count.text)):
        counts = list(range(int(match[1]), min(int(match[2]), int(match[1]) + MAX_COUNT) + 1))
    elif isinstance(count, Scalar) and count.number is not None and 0 < count.number <= MAX_COUNT:
        counts = list(range(1, int(count.number) + 1))
    return counts if 0 < len(counts) <= MAX_COUNT and len(set(counts)) == len(counts) else None


def numbered_names(key: str, numbers: Iterator[int], digits: int) -> Iterator[str]:
    for number in numbers:
        yield f"{number:0{digits}}" + (f"-{key}" if key else "")


def count_numbered(node: Node) -> int:
    """How many cases below `node` get a number before their name."""
    data = node.nodes.get("data") if isinstance(node, Map) else None
    if isinstance(data, Map):
        return sum(count_numbered(child) for child in data.nodes.values() if is_folder(child))
    total = 0
    for one in data.nodes if isinstance(data, Items) else ():
        for child in one.nodes.values() if isinstance(one, Map) else ():
            total += count_numbered(child) if is_folder(child) else len(repetitions(child) or [1])
    return total
