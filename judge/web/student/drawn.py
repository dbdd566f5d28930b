"""Pictures of a counterexample that the problem's own visualizer drew."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One of them, with the number under which its address has it."""

    number: int
    title: str
    digest: str
    media_type: str


def pictures_of(found: Mapping[str, Any], *, staff: bool) -> Sequence[Picture]:
    """Those that a search has found which the reader may see: what was drawn for judges is for staff."""
    listed = [(title, one) for key, title in _titles().items() for one in found.get(key, ())]
    return [
        Picture(number=number, title=title, digest=one["digest"], media_type=one["type"])
        for number, (title, one) in enumerate(listed, 1)
        if one["team"] or staff
    ]


def _titles() -> Mapping[str, str]:
    return {"output": _("Your output"), "answer": _("A right output")}
