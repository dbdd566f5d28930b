"""The forms of the desk."""

from __future__ import annotations  # Django's generic classes take no arguments when they run

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from django import forms
from django.utils.formats import localize
from django.utils.translation import gettext_lazy as _

from judge.web.fields import NumberField
from judge.web.student.forms import FilesField
from problems.package.findings import Findings
from problems.package.generators import WHERE as LISTED
from problems.package.generators import read_listing
from problems.package.model import Package
from problems.package.tree import list_files
from problems.package.yaml_edit import values

SHORT = _("a-z and 0-9; it stands in addresses and stays")


def _text(**more: Any) -> forms.TextInput:
    return forms.TextInput(attrs={"class": "input", "autocomplete": "off", **more})


class StartForm(forms.Form):
    """A new problem from the template."""

    title = forms.CharField(label=_("Title"), max_length=200, widget=_text())
    slug = forms.CharField(label=_("Short name"), max_length=64, help_text=SHORT, widget=_text(autocapitalize="off"))


class UploadForm(forms.Form):
    """A package for a new problem, or for the one that its uuid names."""

    package = forms.FileField(
        label=_("Package"), allow_empty_file=True, widget=forms.FileInput(attrs={"accept": ".zip,.kpp"})
    )
    slug = forms.CharField(
        label=_("Short name"),
        max_length=64,
        required=False,
        help_text=_("for a new problem: a-z and 0-9; when empty, the name of the file"),
        widget=_text(autocapitalize="off"),
    )
    as_its_own = forms.BooleanField(
        label=_("As a problem of its own"),
        required=False,
        help_text=_("a copy, with a new uuid, of what may be here already; it needs another short name"),
    )


class ReplaceForm(forms.Form):
    """A package for a problem that is there."""

    package = forms.FileField(
        label=_("Package"), allow_empty_file=True, widget=forms.FileInput(attrs={"accept": ".zip,.kpp"})
    )


class AddFilesForm(forms.Form):
    """Files for a folder of the working copy."""

    uploads = FilesField(label=_("Files"), allow_empty_file=True)
    folder = forms.CharField(
        label=_("Into the folder"),
        max_length=300,
        required=False,
        help_text=_("such as data/secret or submissions/accepted; empty: the top of the package"),
        widget=_text(autocapitalize="off"),
    )
    replace = forms.BooleanField(label=_("Replace files that are there"), required=False)


