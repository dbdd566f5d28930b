"""Regrades: many submissions judged again beside what counts, compared, and applied at once or not at all."""

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from django.http import Http404, HttpRequest
from django.utils.crypto import get_random_string
from ninja import Router, Status
from ninja.errors import HttpError
from pydantic import Field

from judge.api.access import COURSE_READ, COURSE_WRITE, reader
from judge.api.errors import ERRORS, Failure
from judge.api.lists import After, Limit, Number, Text, cut, told
from judge.api.shape import Asked, Told
from judge.authoring.queries import problems
from judge.grading.verdict import Verdict
from judge.people.models import User
from judge.people.permissions import may_regrade
from judge.people.refusal import Refused
from judge.regrades import actions, applying, impact, queries
from judge.regrades.applying import Moved
from judge.regrades.models import Outcome, Regrade, RegradeItem, Stage
from judge.submissions.queries import overseen
from judge.submissions.selection import NUMBERS, Selection
from problems.models import Version

router = Router(tags=["regrades"], auth=COURSE_READ)

Filter = Annotated[Text, Field(max_length=200)]
Policy = Literal["all", "increases", "selected"]
GRADES = 1000
"""That are told at once."""


class RegradeLine(Told):
    """A regrade in a list."""

    id: int
    stage: Stage
    paused: bool
    reason: str
    created: datetime
    created_by: str


class RegradeList(Told):
    """Newest first."""

    items: list[RegradeLine]
    next: int | None


class Planned(Told):
    """What the plan comes to."""

    submissions: int
    students: int
    runs: int
    checks: int
    kept: int
    """Results that are taken as they were."""
    seconds: float
    """Of CPU."""


class Would(Told):
    """What applying would do now."""

    moved: int
    conflicts: int
    archived: int


class RegradeFacts(RegradeLine):
    """A regrade, how far it is, and what applying it would do."""

    selection: dict[str, str]
    failure: str
    done: int
    total: int
    seconds_left: float | None
    plan: Planned | None
    """None: it is not whole yet."""
    archived: int
    """Submissions that were left out because their course is archived, and only read."""
    outcomes: dict[str, int]
    policy: str
    would: dict[str, Would]
    """Policy -> what it would do; empty when it is not there to be applied."""


class Impact(Told):
    """What it means for students, by the best of their submissions to each problem, if everything were applied."""

    students: int
    up: int
    down: int
    now_pass: int
    no_longer_pass: int


class Because(Told):
    """Submissions that changed for the same reason."""

    kind: str
    problem: str
    case: str
    before: str
    after: str
    count: int


class GradeChange(Told):
    """The points of a student for an assignment, as the gradebook has them."""

    student: str
    course: str
    assignment: str
    before: Decimal
    after: Decimal
    of: Decimal


class Diff(Told):
    """What is another result than before."""

    matrix: dict[str, dict[str, int]]
    """Verdict before -> verdict after -> submissions."""
    impact: Impact
    grades: list[GradeChange]
    """If everything that changed counts; of courses whose staff you are. Who loses most comes first."""
    grades_more: int
    """So many that are not in the list, which is cut."""
    reasons: list[Because]


class ItemFacts(Told):
    """One submission of a regrade, before and after."""

    submission: int
    student: str
    problem: str
    outcome: Outcome
    verdict_before: str
    verdict_after: str
    points_before: float | None
    points_after: float | None
    version_before: int | None
    version_after: int | None
    chosen: bool
    """Whether the policy `selected` takes it."""
    applied: datetime | None
    conflict: bool


class ItemList(Told):
    """By the number of the submission."""

    items: list[ItemFacts]
    next: int | None


