"""Packages of the formats before 2025-09 (`legacy`, `legacy-icpc`, DOMjudge's own additions, the draft of 2023-07),
put into the form of 2025-09 as their authors meant them.
"""

import re
import uuid
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from problems.package.checks import TAKES_EVERYTHING
from problems.package.draft import Draft
from problems.package.expected import for_domjudge, put_submissions
from problems.package.findings import Findings, ignored
from problems.package.limits import KNOWN as LIMITS
from problems.package.older_groups import NAMES, OURS, OlderGroups
from problems.package.problem_yaml import LICENSES, NATURAL_LANGUAGE
from problems.package.tree import Tree, why_absent
from problems.package.yaml_text import Fields, Items, Map, Node, Scalar, did_you_mean, parse_map, plain
from problems.say import say

VERSIONS = frozenset({"legacy", "legacy-icpc", "2023-07", "2023-07-draft", "draft"})
WHERE = "problem.yaml"
INI = "domjudge-problem.ini"
_LIMIT_FILES = (".timelimit", "timelimit")
_DOMJUDGE_CODE = 256
"""KiB of source that DOMjudge takes by itself; Kattis and the format take half of that."""
_KEYS = frozenset(
    "problem_format_version type name uuid author credits source source_url license rights_owner version "  # noqa: SIM905
    "embargo_until limits validation validator_flags grading keywords languages allow_file_writing constants".split()
)
_LIMIT_KEYS = LIMITS | {"time_multiplier", "time_safety_margin"}
_STATEMENT = re.compile(r"problem(?:\.([a-z]{2,3}(?:-[A-Z]{2})?))?\.(tex|md|pdf)")
_PROBLEM_NAME = re.compile(r"^[^%\n]*\\problemname\s*\{(.+?)\}\s*$", re.MULTILINE)
_PLAIN_NAME = re.compile(r"^%%\s*plainproblemname:\s*(\S.*?)\s*$", re.MULTILINE)
_HEADERS = (".h", ".hpp", ".hh")
_NOT_PROGRAMS = (".txt", ".md", "Makefile", "README")
_FOLDERS = {
    "attachments": "attachments",
    "solution": "solution",
    "include": "include",
    "generators": "generators",
    "palfrey": "palfrey",
    "input_visualizer": "input_visualizer",
    "output_visualizer": "output_visualizer",
    "static_validator": "static_validator",
}


def translate(tree: Tree, slug: str, findings: Findings) -> Draft:
    """The package in `tree` as one of 2025-09. What cannot be said in it is told as an error."""
    return _Translation(tree, slug, findings).draft


