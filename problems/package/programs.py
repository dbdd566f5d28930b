"""An author's programs, read into memory: validators, generators, visualisers, submissions, files to include."""

import re
from collections.abc import Mapping
from pathlib import Path

from problems.package.findings import Findings, ignored
from problems.package.model import Program
from problems.package.problem_yaml import LANGUAGES
from problems.package.tree import Tree
from problems.package.yaml_text import did_you_mean
from problems.say import say

MAX_FILE = 16 << 20
MAX_TOGETHER = 128 << 20
"""Bytes of all programs of one package together."""

_CONSTANT = re.compile(rb"\{\{([a-zA-Z_][a-zA-Z0-9_]*(?:\.[a-zA-Z_][a-zA-Z0-9_]*)?)\}\}")
_SCRIPTS = frozenset({"build", "run", "__main__.py"})


def put_constants(text: bytes, constants: Mapping[str, str]) -> bytes:
    """Replace `{{name}}` where the package says what `name` is; leave the rest as it stands."""
    if not constants or b"{{" not in text:
        return text
    known = {name.encode(): value.encode() for name, value in constants.items()}
    return _CONSTANT.sub(lambda match: known.get(match[1], match[0]), text)


class Shelf:
    """Reads programs of one package, within `MAX_TOGETHER`."""

    def __init__(self, tree: Tree, constants: Mapping[str, str], findings: Findings) -> None:
        self.tree = tree
        self.constants = constants
        self.findings = findings
        self._left = MAX_TOGETHER

    def program(self, name: str) -> Program | None:
        """The program that is the file or folder `name`; None when there is no such thing."""
        file = self.tree.files.get(name)
        paths = {name.rpartition("/")[2]: file} if file else self.tree.under(name)
        files = self._read(name, paths)
        return Program(name=name, files=files) if files else None

    def put_together(self, name: str, paths: Mapping[str, Path]) -> Program:
        """A program made of files that stand in several places; the first is the one to start."""
        return Program(name=name, files=self._read(name, paths))

    def input_validators(self) -> tuple[Program, ...]:
        """Every program of `input_validators/`. Kinds that cannot be run here are told."""
        programs: list[Program] = []
        viva: list[str] = []
        for entry in self.tree.entries("input_validators"):
            name = f"input_validators/{entry}"
            if entry.endswith(".viva"):
                viva.append(name)
            elif program := self.program(name):
                programs.append(program)
        for name in viva:
            tell = self.findings.warn if programs else self.findings.error
            message = say(
                "said",
                "Validators in VIVA are not run here: say the same in Checktestdata (`.ctd`), Python or C++, "
                "and remove it.",
            )
            tell(name, "not-run", message)
        return tuple(programs)

    def only_one(self, folder: str) -> Program | None:
        """The one program of `output_validator/` and its like: its only entry, or else the folder itself."""
        entries = self.tree.entries(folder)
        if len(entries) <= 1:
            return self.program(f"{folder}/{entries[0]}") if entries else None
        started = [entry for entry in entries if entry.endswith(".py")]
        if len(started) > 1 and not _SCRIPTS.intersection(entries):
            self.findings.error(
                folder,
                "several-programs",
                say(
                    "said",
                    "Has several programs (%(list)s): keep one, or name the one to start `__main__.py`.",
                    list=", ".join(started[:5]),
                ),
            )
        return self.program(folder)

    def include(self) -> dict[str, dict[str, bytes]]:
        """`include/`: language code or `default` -> file name -> bytes."""
        for name in self.tree.entries("include"):
            if f"include/{name}" in self.tree.files:
                why = say("part", "put it into `include/default/` or `include/<language>/`.")
            elif name != "default" and name not in LANGUAGES:
                hint = did_you_mean(name, (*LANGUAGES, "default"))
                why = say("part", "there is no language `%(name)s`%(hint)s", name=name, hint=hint)
            else:
                continue
            self.findings.warn(f"include/{name}", "ignored", ignored(why))
        return {
            language: self._read(f"include/{language}", self.tree.under(f"include/{language}"))
            for language in self.tree.entries("include")
            if f"include/{language}" in self.tree.folders
        }

    def _read(self, name: str, paths: Mapping[str, Path]) -> dict[str, bytes]:
        files: dict[str, bytes] = {}
        for below, path in paths.items():
            size = path.stat().st_size
            if size > MAX_FILE or size > self._left:
                self.findings.error(
                    f"{name}/{below}" if len(paths) > 1 else name,
                    "program-too-large",
                    say(
                        "said",
                        "A file of a program may have %(one)s MiB, all of them %(together)s: cut it.",
                        one=MAX_FILE >> 20,
                        together=MAX_TOGETHER >> 20,
                    ),
                )
                continue
            self._left -= size
            text = path.read_bytes()
            files[below] = put_constants(text, self.constants)
        return files
