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
        "languages": " + ".join(found.languages) or _NONE,
        "time_factors": " + ".join(f"{name} × {by}" for name, by in sorted(found.time_factors.items())) or _NONE,
        "sections": " + ".join(sorted(one.name for one in found.sections.all())) or _NONE,
        "feedback": USUAL | found.feedback,
        "problems": {one.problem.slug: _word(one.points, found) for one in entries},
    }


def told(before: Facts, after: Facts) -> str:
    """What differs, old and new; empty: nothing does."""
    patterns = {
        "title": say("part", "title: %(old)s → %(new)s"),
        "published": say("part", "published: %(old)s → %(new)s"),
        "opens": say("part", "opens: %(old)s → %(new)s"),
        "deadline": say("part", "deadline: %(old)s → %(new)s"),
        "cutoff": say("part", "late work until: %(old)s → %(new)s"),
        "grace_minutes": say("part", "minutes of grace: %(old)s → %(new)s"),
        "late_percent": say("part", "per cent off for a day late: %(old)s → %(new)s"),
        "attempts": say("part", "attempts: %(old)s → %(new)s"),
        "counts": say("part", "what counts: %(old)s → %(new)s"),
        "grades_published": say("part", "grades published: %(old)s → %(new)s"),
        "languages": say("part", "languages: %(old)s → %(new)s"),
        "time_factors": say("part", "time factors: %(old)s → %(new)s"),
        "sections": say("part", "sections: %(old)s → %(new)s"),
        "problems": say("part", "points of %(name)s: %(old)s → %(new)s"),
        "feedback": say("part", "feedback %(name)s: %(old)s → %(new)s"),
    }
    parts = []
    for key, pattern in patterns.items():
        one, other = ({"": facts[key]} if isinstance(facts[key], str) else facts[key] for facts in (before, after))
        for name in dict.fromkeys((*one, *other)):
            old, new = (facts.get(name, _NONE) for facts in (one, other))
            if old != new:
                parts.append(pattern % {"name": name, "old": old, "new": new})
    if not parts and list(before["problems"]) != list(after["problems"]):
        parts = [say("part", "order of the problems")]
    return ", ".join(parts)


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
