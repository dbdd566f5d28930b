"""What counts moves, in one transaction and by compare-and-swap: apply, and take back.

Only where the judgement that counts is still the one that the plan began from does the new one take its place. What
moved meanwhile is listed as a conflict and left alone. Nothing is deleted, so that taking back is as quick.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from judge.assignments.models import Counts
from judge.feedback import actions as feedback
from judge.people.actions import note
from judge.people.models import Course, User
from judge.people.refusal import Refused
from judge.regrades.models import Entry, Outcome, Regrade, RegradeItem, Stage
from judge.regrades.stages import move
from judge.submissions.admission import FREE
from judge.submissions.models import Effective, Judgement
from problems.say import say

ALL, INCREASES, SELECTED = "all", "increases", "selected"
POLICIES = (ALL, INCREASES, SELECTED)
"""Everybody; only who does not lose; only what is ticked."""
IN_USE = Q(submission__assignment__course__archived=None)
"""Of items: practice, and work of courses that are not archived."""
TAKES_THE_PLACE = (
    Q(submission__assignment__counts__in=(Counts.LAST, Counts.LAST_BEFORE_DEADLINE))
    & Q(base__verdict__in=FREE, new__points__lt=F("new__out_of"))
    & ~Q(new__verdict__in=FREE)
)
"""Of items: where the last one counts, this one counted for nothing, and would now count before a better one."""
BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What came of applying or taking back."""

    moved: int
    """Submissions for which another judgement counts now."""
    conflicts: int
    """Submissions for which another one had begun to count meanwhile; they were left alone."""
    archived: int = 0
    """Submissions of courses that were archived meanwhile, and are only read."""


def wanted(regrade: Regrade, policy: str) -> QuerySet[RegradeItem, RegradeItem]:
    """The items whose new result is to count. Those that came out the same are among them: their version is newer."""
    judged = regrade.items.filter(new__isnull=False, submission__isnull=False)
    if policy == SELECTED:
        return judged.filter(Q(chosen=True) | Q(outcome=Outcome.SAME)).exclude(outcome=Outcome.FAULT)
    sound = judged.filter(outcome__in=(Outcome.SAME, Outcome.CHANGED))
    return sound.filter(gain__gte=0).exclude(TAKES_THE_PLACE) if policy == INCREASES else sound


def would_move(regrade: Regrade, policy: str) -> Moved:
    """What `apply` would do now, without doing it."""
    items = wanted(regrade, policy)
    open_still = items.filter(IN_USE)
    fit, still = open_still.filter(submission__effective__judgement=F("base")).count(), open_still.count()
    return Moved(moved=fit, conflicts=still - fit, archived=items.count() - still)


def apply(by: User | None, regrade: Regrade, policy: str) -> Moved:
    """Let the new results count, all at once. Raises `Refused`; then nothing was changed."""
    if policy not in POLICIES:
        raise Refused(_("Choose whose results are to change: everybody's, only those that gain, or the chosen ones."))
    with transaction.atomic():
        if not move(
            regrade, (Stage.READY,), Stage.APPLIED, by=by, why=policy, policy=policy, applied=Now(), applied_by=by
        ):
            regrade.refresh_from_db()
            if regrade.stage in (Stage.DRAFT, Stage.PLANNED, Stage.RUNNING):
                raise Refused(_("This regrade is not ready yet. Have it run, and wait until everything is judged."))
            if regrade.stage == Stage.APPLIED:
                raise Refused(_("This regrade is applied already."))
            if regrade.stage == Stage.REVERTED:
                raise Refused(_("This regrade was applied and taken back. To apply it again, plan another one."))
            raise Refused(_("This regrade is over: it was dropped, or it stopped by itself."))
        items = wanted(regrade, policy)
        _lock(items)
        fitting = items.filter(IN_USE, submission=OuterRef("submission"), base=OuterRef("judgement"))
        Effective.objects.filter(Exists(fitting)).update(judgement_id=Subquery(fitting.values("new")[:1]))
        counts = Effective.objects.filter(submission=OuterRef("submission"), judgement=OuterRef("new"))
        items.filter(Exists(counts)).update(moved=Now())
        archived = items.filter(moved=None).exclude(IN_USE).count()
        conflicts = items.filter(moved=None).update(conflict=True) - archived
        moved = _log(regrade, by, "applied", list(regrade.items.filter(moved__isnull=False)))
        count_now = Judgement.objects.filter(regraded__regrade=regrade, regraded__moved__isnull=False)
        feedback.look_for_all(count_now.select_related("submission", "version__problem").order_by("submission_id"))
    return Moved(moved=moved, conflicts=conflicts, archived=archived)


