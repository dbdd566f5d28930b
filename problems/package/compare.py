"""Whether two packages are the same, wherever they lie and however their files came to be."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path

from problems.package.model import Content, Package, TestCase

_PLACE = frozenset({"root", "slug"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """Input and answer of a case that was made when the package was built."""

    input: Path
    answer: Path


def differences(
    one: Package,
    other: Package,
    *,
    made: Mapping[str, Made] | None = None,
    other_made: Mapping[str, Made] | None = None,
) -> list[str]:
    """Where two packages differ (`limits.memory_bytes`, `cases.3.answer`); nothing when they are the same.

    Files are compared by their bytes, folders and names of the packages not at all. `made`, `other_made`: by case, for
    packages that leave inputs or answers to be made.
    """
    ours, theirs = dict(_facts(one, made or {})), dict(_facts(other, other_made or {}))
    return sorted(where for where in ours.keys() | theirs.keys() if ours.get(where) != theirs.get(where))


def _facts(package: Package, made: Mapping[str, Made]) -> Iterator[tuple[str, str]]:
    for field in fields(package):
        if field.name in ("cases", "probes"):
            for case in getattr(package, field.name):
                yield from _case(case, f"{field.name}.{case.name}", made.get(case.name))
        elif field.name not in _PLACE:
            yield from _walk(getattr(package, field.name), field.name)


def _case(case: TestCase, where: str, made: Made | None) -> Iterator[tuple[str, str]]:
    given = (case.input, case.input_text, made.input if made else None)
    answer = (case.answer, case.answer_text, made.answer if made else None)
    for name, contents in (("input", given), ("answer", answer)):
        yield f"{where}.{name}", next((_digest(one) for one in contents if one is not None), "")
    for field in fields(case):
        if field.name not in ("input", "input_text", "answer", "answer_text"):
            yield from _walk(getattr(case, field.name), f"{where}.{field.name}")


def _walk(value: object, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, bytes | Path):
        yield where, _digest(value)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _walk(getattr(value, field.name), f"{where}.{field.name}")
    elif isinstance(value, Mapping):
        for key in value:
            yield from _walk(value[key], f"{where}.{key}")
    elif isinstance(value, tuple):
        yield where, str(len(value))
        for number, each in enumerate(value):
            yield from _walk(each, f"{where}.{number}")
    else:
        yield where, repr(sorted(value)) if isinstance(value, frozenset) else repr(value)


def _digest(content: Content) -> str:
    return hashlib.sha256(content if isinstance(content, bytes) else content.read_bytes()).hexdigest()