class _Translation:
    def __init__(self, tree: Tree, slug: str, findings: Findings) -> None:
        self.tree = tree
        self.slug = slug
        self.findings = findings
        self.draft = Draft()
        given = Map(1, {}, {})
        if WHERE in tree.files:
            given = parse_map(tree.yaml_bytes(WHERE), WHERE, findings) or given
            self.draft.used.add(WHERE)
        self.fields = Fields(given, WHERE, findings, None)
        for key in given.nodes:
            if key not in _KEYS:
                hint = did_you_mean(key, _KEYS)
                self.fields.warn(
                    key,
                    "ignored",
                    ignored(say("part", "the older format has no key `%(key)s`%(hint)s", key=key[:60], hint=hint)),
                )
        self.ini = self._ini()
        self.validation = self._validation()
        self.types = self._types()
        languages = self._statements()
        custom = self._output_validator()
        self._input_validators()
        groups = OlderGroups(
            tree=tree,
            draft=self.draft,
            findings=findings,
            scoring="scoring" in self.types,
            scores_itself="scoring" in self.types and custom,
            validator_flags=(self._text("validator_flags") or "").split(),
            domjudge=for_domjudge(tree),
        )
        groups.put()
        put_submissions(tree, self.draft, findings, scoring="scoring" in self.types, highest=groups.highest)
        for old, new in _FOLDERS.items():
            self.draft.put_folder(tree, old, new, but=OURS)
        self.draft.files.pop(NAMES, None)
        self.draft.put_yaml(WHERE, self._problem(languages), origin=WHERE if WHERE in tree.files else INI)

    # problem.yaml ---------------------------------------------------------------------------------------------------

    def _text(self, key: str, *, of: Fields | None = None) -> str | None:
        """A text, however it is written: older packages rarely quote."""
        fields = of or self.fields
        node = fields.node(key)
        if node is None:
            return None
        if isinstance(node, Scalar):
            return node.text.strip()
        fields.wrong(key, say("said", "`%(key)s` must be text."))
        return None

    def _ini(self) -> dict[str, str]:
        """DOMjudge's file of settings: lines `name='value'`."""
        if INI not in self.tree.files:
            return {}
        self.draft.used.add(INI)
        text = self.tree.yaml_bytes(INI).decode("utf-8", "replace")
        found = re.findall(r"^\s*([\w-]+)\s*=\s*(.*?)\s*$", text, re.MULTILINE)
        return {key: value.strip("'\"") for key, value in found}

    def _validation(self) -> frozenset[str]:
        words = (self._text("validation") or "").split()
        for word in words:
            if word not in ("default", "custom", "interactive", "score", "multi-pass"):
                self.fields.error(
                    "validation",
                    "validation",
                    say(
                        "said",
                        "`validation` has `%(word)s`: it is `default`, or `custom` with `interactive`, "
                        "`score`, `multi-pass` as needed.",
                        word=word[:40],
                    ),
                )
        if words and words[0] not in ("default", "custom"):
            self.fields.error(
                "validation", "validation", say("said", "`validation` starts with `default` or `custom`: add that.")
            )
        return frozenset(words)

    def _types(self) -> list[str]:
        node = self.fields.node("type")
        words = [one.text for one in node.nodes if isinstance(one, Scalar)] if isinstance(node, Items) else []
        words += node.text.split() if isinstance(node, Scalar) else []
        words += sorted(self.validation & {"interactive", "multi-pass"} - set(words))
        if "score" in self.validation and "scoring" not in words:
            self.fields.error(
                "validation",
                "validation",
                say("said", "A validator that gives scores needs `type: scoring`: add that."),
            )
        return words

    def _problem(self, languages: dict[str, str]) -> dict[str, Any]:
        names = self._names(languages)
        first = next(iter(names.values()), self.slug)
        problem: dict[str, Any] = {"problem_format_version": "2025-09", "name": names}
        if self.types and self.types != ["pass-fail"]:
            problem["type"] = self.types if len(self.types) > 1 else self.types[0]
        problem["uuid"] = self._text("uuid") or self._made_up_uuid(first)
        if credits_ := self._credits():
            problem["credits"] = credits_
        for key in ("version", "embargo_until"):
            if value := self._text(key):
                problem[key] = value
        if source := self._source():
            problem["source"] = source
        problem |= self._license(bool(credits_ or source))
        if keywords := self._keywords():
            problem["keywords"] = keywords
        problem["limits"] = self._limits()
        for key in ("languages", "allow_file_writing", "constants"):
            if (node := self.fields.node(key)) is not None:
                problem[key] = plain(node)
        self._grading()
        return problem

    def _made_up_uuid(self, name: str) -> str:
        made = str(uuid.uuid5(uuid.NAMESPACE_URL, f"problem-package:{self.slug}/{name}"))
        self.findings.notice(
            WHERE,
            "uuid-made",
            say("said", "The package has no uuid: one was made of its name, by which it is known again."),
        )
        return made

    def _names(self, languages: dict[str, str]) -> dict[str, str]:
        """A title for each language of the statement. `languages`: code -> the title that the statement says."""
        node: Node | None = self.fields.node("name")
        name = node.text.strip() if isinstance(node, Scalar) else ""
        if NAMES in self.tree.files:
            self.draft.used.add(NAMES)
            node = parse_map(self.tree.yaml_bytes(NAMES), NAMES, self.findings)
        given: dict[str, str] = {}
        if isinstance(node, Map):
            given = {key: one.text for key, one in node.nodes.items() if isinstance(one, Scalar)}
        name = name or self.ini.get("name", "") or next(iter(given.values()), "")
        if not name and not any(languages.values()):
            self.findings.warn(
                WHERE,
                "no-name",
                say("said", "The problem has no name: it is called `%(slug)s` for now.", slug=self.slug),
            )
        for language in given.keys() - languages.keys():
            self.fields.warn(
                "name",
                "ignored",
                say(
                    "said", "The name in `%(language)s` is ignored: there is no such statement.", language=language[:20]
                ),
            )
        return {
            language: given.get(language) or (name if len(languages) == 1 else title) or title or name or self.slug
            for language, title in languages.items()
        }

    def _credits(self) -> Any:
        if (node := self.fields.node("credits")) is not None:
            return plain(node)
        author = self._text("author")
        persons = [one.strip() for one in re.split(r",|\band\b", author or "") if one.strip()]
        return {"authors": persons} if len(persons) > 1 else "".join(persons)

    def _source(self) -> Any:
        node = self.fields.node("source")
        if node is not None and not isinstance(node, Scalar):
            return plain(node)
        name, url = self._text("source"), self._text("source_url")
        if url and not name:
            self.fields.warn("source_url", "ignored", say("said", "`source_url` is ignored: there is no `source`."))
        return {"name": name, "url": url} if name and url else name

    def _license(self, somebody: bool) -> dict[str, str]:
        given, owner = self._text("license") or "unknown", self._text("rights_owner") or ""
        if given not in LICENSES:
            near = did_you_mean(given, LICENSES)
            self.fields.warn(
                "license",
                "license",
                say("said", "There is no license `%(given)s`, taken as unknown%(hint)s", given=given[:40], hint=near),
            )
            given = "unknown"
        if given not in ("unknown", "public domain") and not (owner or somebody):
            self.fields.warn(
                "license",
                "rights",
                say(
                    "said",
                    "`%(given)s` needs to say whose it is (`rights_owner`, `author` or `source`): taken as unknown.",
                    given=given,
                ),
            )
            given = "unknown"
        if given == "public domain":
            owner = ""
        return ({"license": given} if given != "unknown" else {}) | ({"rights_owner": owner} if owner else {})

    def _keywords(self) -> list[str]:
        node = self.fields.node("keywords")
        if isinstance(node, Items):
            return [one.text for one in node.nodes if isinstance(one, Scalar)]
        return (self._text("keywords") or "").split()

    def _limits(self) -> dict[str, Any]:
        found = self.fields.fields("limits", None)
        limits: dict[str, Any] = {}
        multipliers: dict[str, Any] = {}
        for key in found.map.nodes if found else ():
            assert found is not None
            if key not in _LIMIT_KEYS:
                hint = did_you_mean(key, _LIMIT_KEYS)
                found.warn(
                    key, "ignored", ignored(say("part", "there is no limit `%(key)s`%(hint)s", key=key[:60], hint=hint))
                )
            elif key == "time_multiplier":
                multipliers["ac_to_time_limit"] = found.number(key)
            elif key == "time_safety_margin":
                multipliers["time_limit_to_tle"] = found.number(key)
            elif (node := found.node(key)) is not None:
                limits[key] = plain(node)
        if for_domjudge(self.tree):
            limits.setdefault("code", _DOMJUDGE_CODE)
        stated = self._time_limit(limits)
        if not stated and not (found and "time_multipliers" in found):  # what the older format means by saying nothing
            multipliers = {"ac_to_time_limit": Decimal(5), "time_limit_to_tle": Decimal(2)} | multipliers
        if multipliers := {key: value for key, value in multipliers.items() if value is not None}:
            limits["time_multipliers"] = multipliers
        return limits | stated

    def _time_limit(self, limits: dict[str, Any]) -> dict[str, Decimal]:
        """The time limit, from where older packages have it, and a resolution that it is a multiple of."""
        given = limits.get("time_limit")
        where = f"{WHERE}:{self.fields.map.line}"
        text = str(given) if given is not None else ""
        for name in _LIMIT_FILES:
            if name in self.tree.files:
                self.draft.used.add(name)
                if not text:
                    where, text = name, self.tree.yaml_bytes(name).decode("utf-8", "replace").strip()
        if not text:
            where, text = INI, self.ini.get("timelimit", "")
        if not text:
            return {}
        if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", text) or Decimal(text) <= 0:
            self.findings.error(
                where,
                "time-limit",
                say("said", "`%(given)s` is no time limit: write seconds, such as 2 or 0.5.", given=text[:40]),
            )
            return {}
        limit = Decimal(text).normalize()
        exponent = limit.as_tuple().exponent
        assert isinstance(exponent, int)
        if "time_resolution" in limits or exponent >= 0:
            return {"time_limit": limit}
        return {"time_limit": limit, "time_resolution": Decimal(1).scaleb(exponent)}

    def _grading(self) -> None:
        grading = self.fields.fields("grading", None)
        if grading is not None and self._text("objective", of=grading) == "min":
            grading.error(
                "objective",
                "not-expressible",
                say("said", "The fewest points win here: the format has no such scoring any more. Turn it round."),
            )
        if self.tree.entries("graders"):
            self.findings.error(
                "graders",
                "not-expressible",
                say("said", "The format has no graders any more: say the scores of groups by `accept_score`."),
            )

    # statement ------------------------------------------------------------------------------------------------------

    def _statements(self) -> dict[str, str]:
        """Put the statements; gives language -> the title that the statement itself says, or nothing."""
        languages: dict[str, str] = {}
        for folder in ("problem_statement", "statement"):
            for below, path in self.tree.under(folder).items():
                name = f"{folder}/{below}"
                if reason := next(filter(None, map(why_absent, below.split("/"))), ""):
                    self.draft.ignored[name] = reason
                    continue
                match = _STATEMENT.fullmatch(below)
                if match is None:
                    self.draft.put(f"statement/{below}", path, origin=name)
                    continue
                language = match[1] or "en"
                self.draft.put(f"statement/problem.{language}.{match[2]}", path, origin=name)
                if match[2] == "tex":
                    languages[language] = _title(path)
                languages.setdefault(language, "")
        for ending in ("pdf", "md", "tex", "txt", "html"):
            self._statement_at_top(f"problem.{ending}", ending, languages)
        if not languages:
            self.findings.warn(
                "", "no-statement", say("said", "There is no statement: write `statement/problem.en.md`.")
            )
            self.draft.put("statement/problem.en.md", b"The package came without a statement.\n")
            languages["en"] = ""
        return {language: title for language, title in languages.items() if NATURAL_LANGUAGE.fullmatch(language)}

    def _statement_at_top(self, name: str, ending: str, languages: dict[str, str]) -> None:
        path = self.tree.files.get(name)
        if path is None:
            return
        if languages:
            self.draft.ignored[name] = say("part", "there is a statement already.")
        elif ending == "html":
            self.draft.ignored[name] = why = say("part", "HTML is not shown: give it as `.md`, `.tex` or `.pdf`.")
            self.findings.warn(name, "ignored", ignored(why))
        else:
            languages["en"] = ""
            if ending == "txt":
                text = "".join(f"    {line}\n" for line in path.read_bytes().decode("utf-8", "replace").splitlines())
                self.draft.put("statement/problem.en.md", text.encode(), origin=name)
            else:
                self.draft.put(f"statement/problem.en.{ending}", path, origin=name)

    # validators -----------------------------------------------------------------------------------------------------

    def _output_validator(self) -> bool:
        """Put the output validator; gives whether there is one that is used."""
        folders = [one for one in ("output_validators", "output_validator") if self.tree.entries(one)]
        asked = bool(self.validation - {"default"})
        unsaid = not self.validation and "output_validator" in folders
        if asked and not folders:
            self.fields.error(
                "validation", "no-output-validator",
                say("said", "`validation` is custom, but there is no program in `output_validators/`: add it."),
            )  # fmt: skip
        if not asked and not unsaid:
            why = say("part", "`validation` in problem.yaml does not say `custom`.")
            for folder in folders:
                self.findings.warn(folder, "ignored", ignored(why))
                self.draft.ignored |= dict.fromkeys((f"{folder}/{one}" for one in self.tree.under(folder)), why)
            return False
        programs = [f"{folder}/{one}" for folder in folders for one in self._programs(folder)]
        if len(programs) > 1:
            self.findings.error(
                folders[0],
                "several-programs",
                say(
                    "said",
                    "There are several output validators (%(list)s): the format has one. Join them.",
                    list=", ".join(programs[:4]),
                ),
            )
        for folder in folders:
            self.draft.put_folder(self.tree, folder, "output_validator")
        return bool(programs)

    def _programs(self, folder: str) -> list[str]:
        """Entries of `folder` that are programs, and not what stands beside one."""
        return [
            one
            for one in self.tree.entries(folder)
            if not why_absent(one) and (f"{folder}/{one}" in self.tree.folders or not _beside(one))
        ]

    def _input_validators(self) -> None:
        there = 0
        for folder in ("input_validators", "input_format_validators"):
            self.draft.put_folder(self.tree, folder, "input_validators")
            there += len(self._programs(folder))
        if not there:
            self.draft.put("input_validators/anything.py", TAKES_EVERYTHING)


def _beside(name: str) -> bool:
    return name.endswith((*_HEADERS, *_NOT_PROGRAMS))


def _title(path: Path) -> str:
    """The title that a statement in TeX says, when it is plain text."""
    text = path.read_bytes()[: 64 << 10].decode("utf-8", "replace")
    if match := _PLAIN_NAME.search(text):
        return match[1][:200]
    match = _PROBLEM_NAME.search(text)
    return match[1].strip()[:200] if match and not re.search(r"[\\${}]", match[1]) else ""


def looks_older(tree: Tree, version: str) -> bool:
    """Whether the package in `tree` is of an older format. `version`: its `problem_format_version`, if it says one."""
    if version:
        return version in VERSIONS
    return any(name in tree.files for name in (WHERE, INI, *_top_statements())) or "problem_statement" in tree.folders


def _top_statements() -> Iterable[str]:
    return (f"problem.{ending}" for ending in ("pdf", "html", "txt"))