def revert(by: User | None, regrade: Regrade) -> Moved:
    """Let count again what counted before. Raises `Refused`; then nothing was changed.

    Where a newer regrade counts since, that is left alone; once it is taken back as well, its way back leads past this
    one, so that in whichever order regrades are taken back, what counted before all of them counts in the end. What
    belongs to an archived course stays, and the regrade applied, so that the rest can be taken back later.
    """
    with transaction.atomic():
        if not move(regrade, (Stage.APPLIED,), Stage.REVERTED, by=by, reverted=Now(), reverted_by=by):
            raise Refused(_("Only a regrade that is applied can be taken back."))
        applied = regrade.items.filter(moved__isnull=False, base__isnull=False, returned=None)
        _lock(applied)
        counts = Effective.objects.filter(submission=OuterRef("submission"), judgement=OuterRef("new"))
        back = list(applied.filter(IN_USE, Exists(counts)))
        now = timezone.now()
        returned = applied.filter(IN_USE).update(returned=now)
        archived = applied.count()
        if archived and not returned:
            raise Refused(_("All that this regrade has changed belongs to archived courses, which are only read."))
        taken_back = RegradeItem.objects.filter(
            submission=OuterRef("submission"), new=OuterRef("judgement"), base__isnull=False, returned__isnull=False
        )
        theirs = regrade.items.filter(returned=now).values("submission")
        fallen = Effective.objects.filter(Exists(taken_back), submission__in=theirs)
        while fallen.update(judgement_id=Subquery(taken_back.values("base")[:1])):
            pass  # each round is one regrade further back
        moved = _log(regrade, by, "reverted", back)
        if archived:
            Regrade.objects.filter(pk=regrade.pk).update(stage=Stage.APPLIED, reverted=None, reverted_by=None)
            regrade.refresh_from_db()
    return Moved(moved=moved, conflicts=returned - moved, archived=archived)


def _lock(items: QuerySet[RegradeItem, RegradeItem]) -> None:
    """Hold what may move, always in the same order, so that two who apply at once wait for one another."""
    rows = Effective.objects.filter(submission__in=items.values("submission")).order_by("pk")
    list(rows.select_for_update().values_list("pk", flat=True))


def _log(regrade: Regrade, by: User | None, what: str, items: Collection[RegradeItem]) -> int:
    """Write down for each of `items` what counts now; gives how many they are."""
    back = what == "reverted"
    touched = regrade.items.filter(moved__isnull=False).values("submission")
    now = dict(Effective.objects.filter(submission__in=touched).values_list("submission", "judgement"))
    lines = [
        Entry(
            by=by,
            what=what,
            regrade=regrade,
            submission=item.number,
            before=item.new_id if back else item.base_id,
            after=now.get(item.number),
            why=regrade.reason,
        )
        for item in items
    ]
    Entry.objects.bulk_create(lines, batch_size=BATCH)
    _note_in_courses(regrade, by, items, back=back)
    return len(lines)


def _note_in_courses(regrade: Regrade, by: User | None, items: Collection[RegradeItem], *, back: bool) -> None:
    """Who looks after a course reads in its log what was done to its grades, whoever did it."""
    moved = {item.number for item in items}
    found = regrade.items.filter(submission__assignment__isnull=False).select_related(
        "submission__problem", "submission__assignment__course"
    )
    touched: dict[Course, list[str]] = {}
    for item in found:
        if item.number in moved and item.submission and item.submission.assignment:
            touched.setdefault(item.submission.assignment.course, []).append(item.submission.problem.slug)
    for course, slugs in touched.items():
        facts = {"number": regrade.pk, "count": len(slugs), "problems": ", ".join(sorted(set(slugs)))}
        facts["reason"] = regrade.reason
        match back, by:
            case True, None:
                what = say(
                    "said",
                    "took regrade %(number)d back by a command: %(count)d submissions to %(problems)s (%(reason)s)",
                    **facts,
                )
            case True, _:
                what = say(
                    "said", "took regrade %(number)d back: %(count)d submissions to %(problems)s (%(reason)s)", **facts
                )
            case False, None:
                what = say(
                    "said",
                    "applied regrade %(number)d by a command: %(count)d submissions to %(problems)s (%(reason)s)",
                    **facts,
                )
            case _:
                what = say(
                    "said", "applied regrade %(number)d: %(count)d submissions to %(problems)s (%(reason)s)", **facts
                )
        note(by, course, what)
