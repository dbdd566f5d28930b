"""Which parts of the feedback a student sees, by what the instructor has set for the assignment."""

from datetime import datetime

from judge.assignments.models import USUAL, Assignment, Kind, When
from judge.assignments.rules import Rules


def shows(assignment: Assignment | None, rules: Rules | None, kind: Kind, *, failed: bool, now: datetime) -> bool:
    """Whether the author of a submission sees this part now.

    `failed`: the submission is judged and not accepted. `rules`: as they hold for its author; their deadline is the
    one that counts, and the time in which late work is taken comes before it is over. None for practice, where all
    is shown but what is secret.
    """
    if assignment is None or rules is None:
        return kind != Kind.SECRET
    match When(assignment.feedback.get(kind.value, USUAL[kind.value])):
        case When.NEVER:
            return False
        case When.ON_FAILURE:
            return failed
        case When.AFTER_DEADLINE:
            return now > rules.closes
        case When.ALWAYS:
            return True
