"""What is read at the desk. Every function that takes a viewer gives only what they may see."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet

from judge.authoring.models import Draft, Errand, Kind
from judge.blobs.versions import VersionUnreadable, package_of, ready_cases
from judge.people.models import User
from judge.people.permissions import Viewer, is_admin, may_edit
from judge.submissions.models import Effective, State, Submission
from judge.submissions.sweeper import owed
from problems.models import Problem, Version

__all__ = ["VersionUnreadable", "package_of", "ready_cases"]

AS_PROMISED, NOT_AS_PROMISED, BEING_VERIFIED, NOT_VERIFIED = "as_promised", "not_as_promised", "running", "none"
"""What is known of a version's examples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A problem in the list of the desk."""

    problem: Problem
    draft: Draft | None
    newest: Version | None
    standing: str
    """Of the newest version."""

    @property
    def changed(self) -> bool:
        """Whether the working copy is not what the newest version was made of."""
        return self.draft is not None and (self.newest is None or self.draft.archive != self.newest.archive)


def problems(viewer: Viewer) -> QuerySet[Problem, Problem]:
    """The problems whose desk the viewer may see."""
    found = Problem.objects.select_related("live").order_by("slug")
    if is_admin(viewer):
        return found
    return found.filter(owners=viewer) if isinstance(viewer, User) and viewer.is_active else found.none()


def problem(viewer: Viewer, slug: str) -> Problem | None:
    found = Problem.objects.select_related("live").filter(slug=slug).first()
    return found if found is not None and may_edit(viewer, found) else None


def rows(shown: list[Problem]) -> list[Row]:
    """What the list says of each, in a fixed number of queries."""
    drafts = {draft.problem_id: draft for draft in Draft.objects.select_related("changed_by").filter(problem__in=shown)}
    newest: dict[int, Version] = {}
    for version in Version.objects.defer("facts").filter(problem__in=shown).order_by("number"):
        newest[version.problem_id] = version
    standings = standings_of([version.pk for version in newest.values()])
    return [
        Row(
            problem=one,
            draft=drafts.get(one.pk),
            newest=newest.get(one.pk),
            standing=standings.get(newest[one.pk].pk, NOT_VERIFIED) if one.pk in newest else NOT_VERIFIED,
        )
        for one in shown
    ]


def standings_of(versions: list[int]) -> dict[int, str]:
    """Id of a version -> what is known of its examples; not in it: nothing."""
    found: dict[int, str] = {}
    verifies = Errand.objects.filter(kind=Kind.VERIFY, version__in=versions).order_by("queued", "pk")
    for errand in verifies.only("version_id", "state", "succeeded"):
        assert errand.version_id is not None
        if errand.state == State.DONE:
            found[errand.version_id] = AS_PROMISED if errand.succeeded else NOT_AS_PROMISED
        elif errand.state in (State.QUEUED, State.RUNNING):
            found.setdefault(errand.version_id, BEING_VERIFIED)
    return found


def standing(version: Version) -> str:
    """What is known of the examples of one version."""
    return standings_of([version.pk]).get(version.pk, NOT_VERIFIED)


def verifying(version: Version) -> Errand | None:
    """The errand that verifies a version now, or waits to."""
    owed = Errand.objects.filter(kind=Kind.VERIFY, version=version, state__in=(State.QUEUED, State.RUNNING))
    return owed.order_by("queued", "pk").first()


def errand(viewer: Viewer, pk: int) -> Errand | None:
    """An errand of a problem that the viewer may edit."""
    found = Errand.objects.select_related("problem", "version", "asked_by").filter(pk=pk).first()
    return found if found is not None and may_edit(viewer, found.problem) else None


def latest(problem: Problem, kind: str, **about: Any) -> Errand | None:
    """The last errand of this kind, whatever came of it; `about`: only of a version, or of a target."""
    found = Errand.objects.select_related("version", "asked_by").filter(problem=problem, kind=kind, **about)
    return found.order_by("-queued", "-pk").first()


def may_be_discarded(problem: Problem) -> bool:
    """Whether it was never live, and nobody has sent anything to it. What is live once is followed by another only."""
    return problem.live_id is None and not Submission.objects.filter(problem=problem).exists()


def taken(problem: Problem) -> dict[str, Any] | None:
    """How the package was taken in that the working copy began as, as `drafts.report_of` tells it."""
    report = Draft.objects.filter(problem=problem).values_list("taken", flat=True).first()
    return {**report, "when": datetime.fromisoformat(report["when"])} if report else None


def of_older_copies(problem: Problem, archive: str) -> list[Errand]:
    """What is at work on states of the working copy other than `archive`; and what came of the last making, if that was
    of one, while it is news: it failed, or its version is the newest and not live.
    """
    others = Errand.objects.select_related("version", "asked_by").filter(problem=problem).exclude(target=archive)
    kinds = (Kind.MAKE, Kind.LIMIT)
    found = list(others.filter(kind__in=kinds, state__in=(State.QUEUED, State.RUNNING)).order_by("queued", "pk"))
    last = latest(problem, Kind.MAKE)
    if last is not None and last.over and last.target != archive:
        made = last.version if last.succeeded else None
        if made is None or (made.pk != problem.live_id and not problem.versions.filter(number__gt=made.number)):
            found.append(last)
    return found


def before(row: Errand) -> int:
    """How much work of any kind for the same workers runs now, or waits for longer; 0 when it does not wait itself."""
    if row.state != State.QUEUED:
        return 0
    earlier = Q(state=State.RUNNING) | Q(state=State.QUEUED, queued__lt=row.queued)
    return sum(model.objects.filter(earlier).count() for model in owed(row.QUEUE))


def unfinished() -> int:
    """How many errands wait or run on the whole site."""
    return Errand.objects.filter(state__in=(State.QUEUED, State.RUNNING)).count()


def judged_against_others(version: Version) -> int:
    """How many submissions to the problem have the judgement that counts from another version."""
    return Effective.objects.filter(submission__problem=version.problem_id).exclude(judgement__version=version).count()


def judged_against(shown: Problem) -> dict[int, int]:
    """Id of a version -> submissions whose judgement that counts is from it."""
    counted = Effective.objects.filter(submission__problem=shown).order_by().values("judgement__version")
    return dict(counted.annotate(number=Count("pk")).values_list("judgement__version", "number"))
