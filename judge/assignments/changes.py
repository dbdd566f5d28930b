"""What somebody has changed of an assignment, for the log: old and new."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from judge.assignments.models import USUAL, Assignment
from problems.say import say

Facts = Mapping[str, Any]
_NONE = "–"


def facts_of(assignment: Assignment) -> Facts:
    """The assignment as it stands in the database."""
    found = Assignment.objects.select_related("course").get(pk=assignment.pk)
    columns = ("title", "published", "opens", "deadline", "cutoff", "grace_minutes", "late_percent", "attempts")
    facts = {name: _word(getattr(found, name), found) for name in (*columns, "counts", "grades_published")}
    entries = found.entries.select_related("problem").order_by("position", "pk")
    return facts | {
        "languages": ", ".join(found.languages) or _NONE,
        "time_factors": ", ".join(f"{name} × {by}" for name, by in sorted(found.time_factors.items())) or _NONE,
        "sections": ", ".join(sorted(one.name for one in found.sections.all())) or _NONE,
        "feedback": USUAL | found.feedback,
        "problems": {one.problem.slug: _word(one.points, found) for one in entries},
    }


def told(before: Facts, after: Facts) -> str:
    """What differs, old and new; empty: nothing does."""
    labels = {
        "title": say("part", "title"),
        "published": say("part", "published"),
        "opens": say("part", "opens"),
        "deadline": say("part", "deadline"),
        "cutoff": say("part", "late work until"),
        "grace_minutes": say("part", "minutes of grace"),
        "late_percent": say("part", "per cent off for a day late"),
        "attempts": say("part", "attempts"),
        "counts": say("part", "what counts"),
        "grades_published": say("part", "grades published"),
        "languages": say("part", "languages"),
        "time_factors": say("part", "time factors"),
        "sections": say("part", "sections"),
    }
    pairs = [(label, before[name], after[name]) for name, label in labels.items()]
    for group, label in (("problems", say("part", "points of")), ("feedback", say("part", "feedback"))):
        names = dict.fromkeys((*before[group], *after[group]))
        pairs += [(f"{label} {name}", before[group].get(name, _NONE), after[group].get(name, _NONE)) for name in names]
    parts = [
        say("part", "%(what)s: %(old)s → %(new)s", what=what, old=old, new=new)
        for what, old, new in pairs
        if old != new
    ]
    if not parts and list(before["problems"]) != list(after["problems"]):
        parts = [say("part", "order of the problems")]
    return "; ".join(parts)


def _word(value: object, assignment: Assignment) -> str:
    match value:
        case None:
            return _NONE
        case datetime():
            return f"{value.astimezone(assignment.course.zone):%Y-%m-%d %H:%M %Z}"
        case Decimal():
            return f"{value.normalize():f}"
        case _:
            return str(value)
