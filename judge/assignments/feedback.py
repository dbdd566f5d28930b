"""Which parts of the feedback a student sees, by what the instructor has set for the assignment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.assignments.models import USUAL, Assignment, Kind, When
from judge.assignments.rules import Rules

STRICT = (When.NEVER, When.AFTER_DEADLINE, When.ON_FAILURE, When.ALWAYS)
"""The strictest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Which part is shown when, to one student."""

    when: Mapping[Kind, When]
    closes: datetime
    """What is shown after the deadline is shown after this: the time in which late work is taken comes before it."""


def setting_of(assignment: Assignment, rules: Rules) -> Setting:
    """`rules`: as they hold for the student."""
    when = {kind: When(assignment.feedback.get(kind.value, USUAL[kind.value])) for kind in Kind}
    return Setting(when=when, closes=rules.closes)


def of_practice(settings: Sequence[Setting]) -> Setting | None:
    """What holds for practice while these assignments are open with the same problem: of each part the strictest, so
    that nothing is found out by practising that an assignment keeps back. None: only what is secret is kept back.
    """
    if not settings:
        return None
    each = ({kind: When(USUAL[kind.value]) for kind in Kind}, *(one.when for one in settings))
    when = {kind: min((one[kind] for one in each), key=STRICT.index) for kind in Kind}
    return Setting(when=when, closes=max(one.closes for one in settings))


def shows(setting: Setting | None, kind: Kind, *, failed: bool, now: datetime) -> bool:
    """Whether the author of a submission sees this part now.

    `failed`: the submission is judged and not accepted. None for practice, where all is shown but what is secret.
    """
    if setting is None:
        return kind != Kind.SECRET
    match setting.when[kind]:
        case When.NEVER:
            return False
        case When.ON_FAILURE:
            return failed
        case When.AFTER_DEADLINE:
            return now > setting.closes
        case When.ALWAYS:
            return True
