"""Programs of a package of Polygon: checkers and validators with testlib, and generators."""

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from problems.package.checks import TAKES_EVERYTHING
from problems.package.draft import Draft
from problems.package.findings import Findings
from problems.package.model import Content
from problems.package.testlib import checker_files, validator_files
from problems.package.tree import NAME, Tree
from problems.package.xml_text import Element
from problems.say import say

WHERE = "problem.xml"
PATTERN = re.compile(r"[^%]*%0?[0-9]?d[^%]*")
"""What the path of a test is made of by its number."""
_OF_CHECKER = {"ok": "valid_output", "wrong-answer": "invalid_output", "presentation-error": "invalid_output"}
_OF_VALIDATOR = {"invalid": "invalid_input"}
"""Verdict of a test of a program -> the folder of `data/` for it."""
_ENDINGS = {"input": "in", "output": "out", "answer": "ans"}


class Programs:
    """Puts the programs that problem.xml names into a draft."""

    def __init__(self, tree: Tree, findings: Findings, draft: Draft, root: Element) -> None:
        self.tree = tree
        self.findings = findings
        self.draft = draft
        self.root = root
        self.generators: set[str] = set()
        self.counts: dict[str, int] = {}
        """Folder below `data/` -> how many tests of programs stand in it."""

    def error(self, at: Element, rule: str, message: str) -> None:
        """Tell what is wrong with an element."""
        self.findings.error(f"{WHERE}:{at.line}", rule, message)

    def _headers(self) -> dict[str, str]:
        """Name of a header -> its file in the package: testlib.h and what authors put beside it."""
        paths = [one.get("path") for one in self.root.each("files/resources/file")]
        paths += [name for name in self.tree.files if name.startswith("files/") and name.endswith((".h", ".hpp"))]
        return {
            PurePosixPath(path).name: path
            for path in paths
            if path.endswith((".h", ".hpp")) and path in self.tree.files and NAME.fullmatch(PurePosixPath(path).name)
        }

    def _put_program(self, folder: str, files: Mapping[str, Content], origins: Mapping[str, str]) -> None:
        for name, content in files.items():
            self.draft.put(f"{folder}/{name}", content, origin=origins.get(name, ""))

    def source(self, element: Element, what: str) -> str:
        """The file of a program; empty, and told, when it cannot be had."""
        source = element.first("source")
        path = source.get("path") if source else ""
        if path in self.tree.files and NAME.fullmatch(PurePosixPath(path).name):
            return path
        self.error(
            element,
            "no-such-file",
            say(
                "said",
                "The %(what)s is `%(path)s`, which is not in the archive: send the full package.",
                what=what,
                path=path[:80],
            ),
        )
        return ""

    def checker(self, *, scoring: bool) -> None:
        checker = self.root.first("assets/checker")
        if checker is None:
            self.error(
                self.root, "no-checker", say("said", "There is no checker: nothing says which outputs are right.")
            )
            return
        self._with_testlib(checker, say("part", "checker"), "output_validator/checker", checker_files(scoring=scoring))

    def validators(self) -> None:
        validators = list(self.root.each("assets/validators/validator"))
        for number, validator in enumerate(validators, start=1):
            folder = f"input_validators/validator{number if len(validators) > 1 else ''}"
            self._with_testlib(validator, say("part", "validator"), folder, validator_files())
        if not validators:
            self.draft.put("input_validators/anything.py", TAKES_EVERYTHING)

    def _with_testlib(self, element: Element, what: str, folder: str, beside: Mapping[str, bytes]) -> None:
        """Put a program that uses testlib, with the lines that make it one of the format."""
        path = self.source(element, what)
        if not path:
            return
        if not path.endswith((".cpp", ".cc", ".cxx")):
            self.error(
                element,
                "not-expressible",
                say(
                    "said",
                    "The %(what)s %(path)s is not in C++: only testlib for C++ is run.",
                    what=what,
                    path=path[:60],
                ),
            )
            return
        headers = self._headers()
        if "testlib.h" not in headers:
            self.error(
                element, "no-testlib", say("said", "`files/testlib.h` is not in the archive: send the full package.")
            )
        origins = {PurePosixPath(path).name: path, **headers}
        files = {name: self.tree.files[origin] for name, origin in origins.items()}
        self._put_program(folder, {**files, **beside}, origins)

    def put_text(self, name: str, path: Path, origin: str) -> None:
        """Put a test's file. A package for Windows has carriage returns everywhere, which its author never wrote."""
        self.draft.put(name, path, origin=origin)
        if path.stat().st_size <= 64 << 20:
            text = path.read_bytes()
            if (lines := text.count(b"\n")) and text.count(b"\r\n") == text.count(b"\r") == lines:
                self.draft.put(name, text.replace(b"\r\n", b"\n"), origin=origin)

    def probes(self) -> None:
        """Put what the author tries the checker and the validators with: here, too, it must be taken or refused."""
        checker, validators = self.root.first("assets/checker"), self.root.each("assets/validators/validator")
        for program in (*((checker,) if checker else ()), *validators):
            parts = ("input", "output", "answer") if program is checker else ("input",)
            testset = program.first("testset")
            patterns = {part: _text(testset.first(f"{part}-path-pattern")) for part in parts} if testset else {}
            if testset is None or not all(PATTERN.fullmatch(pattern) for pattern in patterns.values()):
                continue
            for number, test in enumerate(testset.each("tests/test"), start=1):
                self._probe(test.get("verdict"), {part: pattern % number for part, pattern in patterns.items()})

    def _probe(self, verdict: str, paths: Mapping[str, str]) -> None:
        group = (_OF_CHECKER if "output" in paths else _OF_VALIDATOR).get(verdict)
        there = {part: self.tree.files[path] for part, path in paths.items() if path in self.tree.files}
        if group is None or there.keys() != paths.keys():
            for part in there:
                self.draft.ignored[paths[part]] = say(
                    "part",
                    "the format has no place for a test of a program that ends with `%(verdict)s`.",
                    verdict=verdict[:40],
                )
            return
        self.counts[group] = number = self.counts.get(group, 0) + 1
        for part, path in there.items():
            self.put_text(f"data/{group}/{number:02}.{_ENDINGS[part]}", path, paths[part])

    def generator(self, name: str, where: str) -> bool:
        """Put the generator that commands call `name`; whether there is one."""
        if name in self.generators:
            return True
        sources = [one.get("path") for one in self.root.each("files/executables/executable/source")]
        path = next((one for one in sources if PurePosixPath(one).stem == name and one in self.tree.files), "")
        if not path or not NAME.fullmatch(name):
            self.findings.error(
                where,
                "no-such-generator",
                say("said", "The generator `%(name)s` is not in the archive.", name=name[:60]),
            )
            return False
        self.generators.add(name)
        headers = self._headers() if path.endswith((".cpp", ".cc", ".c")) else {}
        files = {PurePosixPath(path).name: path, **headers}
        self._put_program(f"generators/{name}", {one: self.tree.files[at] for one, at in files.items()}, files)
        return True


def _text(element: Element | None) -> str:
    return element.text.strip() if element else ""
