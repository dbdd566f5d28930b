"""`data/` of the older formats: `testdata.yaml` becomes `test_group.yaml`, `.hint` and `.desc` become keys.

There, groups nest and each adds up what is below it; in 2025-09 they are one level, and each case of a group is worth
the same. So every group that holds cases becomes one of its own, with what it is worth to the whole.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from problems.package.draft import Draft
from problems.package.findings import Findings, ignored
from problems.package.groups import CASE_FILES
from problems.package.model import Aggregation
from problems.package.testdata_yaml import Settings, Testdata
from problems.package.tree import MAX_YAML, Tree, head, why_absent
from problems.say import say

_TEXTS = {"hint": "hint", "desc": "description"}
_TOPS = ("sample", "secret")
_PROBES = ("invalid_input", "invalid_output", "valid_output")
OURS = "palfrey/data"
"""Where our own exports have what tests the validators, because every folder of `data/` is test data there."""
NAMES = "palfrey/names.yaml"
"""Where our own exports have the name in each language: other tools read one name only."""


@dataclass(slots=True)
class _Folder:
    """A folder of `data/secret` in which something lies."""

    path: str
    settings: Settings
    cases: list[str] = field(default_factory=list)
    folders: "list[_Folder]" = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """A group of 2025-09. `highest` None: unbounded."""

    name: str
    aggregation: Aggregation
    highest: Fraction | None
    settings: Settings
    cases: tuple[str, ...]


class _Inexpressible(Exception):
    """A group that 2025-09 has no words for."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(why)
        self.path = path


