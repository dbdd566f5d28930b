"""What a kind of long work is: a generator that yields `Progress` and returns a `Result`.

What it raises gives the errand back, to be tried again; what is the author's fault is a `Result` with `succeeded`
False.
"""

import hashlib
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from judge.authoring.models import Errand
from judge.people.refusal import Refused
from problems.models import Version
from sandbox.contract import Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far it is: `done` of `total`, now at `now`. `result`: what the page may show already."""

    done: int
    total: int
    now: str = ""
    result: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of it."""

    succeeded: bool
    message: str = ""
    """For the person who asked: what happened, and what to do."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    keep: Callable[[], Mapping[str, Any]] = dict
    """Runs in the transaction that ends the errand, only if it is still ours; gives columns of the errand to set."""


Work = Generator[Progress, None, Result]
DoWork = Callable[[Errand, Sandbox], Work]
Wishes = Mapping[str, Any]


def no_wishes(_version: Version | None, sent: Wishes) -> Wishes:
    """For kinds that are always done in the same way. Raises `Refused`."""
    if sent:
        raise Refused(_("This cannot be asked for."))
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """A kind of errand: what it is about, how it is done, how many are kept."""

    of_version: bool
    """Of a version; False: of the working copy."""
    do: DoWork
    wishes: Callable[[Version | None, Wishes], Wishes] = no_wishes
    """Reads what was sent with the wish for it. Raises `Refused`."""
    each: bool = False
    """Whether errands about the same with other wishes are other errands, and do not take each other's place."""
    kept: int | None = None
    """So many that are over are kept of a problem; None: one of each version."""

    def target(self, digest: str, wishes: Wishes) -> str:
        """What an errand about this archive or version is known by."""
        return hashlib.sha256(repr((digest, sorted(wishes.items()))).encode()).hexdigest() if self.each else digest
