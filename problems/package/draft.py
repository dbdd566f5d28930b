"""A package of the format 2025-09 in the making, put together from one of another format."""

from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from shutil import copyfile
from typing import Any

import yaml

from problems.package.model import Content
from problems.package.tree import Tree, why_absent
from problems.package.yaml_text import NUMBER

_LOOKS_LIKE_MORE = frozenset({"true", "True", "TRUE", "false", "False", "FALSE"})


@dataclass(slots=True)
class Draft:
    """Files of the new package, and what became of those of the old one."""

    files: dict[str, Content] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    """File of the new package -> the file of the old one that it comes from."""
    used: set[str] = field(default_factory=set)
    """Files of the old package that something was taken from."""
    ignored: dict[str, str] = field(default_factory=dict)
    """Files of the old package that were left out -> why."""

    def put(self, name: str, content: Content, *, origin: str = "") -> None:
        """Put a file into the new package. `origin`: the file of the old package that it comes from."""
        self.files[name] = content
        if origin:
            self.origins[name] = origin
            self.used.add(origin)

    def put_yaml(self, name: str, value: Any, *, origin: str = "") -> None:
        """Put a YAML file; nothing when there is nothing to say."""
        if value:
            self.put(name, dump(value), origin=origin)

    def put_folder(self, tree: Tree, old: str, new: str, *, but: str = "") -> None:
        """Put what is below the folder `old` of `tree` below the folder `new`, but for what is no part of a package.

        `but`: a folder below `old` whose files go elsewhere.
        """
        for below, path in tree.under(old).items():
            if but and f"{old}/{below}".startswith(f"{but}/"):
                continue
            if reason := next(filter(None, map(why_absent, below.split("/"))), ""):
                self.ignored[f"{old}/{below}"] = reason.removeprefix("Ignored: ")
            else:
                self.put(f"{new}/{below}", path, origin=f"{old}/{below}")

    def lay_out(self, into: Path) -> None:
        """Write the files below the folder `into`."""
        for name, content in self.files.items():
            target = into / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                target.write_bytes(content)
                if content.startswith(b"#!"):
                    target.chmod(0o755)
            else:
                copyfile(content, target)
                target.chmod(0o755 if content.stat().st_mode & 0o100 else 0o644)


class _Dumper(yaml.SafeDumper):
    """Writes so that our own reader takes a text for a text and a number to the last digit."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    quote = '"' if NUMBER.fullmatch(text) or text in _LOOKS_LIKE_MORE else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=quote)


_Dumper.add_representer(str, _text)


def _number(dumper: yaml.SafeDumper, number: Decimal) -> yaml.ScalarNode:
    text = format(number.normalize(), "f")
    return dumper.represent_scalar(f"tag:yaml.org,2002:{'float' if '.' in text else 'int'}", text)


_Dumper.add_representer(Decimal, _number)


def dump(value: Any) -> bytes:
    """`value`, of maps, lists, texts, whole numbers, `Decimal`s and flags, as YAML."""
    text: str = yaml.dump(value, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=110)
    return text.encode()