class Wish(Asked):
    """Which submissions are judged again: those that fit every filter that is given, of those you may."""

    reason: Annotated[Text, Field(min_length=1, max_length=500)]
    """Read by students whose result changes."""
    problem: Filter = ""
    version: Filter = ""
    """Number of the version by which it was judged; `older`: another one than the live one."""
    verdict: Filter = ""
    language: Filter = ""
    person: Filter = ""
    course: Filter = ""
    """As in its address."""
    assignment: Annotated[int, Field(ge=1, le=(1 << 60) - 1)] | None = None
    """Its number."""
    case: Filter = ""
    since: Filter = ""
    until: Filter = ""
    """First and last day, as 2026-10-01."""
    submissions: Annotated[list[Number], Field(max_length=NUMBERS)] = []
    """By their numbers."""
    against: Annotated[int, Field(ge=1, lt=1_000_000)] | None = None
    """Number of a version of the one `problem`; None: the live one."""
    anew: bool = False
    """Run everything, whatever is known already."""
    key: Annotated[Text, Field(max_length=64)] = ""
    """The same key is the same regrade, however often it is sent."""


class Choice(Asked):
    """Whose results are applied: everybody's, only those that do not lose, or the chosen ones."""

    policy: Policy


class Result(RegradeFacts):
    """What came of applying or taking back."""

    moved: int
    conflicts: int
    """Submissions for which another result had begun to count meanwhile; they were left alone."""
    archived: int
    """Submissions of courses that were archived meanwhile; they were left alone."""


@router.get("", response={200: RegradeList, ERRORS: Failure})
def regrades(request: HttpRequest, limit: Limit = 50, after: After = None) -> Any:
    """Your own regrades, as long as you own all of their problems; for admins all. Scope: `course:read`."""
    rows, following = cut(queries.regrades(reader(request)), "pk", after, limit, newest_first=True)
    return told(rows, following, _line)


@router.post("", response={201: RegradeFacts, ERRORS: Failure}, auth=COURSE_WRITE)
def plan(request: HttpRequest, body: Wish) -> Any:
    """Freeze which submissions are to be judged again, and say what that takes. Nothing is run.

    For owners of the problems. Scope: `course:write`.
    """
    by = reader(request)
    if not may_regrade(by):
        raise HttpError(403, "Only the owners of a problem can have submissions to it judged again.")
    given = body.model_dump() | {"numbers": ",".join(map(str, body.submissions)), "assignment": body.assignment or ""}
    for name in Selection.dropped(given):
        raise Refused(f"`{name}` cannot be this: nothing would be filtered by it.")
    selection = Selection.of(given)
    if name := selection.fruitless(overseen(by)):
        raise Refused(f"No submission that you see fits `{'submissions' if name == 'numbers' else name}`.")
    made = actions.plan(
        by,
        selection.narrow(overseen(by)),
        reason=body.reason,
        key=body.key or get_random_string(32),
        selection=selection.facts,
        version=_against(by, selection.problem, body.against),
        anew=body.anew,
    )
    return Status(201, _facts(made))


@router.get("/{pk}", response={200: RegradeFacts, ERRORS: Failure})
def regrade(request: HttpRequest, pk: Number) -> Any:
    """One regrade: its plan, how far it is, what applying it would do. Scope: `course:read`."""
    return _facts(_regrade(request, pk))


@router.get("/{pk}/diff", response={200: Diff, ERRORS: Failure})
def diff(request: HttpRequest, pk: Number) -> Any:
    """What is another result than before, in sums. Scope: `course:read`."""
    shown = _regrade(request, pk)
    matrix, people, changes = queries.matrix(shown), queries.impact(shown), impact.grades(reader(request), shown)
    return {
        "matrix": {before: {one.after: one.count for one in cells if one.count} for before, cells, _ in matrix.rows},
        "impact": {
            "students": people.students,
            "up": people.up,
            "down": people.down,
            "now_pass": people.now_pass,
            "no_longer_pass": people.no_longer_pass,
        },
        "grades": [one.facts for one in changes[:GRADES]],
        "grades_more": max(len(changes) - GRADES, 0),
        "reasons": [
            {
                "kind": one.kind,
                "problem": one.problem,
                "case": one.case,
                "before": one.before,
                "after": one.after,
                "count": one.count,
            }
            for one in queries.clusters(shown)
        ],
    }


@router.get("/{pk}/items", response={200: ItemList, ERRORS: Failure})
def items(
    request: HttpRequest,
    pk: Number,
    *,
    limit: Limit = 100,
    after: After = None,
    outcome: Outcome | Literal["all"] = "all",
    before: Verdict | None = None,
    now: Verdict | None = None,
) -> Any:
    """Its submissions, before and after; by outcome, and by the verdicts `before` and `now`. Scope: `course:read`."""
    asked = {"outcome": outcome, "before": before or "", "after": now or ""}
    rows, following = cut(queries.items(reader(request), _regrade(request, pk), asked), "number", after, limit)
    return told(rows, following, _item)


