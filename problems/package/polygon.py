"""Packages of Polygon (problem.xml, checkers with testlib), put into the form of 2025-09 as their authors meant them.

Checkers and validators of testlib answer by other exit codes and take other arguments. Each gets a few lines of C++
beside it (`testlib.py`) that call it as it wants and answer as the format wants; testlib.h comes with the package.
"""

import re
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any

from problems.package.draft import Draft
from problems.package.findings import Findings
from problems.package.model import Content
from problems.package.submissions import ANY
from problems.package.testlib import checker_files, validator_files
from problems.package.tree import NAME, Tree
from problems.package.xml_text import MAX_XML, Element, XmlFault, parse_xml

WHERE = "problem.xml"
_LANGUAGES = {
    "arabic": "ar", "armenian": "hy", "azerbaijani": "az", "bulgarian": "bg", "chinese": "zh", "croatian": "hr",
    "czech": "cs", "dutch": "nl", "english": "en", "estonian": "et", "finnish": "fi", "french": "fr",
    "georgian": "ka", "german": "de", "greek": "el", "hebrew": "he", "hungarian": "hu", "indonesian": "id",
    "italian": "it", "japanese": "ja", "kazakh": "kk", "korean": "ko", "latvian": "lv", "lithuanian": "lt",
    "mongolian": "mn", "persian": "fa", "polish": "pl", "portuguese": "pt", "romanian": "ro", "russian": "ru",
    "serbian": "sr", "slovak": "sk", "slovene": "sl", "spanish": "es", "swedish": "sv", "thai": "th",
    "turkish": "tr", "ukrainian": "uk", "uzbek": "uz", "vietnamese": "vi",
}  # fmt: skip
_SECTIONS = (
    ("legend", ""),
    ("input", "Input"),
    ("output", "Output"),
    ("interaction", "Interaction"),
    ("scoring", "Scoring"),
    ("notes", "Notes"),
)
_TAGS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "main": ("accepted", {}),
    "accepted": ("accepted", {}),
    "wrong-answer": ("wrong_answer", {}),
    "presentation-error": ("wrong_answer", {}),
    "time-limit-exceeded": ("time_limit_exceeded", {}),
    "memory-limit-exceeded": ("run_time_error", {}),
    "rejected": ("rejected", {}),
    "failed": ("rejected", {}),
    "time-limit-exceeded-or-accepted": ("slow", {"permitted": ["AC", "TLE"]}),
    "time-limit-exceeded-or-memory-limit-exceeded": (
        "greedy",
        {"permitted": ["AC", "TLE", "RTE"], "required": ["TLE", "RTE"]},
    ),
}
"""Tag of a solution -> folder for it, and what a case of it may get where the folder does not say it."""
_LEFT_OUT = {"do-not-run": "its author says that it is not to be run."}


def translate(tree: Tree, slug: str, findings: Findings) -> Draft:
    """The package in `tree` as one of 2025-09. What cannot be said in it is told as an error."""
    draft = Draft()
    draft.used.add(WHERE)
    try:
        with tree.files[WHERE].open("rb") as file:
            root = parse_xml(file.read(MAX_XML + 1))
    except XmlFault as fault:
        findings.error(f"{WHERE}:{fault.line}", "xml", str(fault))
        return draft
    if root.tag != "problem":
        findings.error(f"{WHERE}:{root.line}", "xml", f"This is `<{root.tag[:40]}>`, where `<problem>` is expected.")
        return draft
    _Translation(tree, slug, findings, draft, root).put()
    return draft


@dataclass(frozen=True, slots=True, kw_only=True)
class _Test:
    """One test of the test set that is judged."""

    number: int
    line: int
    name: str
    input: str
    """File of the package; need not be there when `command` makes it."""
    answer: str
    command: str
    sample: bool
    group: str
    points: Fraction | None


