"""A frame of a trace in a sentence, in the reader's language: the caption, and the text alternative of the picture."""

from collections.abc import Callable, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judge.web.lesson.claimed import claimed
from judge.web.lesson.naming import name as _name
from judge.web.told import grouped
from problems.package.replay import Beat, Stage

LISTED = 10
"""More names than these are cut."""


def sentence(stage: Stage) -> str:
    """What happens in this frame."""
    return _SENTENCES[stage.beat](stage)


def _start(stage: Stage) -> str:
    if len(stage.fresh) > 1:
        return _(
            "Two searches begin, one at %(a)s and one at %(b)s. The one with the shorter queue always goes next."
        ) % {
            "a": _name(stage, stage.fresh[0]),
            "b": _name(stage, stage.fresh[1]),
        }
    return _("%(at)s goes into the queue with distance 0. Nothing else is known yet.") % {
        "at": _name(stage, stage.fresh[0])
    }


def _layer(stage: Stage) -> str:
    side, distance = stage.side, stage.layers[stage.side]
    count = len(stage.queues[side])
    if any(each.side for each in stage.found.values()):
        begin = next(place for place, each in stage.found.items() if each.side == side and not each.distance)
        return ngettext(
            "The search from %(begin)s goes on: %(count)d place at distance %(distance)d.",
            "The search from %(begin)s goes on: %(count)d places at distance %(distance)d.",
            count,
        ) % {"begin": _name(stage, begin), "count": count, "distance": distance}
    return ngettext(
        "Layer %(distance)d begins: %(count)d place waits, at distance %(distance)d.",
        "Layer %(distance)d begins: %(count)d places wait, all at distance %(distance)d.",
        count,
    ) % {"count": count, "distance": distance}


def _flood(stage: Stage) -> str:
    if len(stage.found) == 1 and stage.fresh:
        return _start(stage)
    facts = {"n": grouped(len(stage.fresh)), "found": grouped(len(stage.found))}
    if not stage.fresh:
        return _("Nothing is left that could be reached. %(found)s places have been found.") % facts
    first, last = stage.found[stage.fresh[0]].distance, stage.layers[0]
    if first == last:
        text = ngettext(
            "Layer %(distance)d: %(n)s place is found from the one before. %(found)s have been found so far.",
            "Layer %(distance)d: %(n)s places are found from the one before. %(found)s have been found so far.",
            len(stage.fresh),
        )
        return text % {**facts, "distance": last}
    text = _("Layers %(first)d to %(last)d: %(n)s places, each layer from the one before. %(found)s found so far.")
    return text % {**facts, "first": first, "last": last}


def _take(stage: Stage) -> str:
    at = stage.current
    facts = {"at": _name(stage, at), "distance": stage.found[at].distance}
    if at == stage.header.goal and not stage.found[at].side:
        return _("Take %(at)s from the front of the queue: it is the goal, at distance %(distance)d.") % facts
    return _("Take %(at)s from the front of the queue. Its distance is %(distance)d.") % facts


def _look(stage: Stage) -> str:
    known = ngettext(
        "%(n)d more is known already.", "%(n)d more are known already.", len(stage.seen)
    ) % {"n": len(stage.seen)} if stage.seen else ""  # fmt: skip
    if not stage.fresh:
        return _("From %(at)s nothing new is found. %(known)s") % {
            "at": _name(stage, stage.current),
            "known": known,
        }
    text = ngettext(
        "From %(at)s, %(found)s is found: distance %(distance)d, to the back of the queue. %(known)s",
        "From %(at)s, %(found)s are found: distance %(distance)d, to the back of the queue. %(known)s",
        len(stage.fresh),
    )
    return (
        text
        % {
            "at": _name(stage, stage.current),
            "found": _names(stage, stage.fresh),
            "distance": stage.found[stage.fresh[0]].distance,
            "known": known,
        }
    ).strip()


def _retrace(stage: Stage) -> str:
    at = stage.trail[-1]
    distance = stage.found[at].distance
    if len(stage.trail) == 1:
        return _("Now the way back. It begins at the goal %(at)s, which has the number %(distance)d.") % {
            "at": _name(stage, at),
            "distance": distance,
        }
    return _("Beside %(before)s stands %(at)s with the number %(distance)d, one less: go there.") % {
        "before": _name(stage, stage.trail[-2]),
        "at": _name(stage, at),
        "distance": distance,
    }


def _path(stage: Stage) -> str:
    count = len(stage.path) - 1
    text = ngettext(
        "A shortest way has %(count)d step: %(way)s.", "A shortest way has %(count)d steps: %(way)s.", count
    )
    return text % {"count": count, "way": _names(stage, stage.path)}


def _ways(stage: Stage) -> str:
    listed = ", ".join(f"{_name(stage, place)} ({number})" for place, number in stage.ways.items())
    if stage.pick:
        return _("Ways on from each square that can be next: %(listed)s. The fewest has %(pick)s.") % {
            "listed": listed,
            "pick": _name(stage, stage.pick),
        }
    return _("Ways on from each square that can be next: %(listed)s.") % {"listed": listed}


def _visit(stage: Stage) -> str:
    number = len(stage.tour)
    if number == 1:
        return _("The walk begins on %(at)s.") % {"at": _name(stage, stage.tour[-1])}
    if number == len(stage.header.places):
        return _("Number %(number)d: on to %(at)s. That was the last square.") % {
            "number": number,
            "at": _name(stage, stage.tour[-1]),
        }
    return _("Number %(number)d: on to %(at)s.") % {"number": number, "at": _name(stage, stage.tour[-1])}


def _meet(stage: Stage) -> str:
    return _("From %(here)s a move leads to %(there)s, which the other search has found. The two have met.") % {
        "here": _name(stage, stage.current),
        "there": _name(stage, stage.met),
    }


def _no_path(stage: Stage) -> str:
    return _("The queue is empty and %(goal)s was never found: no way leads there.") % {
        "goal": _name(stage, stage.header.goal)
    }


def _back(stage: Stage) -> str:
    return _("No way on from %(left)s is left to try: one step back, to %(here)s.") % {
        "left": _name(stage, stage.left),
        "here": _name(stage, stage.tour[-1]) if stage.tour else _("nowhere"),
    }


def _jump(stage: Stage) -> str:
    return _("Later: %(visits)s squares tried, %(backs)s steps back. The walk has %(long)s squares now.") % {
        "visits": grouped(stage.visits),
        "backs": grouped(stage.backs),
        "long": len(stage.tour),
    }


def _names(stage: Stage, places: Sequence[str]) -> str:
    shown = [_name(stage, place) for place in places]
    if len(places) > LISTED:
        shown[LISTED - 2 : -1] = ["…"]
    return ", ".join(shown)


_SENTENCES: Mapping[Beat, Callable[[Stage], str]] = {
    Beat.START: _start,
    Beat.LAYER: _layer,
    Beat.FLOOD: _flood,
    Beat.TAKE: _take,
    Beat.LOOK: _look,
    Beat.MEET: _meet,
    Beat.RETRACE: _retrace,
    Beat.PATH: _path,
    Beat.NO_PATH: _no_path,
    Beat.WAYS: _ways,
    Beat.VISIT: _visit,
    Beat.BACK: _back,
    Beat.JUMP: _jump,
    Beat.NOTE: lambda stage: stage.note,
    Beat.CLAIM: claimed,
}