@router.post("/{pk}/apply", response={200: Result, ERRORS: Failure}, auth=COURSE_WRITE)
def apply(request: HttpRequest, pk: Number, body: Choice) -> Any:
    """Let the new results count, all at once. Scope: `course:write`."""
    shown = _regrade(request, pk)
    return _moved(shown, actions.apply(reader(request), shown, body.policy))


@router.post("/{pk}/revert", response={200: Result, ERRORS: Failure}, auth=COURSE_WRITE)
def revert(request: HttpRequest, pk: Number) -> Any:
    """Let count again what counted before it was applied. Scope: `course:write`."""
    shown = _regrade(request, pk)
    return _moved(shown, actions.revert(reader(request), shown))


DEEDS: dict[str, Callable[[User | None, Regrade], None]] = {
    "run": actions.start,
    "pause": actions.pause,
    "resume": actions.resume,
    "drop": actions.drop,
}


@router.post("/{pk}/{deed}", response={200: RegradeFacts, ERRORS: Failure}, auth=COURSE_WRITE)
def act(request: HttpRequest, pk: Number, deed: Literal["run", "pause", "resume", "drop"]) -> Any:
    """Move it on. `run` judges, and changes nothing that counts; `pause`, `resume`; `drop` ends it without a change.

    Scope: `course:write`.
    """
    shown = _regrade(request, pk)
    DEEDS[deed](reader(request), shown)
    return _facts(shown)


def _regrade(request: HttpRequest, pk: int) -> Regrade:
    found = queries.regrade(reader(request), pk)
    if found is None:
        raise Http404
    return found


def _against(by: User, slug: str, number: int | None) -> Version | None:
    if number is None:
        return None
    own = problems(by).filter(slug=slug).order_by().values("pk")
    found = Version.objects.filter(problem__in=own, number=number).first()
    if found is None:
        raise Refused("`against` is the number of a version of the one `problem`, which is yours.")
    return found


def _line(one: Regrade) -> dict[str, Any]:
    return {
        "id": one.pk,
        "stage": one.stage,
        "paused": one.paused,
        "reason": one.reason,
        "created": one.created,
        "created_by": one.created_by.username if one.created_by else "",
    }


def _facts(shown: Regrade) -> dict[str, Any]:
    shown.refresh_from_db()
    progress = queries.progress(shown)
    ready = shown.stage == Stage.READY
    return {
        **_line(shown),
        "selection": shown.selection,
        "failure": shown.failure,
        "done": progress.done,
        "total": progress.total,
        "seconds_left": progress.seconds_left,
        "plan": shown.facts.get("plan"),
        "archived": shown.facts.get("archived", 0),
        "outcomes": queries.outcomes(shown),
        "policy": shown.policy,
        "would": {policy: _sums(applying.would_move(shown, policy)) for policy in applying.POLICIES} if ready else {},
    }


def _moved(shown: Regrade, moved: Moved) -> dict[str, Any]:
    return {**_facts(shown), **_sums(moved)}


def _sums(moved: Moved) -> dict[str, int]:
    return {"moved": moved.moved, "conflicts": moved.conflicts, "archived": moved.archived}


def _item(one: RegradeItem) -> dict[str, Any]:
    before, after = one.base, one.new or (one.base if one.outcome == Outcome.SAME else None)
    return {
        "submission": one.number,
        "student": one.submission.author.username if one.submission else "",
        "problem": one.submission.problem.slug if one.submission else "",
        "outcome": one.outcome,
        "verdict_before": before.verdict if before else "",
        "verdict_after": after.verdict if after else "",
        "points_before": before.points if before else None,
        "points_after": after.points if after else None,
        "version_before": before.version.number if before else None,
        "version_after": after.version.number if after else None,
        "chosen": one.chosen,
        "applied": one.moved,
        "conflict": one.conflict,
    }
