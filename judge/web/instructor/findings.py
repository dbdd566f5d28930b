"""What is kept of the checker's and of the mutants' errands, as their pages show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from judge.authoring.editing import case_of
from judge.authoring.models import Errand
from judge.grading.playground import Opinion
from judge.web.instructor.frame import copy_of
from judge.web.told import tell

ANSWERS: Mapping[str, tuple[str, str | Promise]] = {
    "accepted": ("ok", _("accepted")),
    "wrong": ("wrong", _("rejected")),
    "crashed": ("judge", _("the checker failed")),
    "same": ("same", _("nothing to change")),
    "not_tried": ("none", _("not tried")),
}
"""What a checker said -> icon and words."""
EXPECTED: Mapping[str, str | Promise] = {
    "accepted": _("still right"),
    "wrong": _("wrong"),
    "either": _("as the problem wants it"),
}
FATES: Mapping[str, tuple[str, str | Promise]] = {
    "killed": ("ok", _("found out")),
    "killed_by_time": ("time", _("found out by a limit")),
    "survived": ("wrong", _("not found out")),
    "equivalent": ("same", _("the same program")),
    "not_compiled": ("compile", _("does not compile")),
    "not_tried": ("none", _("not tried")),
    "fault": ("judge", _("the checker failed")),
}
"""What came of a mutant -> icon and words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the checker said of one changed output."""

    case: str
    icon: str
    words: str | Promise
    message: str
    odd: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One way of changing outputs."""

    words: str
    expected: str | Promise
    surprising: bool
    opinion: str
    said: str
    cells: tuple[Said, ...]


def changes_of(errand: Errand) -> tuple[Change, ...]:
    """The rows of a checker's errand, the surprising ones first and the worst of these before others."""
    order = list(Opinion)
    rows = sorted(errand.result.get("rows", ()), key=lambda row: (not row["said"], order.index(row["opinion"])))
    return tuple(
        Change(
            words=tell(row["words"]),
            expected=EXPECTED[row["expected"]],
            surprising=bool(row["said"]),
            opinion=row["opinion"],
            said=tell(row["said"]),
            cells=tuple(_said(cell, row) for cell in row["cells"]),
        )
        for row in rows
    )


def _said(cell: Mapping[str, str], row: Mapping[str, Any]) -> Said:
    icon, words = ANSWERS[cell["answer"]]
    odd = cell["answer"] == "crashed" or (
        bool(row["said"]) and {cell["answer"], row["expected"]} == {"accepted", "wrong"}
    )
    return Said(case=cell["case"], icon=icon, words=words, message=tell(cell["message"]), odd=odd)


def tried_of(errand: Errand) -> Mapping[str, Any] | None:
    """What came of an output that somebody has pasted."""
    if "answer" not in errand.result:
        return None
    icon, words = ANSWERS[errand.result["answer"]]
    notes = {key: tell(errand.result.get(key, ""), errand.version) for key in ("judge_note", "team_note")}
    return {**errand.result, **errand.wishes, **notes, "icon": icon, "words": words}


def strength_of(errand: Errand) -> Mapping[str, Any] | None:
    """The result of a strength's errand with what a page needs besides: icons, links, what is added already."""
    facts = errand.result
    if "tried" not in facts:
        return None
    tried = [
        {**one, "said": tell(one["said"]), "icon": FATES[one["fate"]][0], "words": FATES[one["fate"]][1]}
        for one in facts["tried"]
    ]
    if "score" not in facts:
        return {"tried": tried}
    copy = copy_of(errand.problem)
    package, files = (copy.reading.package, copy.files) if copy else (None, {})
    suggestions = [
        {
            **one,
            "number": number,
            "addable": bool(one["command"] or one["input"]),
            "added": case_of(package, command=one["command"], text=one["input"]),
        }
        for number, one in enumerate(facts["suggestions"])
    ]
    survivors = []
    for one in facts["survivors"]:
        paths = (facts["solution"], f"{facts['solution']}/{one['name']}")
        file = next((path for path in paths if path in files), "") if one["line"] else ""
        new = None if one["suggestion"] is None else one["suggestion"]
        suggested = suggestions[new] if new is not None and new < len(suggestions) else None
        survivors.append(
            {**one, "said": tell(one["said"]), "file": file, "suggested": suggested, "lines": _lines(one["diff"])}
        )
    together = facts["killed"] + facts["survived"]
    return {
        **facts,
        "tried": tried,
        "together": together,
        "percent": None if facts["score"] is None else int(100 * facts["score"]),
        "survivors": survivors,
        "suggestions": suggestions,
        "faults": [one for one in tried if one["fault"]],
        "not_counted": [(FATES[fate][1], count) for fate, count in facts["not_counted"].items()],
    }


def _lines(diff: str) -> list[dict[str, str]]:
    kinds = {"+": "add", "-": "del"}
    body = [line for line in diff.splitlines() if not line.startswith(("+++", "---", "@@"))]
    return [{"kind": kinds.get(line[:1], "same"), "text": line[1:]} for line in body]
