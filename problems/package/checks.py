"""Rules about a package as a whole: one function a rule, each yields findings."""

from collections.abc import Callable, Iterator
from pathlib import Path

from problems.package.default_validator import parse_options
from problems.package.model import Aggregation, Finding, Package, ProblemType, Severity
from problems.package.submissions import OURS, WHERE, matches
from problems.package.tree import Tree, head
from problems.say import say

_C = frozenset({".c", ".cc", ".cpp", ".cxx", ".c++", ".C"})
_OTHERS = frozenset({".cs", ".go", ".hs", ".java", ".js", ".kt", ".pas", ".pl", ".rb", ".rs", ".sh"})
"""Endings of programs that are no validators without `run` or `build`."""
_SCRIPTS = frozenset({"build", "run", "__main__.py"})


TAKES_EVERYTHING = b'''"""Takes every input, because the package came without an input validator. Write one."""

import sys

sys.exit(42)
'''
"""Stands in the place of an input validator, in packages taken in from elsewhere that have none."""


def check(package: Package, tree: Tree) -> list[Finding]:
    """Every rule of this module."""
    return [finding for rule in RULES for finding in rule(package, tree)]


def _error(where: str, rule: str, message: str) -> Finding:
    return Finding(severity=Severity.ERROR, where=where, rule=rule, message=message)


def names_match_statements(package: Package, _: Tree) -> Iterator[Finding]:
    if not package.statements:
        yield _error("statement", "no-statement", say("said", "There is no statement: add `statement/problem.en.md`."))
        return
    if not package.names:
        return  # that has been told
    for language in sorted(package.names.keys() - package.statements.keys()):
        yield _error(
            "problem.yaml",
            "name-languages",
            say(
                "said",
                "`name` has %(language)s, but there is no `statement/problem.%(language)s.md`: "
                "add it or remove the name.",
                language=language,
            ),
        )
    for language in sorted(package.statements.keys() - package.names.keys()):
        where = package.statements[language].name
        yield _error(
            f"statement/{where}",
            "name-languages",
            say("said", "`name` in problem.yaml has no %(language)s: add it.", language=language),
        )


def has_secret_cases(package: Package, _: Tree) -> Iterator[Finding]:
    if not any(case.group != "sample" for case in package.cases):
        yield _error(
            "data/secret",
            "no-secret-case",
            say("said", "There is no secret test case: nothing would be judged. Add one."),
        )


def has_accepted_example(package: Package, _: Tree) -> Iterator[Finding]:
    if not any(example.folder == "accepted" for example in package.examples):
        yield _error(
            "submissions/accepted", "no-accepted", say("said", "There is no accepted submission: add a right solution.")
        )


def has_input_validator(package: Package, tree: Tree) -> Iterator[Finding]:
    for program in package.input_validators:
        if [*program.files.values()] == [TAKES_EVERYTHING]:
            message = say(
                "said", "There is no input validator: one that takes everything stands in its place. Write one."
            )
            yield Finding(severity=Severity.WARNING, where=program.name, rule="no-input-validator", message=message)
    if package.input_validators or any(name.endswith(".viva") for name in tree.entries("input_validators")):
        return  # VIVA has been told of
    yield _error(
        "input_validators",
        "no-input-validator",
        say("said", "There is no input validator: add a program that exits with 42 for a valid input, 43 otherwise."),
    )


def programs_can_be_started(package: Package, _: Tree) -> Iterator[Finding]:
    """Validators and visualisers are one Python or C/C++ program, or bring `build` or `run`."""
    single = (package.static_validator, package.output_validator, package.input_visualizer, package.output_visualizer)
    for program in (*package.input_validators, *(one for one in single if one is not None)):
        names = set(program.files)
        pythons = [name for name in names if name.endswith(".py") and "/" not in name]
        compiled = sorted(name for name in names if Path(name).suffix in _C)
        named = bool(names & _SCRIPTS)
        started = pythons[0] if len(pythons) == 1 else compiled[0] if compiled and not pythons else ""
        for name in _never_started(names, started) if started and not named else ():
            message = say("said", "This is not started: `%(name)s` beside it is. Remove one of them.", name=started)
            where = f"{program.name}/{name}"
            yield Finding(severity=Severity.WARNING, where=where, rule="several-programs", message=message)
        if not (
            named
            or len(pythons) == 1
            or compiled
            or (program in package.input_validators and all(name.endswith(".ctd") for name in names))
        ):
            yield _error(
                program.name,
                "program-form",
                say(
                    "said",
                    "Cannot be started: give one `.py` file, C or C++ files, `__main__.py` in a folder, or `run`.",
                ),
            )


