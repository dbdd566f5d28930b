"""Read a problem package of the format 2025-09: what is in it, and everything there is to say about it."""

import re
from dataclasses import dataclass
from pathlib import Path

from problems.package import checks
from problems.package.data import DataReader
from problems.package.feedback import read_feedback
from problems.package.findings import Findings
from problems.package.generators import WHERE as LISTED
from problems.package.generators import Listing, read_listing
from problems.package.kinds import check_kinds
from problems.package.lesson_reader import read_teaching
from problems.package.messages import read_messages
from problems.package.model import Finding, Package, ProblemType, Program
from problems.package.mutants import read_mutants
from problems.package.problem_yaml import NATURAL_LANGUAGE, read_problem_yaml
from problems.package.programs import Shelf
from problems.package.submissions import read_examples
from problems.package.tree import Tree, check_prose, check_text, list_files, tell_unknown_at_top
from problems.say import say

_STATEMENT = re.compile(r"problem\.([^.]+)\.(md|tex|pdf)")
SLUG = re.compile(r"[a-z0-9]{1,64}")
"""What a package may be called."""
_PROGRAM_ENDINGS = frozenset({".py", ".c", ".cc", ".cpp", ".cxx", ".java", ".js"})
_BETTER = ("md", "tex", "pdf")
"""When a language has its statement in several forms, the first of these is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What reading gave. `package` is None exactly when one of the findings is an error."""

    package: Package | None
    findings: tuple[Finding, ...]


def read(folder: Path, *, slug: str | None = None) -> Reading:
    """Read the package in `folder`. Raises nothing for what an author may have done wrong: that becomes findings.

    `slug`: the package's name when the folder is not called so (an archive unpacked somewhere).
    """
    findings = Findings()
    slug = folder.resolve().name if slug is None else slug
    if not folder.is_dir():
        findings.error("", "no-folder", say("said", "There is no such folder."))
        return Reading(package=None, findings=findings.all())
    if not SLUG.fullmatch(slug):
        findings.error(
            "",
            "package-name",
            say(
                "said", "The package is called `%(slug)s`: use only a-z and 0-9, such as `knightmoves`.", slug=slug[:80]
            ),
        )
    tree = list_files(folder, findings)
    tell_unknown_at_top(tree, findings)
    check_text(tree, findings)
    check_prose(tree, findings)
    check_kinds(tree, findings)
    package = _read(slug, tree, findings)
    if package is not None:
        for finding in checks.check(package, tree):
            findings.add(finding)
    return Reading(package=package if findings.ok else None, findings=findings.all())


def _read(slug: str, tree: Tree, findings: Findings) -> Package | None:
    if "problem.yaml" not in tree.files:
        lacks = say("said", "`problem.yaml` is missing: every package starts with it.")
        findings.error("problem.yaml", "no-problem-yaml", f"{lacks} {_inside(tree)}".strip())
        return None
    facts = read_problem_yaml(tree.yaml_bytes("problem.yaml"), findings)
    if facts is None:
        return None
    shelf = Shelf(tree, facts.constants, findings)
    listing = Listing()
    if LISTED in tree.files:
        listing = read_listing(tree.yaml_bytes(LISTED), tree, facts.constants, findings)
    input_validators = shelf.input_validators()
    called = {form: one.name for one in input_validators for form in _base_names(one)}
    data = DataReader(
        tree=tree,
        listing=listing,
        constants=facts.constants,
        validators=called,
        scoring=ProblemType.SCORING in facts.types,
        findings=findings,
    ).read()
    teaching = read_teaching(tree, shelf, findings)
    return Package(
        root=tree.root,
        slug=slug,
        names=facts.names,
        uuid=facts.uuid,
        types=facts.types,
        limits=facts.limits,
        statements=_statements(tree, findings),
        groups=data.groups,
        cases=data.cases,
        probes=data.probes,
        shown=data.shown,
        examples=read_examples(tree, shelf, listing.solution, findings),
        input_validators=input_validators,
        output_validator=shelf.only_one("output_validator"),
        generators=_generators(listing, tree, shelf, findings),
        static_validator=shelf.only_one("static_validator"),
        input_visualizer=shelf.only_one("input_visualizer"),
        output_visualizer=shelf.only_one("output_visualizer"),
        include=shelf.include(),
        languages=facts.languages,
        keywords=facts.keywords,
        license=facts.license,
        credits=facts.credits,
        source=facts.source,
        constants=facts.constants,
        mutants=read_mutants(tree, shelf, findings),
        feedback=read_feedback(tree, shelf, findings),
        lessons=teaching.lessons,
        tracers=teaching.tracers,
        code=teaching.code,
        messages=read_messages(tree, findings),
        attachments=tree.under("attachments"),
        version=facts.version,
        rights_owner=facts.rights_owner,
        embargo_until=facts.embargo_until,
    )


