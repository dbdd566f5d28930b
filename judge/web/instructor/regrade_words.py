"""What pages say of regrades: stages, plans, and why results are others than before."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from judge.authoring.differences import CaseChanges
from judge.regrades.models import Outcome, Plan, Stage
from judge.regrades.queries import Cluster
from judge.web.told import tell
from judge.web.words import Word

STAGES: Mapping[str, Word] = {
    Stage.DRAFT: _lazy("Being planned"),
    Stage.PLANNED: _lazy("Planned"),
    Stage.RUNNING: _lazy("Running"),
    Stage.READY: _lazy("Ready to compare"),
    Stage.APPLIED: _lazy("Applied"),
    Stage.REVERTED: _lazy("Taken back"),
    Stage.CANCELLED: _lazy("Dropped"),
    Stage.FAILED: _lazy("Stopped by itself"),
}
OUTCOMES: Mapping[str, Word] = {
    Outcome.OPEN: _lazy("not judged yet"),
    Outcome.SAME: _lazy("the same"),
    Outcome.CHANGED: _lazy("changed"),
    Outcome.UNSTABLE: _lazy("unstable"),
    Outcome.FAULT: _lazy("not judged"),
    Outcome.GONE: _lazy("deleted"),
}
PLANS: Mapping[str, Word] = {
    Plan.RESCORE: _lazy("Nothing is run: only points and words can change"),
    Plan.RECHECK: _lazy("The outputs that were kept are checked"),
    Plan.SOME: _lazy("Some cases are run"),
    Plan.EVERYTHING: _lazy("All cases are run"),
}
DEEDS: Mapping[str, Word] = {
    "made": _lazy("Chosen"),
    "planned": _lazy("Planned"),
    "running": _lazy("Started"),
    "paused": _lazy("Paused"),
    "resumed": _lazy("Resumed"),
    "ready": _lazy("Everything is judged"),
    "applied": _lazy("Applied"),
    "reverted": _lazy("Taken back"),
    "cancelled": _lazy("Dropped"),
    "failed": _lazy("Stopped by itself"),
}
POLICIES: Mapping[str, Word] = {
    "all": _lazy("everyone"),
    "increases": _lazy("no one loses"),
    "selected": _lazy("chosen ones"),
}
_WHY: Mapping[str, Word] = {
    "answer": _lazy("its answer was changed"),
    "input": _lazy("its input was changed"),
    "checker": _lazy("the validator is another one"),
    "time": _lazy("by time"),
    "memory": _lazy("by memory"),
    "again": _lazy("the program did something else than before"),
}


def short_cause(cause: Mapping[str, Any]) -> str:
    """Because of what one submission changed, in a table."""
    match cause.get("kind"):
        case "points":
            return _("points")
        case "compile":
            return _("its compiling")
        case "judge":
            return _("the judge had failed on it")
        case "fault":
            return tell(str(cause.get("note", "")))
        case "added":
            return _("new case %(case)s") % {"case": cause["case"]}
        case "removed":
            return _("case %(case)s, which is gone") % {"case": cause["case"]}
        case None:
            return ""
        case kind:
            return _("case %(case)s: %(why)s") % {"case": cause["case"], "why": _WHY.get(str(kind), "")}


def headline(cluster: Cluster) -> str:
    """How many did what: the bold part of a reason."""
    told: dict[str, Any] = {"n": cluster.count, "case": cluster.case}
    n = cluster.count
    match cluster.kind:
        case "points":
            return ngettext("%(n)d has other points.", "%(n)d have other points.", n) % told
        case "compile":
            return ngettext("%(n)d compiles otherwise.", "%(n)d compile otherwise.", n) % told
        case "judge":
            return ngettext("%(n)d has a verdict now.", "%(n)d have a verdict now.", n) % told
        case "removed":
            return (
                ngettext("%(n)d failed only on a case that is gone.", "%(n)d failed on a case that is gone.", n) % told
            )
        case "added":
            return ngettext("%(n)d fails the new case %(case)s.", "%(n)d fail the new case %(case)s.", n) % told
    if cluster.after == "accepted" and cluster.kind == "time":
        return ngettext("%(n)d had too little time.", "%(n)d had too little time.", n) % told
    if cluster.after == "accepted":
        return ngettext("%(n)d is right on case %(case)s now.", "%(n)d are right on case %(case)s now.", n) % told
    if cluster.before == "accepted":
        return ngettext("%(n)d now fails case %(case)s.", "%(n)d now fail case %(case)s.", n) % told
    return ngettext("%(n)d fails case %(case)s otherwise.", "%(n)d fail case %(case)s otherwise.", n) % told


def detail(cluster: Cluster) -> str:
    """What stands after the headline."""
    parts = []
    why = _WHY.get(cluster.kind)
    if why and not (cluster.kind == "time" and cluster.after == "accepted"):
        parts.append(_("%(why)s.") % {"why": str(why)[:1].upper() + str(why)[1:]})
    if cluster.kind == "time" and cluster.case:
        parts.append(_("Case %(case)s.") % {"case": cluster.case})
    if cluster.alike == cluster.count:
        parts.append(_("All of them print the same there."))
    elif cluster.alike:
        parts.append(_("%(n)d of them print the same there.") % {"n": cluster.alike})
    return " ".join(parts)


def changes(cases: CaseChanges, limits: Iterable[tuple[str, str, str]]) -> str:
    """What differs between two versions, as the end of a sentence; empty: neither cases nor limits do."""
    told = [
        _("%(what)s from %(old)s to %(new)s") % {"what": label.lower(), "old": old, "new": new}
        for label, old, new in limits
    ]
    for names, one, several in (
        (cases.changed, _("case %(names)s changed"), _("cases %(names)s changed")),
        (cases.added, _("case %(names)s added"), _("cases %(names)s added")),
        (cases.removed, _("case %(names)s removed"), _("cases %(names)s removed")),
    ):
        if names:
            shown = ", ".join(names[:4]) + (" …" if len(names) > 4 else "")
            told.append((one if len(names) == 1 else several) % {"names": shown})
    return ", ".join(told)


def seconds_in_words(seconds: float) -> str:
    """`about 12 s`, `about 4 min`, `about 2 h`."""
    for unit, size in ((_("h"), 3600), (_("min"), 60)):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {unit}"
    return _("%(n)d s") % {"n": max(round(seconds), 1)}