def _never_started(names: set[str], started: str) -> Iterator[str]:
    """Files with which other programs would begin, beside the one that is `started`; of each folder one."""
    told = set()
    for name in sorted(names - {started}):
        folder, _, file = name.rpartition("/")
        is_script = bool(folder) and file in _SCRIPTS
        is_other = Path(name).suffix in (_C | _OTHERS if started.endswith(".py") else _OTHERS)
        if (is_script or is_other) and folder not in told:
            told.add(folder)
            yield name


def can_be_judged(package: Package, _: Tree) -> Iterator[Finding]:
    for kind in (ProblemType.INTERACTIVE, ProblemType.MULTI_PASS):
        if kind in package.types and package.output_validator is None:
            yield _error(
                "output_validator",
                "no-output-validator",
                say("said", "Problems of type %(kind)s need an output validator of their own: add one.", kind=kind),
            )


def static_validation(package: Package, _: Tree) -> Iterator[Finding]:
    """Who looks at submissions themselves, and where that counts."""
    rule = "static-validation"
    asked = [group for group in package.groups if group.static is not None]
    if package.static_validator is None:
        for group in asked[:1]:
            message = say("said", "`static_validation_score` needs a program in `static_validator/`: add it.")
            yield _error(f"data/{group.name}", rule, message)
        return
    where = package.static_validator.name
    if package.submit_answer:
        yield _error(
            where, rule, say("said", "Answers are submitted here, and there is no program to look at: remove it.")
        )
    if not asked:
        message = say("said", "It is never called: no `test_group.yaml` has a `static_validation_score`.")
        yield Finding(severity=Severity.WARNING, where=where, rule=rule, message=message)
    parts = any(group.name.startswith("secret/") for group in package.groups)
    for group in asked:
        if group.name == "secret" and parts:
            message = say("said", "Its points are those of its groups: give one of them the `static_validation_score`.")
            yield _error("data/secret", rule, message)
        most = group.static.max_score if group.static else None
        if most is not None and group.max_score is not None and most > group.max_score:
            yield _error(
                f"data/{group.name}",
                rule,
                say("said", "`static_validation_score` is more than its %(max_score)s.", max_score=group.max_score),
            )


def default_validator_understands(package: Package, _: Tree) -> Iterator[Finding]:
    if package.output_validator is not None or package.interactive:
        return
    asked: dict[tuple[str, ...], str] = {}
    for case in (*package.cases, *package.probes):
        asked.setdefault(case.settings.output_validator_args, case.name)
    for args, name in asked.items():
        try:
            parse_options(args)
        except ValueError as fault:
            yield _error(
                f"data/{name}", "output-validator-args", say("said", "`output_validator_args`: %(fault)s", fault=fault)
            )


def scores_can_be_reached(package: Package, _: Tree) -> Iterator[Finding]:
    """In scoring problems: who is bounded by what."""
    groups = {group.name: group for group in package.groups}
    secret = groups.get("secret")
    if not package.scoring or secret is None:
        return
    parts = [group for group in package.groups if group.name.startswith("secret/")]
    all_or_nothing = secret.aggregation == Aggregation.PASS_FAIL
    if all_or_nothing and secret.max_score is None:
        yield _error("data/secret", "unbounded", say("said", "All or nothing of what? Give `secret` a `max_score`."))
    for group in parts:
        where = f"data/{group.name}"
        if all_or_nothing and group.aggregation != Aggregation.PASS_FAIL:
            yield _error(
                where, "group-aggregation", say("said", "`secret` is pass-fail, so each of its groups must be as well.")
            )
        elif not all_or_nothing and group.max_score is None:
            if group.aggregation == Aggregation.PASS_FAIL:
                yield _error(
                    where, "unbounded", say("said", "A pass-fail group needs a `max_score`: what is it worth?")
                )
            elif secret.max_score is not None:
                yield _error(where, "unbounded", say("said", "Needs a `max_score`, as `secret` has one."))
    if secret.aggregation == Aggregation.SUM and secret.max_score is not None and parts:
        together = sum(group.max_score or 0 for group in parts)
        if together > secret.max_score:
            yield _error(
                "data/secret",
                "score-sum",
                say(
                    "said",
                    "Its groups are worth %(together)s, more than its own %(max_score)s.",
                    together=together,
                    max_score=secret.max_score,
                ),
            )
        elif together < secret.max_score and all(group.max_score is not None for group in parts):
            yield Finding(
                severity=Severity.WARNING,
                where="data/secret",
                rule="score-sum",
                message=say(
                    "said",
                    "Nobody can reach its %(max_score)s points: its groups are worth %(together)s.",
                    max_score=secret.max_score,
                    together=together,
                ),
            )


