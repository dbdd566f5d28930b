"""What a program said and what is wrong with it, in a sentence in the reader's language."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judge.web.lesson.naming import name
from problems.package.claim import Claim, Wrong
from problems.package.replay import Stage

_THROUGH: Mapping[tuple[int, int], str | Promise] = {
    (0, -1): gettext_lazy("Step %(step)d of your program walks through the north wall of %(here)s."),
    (1, 0): gettext_lazy("Step %(step)d of your program walks through the east wall of %(here)s."),
    (0, 1): gettext_lazy("Step %(step)d of your program walks through the south wall of %(here)s."),
    (-1, 0): gettext_lazy("Step %(step)d of your program walks through the west wall of %(here)s."),
}


def claimed(stage: Stage) -> str:
    """The sentence of the last frame."""
    assert stage.claim is not None
    return _SENTENCES[stage.claim.wrong](stage, stage.claim, _facts(stage, stage.claim))


def _facts(stage: Stage, claim: Claim) -> dict[str, Any]:
    """What may stand in a sentence."""
    facts: dict[str, Any] = {"said": claim.said, "step": len(claim.path) - 1, "steps": len(claim.path) - 1}
    facts |= {f"at{number}": name(stage, place) for number, place in enumerate(claim.at, 1)}
    if claim.path:
        facts |= {"first": name(stage, claim.path[0]), "last": name(stage, claim.path[-1])}
    if len(claim.path) > 1:
        facts["here"] = name(stage, claim.path[-2])
    return facts | {"start": name(stage, stage.header.start), "goal": name(stage, stage.header.goal)}


def _distance(stage: Stage, claim: Claim, facts: Mapping[str, Any]) -> str:
    found = stage.found.get(claim.at[0])
    if found is None:
        return _("Your program says %(said)d for %(at1)s, but no way leads there.") % facts
    return _("Your program says %(said)d. The search reaches %(at1)s in layer %(right)d.") % {
        **facts, "right": found.distance,
    }  # fmt: skip


def _none(stage: Stage, _claim: Claim, facts: Mapping[str, Any]) -> str:
    if not stage.path:
        return _("Your program says that there is no way, but there is one: you see it here.")
    steps = len(stage.path) - 1
    text = ngettext(
        "Your program says that there is no way, but there is one of %(right)d step.",
        "Your program says that there is no way, but there is one of %(right)d steps.",
        steps,
    )
    return text % {**facts, "right": steps}


def _wall(stage: Stage, claim: Claim, facts: Mapping[str, Any]) -> str:
    (x, y), (u, v) = (stage.header.places[place] for place in claim.path[-2:])
    return str(_THROUGH[int(u - x), int(v - y)]) % facts


def _longer(stage: Stage, _claim: Claim, facts: Mapping[str, Any]) -> str:
    text = _("The way of your program leads to the goal, but takes %(steps)d steps where %(right)d are enough.")
    return text % {**facts, "right": stage.found[stage.header.goal].distance}


def _twice(_stage: Stage, claim: Claim, facts: Mapping[str, Any]) -> str:
    text = _("Your program visits %(last)s twice: as number %(one)d and as number %(two)d.")
    return text % {**facts, "one": claim.path.index(claim.path[-1]) + 1, "two": len(claim.path)}


def _number(stage: Stage, _claim: Claim, facts: Mapping[str, Any]) -> str:
    text = _("Your program puts the number %(said)d on %(at1)s; numbers go from 1 to %(most)d.")
    text %= {**facts, "most": len(stage.header.places)}
    if not stage.tour:
        return text
    return text + " " + _("All else in this picture is a right tour, not yours: what you printed stands above it.")


def _short(stage: Stage, claim: Claim, facts: Mapping[str, Any]) -> str:
    text = _("Your program visits %(n)d of %(all)d places.")
    return text % {**facts, "n": len(set(claim.path)), "all": len(stage.header.places)}


def _count(stage: Stage, claim: Claim, facts: Mapping[str, Any]) -> str:
    return _("Your program says %(said)d, and there are %(right)d.") % {**facts, "right": stage.counts[claim.name]}


def _outside(_stage: Stage, _claim: Claim, facts: Mapping[str, Any]) -> str:
    return _("Step %(next)d of your program leaves the board from %(last)s.") % {
        **facts, "next": facts["step"] + 1,
    }  # fmt: skip


_SENTENCES: Mapping[Wrong, Callable[[Stage, Claim, Mapping[str, Any]], str]] = {
    Wrong.DISTANCE: _distance,
    Wrong.COUNT: _count,
    Wrong.NUMBER: _number,
    Wrong.SAME: lambda _stage, _claim, facts: (
        _("Your program puts the number %(said)d on two places: %(at1)s and %(at2)s.") % facts
    ),
    Wrong.NONE: _none,
    Wrong.START: lambda _stage, _claim, facts: (
        _("Your program begins at %(first)s, and the start is %(start)s.") % facts
    ),
    Wrong.END: lambda _stage, _claim, facts: (
        _("The way of your program ends at %(last)s, and the goal is %(goal)s.") % facts
    ),
    Wrong.WALL: _wall,
    Wrong.OUTSIDE: _outside,
    Wrong.STEP: lambda _stage, _claim, facts: (
        _("Your program goes from %(here)s to %(last)s (step %(step)d), which is no step that may be made.") % facts
    ),
    Wrong.TWICE: _twice,
    Wrong.SHORT: _short,
    Wrong.LONGER: _longer,
    Wrong.OTHER: lambda _stage, claim, _facts: claim.text,
}
