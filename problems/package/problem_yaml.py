"""problem.yaml: what a problem is called, of which type it is, whose it is."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from problems.package.findings import Findings
from problems.package.limits import read_limits
from problems.package.model import Limits, ProblemType
from problems.package.yaml_text import Fields, Items, Map, Node, Scalar, did_you_mean, parse_map
from problems.say import say

FORMAT = "2025-09"
KNOWN = frozenset(
    "problem_format_version type name uuid version credits source license rights_owner embargo_until "  # noqa: SIM905
    "limits keywords languages allow_file_writing constants".split()
)
LANGUAGES = frozenset(
    "ada algol60 algol68 apl bash c cgmp cobol cpp cppgmp crystal csharp d dart elixir erlang forth "  # noqa: SIM905
    "fortran fsharp gerbil go haskell java javaalgs4 javascript julia kotlin lisp lua modula2 nim objectivec ocaml "
    "octave odin pascal perl php prolog python2 python3 python3numpy racket ruby rust scala simula smalltalk snobol "
    "swift typescript visualbasic zig".split()
)
"""Codes of programming languages in the format."""
LICENSES = frozenset({"unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission"})
_CREDITS = ("authors", "contributors", "testers", "translators", "packagers", "acknowledgements")
_CANNOT_STAND_TOGETHER = (
    (ProblemType.PASS_FAIL, ProblemType.SCORING),
    (ProblemType.SUBMIT_ANSWER, ProblemType.MULTI_PASS),
    (ProblemType.SUBMIT_ANSWER, ProblemType.INTERACTIVE),
)
NATURAL_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z]{2})?")
_WORD = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
WHERE = "problem.yaml"
LONGEST_LINE = 200
"""Characters of a name, or of another text that stands on pages as a line."""
LONGEST_UUID = 64
_NO_LINE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Ends a line, is not shown, or turns the direction of what stands after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemFacts:
    """What problem.yaml says; defaults stand where it was wrong (and findings tell)."""

    names: Mapping[str, str]
    uuid: str
    types: frozenset[ProblemType]
    limits: Limits
    version: str = ""
    credits: tuple[str, ...] = ()
    source: str = ""
    license: str = "unknown"
    rights_owner: str = ""
    embargo_until: str = ""
    keywords: tuple[str, ...] = ()
    languages: frozenset[str] | None = None
    constants: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    """Key -> line, for rules that need more than this file."""


def read_problem_yaml(text: bytes, findings: Findings) -> ProblemFacts | None:
    """Read problem.yaml. None when it is no map at all."""
    found = parse_map(text, WHERE, findings)
    if found is None:
        return None
    fields = Fields(found, WHERE, findings, KNOWN)
    _format_version(fields)
    before = len(findings.all())
    authors, everybody = _credits(fields)
    source = _source(fields)
    owners_read = len(findings.all()) == before
    license_ = fields.choice("license", LICENSES) or "unknown"
    rights_owner = _one_line(fields.text("rights_owner") or "", fields.at("rights_owner"), "rights_owner", findings)
    if license_ == "public domain" and rights_owner:
        fields.error(
            "rights_owner",
            "rights",
            say("said", "In the public domain there is no rights owner: remove `rights_owner`."),
        )
    elif license_ not in ("unknown", "public domain") and owners_read and not (rights_owner or authors or source):
        fields.error(
            "license",
            "rights",
            say(
                "said",
                "The license `%(license)s` needs to say whose it is: add `rights_owner` or `credits`.",
                license=license_,
            ),
        )
    types = _types(fields)
    limits = read_limits(fields, types)
    return ProblemFacts(
        names=_names(fields),
        uuid=_one_line(_required_text(fields, "uuid"), fields.at("uuid"), "uuid", findings, most=LONGEST_UUID),
        types=types,
        limits=replace(limits, file_writing=fields.flag("allow_file_writing") or False),
        version=fields.text("version") or "",
        credits=everybody,
        source=source,
        license=license_,
        rights_owner=rights_owner,
        embargo_until=_embargo(fields),
        keywords=tuple(
            _one_line(word, fields.at("keywords"), "keywords", findings) for word in fields.texts("keywords") or ()
        ),
        languages=_languages(fields),
        constants=_constants(fields),
        lines=found.lines,
    )


def _format_version(fields: Fields) -> None:
    node = fields.node("problem_format_version")
    given = node.text if isinstance(node, Scalar) else ""
    if node is None:
        fields.error(
            "problem_format_version",
            "format-version",
            say(
                "said",
                "`problem_format_version: %(format)s` is missing. Packages of older formats cannot be read.",
                format=FORMAT,
            ),
        )
    elif given != FORMAT:
        fields.error(
            "problem_format_version",
            "format-version",
            say(
                "said",
                "`problem_format_version` is %(given)s: only %(format)s can be read.",
                given=given[:40] or say("part", "no text"),
                format=FORMAT,
            ),
        )


def _one_line(text: str, where: str, key: str, findings: Findings, most: int = LONGEST_LINE) -> str:
    """A text that stands on pages as a line, without white space around it."""
    text = text.strip()
    if len(text) > most:
        findings.error(
            where,
            "one-line",
            say(
                "said",
                "`%(key)s` has %(count)s characters: shorten it to at most %(most)s.",
                key=key,
                count=f"{len(text):,}",
                most=most,
            ),
        )
    elif odd := _NO_LINE.search(text):
        message = say(
            "said",
            "`%(key)s` must be one line of text: remove the character U+%(code)s.",
            key=key,
            code=f"{ord(odd[0]):04X}",
        )
        findings.error(where, "one-line", message)
    return text


def _required_text(fields: Fields, key: str) -> str:
    value = fields.text(key)
    if fields.node(key) is None or value == "":
        fields.error(key, "missing-key", say("said", "`%(key)s` is missing: every problem has one.", key=key))
    return value or ""


def _types(fields: Fields) -> frozenset[ProblemType]:
    given = fields.texts("type", one_is_fine=True) or (ProblemType.PASS_FAIL,)
    types: set[ProblemType] = set()
    for word in given:
        if word in set(ProblemType):
            types.add(ProblemType(word))
        elif " " in word and all(part in set(ProblemType) for part in word.split()):
            fields.error(
                "type",
                "type",
                say("said", "Several types are a list: write `type: [%(list)s]`.", list=", ".join(word.split())),
            )
        else:
            fields.error(
                "type",
                "type",
                say(
                    "said",
                    "There is no type `%(type)s`%(hint)s",
                    type=word[:60],
                    hint=did_you_mean(word, list(ProblemType)),
                ),
            )
    for one, other in _CANNOT_STAND_TOGETHER:
        if one in types and other in types:
            fields.error(
                "type", "type", say("said", "A problem cannot be %(one)s and %(other)s at once.", one=one, other=other)
            )
    if ProblemType.SCORING not in types:
        types.add(ProblemType.PASS_FAIL)
    return frozenset(types)


def _names(fields: Fields) -> dict[str, str]:
    node = fields.node("name")
    if node is None:
        fields.error("name", "missing-key", say("said", "`name` is missing: every problem has one."))
        return {}
    if isinstance(node, Scalar):
        name = _one_line(_required_text(fields, "name"), fields.at("name"), "name", fields.findings)
        return {"en": name or node.text}
    names = fields.fields("name", None)
    if names is None:
        return {}
    found: dict[str, str] = {}
    for language in names.map.nodes:
        if not NATURAL_LANGUAGE.fullmatch(language):
            names.error(
                language,
                "language-code",
                say(
                    "said", "`%(language)s` is no code of a language, such as `en` or `pt-BR`.", language=language[:40]
                ),
            )
        elif name := _one_line(names.text(language) or "", names.at(language), f"name.{language}", fields.findings):
            found[language] = name
    return found


def _person(node: Node, fields: Fields, key: str) -> str | None:
    """A person's name, without address."""
    if isinstance(node, Scalar) and not node.is_null:
        return node.text.partition("<")[0].strip() or node.text
    if isinstance(node, Map):
        person = Fields(node, fields.where, fields.findings, ("name", "email", "orcid", "kattis"), path=key)
        for other in ("email", "orcid", "kattis"):
            person.text(other)
        if (name := person.text("name")) is not None:
            return name
    fields.findings.error(
        f"{fields.where}:{node.line}",
        "person",
        say("said", "`%(key)s` names persons: write `Name <mail>` or a map with `name`.", key=key),
    )
    return None


