"""Writing a package whole: as one of 2025-09, or of the format before it. What is made of generators is written out."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from problems.package.compare import Made
from problems.package.draft import Draft, dump
from problems.package.findings import Findings
from problems.package.model import Aggregation, CaseSettings, Content, Finding, Package, Program, TestCase, TestGroup
from problems.package.older_groups import NAMES
from problems.package.older_groups import OURS as PROBES
from problems.package.programs import put_constants
from problems.package.submissions import DEFAULTS, WHERE
from problems.package.tree import list_files
from problems.say import say

OURS = "palfrey/"


def write(package: Package, into: Path, *, made: Mapping[str, Made], strict: bool = False) -> None:
    """Write `package` as one of 2025-09 to the folder `into`, which must not exist.

    `made`: what was built of the cases that the package leaves to be made. `strict`: without our own folder.
    """
    tree = list_files(package.root, Findings())
    draft = Draft(files={name: path for name, path in tree.files.items() if not (strict and name.startswith(OURS))})
    groups = {group.name: group for group in package.groups}
    for name, group in groups.items():
        where = f"data/{name}/test_group.yaml"
        said = _scoring(group, package) | _static(group)
        if where not in draft.files and (name.startswith("secret/") or said):
            draft.put(where, dump(said))
    for case in (*package.cases, *package.probes):
        known = _known(case, made)
        for ending, content in known.items():
            draft.put(f"data/{case.name}.{ending}", content)
        for below, path in case.files.items():
            draft.put(f"data/{case.name}.files/{below}", path)
        said_of_group = f"data/{case.group}/test_group.yaml" in tree.files or not _listed(tree.files)
        if known and not (f"data/{case.name}.in" in tree.files and said_of_group):
            draft.put_yaml(f"data/{case.name}.yaml", _settings(case, _alike(case, package)))
    for name, contents in package.shown.items():
        for ending, content in contents.items():
            draft.put(f"data/{name}.{ending}", content)
    draft.lay_out(into)


def _listed(files: Mapping[str, Path]) -> bool:
    return "generators/generators.yaml" in files


def _known(case: TestCase, made: Mapping[str, Made]) -> dict[str, Content]:
    """The files of a case by ending. Nothing when its input is still to be made."""
    built = made.get(case.name)
    inputs = (case.input, case.input_text, built.input if built else None)
    answers = (case.answer, case.answer_text, built.answer if built else None)
    given = next((one for one in inputs if one is not None), None)
    answer = next((one for one in answers if one is not None), None)
    if given is None:
        return {}
    contents: dict[str, Content] = {"in": given, **case.extras}
    return contents if answer is None else {**contents, "ans": answer}


def _alike(case: TestCase, package: Package) -> list[TestCase]:
    """The cases that inherit the same as `case`."""
    return [one for one in (*package.cases, *package.probes) if one.group == case.group]


def _settings(case: TestCase, alike: Iterable[TestCase]) -> dict[str, Any]:
    """The `.yaml` of a case: all that is not as it is by itself, for it or for one that inherits the same."""
    nothing = CaseSettings(full_feedback=case.group == "sample")
    said: dict[str, Any] = {}
    others = [one.settings for one in alike]
    for key in ("args", "output_validator_args", "input_visualizer_args", "output_visualizer_args"):
        if any(getattr(one, key) != getattr(nothing, key) for one in others):
            said[key] = list(getattr(case.settings, key))
    if any(one.input_validator_args for one in others):
        said["input_validator_args"] = _input_args(case.settings)
    if any(one.full_feedback != nothing.full_feedback for one in others):
        said["full_feedback"] = case.settings.full_feedback
    for key in ("hint", "description"):
        if text := getattr(case.settings, key):
            said[key] = text
    return said


def _input_args(settings: CaseSettings) -> list[str] | dict[str, list[str]]:
    args = settings.input_validator_args
    if args.keys() <= {""}:
        return list(args.get("", ()))
    return {name.rpartition("/")[2]: list(each) for name, each in args.items() if name}


def _scoring(group: TestGroup, package: Package) -> dict[str, Any]:
    """The keys of `test_group.yaml` about points."""
    if not package.scoring or group.name == "sample":
        return {}
    score = "unbounded" if group.max_score is None else group.max_score
    needs = {"require_pass": list(group.require_pass)} if group.require_pass else {}
    return {"max_score": score, "score_aggregation": str(group.aggregation), **needs}


def _static(group: TestGroup) -> dict[str, Any]:
    """The keys of `test_group.yaml` about looking at submissions themselves."""
    if group.static is None:
        return {}
    score = "pass-fail" if group.static.max_score is None else group.static.max_score
    args = {"static_validator_args": list(group.static.args)} if group.static.args else {}
    return {"static_validation_score": score, **args}


# The format before ----------------------------------------------------------------------------------------------------


def write_legacy(
    package: Package, into: Path, *, made: Mapping[str, Made], strict: bool = False
) -> tuple[Finding, ...]:
    """Write `package` in the older format to the folder `into`, which must not exist.

    What that has no words for is told: as a notice when it only shows less, as an error when programs would get another
    verdict or other points. After an error nothing is written.
    """
    legacy = _Legacy(package, made, strict=strict)
    if legacy.findings.ok:
        legacy.draft.lay_out(into)
    return legacy.findings.all()


class _Legacy:
    def __init__(self, package: Package, made: Mapping[str, Made], *, strict: bool) -> None:
        self.package = package
        self.made = made
        self.findings = Findings()
        self.draft = Draft()
        self.groups = {group.name for group in package.groups}
        probes = () if strict else package.probes
        tree = list_files(package.root, Findings())
        self.draft.put("problem.yaml", dump(self._problem()))
        limit = f"{package.limits.time_seconds:g}"
        if package.limits.time_stated:
            self.draft.put("domjudge-problem.ini", f"timelimit='{limit}'\n".encode())
        for below, path in tree.under("statement").items():
            self._put_statement(below, path)
        for folder in ("attachments", "solution", "generators", *(() if strict else ("palfrey",))):
            self.draft.put_folder(tree, folder, folder)
        for language, files in package.include.items():
            for name, content in files.items():
                self.draft.put(f"include/{language}/{name}", content)
        for program in (*package.input_validators, *(one.program for one in package.examples)):
            self._put_program(program, program.name)
        if package.output_validator is not None:
            inside = package.output_validator.name.removeprefix("output_validator").lstrip("/") or "validator"
            self._put_program(package.output_validator, f"output_validators/{inside}")
        if len(package.names) > 1 and not strict:
            self.draft.put_yaml(NAMES, dict(package.names))
        elif len(package.names) > 1:
            self.findings.notice(
                "problem.yaml", "not-expressible", say("said", "One name is written; those in other languages are not.")
            )
        self._put_rules(tree.files.get(WHERE))
        self._put_groups()
        for case in (*package.cases, *probes):
            self._put_case(case)
        for name, contents in package.shown.items():
            if "interaction" in contents:
                self.draft.put(f"data/{name}.interaction", contents["interaction"])
        self._tell_lost()

    def _problem(self) -> dict[str, Any]:
        package = self.package
        names = dict(package.names)
        custom = ["custom"] if package.output_validator is not None else []
        custom += ["interactive"] if package.interactive else []
        custom += ["multi-pass"] if "multi-pass" in package.types else []
        custom += ["score"] if package.scoring and custom else []
        limits = package.limits
        return {
            "problem_format_version": "legacy",
            "name": names.get("en") or next(iter(names.values())),
            **({"type": "scoring"} if package.scoring else {}),
            "uuid": package.uuid,
            **({"author": " and ".join(package.credits)} if package.credits else {}),
            **({"source": package.source} if package.source else {}),
            "license": package.license,
            **({"rights_owner": package.rights_owner} if package.rights_owner else {}),
            **({"validation": " ".join(custom)} if custom else {}),
            **({"keywords": " ".join(package.keywords)} if package.keywords else {}),
            "limits": {
                "time_multiplier": limits.ac_to_time_limit,
                "time_safety_margin": limits.time_limit_to_tle,
                "memory": limits.memory_bytes >> 20,
                "output": limits.output_bytes >> 20,
                "code": limits.code_bytes >> 10,
                "compilation_time": round(limits.compile_seconds),
                "compilation_memory": limits.compile_memory_bytes >> 20,
                "validation_time": round(limits.validation_seconds),
                "validation_memory": limits.validation_memory_bytes >> 20,
                "validation_output": limits.validation_output_bytes >> 20,
                **({"validation_passes": limits.validation_passes} if "multi-pass" in package.types else {}),
            },
        }

    def _put_statement(self, below: str, path: Path) -> None:
        constants = self.package.constants if below.endswith(".md") else {}
        content: Content = put_constants(path.read_bytes(), constants) if constants else path
        if below.endswith(".tex") and isinstance(content, Path) and rb"\problemname" not in path.read_bytes():
            language = below.split(".")[1] if below.count(".") == 2 else "en"
            title = self.package.names.get(language, self.package.slug)
            content = f"\\problemname{{{_escaped(title)}}}\n%% plainproblemname: {title}\n".encode() + path.read_bytes()
        self.draft.put(f"problem_statement/{below}", content)

    def _put_program(self, program: Program, name: str) -> None:
        whole = program.files.keys() == {program.name.rpartition("/")[2]} and program.name.endswith(
            tuple(Path(one).suffix or "\0" for one in program.files)
        )
        for below, content in program.files.items():
            self.draft.put(name if whole else f"{name}/{below}", content)

    def _put_rules(self, given: Path | None) -> None:
        """Folders mean something else in the older format: what they mean in ours is said, for who reads it."""
        if given is not None:
            self.draft.put(WHERE, given)
            return
        folders = {one.folder for one in self.package.examples} & {"time_limit_exceeded", "run_time_error"}
        self.draft.put_yaml(
            WHERE,
            {
                folder: {"permitted": sorted(DEFAULTS[folder].permitted), "required": sorted(DEFAULTS[folder].required)}
                for folder in sorted(folders)
            },
        )

    # test data ------------------------------------------------------------------------------------------------------

    def _put_groups(self) -> None:
        for group in self.package.groups:
            if group.static is not None:
                self.findings.error(
                    f"data/{group.name}", "not-expressible", say("said", "The older format has no static validation.")
                )
            said = self._points(group) if self.package.scoring else {}
            said |= self._flags(group.name)
            self.draft.put_yaml(f"data/{group.name}/testdata.yaml", said)
        if self.package.scoring:
            self.draft.put_yaml("data/testdata.yaml", {"on_reject": "continue", "grader_flags": "ignore_sample"})

    def _points(self, group: TestGroup) -> dict[str, Any]:
        if group.name == "sample":
            return {"on_reject": "continue", "accept_score": 0, "range": "0 0", "grader_flags": "sum"}
        where = f"data/{group.name}"
        if group.require_pass:
            self.findings.error(where, "not-expressible", say("said", "The older format has no `require_pass`."))
        count = sum(case.group == group.name for case in self.package.cases)
        highest = "inf" if group.max_score is None else str(group.max_score)
        said: dict[str, Any] = {"range": f"0 {highest}"}
        if count == 0:
            mode = "sum" if group.aggregation is Aggregation.SUM else "min"
            return {**said, "on_reject": "continue", "grader_flags": f"{mode} accept_if_any_accepted"}
        if group.aggregation is Aggregation.SUM:
            each = Fraction(group.max_score or 0, count)
            return {**said, "accept_score": float(each), "on_reject": "continue", "grader_flags": "sum always_accept"}
        return {**said, "accept_score": group.max_score or 0, "on_reject": "break", "grader_flags": "min"}

    def _flags(self, group: str) -> dict[str, Any]:
        """The flags of validators for all cases of a group."""
        cases = [case for case in self.package.cases if case.group == group]
        outputs = {case.settings.output_validator_args for case in cases}
        inputs = [_input_args(case.settings) for case in cases]
        if len(outputs) > 1 or any(one != inputs[0] for one in inputs):
            self.findings.error(
                f"data/{group}",
                "not-expressible",
                say("said", "In the older format all cases of a group have the same arguments."),
            )
            return {}
        said: dict[str, Any] = {}
        if outputs and (args := next(iter(outputs))):
            said["output_validator_flags"] = " ".join(args)
        if inputs and isinstance(inputs[0], dict):
            said["input_validator_flags"] = {name: " ".join(args) for name, args in inputs[0].items()}
        elif inputs and inputs[0]:
            said["input_validator_flags"] = " ".join(inputs[0])
        return said

    def _put_case(self, case: TestCase) -> None:
        # Every folder of `data/` is test data there, so what tests the validators stands in our own folder.
        where = f"data/{case.name}" if case.group in self.groups else f"{PROBES}/{case.name}"
        if case.settings.args or case.files:
            self.findings.error(
                where, "not-expressible", say("said", "The older format has neither arguments nor files of a case.")
            )
        for ending, content in _known(case, self.made).items():
            self.draft.put(f"{where}.{ending}", content)
        for ending, text in (("hint", case.settings.hint), ("desc", case.settings.description)):
            if text:
                self.draft.put(f"{where}.{ending}", f"{text}\n".encode())

    def _tell_lost(self) -> None:
        package = self.package
        lost = {
            "version": package.version,
            "embargo_until": package.embargo_until,
            "languages": package.languages,
            "allow_file_writing": package.limits.file_writing,
            "input_visualizer": package.input_visualizer,
            "output_visualizer": package.output_visualizer,
        }
        for name, value in lost.items():
            if value:
                self.findings.notice(
                    "problem.yaml",
                    "not-expressible",
                    say("said", "The older format has no `%(name)s`: left out.", name=name),
                )
        if any(" " in word for word in package.keywords):
            self.findings.notice(
                "problem.yaml", "not-expressible", say("said", "Keywords of several words come apart.")
            )
        if any(case.settings.full_feedback != (case.group == "sample") for case in package.cases):
            self.findings.notice(
                "data", "not-expressible", say("said", "The older format has no `full_feedback`: left out.")
            )


def _escaped(title: str) -> str:
    return "".join(f"\\{letter}" if letter in "#$%&_{}" else letter for letter in title)
