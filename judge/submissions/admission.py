"""Whether a program may be sent for an assignment, and why not.

An attempt is a submission that was run: one that ended in a fault of the judge's, or that did not compile, costs none.
While it waits or runs it counts as one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from judge.assignments.models import Assignment
from judge.assignments.queries import Given, given_to, rules_for
from judge.assignments.rules import Rules, Standing
from judge.grading.languages import LANGUAGES
from judge.grading.verdict import Verdict
from judge.people.models import CourseRole, Membership, User
from judge.people.permissions import Viewer, may_assist, role_in
from judge.people.refusal import Refused
from judge.submissions.models import State, Submission
from problems.models import Problem

FREE = (Verdict.JUDGE_ERROR.value, Verdict.COMPILE_ERROR.value)
"""Verdicts that cost no attempt."""


def must_be_allowed(author: User, assignment: Assignment, problem: Problem, language: str) -> None:
    """Times, language and membership, as they are now. Raises `Refused`.

    The staff of the course may send at any time, to try it out; nothing of theirs counts.
    """
    if assignment.course.archived:
        raise Refused(
            _("%(course)s is over: nothing can be sent for it any more. You can send it as practice.")
            % {"course": assignment.course}
        )
    if not assignment.entries.filter(problem=problem).exists():
        raise Refused(
            _("This problem is not part of %(assignment)s. Choose what you send it for.") % {"assignment": assignment}
        )
    if assignment.languages and language not in assignment.languages:
        labels = ", ".join(LANGUAGES[name].label for name in assignment.languages if name in LANGUAGES)
        label = LANGUAGES[language].label if language in LANGUAGES else language
        raise Refused(
            _("%(language)s is not allowed in %(assignment)s. Allowed: %(labels)s.")
            % {"language": label, "assignment": assignment, "labels": labels}
        )
    if may_assist(author, assignment.course):
        return
    given = [one for one in given_to(author, assignment.course) if one.assignment.pk == assignment.pk]
    if not given:
        raise Refused(
            _("You are not in the course for which you want to send this. Send it as practice, or ask your instructor.")
        )
    rules = given[0].rules
    match rules.standing(timezone.now()):
        case Standing.BEFORE:
            raise Refused(
                _("%(assignment)s is not open yet: it opens on %(time)s.")
                % {"assignment": assignment, "time": _when(rules, "opens")}
            )
        case Standing.CLOSED:
            raise Refused(
                _("%(assignment)s is closed since %(time)s. You can still send it as practice.")
                % {"assignment": assignment, "time": _when(rules, "closes")}
            )


def must_be_the_turn_of(author: User, assignment: Assignment, problem: Problem) -> None:
    """Attempts, within the transaction in which the submission is made: two at once cannot both be the last.

    Raises `Refused`.
    """
    role = role_in(author, assignment.course_id)
    if role != CourseRole.STUDENT:
        return
    Membership.objects.select_for_update().get(user=author, course=assignment.course_id)
    allowed = rules_for(assignment, author.pk).attempts
    used = attempts(author, assignment, problem)
    if allowed is not None and used.count() >= allowed:
        if used.filter(effective__judgement__state=State.DONE).count() < allowed:
            raise Refused(
                _(
                    "Your last attempt at this problem for %(assignment)s is still being judged. Wait for it: a "
                    "program that does not compile costs none."
                )
                % {"assignment": assignment}
            )
        raise Refused(
            ngettext(
                "You have used the one attempt that %(assignment)s gives for this problem. Send it as practice "
                "instead.",
                "You have used all %(n)d attempts that %(assignment)s gives for this problem. Send it as practice "
                "instead.",
                allowed,
            )
            % {"n": allowed, "assignment": assignment}
        )


def must_be_free_to_practise(author: User, problem: Problem) -> None:
    """Practice would tell for nothing what an attempt costs: while some are left, the problem is not practised.

    Raises `Refused`.
    """
    given = given_to(author, problem=problem)
    closed = closed_to_practice(given, used_up(author, problem, given))
    if closed:
        raise Refused(closed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """The attempts of one student at one problem for one assignment."""

    sent: int = 0
    """Those that cost one as far as is known: also what waits or runs."""
    final: int = 0
    """Those that are judged and have cost one."""


def used_up(author: Viewer, problem: Problem, given: Sequence[Given]) -> dict[int, Used]:
    """Id of an assignment -> what was used of its attempts; one query, or none."""
    if not given:
        return {}
    sent = Submission.objects.filter(
        author=author.pk, problem=problem, assignment__in=[one.assignment for one in given]
    )
    rows = sent.exclude(effective__judgement__verdict__in=FREE).order_by().values_list("assignment")
    final = Count("pk", filter=Q(effective__judgement__state=State.DONE))
    return {
        pk: Used(sent=number, final=over) for pk, number, over in rows.annotate(number=Count("pk"), over=final) if pk
    }


def closed_to_practice(given: Sequence[Given], used: Mapping[int, Used]) -> str:
    """Why the problem with which these were given cannot be practised now; empty: it can be.

    Each that counts attempts closes it from when its students see it until it is closed or the attempts are spent. One
    that waits or runs is not spent yet: what does not compile costs none.
    """
    now = timezone.now()
    for one in given:
        allowed, standing = one.rules.attempts, one.standing(now)
        if allowed is None or one.rules.exempt or standing is Standing.CLOSED:
            continue
        spent = used.get(one.assignment.pk, Used())
        if spent.final >= allowed:
            continue
        if standing is Standing.BEFORE:
            return _(
                "%(assignment)s counts attempts for this problem and opens on %(time)s. Until your attempts are used "
                "or the assignment is closed, the problem can only be run on the samples."
            ) % {"assignment": one.assignment, "time": _when(one.rules, "opens")}
        left = allowed - spent.sent
        if left <= 0:
            return _(
                "%(assignment)s counts attempts for this problem, and your last one is still being judged. The problem "
                "can be practised once that is over and has cost the attempt."
            ) % {"assignment": one.assignment}
        text = ngettext(
            "%(assignment)s counts attempts for this problem, and you have one left: send it for that, or "
            "run it on the samples. It can be practised once the attempt is used or the assignment closed.",
            "%(assignment)s counts attempts for this problem, and you have %(n)d left: send it for that, or "
            "run it on the samples. It can be practised once they are used or the assignment is closed.",
            left,
        )
        return text % {"n": left, "assignment": one.assignment}
    return ""


def attempts(author: User, assignment: Assignment, problem: Problem) -> QuerySet[Submission, Submission]:
    """The submissions that cost an attempt."""
    sent = Submission.objects.filter(author=author, assignment=assignment, problem=problem)
    return sent.exclude(effective__judgement__verdict__in=FREE)


def _when(rules: Rules, what: str) -> str:
    """A moment in the zone of the course, which is named."""
    moment = getattr(rules, what).astimezone(rules.zone)
    form = pgettext("date", "j F Y, H:i")
    return f"{date_format(moment, form)} ({rules.zone.key})"
