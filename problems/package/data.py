"""`data/`: groups and test cases, those on disk and those listed to be made."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from problems.package.findings import Findings, ignored
from problems.package.generators import FOLDERS, SHOWN, ListedCase, Listing
from problems.package.generators import WHERE as LISTED
from problems.package.groups import CASE_FILES, CASE_KEYS, GroupSettings, Validators, read_group, read_settings
from problems.package.model import CaseSettings, Content, TestCase, TestGroup
from problems.package.programs import put_constants
from problems.package.stored import stored_copies
from problems.package.tree import MAX_YAML, Tree, head
from problems.package.yaml_text import Fields, Map, did_you_mean, parse_map
from problems.say import say

PROBES = ("invalid_input", "invalid_output", "valid_output")
_PICTURES = frozenset({"png", "jpg", "jpeg", "svg"})
_ONLY_ALONE = frozenset({"in.statement", "ans.statement", "out"})
"""What may not stand beside an `.interaction`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    groups: tuple[TestGroup, ...]
    cases: tuple[TestCase, ...]
    probes: tuple[TestCase, ...]
    shown: Mapping[str, Mapping[str, Content]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataReader:
    """Reads `data/` of one package."""

    tree: Tree
    listing: Listing
    constants: Mapping[str, str]
    validators: Validators
    scoring: bool
    findings: Findings

    def read(self) -> Data:
        on_disk, files = self._files_by_case()
        names = {*on_disk, *self.listing.cases}
        shown = self._only_shown(on_disk)
        names -= shown.keys()
        self._tell_lonely({name: files for name, files in on_disk.items() if name not in shown})
        self._tell_stored()
        groups: dict[str, GroupSettings] = {}
        base = self._group("", CaseSettings()).settings
        for top in ("sample", "secret"):
            if top == "secret" or any(name.startswith("sample/") for name in names):
                groups[top] = self._group(top, replace(base, full_feedback=top == "sample"))
        for name in self._group_folders():
            groups[name] = self._group(name, groups["secret"].settings)
        cases: list[TestCase] = []
        probes: list[TestCase] = []
        probe_groups = {name: self._group(name, base) for name in PROBES}
        for name in sorted(names):
            top, _, _ = name.partition("/")
            home = _home(name, groups) if top in ("sample", "secret") else probe_groups.get(top)
            if home is not None:
                case = self._case(name, home, on_disk.get(name, {}), files.get(name, {}))
                if case is not None:
                    (cases if top in ("sample", "secret") else probes).append(case)
        self._check_places(names, groups)
        self._check_groups(cases, groups)
        in_order = sorted(cases, key=lambda case: (not case.name.startswith("sample/"), case.name))
        return Data(
            groups=tuple(one.group for one in groups.values()), cases=tuple(in_order), probes=tuple(probes), shown=shown
        )

    def _only_shown(self, on_disk: Mapping[str, Mapping[str, Path]]) -> dict[str, Mapping[str, Content]]:
        """Samples without an input, which tell a reader something and are not run. Other tools take them."""
        shown: dict[str, Mapping[str, Content]] = {}
        for name in sorted({*on_disk, *self.listing.cases}):
            listed = self.listing.cases.get(name)
            contents: dict[str, Content] = {**(listed.contents if listed else {}), **on_disk.get(name, {})}
            runs = "in" in contents or (listed is not None and listed.provenance is not None)
            if name.startswith("sample/") and not runs and any(enough <= contents.keys() for enough in SHOWN):
                shown[name] = contents
                message = say(
                    "said", "There is no `%(name)s.in`: this is shown, and not run.", name=name.rpartition("/")[2]
                )
                self.findings.notice(f"data/{name}", "only-shown", message)
        return shown

    def _files_by_case(self) -> tuple[dict[str, dict[str, Path]], dict[str, dict[str, Path]]]:
        """Case name -> extension -> file, and case name -> path in its `.files` -> file."""
        by_case: dict[str, dict[str, Path]] = {}
        files: dict[str, dict[str, Path]] = {}
        unknown_tops: set[str] = set()
        for path, file in self.tree.under("data").items():
            top = path.partition("/")[0]
            if top not in FOLDERS:
                if top not in unknown_tops and path != "test_group.yaml":
                    unknown_tops.add(top)
                    hint = did_you_mean(top, FOLDERS)
                    self.findings.warn(
                        f"data/{top}",
                        "ignored",
                        ignored(say("part", "the format has no `data/%(top)s`%(hint)s", top=top, hint=hint)),
                    )
                continue
            case, separator, below = path.partition(".files/")
            if separator:
                files.setdefault(case, {})[below] = file
                continue
            folder, _, name = path.rpartition("/")
            if name == "test_group.yaml":
                continue
            if name == "testdata.yaml":
                self.findings.error(
                    f"data/{path}",
                    "older-format",
                    say("said", "This is of an older format: write `test_group.yaml` with its keys instead."),
                )
                continue
            stem, extension = _split(name)
            if extension is None:
                self.findings.warn(
                    f"data/{path}",
                    "ignored",
                    ignored(say("part", "not a file of a test case (`.in`, `.ans`, `.yaml`, …).")),
                )
            else:
                by_case.setdefault(f"{folder}/{stem}", {})[extension] = file
        return by_case, files

    def _tell_lonely(self, on_disk: Mapping[str, Mapping[str, Path]]) -> None:
        for name, contents in on_disk.items():
            if "in" not in contents and name not in self.listing.cases:
                there = ", ".join(f".{extension}" for extension in sorted(contents))
                self.findings.error(
                    f"data/{name}",
                    "case-without-input",
                    say(
                        "said",
                        "There is %(there)s but no `%(name)s.in`: add it.",
                        there=there,
                        name=name.rpartition("/")[2],
                    ),
                )

    def _tell_stored(self) -> None:
        """Tell what is listed and lies in `data/` as well: its line has no effect as long as the file is there."""
        stored = stored_copies(self.listing, self.tree.files)
        if not stored:
            return
        first = next(iter(stored))
        message = say(
            "said",
            "`%(file)s` is listed here and lies in the package as well (such files: %(count)s). The file is taken, and "
            "where a command is listed, a version is made only if it gives the same bytes. Delete the stored copies to "
            "change what is listed.",
            file=first,
            count=len(stored),
        )
        self.findings.warn(f"{LISTED}:{stored[first]}", "stored-and-listed", message)

    def _group_folders(self) -> list[str]:
        """Folders of `secret` that are test groups, in order. Told when one stands where none may."""
        on_disk = {
            name.removeprefix("data/").rpartition("/")[0]
            for name in self.tree.files
            if name.startswith("data/") and name.endswith("/test_group.yaml")
        }
        groups = []
        for folder in sorted({*on_disk, *self.listing.groups}):
            top, *rest = folder.split("/")
            if folder and top == "secret" and len(rest) == 1:
                groups.append(folder)
            elif folder and (rest or top not in FOLDERS):
                self.findings.error(
                    self._group_where(folder),
                    "group-place",
                    say("said", "Test groups stand directly in `data/secret/`: move this one."),
                )
        return groups

    def _group_where(self, folder: str) -> str:
        path = f"data/{folder}/test_group.yaml" if folder else "data/test_group.yaml"
        if path in self.tree.files:
            return path
        return LISTED if folder in self.listing.groups else path

    def _group(self, name: str, inherited: CaseSettings) -> GroupSettings:
        where = self._group_where(name)
        found: Map | None = None
        if where.startswith("data/") and where in self.tree.files:
            text = put_constants(self.tree.yaml_bytes(where), self.constants)
            found = parse_map(text, where, self.findings)
        elif name in self.listing.groups:
            found = self.listing.groups[name]
        if name == "" and found is not None:
            self.findings.warn(
                where,
                "group-place",
                say(
                    "said", "The format has no `test_group.yaml` for all of `data`: taken as what its folders inherit."
                ),
            )
        return read_group(
            name,
            found,
            where=where,
            inherited=inherited,
            validators=self.validators,
            findings=self.findings,
            scoring=self.scoring,
        )

    def _case(
        self, name: str, home: GroupSettings, on_disk: Mapping[str, Path], files: Mapping[str, Path]
    ) -> TestCase | None:
        listed = self.listing.cases.get(name)
        if "in" not in on_disk and listed is None:
            return None
        contents: dict[str, Content] = {**(listed.contents if listed else {}), **on_disk}
        settings = self._settings(name, home.settings, contents.pop("yaml", None), listed)
        given, answer = contents.pop("in", None), contents.pop("ans", None)
        group = home.group.name
        self._check_extras(name, contents)
        if answer is None and group != "invalid_input" and (listed is None or group in PROBES):
            self.findings.error(
                f"data/{name}.in",
                "case-without-answer",
                say("said", "There is no `%(name)s.ans` beside it: add it.", name=Path(name).name),
            )
        if group in ("invalid_output", "valid_output") and "out" not in contents:
            self.findings.error(
                f"data/{name}.in",
                "case-without-output",
                say("said", "There is no `%(name)s.out` beside it: add it.", name=Path(name).name),
            )
        return TestCase(
            name=name,
            group=group,
            input=given if isinstance(given, Path) else None,
            input_text=given if isinstance(given, bytes) else None,
            provenance=listed.provenance if listed else None,
            answer=answer if isinstance(answer, Path) else None,
            answer_text=answer if isinstance(answer, bytes) else None,
            files={**(listed.files if listed else {}), **files},
            settings=settings,
            extras=contents,
        )

    def _settings(
        self, name: str, inherited: CaseSettings, content: Content | None, listed: ListedCase | None
    ) -> CaseSettings:
        if content is not None:
            where = f"data/{name}.yaml"
            found = parse_map(
                content if isinstance(content, bytes) else head(content, MAX_YAML + 1), where, self.findings
            )
        else:
            where = LISTED
            found = listed.settings if listed else None
        if found is None:
            return inherited
        return read_settings(Fields(found, where, self.findings, CASE_KEYS), inherited, self.validators)

    def _check_extras(self, name: str, contents: Mapping[str, Content]) -> None:
        where = f"data/{name}"
        if len(_PICTURES.intersection(contents)) > 1:
            self.findings.error(where, "case-files", say("said", "Has several illustrations: keep one."))
        if "interaction" in contents and (both := sorted(_ONLY_ALONE.intersection(contents))):
            self.findings.error(
                where,
                "case-files",
                say("said", "`.interaction` and `.%(kind)s` cannot stand together: keep one.", kind=both[0]),
            )
        for kind in ("in", "ans"):
            shown = (
                f"{kind}.statement" in contents or "interaction" in contents or (kind == "ans" and "out" in contents)
            )
            if f"{kind}.download" in contents and not shown:
                self.findings.error(
                    where,
                    "case-files",
                    say(
                        "said", "Has `.%(kind)s.download` without `.%(kind)s.statement`: give both or none.", kind=kind
                    ),
                )
            elif f"{kind}.download" not in contents and f"{kind}.statement" in contents:
                self.findings.error(
                    where,
                    "case-files",
                    say(
                        "said",
                        "What is shown differs from `.%(kind)s`: add `.%(kind)s.download`, for those who fetch it.",
                        kind=kind,
                    ),
                )

    def _check_places(self, names: set[str], groups: Mapping[str, GroupSettings]) -> None:
        folders = {name.rpartition("/")[0] for name in names}
        for name in sorted(names):
            if any(folder == name or folder.startswith(name + "/") for folder in folders if folder.startswith(name)):
                self.findings.error(
                    f"data/{name}",
                    "case-and-folder",
                    say("said", "A case and a folder have the same name: rename one."),
                )
            if name.rpartition("/")[2] == "test_group":
                self.findings.error(
                    f"data/{name}.in", "name", say("said", "A case must not be called `test_group`: rename it.")
                )
        if not any(name.startswith("secret/") for name in groups):
            return
        for name in sorted(names):
            if name.startswith("secret/") and _home(name, groups) is groups["secret"]:
                self.findings.error(
                    f"data/{name}",
                    "groups-or-cases",
                    say("said", "`data/secret/` has test groups, so every case must be in one: move it."),
                )

    def _check_groups(self, cases: list[TestCase], groups: Mapping[str, GroupSettings]) -> None:
        filled = {case.group for case in cases}
        earlier: set[str] = set()
        for name, one in groups.items():
            if name.startswith("secret/") and name not in filled and one.group.static is None:
                self.findings.error(
                    one.where,
                    "empty-group",
                    say("said", "The test group `%(name)s` has no case: add one or remove the group.", name=name),
                )
            for other in one.group.require_pass:
                if f"secret/{other}" in earlier:
                    self.findings.error(
                        one.where,
                        "require-pass",
                        say("said", "`require_pass` names a group in whole: write `secret/%(name)s`.", name=other[:80]),
                    )
                elif other not in earlier and not (name == "secret" and other == "sample" and "sample" in groups):
                    self.findings.error(
                        one.where,
                        "require-pass",
                        say(
                            "said",
                            "`require_pass` of `%(name)s` names `%(other)s`, which is no group before it.",
                            name=name,
                            other=other[:80],
                        ),
                    )
                elif groups[other].group.aggregation != "pass-fail":
                    self.findings.error(
                        one.where,
                        "require-pass",
                        say("said", "`require_pass` needs `%(other)s` to be pass-fail.", other=other),
                    )
            if name != "secret":
                earlier.add(name)


def _split(name: str) -> tuple[str, str | None]:
    """Name of a file -> name of its case and extension; None when it is no file of a case."""
    for extension in sorted(CASE_FILES, key=len, reverse=True):
        if name.endswith("." + extension) and len(name) > len(extension) + 1:
            return name[: -len(extension) - 1], extension
    return name, None


def _home(name: str, groups: Mapping[str, GroupSettings]) -> GroupSettings | None:
    """The innermost group that `name` lies in."""
    parts = name.split("/")
    return groups.get("/".join(parts[:2])) if "/".join(parts[:2]) in groups and len(parts) > 2 else groups.get(parts[0])
