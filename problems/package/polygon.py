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
from pathlib import PurePosixPath
from typing import Any

from problems.package.draft import Draft
from problems.package.findings import Findings, ignored
from problems.package.polygon_programs import PATTERN, Programs
from problems.package.polygon_statement import LANGUAGES, Statements
from problems.package.submissions import ANY
from problems.package.tree import Tree
from problems.package.xml_text import MAX_XML, Element, XmlFault, parse_xml
from problems.say import say

WHERE = "problem.xml"
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
_LEFT_OUT = {"do-not-run": say("part", "its author says that it is not to be run.")}


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
        findings.error(
            f"{WHERE}:{root.line}",
            "xml",
            say("said", "This is `<%(tag)s>`, where `<problem>` is expected.", tag=root.tag[:40]),
        )
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
        self.programs = Programs(tree, findings, draft, root)
        self.solution = ""

    def put(self) -> None:
        judging = self.root.first("judging")
        tests = self._test_set(judging) if judging else None
        if judging is None or tests is None:
            self.programs.error(
                self.root, "no-tests", say("said", "There is no `<testset>`: the package says of no test.")
            )
            return
        for attribute in ("input-file", "output-file"):
            if name := judging.get(attribute):
                self.programs.error(
                    judging,
                    "not-expressible",
                    say(
                        "said",
                        "`%(attribute)s` is %(name)s: programs read and write standard streams here. Empty it.",
                        attribute=attribute,
                        name=name[:40],
                    ),
                )
        if judging.get("run-count") not in ("", "1"):
            self.programs.error(
                judging, "not-expressible", say("said", "`run-count` is not 1: several runs a test are not judged.")
            )
        if (interactor := self.root.first("assets/interactor")) is not None:
            self.programs.error(
                interactor,
                "not-expressible",
                say(
                    "said",
                    "Interactors of testlib are not run here: write an output validator that talks to the program.",
                ),
            )
        self._tell_graders()
        scoring = self._tests(tests)
        self.programs.checker(scoring=scoring)
        self.programs.validators()
        self.programs.probes()
        self._solutions()
        languages = Statements(self.tree, self.findings, self.draft, self.root).put()
        self._list_generated()
        self.draft.put_yaml("problem.yaml", self._problem(tests, languages, scoring=scoring), origin=WHERE)
        self._tell_binaries()

    def _test_set(self, judging: Element) -> Element | None:
        sets = list(judging.each("testset"))
        chosen = next((one for one in sets if one.get("name") == "tests"), sets[0] if sets else None)
        for other in sets:
            if other is not chosen:
                self.findings.notice(
                    f"{WHERE}:{other.line}",
                    "ignored",
                    ignored(say("part", "the test set `%(name)s` is not judged.", name=other.get("name")[:40])),
                )
        return chosen

    # problem.yaml ---------------------------------------------------------------------------------------------------

    def _problem(self, tests: Element, languages: Iterable[str], *, scoring: bool) -> dict[str, Any]:
        names = {
            code: one.get("value")
            for one in self.root.each("names/name")
            if (code := LANGUAGES.get(one.get("language"))) and one.get("value")
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
            self.programs.error(time, "time-limit", say("said", "`<time-limit>` must be milliseconds, such as 2000."))
        bytes_ = _digits(memory)
        if bytes_ and bytes_ % (1 << 20) == 0:
            limits["memory"] = bytes_ >> 20
        elif memory is not None:
            self.programs.error(
                memory,
                "memory-limit",
                say("said", "`<memory-limit>` must be in bytes: a multiple of 1048576 (one MiB)."),
            )
        return limits

    # tests ----------------------------------------------------------------------------------------------------------

    def _tell_graders(self) -> None:
        """Files that are compiled together with each solution: without them no solution is one."""
        for file in self.root.each("files/resources/file"):
            assets = [file.get("assets"), *(one.get("name") for one in file.each("assets/asset"))]
            if any("SOLUTION" in name.upper() for name in assets):
                self.programs.error(
                    file,
                    "not-expressible",
                    say(
                        "said",
                        "`%(path)s` is compiled together with each solution, which is not taken in: put "
                        "it into `include/` of the new package, and let solutions be whole programs here.",
                        path=file.get("path")[:60],
                    ),
                )

    def _tests(self, of: Element) -> bool:
        """Put the tests; gives whether they are worth points."""
        tests = list(self._each_test(of))
        if not tests:
            self.programs.error(of, "no-tests", say("said", "There is no test: nothing would be judged."))
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
                    f"{WHERE}:{of.line}",
                    "no-secret-case",
                    say("said", "All tests are samples: they are judged as secret as well."),
                )
        return scoring

    def _each_test(self, of: Element) -> Iterator[_Test]:
        patterns = [
            one.text.strip() if one else "" for one in map(of.first, ("input-path-pattern", "answer-path-pattern"))
        ]
        if not all(PATTERN.fullmatch(pattern) for pattern in patterns):
            self.programs.error(
                of,
                "path-pattern",
                say("said", "`<input-path-pattern>` and `<answer-path-pattern>` must be such as tests/%02d."),
            )
            return
        elements = list(of.each("tests/test"))
        count = of.first("test-count")
        if count is not None and _digits(count) != len(elements):
            self.findings.warn(
                f"{WHERE}:{count.line}",
                "test-count",
                say(
                    "said",
                    "`<test-count>` says %(count)s, and tests that stand here: %(there)s. Those are taken.",
                    count=count.text.strip()[:20],
                    there=len(elements),
                ),
            )
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
        self.programs.error(
            at, "points", say("said", "`%(points)s` are no points: write a number not below 0.", points=text[:40])
        )
        return None

    def _put_test(self, group: str, test: _Test) -> None:
        name = f"data/{group}/{test.name}"
        given, answer = self.tree.files.get(test.input), self.tree.files.get(test.answer)
        where = f"{WHERE}:{test.line}"
        if given is not None and answer is not None:
            self.programs.put_text(f"{name}.in", given, test.input)
            self.programs.put_text(f"{name}.ans", answer, test.answer)
            return
        entry: dict[str, Any] = {}
        if given is not None:
            self.programs.put_text(f"generators/tests/{test.name}.in", given, test.input)
            entry["copy"] = f"tests/{test.name}"
        elif test.command and self.programs.generator(test.command.split()[0], where):
            entry["generate"] = " ".join(test.command.split())
        else:
            self.findings.error(
                where,
                "no-such-test",
                say(
                    "said",
                    "Test %(number)s is no file (%(path)s) and no command makes it: send the full package.",
                    number=test.number,
                    path=test.input[:50],
                ),
            )
        if entry:
            self.listed.setdefault(group, {})[test.name] = entry

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
                self.programs.error(
                    at,
                    "points",
                    say(
                        "said",
                        "`%(name)s` is worth %(points)s points: no whole number.",
                        name=name,
                        points=f"{float(points):g}",
                    ),
                )
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
                self.programs.error(
                    one,
                    "not-expressible",
                    say(
                        "said",
                        "A group depends on `%(other)s`, which gives points by the test: make that one complete-group.",
                        other=other[:40],
                    ),
                )
            else:
                needs.append("sample")
        return list(dict.fromkeys(needs))

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
            path = self.programs.source(one, say("part", "solution"))
            if not path:
                continue
            if tag in _LEFT_OUT or tag not in _TAGS:
                self.draft.ignored[path] = _LEFT_OUT.get(
                    tag, say("part", "the tag `%(tag)s` is not known.", tag=tag[:40])
                )
                self.findings.warn(path, "ignored", ignored(self.draft.ignored[path]))
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

    def _tell_binaries(self) -> None:
        used = {*self.draft.used, *self.draft.origins.values()}
        for name in self.tree.files:
            if name not in used and name not in self.draft.ignored:
                kind = next((why for start, why in _NOT_NEEDED if re.match(start, name)), "")
                self.draft.ignored[name] = kind or say("part", "nothing of it is needed here.")


_NOT_NEEDED = (
    (r".*\.(exe|bat|sh|jar|class|log)$", say("part", "only sources are compiled and run here.")),
    (r"statements/", say("part", "the statement is put together from its sections.")),
    (r"statement-sections/.*/example\.", say("part", "samples are taken from the tests.")),
    (r"statement-sections/.*/tutorial\.", say("part", "tutorials are not shown.")),
)


def _digits(element: Element | None) -> int:
    text = element.text.strip() if element else ""
    return int(text) if re.fullmatch(r"[0-9]{1,15}", text) else 0


def _short(points: Fraction) -> str:
    return str(points.numerator) if points.denominator == 1 else f"{points.numerator}of{points.denominator}"


def _as_name(text: str) -> str:
    return re.sub(r"[^a-zA-Z0-9-]", "", text)[:60]