class OwnerForm(forms.Form):
    """Somebody to share a problem with."""

    name = forms.CharField(label=_("Name of the account"), max_length=150, widget=_text(autocapitalize="off"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit that the form sets: where it stands in problem.yaml, its unit, and its bounds."""

    path: tuple[str, ...]
    label: Any
    help: Any
    most: int
    whole: bool = True
    of: str
    """Attribute of `Limits`."""


def _limit(key: str, label: Any, help_text: Any, most: int, of: str, *, whole: bool = True) -> Limit:
    return Limit(path=("limits", key), label=label, help=help_text, most=most, of=of, whole=whole)


LIMITS = (
    _limit("time_limit", _("Time, in seconds"), _("of the processor, for one case"), 600, "time_seconds", whole=False),
    _limit("memory", _("Memory, in MiB"), _("2048 when empty"), 64 << 10, "memory_bytes"),
    _limit("output", _("Output, in MiB"), _("8 when empty"), 1 << 10, "output_bytes"),
    _limit("code", _("Program, in KiB"), _("128 when empty"), 64 << 10, "code_bytes"),
    _limit(
        "time_resolution",
        _("Step of the time"),
        _("seconds, of which the limit is a multiple; when empty 1, or what fits the limit"),
        600,
        "time_resolution",
        whole=False,
    ),
)
STEPS = tuple(map(Decimal, ("1", "0.5", "0.1", "0.05", "0.01", "0.005", "0.001")))
"""Steps of the time that are proposed, in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group of cases, and where its points are written."""

    name: str
    file: str
    path: tuple[str, ...]
    stated: str


class LimitsForm(forms.Form):
    """Limits of problem.yaml, and the points of groups."""

    def __init__(self, stated: Mapping[str, str], groups: Sequence[Group], data: Any = None) -> None:
        super().__init__(data, initial={**stated, **{f"group:{group.name}": group.stated for group in groups}})
        self._groups = {f"group:{group.name}": group for group in groups}
        for limit in LIMITS:
            self.fields[limit.of] = NumberField(
                label=limit.label,
                help_text=limit.help,
                required=False,
                min_value=Decimal(1 if limit.whole else "0.001"),
                max_value=limit.most,
                max_digits=12,
                decimal_places=0 if limit.whole else 6,
                widget=_text(inputmode="numeric" if limit.whole else "decimal"),
            )
        for group in groups:
            self.fields[f"group:{group.name}"] = NumberField(
                label=group.name,
                required=False,
                min_value=0,
                max_value=10**6,
                decimal_places=0,
                max_digits=7,
                widget=_text(inputmode="numeric"),
            )

    fitted: Decimal | None = None
    """The step of the time that was written because the time limit was no multiple of the one that holds."""

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        seconds, step = cleaned.get("time_seconds"), cleaned.get("time_resolution")
        if seconds is None or "time_resolution" not in cleaned or seconds % (step or 1) == 0:
            return cleaned
        fits = next((fits for fits in STEPS if seconds % fits == 0), None)
        if fits is None:
            self.add_error("time_seconds", _("Give it in whole thousandths of a second."))
        elif step is not None:
            told = _("It is no multiple of the step of the time. A step of %(step)s s fits, or leave that empty.")
            self.add_error("time_seconds", told % {"step": localize(fits)})
        else:
            cleaned["time_resolution"] = self.fitted = fits
        return cleaned

    @property
    def limits(self) -> list[forms.BoundField]:
        return [field for field in self if not field.name.startswith("group:")]

    @property
    def groups(self) -> list[forms.BoundField]:
        return [field for field in self if field.name.startswith("group:")]

    def changes(self) -> dict[str, dict[tuple[str, ...], Decimal | str | None]]:
        """What was changed: file -> path of keys -> value."""
        found: dict[str, dict[tuple[str, ...], Decimal | str | None]] = {}
        paths = {limit.of: limit.path for limit in LIMITS}
        for name in dict.fromkeys((*self.changed_data, *(("time_resolution",) if self.fitted else ()))):
            value = self.cleaned_data[name]
            if _same(self.initial.get(name, ""), value):
                continue
            if name in paths:
                found.setdefault("problem.yaml", {})[paths[name]] = value
            else:
                found.setdefault(self._groups[name].file, {})[self._groups[name].path] = value
        return found


def _same(stated: str, value: Decimal | None) -> bool:
    """Whether what is written and what was sent are the same number: then it stays as its author wrote it."""
    try:
        return value is not None and Decimal(stated) == value
    except InvalidOperation:
        return False


def stated_groups(package: Package | None) -> list[Group]:
    """The groups of a scoring problem that have a `test_group.yaml`, or stand in generators.yaml, with their points."""
    if package is None or not package.scoring:
        return []
    listed = package.root / LISTED
    text = listed.read_bytes() if listed.is_file() else b""
    tree = list_files(package.root, Findings())
    places = read_listing(text, tree, package.constants, Findings()).places
    names = dict.fromkeys(group.name for group in package.groups if group.name != "sample")
    names |= dict.fromkeys(sorted(one for one in places if re.fullmatch("secret/[^/]+", one)))
    found = []
    for name in names:
        file = f"data/{name}/test_group.yaml"
        path: tuple[str, ...] = ("max_score",)
        if file not in tree.files and name not in places:
            continue
        if file not in tree.files:
            file, path = LISTED, (*places[name], "test_group.yaml", "max_score")
        content = (package.root / file).read_bytes()
        found.append(Group(name=name, file=file, path=path, stated=values(content, [path])[path]))
    return found