class _Translation:
    def __init__(self, tree: Tree, slug: str, findings: Findings, draft: Draft, root: Element) -> None:
        self.tree = tree
        self.slug = slug
        self.findings = findings
        self.draft = draft
        self.root = root
        self.listed: dict[str, dict[str, Any]] = {}
        """Group of the new package -> name of a case -> its entry in generators.yaml."""
        self.generators: set[str] = set()
        self.solution = ""

    def put(self) -> None:
        judging = self.root.first("judging")
        tests = self._test_set(judging) if judging else None
        if judging is None or tests is None:
            self._error(self.root, "no-tests", "There is no `<testset>`: the package says of no test.")
            return
        for attribute in ("input-file", "output-file"):
            if name := judging.get(attribute):
                self._error(
                    judging, "not-expressible",
                    f"`{attribute}` is {name[:40]}: programs read and write standard streams here. Empty it.",
                )  # fmt: skip
        if judging.get("run-count") not in ("", "1"):
            self._error(judging, "not-expressible", "`run-count` is not 1: several runs a test are not judged here.")
        if (interactor := self.root.first("assets/interactor")) is not None:
            self._error(
                interactor, "not-expressible",
                "Interactors of testlib are not run here: write an output validator that talks to the program.",
            )  # fmt: skip
        scoring = self._tests(tests)
        self._checker(scoring=scoring)
        self._validators()
        self._solutions()
        languages = self._statements()
        self._list_generated()
        self.draft.put_yaml("problem.yaml", self._problem(tests, languages, scoring=scoring), origin=WHERE)
        self._tell_binaries()

    def _error(self, at: Element, rule: str, message: str) -> None:
        self.findings.error(f"{WHERE}:{at.line}", rule, message)

    def _test_set(self, judging: Element) -> Element | None:
        sets = list(judging.each("testset"))
        chosen = next((one for one in sets if one.get("name") == "tests"), sets[0] if sets else None)
        for other in sets:
            if other is not chosen:
                self.findings.notice(
                    f"{WHERE}:{other.line}",
                    "ignored",
                    f"Ignored: the test set `{other.get('name')[:40]}` is not judged.",
                )
        return chosen

    # problem.yaml ---------------------------------------------------------------------------------------------------

    def _problem(self, tests: Element, languages: Iterable[str], *, scoring: bool) -> dict[str, Any]:
        names = {
            code: one.get("value")
            for one in self.root.each("names/name")
            if (code := _LANGUAGES.get(one.get("language"))) and one.get("value")
        }
        any_name = names.get("en") or next(iter(names.values()), "") or self.root.get("short-name") or self.slug
        known_by = self.root.get("url") or self.root.get("short-name") or any_name
        tags = [tag for one in self.root.each("tags/tag") if (tag := one.get("value"))]
        return {
            "problem_format_version": "2025-09",
            "name": {code: names.get(code, any_name) for code in languages},
            **({"type": "scoring"} if scoring else {}),
            "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, known_by)),
            **({"version": revision} if (revision := self.root.get("revision")) else {}),
            **({"keywords": tags} if tags else {}),
            "limits": self._limits(tests),
        }

    def _limits(self, tests: Element) -> dict[str, Any]:
        limits: dict[str, Any] = {}
        time, memory = tests.first("time-limit"), tests.first("memory-limit")
        milliseconds = _digits(time)
        if milliseconds:
            seconds = (Decimal(milliseconds) / 1000).normalize()
            exponent = seconds.as_tuple().exponent
            limits["time_limit"] = seconds
            if isinstance(exponent, int) and exponent < 0:
                limits["time_resolution"] = Decimal(1).scaleb(exponent)
        elif time is not None:
            self._error(time, "time-limit", "`<time-limit>` must be milliseconds, such as 2000.")
        bytes_ = _digits(memory)
        if bytes_ and bytes_ % (1 << 20) == 0:
            limits["memory"] = bytes_ >> 20
        elif memory is not None:
            self._error(memory, "memory-limit", "`<memory-limit>` must be bytes, a multiple of 1048576 (a MiB).")
        return limits

    # tests ----------------------------------------------------------------------------------------------------------

    def _tests(self, of: Element) -> bool:
        """Put the tests; gives whether they are worth points."""
        tests = list(self._each_test(of))
        if not tests:
            self._error(of, "no-tests", "There is no test: nothing would be judged.")
        scoring = any(test.points for test in tests)
        for test in tests:
            if test.sample:
                self._put_test("sample", test)
        secret = [test for test in tests if not test.sample or (scoring and test.points)]
        if scoring:
            self._put_groups(of, secret)
        else:
            for test in secret or tests:
                self._put_test("secret", test)
            if tests and not secret:
                self.findings.warn(
                    f"{WHERE}:{of.line}", "no-secret-case", "All tests are samples: they are judged as secret as well."
                )
        return scoring

    def _each_test(self, of: Element) -> Iterator[_Test]:
        patterns = [
            one.text.strip() if one else "" for one in map(of.first, ("input-path-pattern", "answer-path-pattern"))
        ]
        if not all(re.fullmatch(r"[^%]*%0?[0-9]?d[^%]*", pattern) for pattern in patterns):
            self._error(
                of, "path-pattern", "`<input-path-pattern>` and `<answer-path-pattern>` must be such as tests/%02d."
            )
            return
        elements = list(of.each("tests/test"))
        for number, one in enumerate(elements, start=1):
            given, answer = (pattern % number for pattern in patterns)
            points = one.get("points")
            yield _Test(
                number=number,
                line=one.line,
                name=f"{number:0{max(2, len(str(len(elements))))}}",
                input=given,
                answer=answer,
                command=one.get("cmd") if one.get("method") == "generated" else "",
                sample=one.get("sample") == "true",
                group=one.get("group"),
                points=self._points(one, points) if points else None,
            )

    def _points(self, at: Element, text: str) -> Fraction | None:
        try:
            points = Fraction(Decimal(text))
        except (InvalidOperation, ValueError, OverflowError):
            points = Fraction(-1)
        if 0 <= points < 10**9:
            return points
        self._error(at, "points", f"`{text[:40]}` are no points: write a number not below 0.")
        return None

    def _put_test(self, group: str, test: _Test) -> None:
        name = f"data/{group}/{test.name}"
        given, answer = self.tree.files.get(test.input), self.tree.files.get(test.answer)
        where = f"{WHERE}:{test.line}"
        if given is not None and answer is not None:
            self._put_text(f"{name}.in", given, test.input)
            self._put_text(f"{name}.ans", answer, test.answer)
            return
        entry: dict[str, Any] = {}
        if given is not None:
            self._put_text(f"generators/tests/{test.name}.in", given, test.input)
            entry["copy"] = f"tests/{test.name}"
        elif test.command and self._generator(test.command.split()[0], where):
            entry["generate"] = " ".join(test.command.split())
        else:
            self.findings.error(
                where, "no-such-test",
                f"Test {test.number} is no file ({test.input[:50]}) and no command makes it: send the full package.",
            )  # fmt: skip
        if entry:
            self.listed.setdefault(group, {})[test.name] = entry

    def _put_text(self, name: str, path: Path, origin: str) -> None:
        """Put a test's file. A package for Windows has carriage returns everywhere, which its author never wrote."""
        self.draft.put(name, path, origin=origin)
        if path.stat().st_size <= 64 << 20:
            text = path.read_bytes()
            if (lines := text.count(b"\n")) and text.count(b"\r\n") == text.count(b"\r") == lines:
                self.draft.put(name, text.replace(b"\r\n", b"\n"), origin=origin)

    def _put_groups(self, of: Element, tests: list[_Test]) -> None:
        """Put tests that are worth points. In a group of 2025-09 every case is worth the same, so others are split."""
        said = {one.get("name"): one for one in of.each("groups/group")}
        parts: dict[str, list[_Test]] = {}
        whole: dict[str, Element] = {}
        for test in tests:
            element = said.get(test.group)
            if element is not None and element.get("points-policy") == "complete-group":
                name = f"group-{test.group}"
                whole[name] = element
            else:
                name = f"group-{test.group or 'tests'}-{_short(test.points or Fraction(0))}"
            parts.setdefault(name, []).append(test)
        total = Fraction(0)
        folders = {name: f"{number:02}-{_as_name(name)}" for number, name in enumerate(parts, start=1)}
        for name, members in parts.items():
            element = whole.get(name)
            points = sum((test.points or Fraction(0) for test in members), Fraction(0))
            at = element or of
            if element is not None and element.get("points"):
                points = self._points(element, element.get("points")) or points
            if points.denominator != 1:
                self._error(at, "points", f"`{name}` is worth {float(points):g} points: make it a whole number.")
            total += points
            group: dict[str, Any] = {"max_score": int(points), "score_aggregation": "pass-fail" if element else "sum"}
            if needs := self._needs(said.get(members[0].group), folders):
                group["require_pass"] = needs
            self.draft.put_yaml(f"data/secret/{folders[name]}/test_group.yaml", group, origin=WHERE)
            for test in members:
                self._put_test(f"secret/{folders[name]}", test)
        secret = {"max_score": int(total), "score_aggregation": "sum"}
        self.draft.put_yaml("data/secret/test_group.yaml", secret, origin=WHERE)

    def _needs(self, element: Element | None, folders: Mapping[str, str]) -> list[str]:
        needs: list[str] = []
        for one in element.each("dependencies/dependency") if element else ():
            other = one.get("group")
            if f"group-{other}" in folders:
                needs.append(f"secret/{folders[f'group-{other}']}")
            elif any(name.startswith(f"group-{other}-") for name in folders):
                self._error(
                    one, "not-expressible",
                    f"A group depends on `{other[:40]}`, which gives points by the test: make that one complete-group.",
                )  # fmt: skip
            else:
                needs.append("sample")
        return list(dict.fromkeys(needs))

    # programs -------------------------------------------------------------------------------------------------------

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

    def _source(self, element: Element, what: str) -> str:
        """The file of a program; empty, and told, when it cannot be had."""
        source = element.first("source")
        path = source.get("path") if source else ""
        if path in self.tree.files and NAME.fullmatch(PurePosixPath(path).name):
            return path
        self._error(
            element, "no-such-file", f"The {what} is `{path[:80]}`, which is not in the archive: send the full package."
        )
        return ""

    def _checker(self, *, scoring: bool) -> None:
        checker = self.root.first("assets/checker")
        if checker is None:
            self._error(self.root, "no-checker", "There is no checker: nothing says which outputs are right.")
            return
        self._with_testlib(checker, "checker", "output_validator/checker", checker_files(scoring=scoring))

    def _validators(self) -> None:
        validators = list(self.root.each("assets/validators/validator"))
        for number, validator in enumerate(validators, start=1):
            folder = f"input_validators/validator{number if len(validators) > 1 else ''}"
            self._with_testlib(validator, "validator", folder, validator_files())
        if not validators:
            self.findings.warn(
                WHERE, "no-input-validator",
                "There is no validator: one that takes every input stands in its place. Write one.",
            )  # fmt: skip
            self.draft.put("input_validators/anything.py", b"import sys\n\nsys.exit(42)\n")

    def _with_testlib(self, element: Element, what: str, folder: str, beside: Mapping[str, bytes]) -> None:
        """Put a program that uses testlib, with the lines that make it one of the format."""
        path = self._source(element, what)
        if not path:
            return
        if not path.endswith((".cpp", ".cc", ".cxx")):
            self._error(
                element, "not-expressible", f"The {what} {path[:60]} is not in C++: only testlib for C++ is run."
            )
            return
        headers = self._headers()
        if "testlib.h" not in headers:
            self._error(element, "no-testlib", "`files/testlib.h` is not in the archive: send the full package.")
        origins = {PurePosixPath(path).name: path, **headers}
        files = {name: self.tree.files[origin] for name, origin in origins.items()}
        self._put_program(folder, {**files, **beside}, origins)

    def _generator(self, name: str, where: str) -> bool:
        """Put the generator that commands call `name`; whether there is one."""
        if name in self.generators:
            return True
        sources = [one.get("path") for one in self.root.each("files/executables/executable/source")]
        path = next((one for one in sources if PurePosixPath(one).stem == name and one in self.tree.files), "")
        if not path or not NAME.fullmatch(name):
            self.findings.error(where, "no-such-generator", f"The generator `{name[:60]}` is not in the archive.")
            return False
        self.generators.add(name)
        headers = self._headers() if path.endswith((".cpp", ".cc", ".c")) else {}
        files = {PurePosixPath(path).name: path, **headers}
        self._put_program(f"generators/{name}", {one: self.tree.files[at] for one, at in files.items()}, files)
        return True

    def _list_generated(self) -> None:
        if not self.listed:
            return
        data: dict[str, Any] = {}
        for group, cases in self.listed.items():
            top, _, inner = group.partition("/")
            folder = data.setdefault(top, {"data": {}})["data"]
            if inner:
                folder = folder.setdefault(inner, {"data": {}})["data"]
            folder.update(cases)
        solution = {"solution": f"/{self.solution}"} if self.solution else {}
        self.draft.put_yaml("generators/generators.yaml", {**solution, "data": data}, origin=WHERE)

    def _solutions(self) -> None:
        rules: dict[str, Any] = {}
        for one in self.root.each("assets/solutions/solution"):
            tag = one.get("tag")
            path = self._source(one, "solution")
            if not path:
                continue
            if tag in _LEFT_OUT or tag not in _TAGS:
                self.draft.ignored[path] = _LEFT_OUT.get(tag, f"the tag `{tag[:40]}` is not known.")
                self.findings.warn(path, "ignored", f"Ignored: {self.draft.ignored[path]}")
                continue
            folder, rule = _TAGS[tag]
            name = f"{folder}/{PurePosixPath(path).name}"
            self.draft.put(f"submissions/{name}", self.tree.files[path], origin=path)
            source = one.first("source")
            if rule:
                rules[name] = dict(rule)
            if source is not None and source.get("type") == "python.2":
                rules.setdefault(name, {})["language"] = "python2"
            if tag == "main":
                rules.setdefault(name, {})["model_solution"] = True
                self.solution = f"submissions/{name}"
        for folder in sorted({name.partition("/")[0] for name in rules} & {"slow", "greedy"}):
            rules[folder] = {"permitted": sorted(ANY)}
        self.draft.put_yaml("submissions/submissions.yaml", rules)

    # statement ------------------------------------------------------------------------------------------------------

    def _statements(self) -> list[str]:
        languages: list[str] = []
        spoken = {one.get("language") for one in self.root.each("statements/statement")}
        spoken |= {name.split("/")[1] for name in self.tree.files if re.match(r"statement-sections/[^/]+/.", name)}
        for language in sorted(spoken):
            code = _LANGUAGES.get(language, language if re.fullmatch(r"[a-z]{2}", language) else "")
            if not code:
                self.findings.warn(
                    WHERE, "ignored", f"Ignored: a statement in `{language[:40]}`, whose code is not known."
                )
            elif self._sections(language, code) or self._pdf(language, code):
                languages.append(code)
        if not languages:
            self.findings.warn(WHERE, "no-statement", "There is no statement: write `statement/problem.en.md`.")
            self.draft.put("statement/problem.en.md", b"The package came without a statement.\n")
        return languages or ["en"]

    def _sections(self, language: str, code: str) -> bool:
        """Put the statement together from its sections."""
        folder = f"statement-sections/{language}"
        there = self.tree.under(folder)
        if "legend.tex" not in there:
            return False
        text: list[str] = []
        for section, title in _SECTIONS:
            path = there.get(f"{section}.tex")
            said = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").strip() if path else ""
            if path:
                self.draft.used.add(f"{folder}/{section}.tex")
            if said:
                text.append(f"\\section*{{{title}}}\n\n{said}\n" if title else f"{said}\n")
        for name, path in there.items():
            if not name.endswith(".tex") and not name.startswith("example.") and NAME.fullmatch(name):
                self.draft.put(f"statement/{name}", path, origin=f"{folder}/{name}")
        self.draft.put(f"statement/problem.{code}.tex", "\n".join(text).encode(), origin=f"{folder}/legend.tex")
        return True

    def _pdf(self, language: str, code: str) -> bool:
        name = f"statements/.pdf/{language}/problem.pdf"
        if name in self.tree.files:
            self.draft.put(f"statement/problem.{code}.pdf", self.tree.files[name], origin=name)
        return name in self.tree.files

    def _tell_binaries(self) -> None:
        used = {*self.draft.used, *self.draft.origins.values()}
        for name in self.tree.files:
            if name not in used and name not in self.draft.ignored:
                kind = next((why for start, why in _NOT_NEEDED if re.match(start, name)), "")
                self.draft.ignored[name] = kind or "nothing of it is needed here."


_NOT_NEEDED = (
    (r".*\.(exe|bat|sh|jar|class|log)$", "only sources are compiled and run here."),
    (r"statements/", "the statement is put together from its sections."),
    (r"statement-sections/.*/example\.", "samples are taken from the tests."),
    (r"statement-sections/.*/tutorial\.", "tutorials are not shown."),
)


def _digits(element: Element | None) -> int:
    text = element.text.strip() if element else ""
    return int(text) if re.fullmatch(r"[0-9]{1,15}", text) else 0


def _short(points: Fraction) -> str:
    return str(points.numerator) if points.denominator == 1 else f"{points.numerator}of{points.denominator}"


def _as_name(text: str) -> str:
    return re.sub(r"[^a-zA-Z0-9-]", "", text)[:60]