def _inside(tree: Tree) -> str:
    """What to do when the package lies within what was given."""
    for name in sorted(tree.files):
        folder, _, file = name.rpartition("/")
        if folder and file in ("problem.yaml", "problem.xml"):
            return say("said", "There is one in `%(folder)s/`: send that folder by itself.", folder=folder[:80])
    archives = [name for name in sorted(tree.files) if name.lower().endswith(".zip")]
    return (
        say("said", "`%(name)s` is an archive itself: take it out and send that one.", name=archives[0][:80])
        if archives
        else ""
    )


def _generators(listing: Listing, tree: Tree, shelf: Shelf, findings: Findings) -> dict[str, Program]:
    """The programs that the cases call, and every other one at the top of `generators/`."""
    called = {case.provenance.generator: case.line for case in listing.cases.values() if case.provenance}
    beside = [
        name
        for name in tree.entries("generators")
        if Path(name).suffix in _PROGRAM_ENDINGS and f"generators/{name}" in tree.files
    ]
    programs: dict[str, Program] = {}
    for name in [*called, *beside]:
        if name in programs:
            continue
        if name in listing.parts:
            paths = {Path(part).name: tree.files.get(f"generators/{part}") for part in listing.parts[name]}
            if missing := [part for part, path in paths.items() if path is None]:
                findings.error(
                    LISTED,
                    "no-such-generator",
                    say(
                        "said",
                        "The generator `%(name)s` needs %(missing)s, which is not there.",
                        name=name,
                        missing=missing[0],
                    ),
                )
            there = {part: path for part, path in paths.items() if path is not None}
            programs[name] = shelf.put_together(f"generators/{name}", there)
        elif program := shelf.program(f"generators/{name}"):
            programs[name] = program
        else:
            findings.error(
                f"{LISTED}:{called[name]}",
                "no-such-generator",
                say("said", "There is no generator `generators/%(name)s`.", name=name),
            )
    return programs


def _base_names(program: Program) -> tuple[str, str]:
    """What a package may call a program: its base name, with and without ending."""
    name = program.name.rpartition("/")[2]
    return name, name.partition(".")[0]


def _statements(tree: Tree, findings: Findings) -> dict[str, Path]:
    found: dict[str, dict[str, Path]] = {}
    for name, path in tree.under("statement").items():
        match = _STATEMENT.fullmatch(name)
        if match is None:
            if name.startswith("problem."):
                findings.warn(
                    f"statement/{name}",
                    "ignored",
                    say("said", "Not taken as a statement: call it `problem.<language>.md`, `.tex` or `.pdf`."),
                )
        elif not NATURAL_LANGUAGE.fullmatch(match[1]):
            findings.error(
                f"statement/{name}",
                "language-code",
                say(
                    "said", "`%(language)s` is no code of a language, such as `en` or `pt-BR`.", language=match[1][:40]
                ),
            )
        else:
            found.setdefault(match[1], {})[match[2]] = path
    for language, forms in sorted(found.items()):
        shown, *others = sorted(forms, key=_BETTER.index)
        for form in others:
            findings.warn(
                f"statement/problem.{language}.{form}",
                "two-statements",
                say(
                    "said",
                    "Not shown: the statement in this language is `problem.%(language)s.%(shown)s`. "
                    "Remove one of the two.",
                    language=language,
                    shown=shown,
                ),
            )
    return {language: forms[min(forms, key=_BETTER.index)] for language, forms in sorted(found.items())}
