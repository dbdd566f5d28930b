"""`submissions/`: the example submissions and what each must get."""

import fnmatch
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from problems.package.findings import Findings, ignored
from problems.package.model import Example, Expectation
from problems.package.problem_yaml import LANGUAGES, persons
from problems.package.programs import Shelf
from problems.package.tree import Tree
from problems.package.yaml_text import Fields, Items, Map, Scalar, did_you_mean, parse_map
from problems.say import say

WHERE = "submissions/submissions.yaml"
OURS = "palfrey/submissions.yaml"
"""Rules as in `WHERE` that may also say `CE`: must not compile. The format has no letters for that."""
ANY = frozenset({"AC", "WA", "TLE", "RTE"})
_LETTERS = {WHERE: ANY, OURS: ANY | {"CE"}}
MAX_ALTERNATIVES = 1_000
_HERE = frozenset({"permitted", "required", "score", "message", "use_for_time_limit"})
_ONLY_TOP = frozenset({"language", "entrypoint", "authors", "model_solution"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Default:
    permitted: frozenset[str] = ANY
    required: frozenset[str] = ANY


DEFAULTS: Mapping[str, _Default] = {
    "accepted": _Default(permitted=frozenset({"AC"})),
    "rejected": _Default(required=frozenset({"RTE", "TLE", "WA"})),
    "wrong_answer": _Default(permitted=frozenset({"AC", "WA"}), required=frozenset({"WA"})),
    "time_limit_exceeded": _Default(permitted=frozenset({"AC", "TLE"}), required=frozenset({"TLE"})),
    "run_time_error": _Default(permitted=frozenset({"AC", "RTE"}), required=frozenset({"RTE"})),
    "brute_force": _Default(permitted=frozenset({"AC", "RTE", "TLE"}), required=frozenset({"RTE", "TLE"})),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """One key of submissions.yaml, read."""

    pattern: str
    at: str
    """File and line."""
    expectation: Expectation
    parts: tuple[Expectation, ...] = ()
    language: str | None = None
    entrypoint: str | None = None
    authors: tuple[str, ...] = ()
    model_solution: bool | None = None
    use_for_time_limit: str | None = None
    """`true`, `false`, `lower` or `upper`."""


def read_examples(tree: Tree, shelf: Shelf, solution: str | None, findings: Findings) -> tuple[Example, ...]:
    """All example submissions, by folder and name. `solution`: the one that generators.yaml names to make answers."""
    rules: list[_Rule] = []
    for where in (WHERE, OURS):
        found = parse_map(tree.yaml_bytes(where), where, findings) if where in tree.files else None
        for key in found.nodes if found else ():
            assert found is not None
            if (rule := _read_rule(found, key, where, findings)) is not None:
                rules.append(rule)
    examples: list[Example] = []
    used: set[str] = set()
    for folder in tree.entries("submissions"):
        if f"submissions/{folder}" in tree.files:
            if folder != "submissions.yaml":
                findings.warn(
                    f"submissions/{folder}",
                    "ignored",
                    ignored(say("part", "put it into a folder such as `submissions/accepted/`.")),
                )
            continue
        ruled = folder in DEFAULTS
        for entry in tree.entries(f"submissions/{folder}"):
            program = shelf.program(f"submissions/{folder}/{entry}")
            if program is not None:
                inside = [
                    f"{folder}/{entry}/{name}"
                    for name in program.files
                    if f"submissions/{folder}/{entry}" in tree.folders
                ]
                matching = [rule for rule in rules if _matches(rule.pattern, folder, f"{folder}/{entry}", *inside)]
                used |= {rule.pattern for rule in matching}
                if not matching and not ruled:
                    ruled = True  # it is told of the folder once
                    hint = did_you_mean(folder, DEFAULTS)
                    message = say("said", "Nothing says which verdicts these must get%(hint)s", hint=hint)
                    findings.warn(f"submissions/{folder}", "unknown-folder", message)
                template = Example(
                    program=program, folder=folder, language=None, permitted=ANY, required=frozenset(),
                    model_solution=program.name == solution,
                )  # fmt: skip
                examples.append(_apply(template, matching, findings))
    for rule in rules:
        if rule.pattern not in used:
            message = say(
                "said",
                "`%(pattern)s` is the name of no submission that is there: this rule says nothing.",
                pattern=rule.pattern[:80],
            )
            findings.warn(rule.at, "rule-without-file", message)
    if solution is not None and not any(one.program.name == solution for one in examples):
        findings.error(
            "generators/generators.yaml",
            "no-such-solution",
            say("said", "`solution` names /%(solution)s, which is not there.", solution=solution),
        )
    return tuple(examples)


def _read_rule(found: Map, key: str, where: str, findings: Findings) -> _Rule | None:
    top = Fields(found, where, findings, None)
    if fault := _pattern_fault(key):
        top.error(key, "glob", fault)
        return None
    fields = top.fields(key, None)
    if fields is None:
        return None
    default = DEFAULTS.get(key, _Default())
    parts: list[Expectation] = []
    for inner, node in fields.map.nodes.items():
        if inner in _HERE | _ONLY_TOP:
            continue
        if not isinstance(node, Map):
            hint = did_you_mean(inner, _HERE | _ONLY_TOP)
            fields.error(inner, "unknown-key", say("said", "Unknown key `%(key)s`%(hint)s", key=inner[:80], hint=hint))
        elif not re.match(r"[*{]|sample|secret", inner):
            message = say(
                "said",
                "Unknown key `%(key)s`: cases and groups are named in whole, as `secret/1-small`.",
                key=inner[:80],
            )
            fields.error(inner, "unknown-key", message)
        elif fault := _pattern_fault(inner):
            fields.error(inner, "glob", fault)
        else:
            part = Fields(node, where, findings, _HERE, path=inner)
            part.node("use_for_time_limit")
            parts.append(_expectation(part, inner, _Default()))
    language = fields.text("language")
    if language is not None and language not in LANGUAGES:
        fields.error(
            "language",
            "language-code",
            say(
                "said",
                "There is no language `%(language)s`%(hint)s",
                language=language[:40],
                hint=did_you_mean(language, LANGUAGES),
            ),
        )
    return _Rule(
        pattern=key,
        at=top.at(key),
        expectation=_expectation(fields, "*", default),
        parts=tuple(parts),
        language=language,
        entrypoint=fields.text("entrypoint"),
        authors=persons(fields, "authors"),
        model_solution=fields.flag("model_solution"),
        use_for_time_limit=fields.choice("use_for_time_limit", ("true", "false", "lower", "upper")),
    )


def _expectation(fields: Fields, within: str, default: _Default) -> Expectation:
    return Expectation(
        within=within,
        permitted=_verdicts(fields, "permitted") or default.permitted,
        required=_verdicts(fields, "required") or default.required,
        message=fields.text("message") or "",
        score=_score(fields),
    )


def _verdicts(fields: Fields, key: str) -> frozenset[str]:
    given = fields.texts(key)
    if given == ():
        fields.wrong(key, say("said", "`%(key)s` must name at least one of AC, WA, TLE, RTE."))
    letters = _LETTERS[fields.where]
    for word in given or ():
        if word not in letters:
            fields.error(
                key, "verdict", say("said", "There is no verdict `%(word)s`: use AC, WA, TLE, RTE.", word=word[:40])
            )
    return frozenset(given or ()) & letters


def _score(fields: Fields) -> tuple[float, float] | None:
    node = fields.node("score")
    if node is None:
        return None
    each = node.nodes if isinstance(node, Items) else (node, node)
    numbers = [float(one.number) for one in each if isinstance(one, Scalar) and one.number is not None]
    if len(each) != 2 or len(numbers) != 2 or numbers[0] > numbers[1]:
        fields.wrong("score", say("said", "`%(key)s` must be a number, or [lowest, highest]."))
        return None
    return numbers[0], numbers[1]


def _apply(example: Example, rules: list[_Rule], findings: Findings) -> Example:
    """`example` with its folder's default and all matching rules; a rule named as the folder replaces the default."""
    whole = [rule.expectation for rule in rules]
    if example.folder in DEFAULTS and not any(rule.pattern == example.folder for rule in rules):
        default = DEFAULTS[example.folder]
        whole.insert(0, Expectation(within="*", permitted=default.permitted, required=default.required))
    everything = ANY | {"CE"} if any("CE" in one.permitted for one in whole) else ANY
    permitted = everything.intersection(*(one.permitted for one in whole if one.permitted != ANY))
    if not permitted:
        findings.error(
            example.program.name,
            "expectation",
            say("said", "Nothing is permitted: the rules of submissions.yaml for it contradict each other."),
        )
    required, further = _required([one.required for one in whole])
    if required and not required & permitted:
        findings.error(
            example.program.name,
            "expectation",
            say(
                "said",
                "Its rules contradict each other: what it must get is not among what it may get. See submissions.yaml.",
            ),
        )
    scores = [one.score for one in whole if one.score is not None]
    messages = list(dict.fromkeys(one.message for one in whole if one.message))
    extra = [Expectation(within="*", permitted=ANY, required=one) for one in further]
    extra += [Expectation(within="*", permitted=ANY, required=frozenset(), message=one) for one in messages[1:]]
    use = next((rule.use_for_time_limit for rule in reversed(rules) if rule.use_for_time_limit), None)
    below = use in ("true", "lower") or (use is None and example.folder != "brute_force" and "TLE" not in permitted)
    above = use == "upper" or (use in ("true", None) and example.folder != "brute_force" and required == {"TLE"})
    return Example(
        program=example.program,
        folder=example.folder,
        language=next((rule.language for rule in reversed(rules) if rule.language), None),
        permitted=permitted,
        required=required,
        model_solution=next(
            (rule.model_solution for rule in reversed(rules) if rule.model_solution is not None), example.model_solution
        ),
        message=messages[0] if messages else "",
        score=(max(low for low, _ in scores), min(high for _, high in scores)) if scores else None,
        expectations=tuple(extra) + tuple(part for rule in rules for part in rule.parts),
        entrypoint=next((rule.entrypoint for rule in reversed(rules) if rule.entrypoint), None),
        authors=tuple(dict.fromkeys(author for rule in rules for author in rule.authors)),
        bounds_time_from_below=below and not above,
        bounds_time_from_above=above,
    )


def _required(sets: list[frozenset[str]]) -> tuple[frozenset[str], list[frozenset[str]]]:
    """The narrowest required set, and those that it does not imply. A set of all verdicts asks for nothing."""
    asking = sorted({one for one in sets if one != ANY}, key=lambda one: (len(one), sorted(one)))
    kept: list[frozenset[str]] = []
    for one in asking:
        if not any(other <= one for other in kept):
            kept.append(one)
    return (kept[0], kept[1:]) if kept else (frozenset(), [])


def _pattern_fault(pattern: str) -> str | None:
    if "**" in pattern or "[" in pattern or "?" in pattern:
        return say("said", "`%(pattern)s`: patterns have `*` and `{one,other}` only.", pattern=pattern[:80])
    if len(pattern) > 500 or pattern.count("{") != pattern.count("}"):
        return say("said", "`%(pattern)s` is too long or a brace in it is not closed.", pattern=pattern[:80])
    if len(list(itertools.islice(alternatives(pattern), MAX_ALTERNATIVES + 1))) > MAX_ALTERNATIVES:
        return say("said", "`%(pattern)s` stands for too many names.", pattern=pattern[:80])
    return None


def alternatives(pattern: str) -> Iterator[str]:
    """What the braces in a pattern stand for: `a.{c,py}` -> `a.c`, `a.py`."""
    match = re.search(r"\{([^{}]*)\}", pattern)
    if match is None:
        yield pattern
        return
    for choice in match[1].split(","):
        yield from alternatives(pattern[: match.start()] + choice + pattern[match.end() :])


def matches(pattern: str, name: str) -> bool:
    """Whether `pattern` names `name` (a case, group or submission) or a folder above it. `*` does not cross `/`."""
    parts = name.split("/")
    for alternative in alternatives(pattern):
        wanted = alternative.strip("/").split("/")
        if len(wanted) <= len(parts) and all(
            fnmatch.fnmatchcase(part, want) for part, want in zip(parts, wanted, strict=False)
        ):
            return True
    return False


def _matches(pattern: str, *names: str) -> bool:
    return any(matches(pattern, name) for name in names)