def attachments_are_flat(_: Package, tree: Tree) -> Iterator[Finding]:
    for name in tree.entries("attachments"):
        if f"attachments/{name}" in tree.folders and name != "templates":
            yield Finding(
                severity=Severity.WARNING,
                where=f"attachments/{name}",
                rule="attachments",
                message=say(
                    "said", "The only folder of the format here is `templates/`: other judges leave this one out."
                ),
            )


def conversations(package: Package, _: Tree) -> Iterator[Finding]:
    """`.interaction` files say who speaks, and belong to problems where somebody does. They are only shown."""
    rule = "interaction"
    talks = package.interactive or package.multi_pass
    told = {case.name: case.extras for case in package.cases} | dict(package.shown)
    for name, extras in sorted(told.items()):
        if "interaction" not in extras:
            continue
        where = f"data/{name}.interaction"
        if not talks:
            message = say(
                "said",
                "This is shown in place of the sample, but the problem is neither interactive nor multi-pass: "
                "remove it, or say so in `type`.",
            )
            yield Finding(severity=Severity.WARNING, where=where, rule=rule, message=message)
            continue
        given = extras["interaction"]
        text = given if isinstance(given, bytes) else head(given, 1 << 20)
        for number, line in enumerate(text.splitlines(), start=1):
            if not line.startswith((b"<", b">")) and line != b"---":
                message = say(
                    "said",
                    "Nobody says this line: begin it with `<` for the judge or `>` for the program (`---` alone "
                    "stands between passes).",
                )
                yield Finding(severity=Severity.WARNING, where=f"{where}:{number}", rule=rule, message=message)
                break


def expectations_are_of_cases(package: Package, tree: Tree) -> Iterator[Finding]:
    """What submissions.yaml says of a part of the cases is of a part that there is."""
    names = [case.name for case in package.cases] + [
        f"{group.name}/static_validation" for group in package.groups if group.static is not None
    ]
    within = dict.fromkeys(part.within for example in package.examples for part in example.expectations)
    for pattern in within:
        if not any(matches(pattern, name) for name in names):
            yield Finding(
                severity=Severity.WARNING,
                where=WHERE if WHERE in tree.files else OURS,
                rule="rule-without-case",
                message=say(
                    "said",
                    "`%(pattern)s` is the name of no case or group that is there: this rule says nothing.",
                    pattern=pattern[:80],
                ),
            )


def secrets_that_are_shown(package: Package, _: Tree) -> Iterator[Finding]:
    shown = [case.name for case in package.cases if case.group != "sample" and case.settings.full_feedback]
    if shown:
        yield Finding(
            severity=Severity.NOTICE,
            where=f"data/{shown[0]}",
            rule="full-feedback",
            message=say(
                "said",
                "`full_feedback` shows this case (%(count)s in all) to every student whose program fails it.",
                count=len(shown),
            ),
        )


RULES: tuple[Callable[[Package, Tree], Iterator[Finding]], ...] = (
    names_match_statements,
    has_secret_cases,
    has_accepted_example,
    has_input_validator,
    programs_can_be_started,
    can_be_judged,
    static_validation,
    default_validator_understands,
    scores_can_be_reached,
    attachments_are_flat,
    conversations,
    expectations_are_of_cases,
    secrets_that_are_shown,
)
