"""What owners of problems and admins can do with regrades. One verb, one transaction; `by` None is the command line."""

from collections.abc import Collection, Mapping

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from judge.blobs.store import BlobMissing
from judge.blobs.versions import VersionUnreadable
from judge.people.models import User
from judge.people.permissions import may_edit_all
from judge.people.refusal import Refused
from judge.regrades import applying, planning, queries, shifts
from judge.regrades.applying import Moved
from judge.regrades.models import Entry, Regrade, RegradeItem, Shift, Stage, Target
from judge.regrades.stages import fail, move
from judge.submissions import hints, ledger
from judge.submissions.models import State, Submission
from judge.submissions.queries import overseen
from problems.models import Problem, Version
from problems.say import say

MOST = 100_000
"""Submissions of one regrade."""
PLAN_SECONDS = 2.0
"""So long whoever asks for a plan waits for it; a longer one is made by a worker."""


def plan(
    by: User | None,
    chosen: QuerySet[Submission, Submission],
    *,
    reason: str,
    key: str,
    selection: Mapping[str, str] | None = None,
    version: Version | None = None,
    anew: bool = False,
) -> Regrade:
    """Freeze which submissions are to be judged again, and say what that takes. Nothing is run.

    They are judged against the live version of their problems, or against `version`. `key` comes with the form: sent
    twice, it is one regrade. `selection` says in words how they were chosen. Raises `Refused`.
    """
    reason = " ".join(reason.split())
    if not reason or len(reason) > 500:
        raise Refused(_("Give a reason in at most 500 letters: students whose result changes will read it."))
    if not key or len(key) > 64 or not key.isprintable():
        raise Refused(_("This form cannot be used any more. Load the page again and send it once more."))
    with transaction.atomic():
        regrade, new = Regrade.objects.get_or_create(
            created_by=by, key=key, defaults={"reason": reason, "selection": dict(selection or {}), "anew": anew}
        )
        if not new:
            return regrade
        if version is not None:
            chosen = chosen.filter(problem=version.problem_id)
        if by is not None:
            chosen = chosen.filter(pk__in=overseen(by).order_by().values("pk"))
        _aim(regrade, chosen, version)
        _must_be_theirs(by, regrade)
        chosen = chosen.filter(problem__in=regrade.targets.values("problem"))
        if chosen.count() > MOST:
            raise Refused(
                _("These are more than %(most)s submissions. Choose fewer, such as those of one problem.")
                % {"most": MOST}
            )
        if not planning.freeze(regrade, chosen):
            if regrade.facts["archived"]:
                raise Refused(_("All of these belong to archived courses, which are only read."))
            raise Refused(_("There is no judged submission among these, so there is nothing to judge again."))
        Entry.objects.create(regrade=regrade, by=by, what="made", why=reason)
    try:
        whole = planning.go_on(regrade, PLAN_SECONDS)
    except (BlobMissing, VersionUnreadable, OSError) as error:
        fail(
            regrade,
            say("said", "The version to judge against cannot be read, so there is no plan: %(fault)s", fault=error),
        )
    else:
        if not whole:
            shifts.advance(regrade.pk)
    regrade.refresh_from_db()
    return regrade


def _aim(regrade: Regrade, chosen: QuerySet[Submission, Submission], version: Version | None) -> None:
    """Freeze the versions, too."""
    if version is not None:
        targets = [(version.problem_id, version.pk)]
    else:
        found = chosen.filter(problem__live__isnull=False).order_by().values_list("problem", "problem__live")
        targets = list(found.distinct())
    Target.objects.bulk_create(Target(regrade=regrade, problem_id=one, version_id=other) for one, other in targets)


def start(by: User | None, regrade: Regrade) -> None:
    """Begin to judge. Nothing that counts changes by it. Pressed twice, it is begun once. Raises `Refused`."""
    _must_be_theirs(by, regrade)
    if not move(regrade, (Stage.PLANNED,), Stage.RUNNING, by=by, started=Now(), paused=False):
        regrade.refresh_from_db()
        if regrade.stage in (Stage.RUNNING, Stage.READY):
            return
        raise Refused(_("This regrade cannot be started: its plan is not whole yet, or it is over."))
    shifts.advance(regrade.pk)


def pause(by: User | None, regrade: Regrade) -> None:
    """Begin nothing new. What a worker has begun is finished within a second or two. Raises `Refused`."""
    _must_be_theirs(by, regrade)
    if Regrade.objects.filter(pk=regrade.pk, stage=Stage.RUNNING, paused=False).update(paused=True):
        _note(by, regrade, "paused")
    _must_run(regrade)


def resume(by: User | None, regrade: Regrade) -> None:
    """Go on where it was paused. Raises `Refused`."""
    _must_be_theirs(by, regrade)
    if Regrade.objects.filter(pk=regrade.pk, stage=Stage.RUNNING, paused=True).update(paused=False):
        _note(by, regrade, "resumed")
        shifts.advance(regrade.pk)
    _must_run(regrade)


def drop(by: User | None, regrade: Regrade) -> None:
    """End it without a change, wherever it stands before it is applied: stop it while it runs. Raises `Refused`."""
    _must_be_theirs(by, regrade)
    stages = (Stage.DRAFT, Stage.PLANNED, Stage.RUNNING, Stage.READY)
    if not move(regrade, stages, Stage.CANCELLED, by=by, paused=False):
        raise Refused(_("This regrade is over already. One that is applied can be taken back."))
    for shift in Shift.objects.filter(regrade=regrade, state__in=(State.QUEUED, State.RUNNING)):
        ledger.stop(shift)


def choose(by: User | None, regrade: Regrade, shown: Collection[int], ticked: Collection[int]) -> None:
    """Keep which of the items `shown` on a page are ticked. Raises `Refused`."""
    _must_be_theirs(by, regrade)
    with transaction.atomic():
        if not Regrade.objects.filter(pk=regrade.pk, stage=Stage.READY).exists():
            raise Refused(_("What is applied can be chosen only while the regrade is there to be compared."))
        items = RegradeItem.objects.filter(regrade=regrade, pk__in=list(shown))
        items.filter(pk__in=list(ticked)).update(chosen=True)
        items.exclude(pk__in=list(ticked)).update(chosen=False)


def apply(by: User | None, regrade: Regrade, policy: str) -> Moved:
    """Let the new results count, all at once or not at all. Raises `Refused`."""
    _must_be_theirs(by, regrade)
    return applying.apply(by, regrade, policy)


def revert(by: User | None, regrade: Regrade) -> Moved:
    """Let count again what counted before it was applied. Raises `Refused`."""
    _must_be_theirs(by, regrade)
    return applying.revert(by, regrade)


def _note(by: User | None, regrade: Regrade, what: str) -> None:
    Entry.objects.create(regrade=regrade, by=by, what=what)
    regrade.refresh_from_db()
    hints.announce_on(regrade.channel)


def _must_run(regrade: Regrade) -> None:
    regrade.refresh_from_db()
    if regrade.stage != Stage.RUNNING:
        raise Refused(_("This regrade is not running, so it can neither be paused nor go on."))


def _must_be_theirs(by: User | None, regrade: Regrade) -> None:
    if by is None:
        return
    if not may_edit_all(by, Problem.objects.filter(pk__in=regrade.targets.values("problem"))):
        raise Refused(_("Only the owners of a problem can have submissions to it judged again. Choose those to yours."))
    if not queries.regrades(by).filter(pk=regrade.pk).exists():
        raise Refused(_("This is somebody else's regrade."))