@dataclass(slots=True, kw_only=True)
class OlderGroups:
    """Puts the test data of one package into a draft."""

    tree: Tree
    draft: Draft
    findings: Findings
    scoring: bool
    scores_itself: bool
    """Whether the output validator may say the score of a case."""
    validator_flags: list[str]
    domjudge: bool
    """Whether `accept_score` is meant as DOMjudge takes it: of a group that is all right, not of each of its cases."""
    highest: Fraction | None = None
    """The most points there are, once `put` is done; None when there is no bound, or nothing is scored."""
    _testdata: Testdata = field(init=False)

    def __post_init__(self) -> None:
        self._testdata = Testdata(tree=self.tree, findings=self.findings, validator_flags=self.validator_flags)

    def put(self) -> None:
        """Put every case, and the groups."""
        files = self._by_case()
        places = {case: case for case in files}
        settings = {top: self._testdata.settings(top) for top in (*_TOPS, *_PROBES)}
        for top in ("sample", "secret"):
            self.draft.put_yaml(f"data/{top}/test_group.yaml", _args(settings[top]), origin=self._testdata.said(top))
        if self.scoring:
            try:
                places |= self._put_groups([case for case in files if case.startswith("secret/")])
            except _Inexpressible as fault:
                where = self._testdata.said(fault.path) or f"data/{fault.path}"
                self.findings.error(
                    where, "not-expressible", f"{fault} " + say("said", "Write the groups as 2025-09 has them.")
                )
        if not any(case.startswith("secret/") for case in files):
            self._use_samples(files)
        for case, contents in files.items():
            home = places[case].rpartition("/")[0]
            inherited = settings.get(home) or settings.get(home.partition("/")[0])
            self._put_case(case, places[case], contents, inherited if not self.scoring else None)

    def _use_samples(self, files: Mapping[str, Mapping[str, Path]]) -> None:
        samples = [case for case, contents in files.items() if case.startswith("sample/") and "in" in contents]
        if not samples:
            return
        self.findings.warn(
            "data/secret",
            "no-secret-case",
            say("said", "There is no secret case: the samples are judged as if they were secret."),
        )
        for case in samples:
            for kind, path in files[case].items():
                if kind in ("in", "ans"):
                    name = f"data/secret/{case.removeprefix('sample/')}.{kind}"
                    self.draft.put(name, path, origin=self._name(path))

    def _name(self, path: Path) -> str:
        return path.relative_to(self.tree.root).as_posix()

    def _by_case(self) -> dict[str, dict[str, Path]]:
        """Case (path below `data/`) -> ending -> file. Copies what is no case; tells what is left out."""
        by_case: dict[str, dict[str, Path]] = {}
        for name, below, path in self._files():
            top, folder, last = below.partition("/")[0], below.rpartition("/")[0], below.rpartition("/")[2]
            if reason := next(filter(None, map(why_absent, below.split("/"))), ""):
                self.draft.ignored[name] = reason
                if not last.startswith("."):
                    self.findings.warn(name, "ignored", reason)
            elif last in ("testdata.yaml", "test_group.yaml"):
                self.draft.used.add(name)
            elif top not in (*_TOPS, *_PROBES) or not folder:
                self.draft.ignored[name] = say("part", "the format has no such folder in `data/`.")
                self.findings.warn(name, "ignored", ignored(say("part", "the format has no such folder in `data/`.")))
            elif ".files/" in below:
                self.draft.put(name, path, origin=name)
            else:
                stem, ending = _split(last)
                if not ending:
                    self.draft.ignored[name] = say("part", "it is no file of a test case.")
                    self.findings.warn(
                        name, "ignored", ignored(say("part", "not a file of a test case (`.in`, `.ans`, …)."))
                    )
                else:
                    by_case.setdefault(f"{folder}/{stem}", {})[ending] = path
        return by_case

    def _files(self) -> Iterator[tuple[str, str, Path]]:
        """Name in the package, path below `data/`, and the file. What we exported ourselves has probes apart."""
        for folder in ("data", OURS):
            for below, path in self.tree.under(folder).items():
                yield f"{folder}/{below}", below, path

    # groups ---------------------------------------------------------------------------------------------------------

    def _put_groups(self, cases: list[str]) -> dict[str, str]:
        """Put the groups of a scoring problem; gives where each case lies now. Raises `_Inexpressible`."""
        root = self._folder_tree(cases)
        groups = list(self._groups(root, Fraction(1)))
        highest = [group.highest for group in groups]
        total = sum((one for one in highest if one is not None), Fraction(0)) if None not in highest else None
        self.highest = total
        if len(groups) == 1 and not root.folders:
            self.draft.put_yaml(
                "data/secret/test_group.yaml", self._group_yaml(groups[0]), origin=self._testdata.said("secret")
            )
            return {case: f"secret/{case.rpartition('/')[2]}" for case in cases}
        secret = {"max_score": _whole(total, "secret"), "score_aggregation": "sum"}
        self.draft.put_yaml("data/secret/test_group.yaml", secret, origin=self._testdata.said("secret"))
        places: dict[str, str] = {}
        for group in groups:
            name = group.name.removeprefix("secret/").replace("/", "-")
            self.draft.put_yaml(
                f"data/secret/{name}/test_group.yaml", self._group_yaml(group), origin=self._testdata.said(group.name)
            )
            for case in group.cases:
                places[case] = f"secret/{name}/{case.removeprefix(group.name + '/').replace('/', '-')}"
        return places

    def _folder_tree(self, cases: list[str]) -> _Folder:
        root = _Folder("secret", self._testdata.settings("secret"))
        folders = {"secret": root}

        def folder(path: str) -> _Folder:
            if path not in folders:
                folders[path] = _Folder(path, self._testdata.settings(path))
                folder(path.rpartition("/")[0]).folders.append(folders[path])
            return folders[path]

        for case in sorted(cases):
            folder(case.rpartition("/")[0]).cases.append(case)
        return root

    def _groups(self, folder: _Folder, weight: Fraction) -> Iterator[_Group]:
        """The groups that `folder` becomes; a point of it is worth `weight` to the whole."""
        mode = folder.settings.mode
        if folder.cases and folder.folders:
            raise _Inexpressible(
                folder.path, say("said", "`data/%(path)s` has cases and groups side by side.", path=folder.path)
            )
        if mode == "max" and len(folder.cases or folder.folders) > 1:
            raise _Inexpressible(
                folder.path, say("said", "`data/%(path)s` counts the best of its parts (`max`).", path=folder.path)
            )
        if folder.cases:
            yield self._leaf(folder, weight)
        elif mode in ("sum", "avg", "max"):
            share = weight / len(folder.folders) if mode == "avg" and folder.folders else weight
            for inner in folder.folders:
                yield from self._groups(inner, share)
        else:
            parts = [part for inner in folder.folders for part in self._groups(inner, weight)]
            whole = all(part.aggregation is Aggregation.PASS_FAIL or len(part.cases) == 1 for part in parts)
            if self.scores_itself or not whole or len({part.highest for part in parts}) > 1:
                raise _Inexpressible(
                    folder.path,
                    say(
                        "said",
                        "`data/%(path)s` counts the worst of groups that are worth different points.",
                        path=folder.path,
                    ),
                )
            if parts:
                cases = tuple(case for part in parts for case in part.cases)
                yield _Group(
                    name=folder.path, aggregation=Aggregation.PASS_FAIL, highest=parts[0].highest,
                    settings=folder.settings, cases=cases,
                )  # fmt: skip

    def _leaf(self, folder: _Folder, weight: Fraction) -> _Group:
        settings, count = folder.settings, len(folder.cases)
        summed = settings.mode in ("sum", "avg", "max") and count > 1
        if summed and self.domjudge and not settings.mode_said and not self.scores_itself:
            summed = False
            self.findings.notice(
                self._testdata.said(folder.path) or f"data/{folder.path}",
                "accept-score",
                say(
                    "said",
                    "`data/%(path)s` gives its `accept_score` once, when all of it is right, as DOMjudge does.",
                    path=folder.path,
                ),
            )
        if summed and settings.stops:
            self.findings.warn(
                self._testdata.said(folder.path) or f"data/{folder.path}",
                "on-reject",
                say(
                    "said",
                    "In `data/%(path)s` judging stopped at the first failure; here every case counts.",
                    path=folder.path,
                ),
            )
        if self.scores_itself:
            bounded = settings.highest is not None and (count == 1 or not summed)
            highest = settings.highest * weight if bounded and settings.highest is not None else None
            if highest is None:
                self.findings.warn(
                    self._testdata.said(folder.path) or f"data/{folder.path}",
                    "unbounded",
                    say(
                        "said",
                        "Nothing says the most points a case of `data/%(path)s` may give: it has no highest score.",
                        path=folder.path,
                    ),
                )
            aggregation = Aggregation.SUM if summed or count == 1 else Aggregation.MIN
        else:
            highest = settings.accept_score * weight * (count if summed and settings.mode == "sum" else 1)
            aggregation = Aggregation.SUM if summed else Aggregation.PASS_FAIL
        return _Group(
            name=folder.path, aggregation=aggregation, highest=highest, settings=settings, cases=tuple(folder.cases)
        )

    def _group_yaml(self, group: _Group) -> dict[str, Any]:
        return {
            "max_score": _whole(group.highest, group.name),
            "score_aggregation": str(group.aggregation),
            **_args(group.settings),
        }

    # cases ----------------------------------------------------------------------------------------------------------

    def _put_case(self, case: str, place: str, contents: Mapping[str, Path], inherited: Settings | None) -> None:
        """Put the files of one case. `inherited`: what its new folder says; what differs is said of the case itself."""
        said: dict[str, Any] = {}
        if inherited is not None:
            own, above = _args(self._testdata.settings(case.rpartition("/")[0])), _args(inherited)
            said |= {key: own.get(key, []) for key in (*own, *above) if own.get(key, []) != above.get(key, [])}
        if contents.keys() <= _TEXTS.keys():
            for path in contents.values():
                self.draft.ignored[self._name(path)] = why = say(
                    "part", "there is no case of this name, such as `%(case)s.in`.", case=case
                )
                self.findings.warn(self._name(path), "ignored", ignored(why))
            return
        for ending, path in contents.items():
            if ending in _TEXTS:
                said[_TEXTS[ending]] = head(path, MAX_YAML).decode("utf-8", "replace").strip()
                self.draft.used.add(self._name(path))
            elif ending != "yaml":
                self.draft.put(f"data/{place}.{ending}", path, origin=self._name(path))
        if "yaml" in contents and not said:
            self.draft.put(f"data/{place}.yaml", contents["yaml"], origin=self._name(contents["yaml"]))
        elif said:
            self.draft.put_yaml(f"data/{place}.yaml", said)