def persons(fields: Fields, key: str) -> tuple[str, ...]:
    """One person or several, as the format writes them."""
    node = fields.node(key)
    if node is None:
        return ()
    if isinstance(node, Items) and not node.nodes:
        fields.wrong(key, say("said", "`%(key)s` must name someone: remove it if there is nobody."))
    each = node.nodes if isinstance(node, Items) else (node,)
    names = ((_person(one, fields, key), one.line) for one in each)
    return tuple(
        _one_line(name, f"{fields.where}:{line}", key, fields.findings) for name, line in names if name is not None
    )


def _credits(fields: Fields) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Authors, and everybody (each once)."""
    if isinstance(fields.node("credits"), Scalar):
        authors = persons(fields, "credits")
        return authors, authors
    found = fields.fields("credits", _CREDITS)
    if found is None:
        return (), ()
    translators = found.fields("translators", None)
    named = {key: persons(found, key) for key in _CREDITS if key != "translators"}
    if translators is not None:
        named["translators"] = tuple(
            name for language in translators.map.nodes for name in persons(translators, language)
        )
    return named["authors"], tuple(dict.fromkeys(name for key in _CREDITS for name in named.get(key, ())))


def _source(fields: Fields) -> str:
    node = fields.node("source")
    if node is None:
        return ""
    sources: list[str] = []
    for one in node.nodes if isinstance(node, Items) else (node,):
        if isinstance(one, Map):
            entry = Fields(one, fields.where, fields.findings, ("name", "url"), path="source")
            entry.text("url")
            name = _required_text(entry, "name")
        elif isinstance(one, Scalar):
            name = one.text
        else:
            fields.wrong("source", say("said", "`%(key)s` must be a text, a map with `name`, or a list of these."))
            continue
        sources.append(_one_line(name, f"{fields.where}:{one.line}", "source", fields.findings))
    return "; ".join(sources)


def _embargo(fields: Fields) -> str:
    given = fields.text("embargo_until") or ""
    if not given:
        return ""
    for form in ("%Y-%m-%d", "%Y-%m-%dT%H:%M:%SZ"):
        try:
            datetime.strptime(given, form)  # noqa: DTZ007 -- only its form is looked at
        except ValueError:
            continue
        return given
    fields.wrong("embargo_until", say("said", "`%(key)s` must be a date such as 2027-01-31 or 2027-01-31T12:00:00Z."))
    return ""


def _languages(fields: Fields) -> frozenset[str] | None:
    node = fields.node("languages")
    if node is None or (isinstance(node, Scalar) and node.text == "all"):
        return None
    if isinstance(node, Scalar):
        fields.wrong("languages", say("said", "`%(key)s` must be `all` or a list of codes such as [cpp, python3]."))
        return None
    languages = fields.texts("languages")
    if languages == ():
        fields.wrong("languages", say("said", "`%(key)s` must name at least one language, or be `all`."))
    for code in languages or ():
        if code not in LANGUAGES:
            fields.error(
                "languages",
                "language-code",
                say(
                    "said",
                    "There is no language `%(language)s`%(hint)s",
                    language=code[:40],
                    hint=did_you_mean(code, LANGUAGES),
                ),
            )
    return frozenset(languages or ()) or None


def _constants(fields: Fields) -> dict[str, str]:
    found = fields.fields("constants", None)
    if found is None:
        return {}
    constants: dict[str, str] = {}
    for name, node in found.map.nodes.items():
        if not _WORD.fullmatch(name):
            found.error(
                name,
                "constant",
                say("said", "`%(name)s` cannot name a constant: use letters, digits and `_`.", name=name[:40]),
            )
            continue
        if isinstance(node, Scalar):
            constants[name] = constants[f"{name}.value"] = node.text
            continue
        if isinstance(node, Items):
            found.wrong(name, say("said", "`%(key)s` must be a number, a text, or a map with `value`."))
            continue
        variants = found.fields(name, None)
        if variants is None:
            continue
        if variants.node("value") is None:
            variants.error("value", "constant", say("said", "The constant `%(name)s` has no `value`.", name=name))
        for variant, value in variants.map.nodes.items():
            if not _WORD.fullmatch(variant) or not isinstance(value, Scalar):
                variants.error(
                    variant,
                    "constant",
                    say(
                        "said",
                        "`%(name)s.%(variant)s` must be a word with a number or text.",
                        name=name,
                        variant=variant[:40],
                    ),
                )
                continue
            constants[f"{name}.{variant}"] = value.text
            if variant == "value":
                constants[name] = value.text
    return constants
