"""In words: a mistake that is known, what the likeness rests on, which way a program is wrong, how its time grows."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judge.web.statement import render
from judge.web.student.feedback_words import SIZES
from judge.web.told import figure as figure_of
from judge.web.told import grouped
from judge.web.tongue import best
from problems.package.model import SizeOf, Way


@lru_cache(maxsize=256)
def rendered(path: Path) -> SafeString:
    return render(path.read_text(encoding="utf-8"), constants={}, samples=(), image_address=lambda _name: None)


def hint(files: Mapping[str, Path]) -> SafeString | None:
    """In the reader's language, where it is there; None: there is none."""
    return rendered(files[best(files) or next(iter(files))]) if files else None


def direction(found: Mapping[str, Any]) -> str:
    """Which way all wrong outputs differ from the right ones."""
    inputs = found["wrong"]
    match Way(found["way"]):
        case Way.LARGER:
            told = _(
                "On each of the %(wrong)s inputs that it was seen to get wrong, your program’s number is larger than "
                "the right one."
            )
        case Way.SMALLER:
            told = _(
                "On each of the %(wrong)s inputs that it was seen to get wrong, your program’s number is smaller than "
                "the right one."
            )
        case Way.SAYS:
            told = ngettext(
                "On the one input that it was seen to get wrong, your program says “%(line)s”, and something else is "
                "right.",
                "On each of the %(wrong)s inputs that it was seen to get wrong, your program says “%(line)s”, and "
                "something else is right.",
                inputs,
            )
        case Way.MISSES:
            told = ngettext(
                "On the one input that it was seen to get wrong, “%(line)s” is right, and your program says something "
                "else.",
                "On each of the %(wrong)s inputs that it was seen to get wrong, “%(line)s” is right, and your program "
                "says something else.",
                inputs,
            )
    if found["most"]:
        same = found["least"] == found["most"]
        more = _("The difference is always %(least)s.") if same else _("The difference is %(least)s to %(most)s.")
        told = f"{told} {more}"
    return told % {"line": found["line"], **{name: grouped(found[name]) for name in ("wrong", "least", "most")}}


def growth(found: Mapping[str, Any] | None) -> str:
    if not found:
        return ""
    parts = []
    if found["exponent"]:
        exponent, low, high = found["exponent"]
        text = _("The time of your program grows about as n^%(e)s (%(low)s to %(high)s).")
        parts.append(text % {"e": figure_of(exponent, 1), "low": figure_of(low, 1), "high": figure_of(high, 1)})
    if found["expected"]:
        parts.append(_("A good solution grows as %(expected)s.") % found)
    if found["too_slow_at"]:
        text = _("With n = %(n)s it needs more time than there is.")
        parts.append(text % {"n": grouped(found["too_slow_at"])})
    if parts and found.get("of"):
        parts.append(str(SIZES[SizeOf(found["of"])]))
    if not found["exponent"]:
        parts.append(_("How the time of your program grows with the input cannot be told."))
    return " ".join(parts)


def scarce(like: Mapping[str, Any]) -> bool:
    """Whether one input is all that the likeness rests on."""
    return like.get("inputs") == 1 and not like.get("lines")


def likeness(like: Mapping[str, Any]) -> str:
    inputs = like.get("inputs", 0)
    if not inputs:
        return ""
    if like.get("lines"):
        return _("Both print the same for all %(n)s small inputs, right or wrong.") % {"n": grouped(like["lines"])}
    if like.get("resources"):
        text = ngettext(
            "Both use up their time or memory on the same %(n)d input. It may be another mistake that costs as much.",
            "Both use up their time or memory on the same %(n)d inputs. It may be another mistake that costs as much.",
            inputs,
        )
    elif scarce(like):
        return _("Only one input shows this, so it may be another mistake.")
    elif like.get("exact"):
        text = ngettext(
            "On %(n)d small input that program and yours print the same wrong output; "
            "on all others that were tried both are right.",
            "On %(n)d small inputs that program and yours print the same wrong output; "
            "on all others that were tried both are right.",
            inputs,
        )
    else:
        text = ngettext(
            "On %(n)d input both go wrong in the same way.", "On %(n)d inputs both go wrong in the same way.", inputs
        )
    return text % {"n": inputs}