def _split(name: str) -> tuple[str, str]:
    """Name of a file -> name of its case and ending; no ending when it is no file of a case."""
    for ending in sorted({*CASE_FILES, *_TEXTS}, key=len, reverse=True):
        if name.endswith("." + ending) and len(name) > len(ending) + 1:
            return name[: -len(ending) - 1], ending
    return name, ""


def _args(settings: Settings) -> dict[str, Any]:
    """The keys of a group or case for the arguments of its validators."""
    args: dict[str, Any] = {}
    if settings.output_args:
        args["output_validator_args"] = list(settings.output_args)
    if settings.input_args:
        mapped = isinstance(settings.input_args, dict)
        args["input_validator_args"] = settings.input_args if mapped else list(settings.input_args)
    return args


def _whole(score: Fraction | None, path: str) -> int | str:
    """A score as 2025-09 writes it. Raises `_Inexpressible` for a part of a point."""
    if score is None:
        return "unbounded"
    if abs(score - round(score)) < Fraction(1, 10**6):  # a third of a point is written as 0.333…
        score = Fraction(round(score))
    if score.denominator != 1:
        raise _Inexpressible(
            path,
            say(
                "said",
                "`data/%(path)s` is worth %(score)s points, no whole number.",
                path=path,
                score=f"{Decimal(float(score)):.4g}",
            ),
        )
    return int(score)
