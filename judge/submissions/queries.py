"""What is read of submissions and trial runs. Every function takes the viewer first and gives only what they may see.

What a viewer may not see is not there: `None`, an empty list, `DoesNotExist`. Each function takes a fixed number of
queries, however much there is.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import Count, DurationField, ExpressionWrapper, F, Q, QuerySet
from django.utils import timezone

from judge.assignments.feedback import Setting, shows
from judge.assignments.models import Assignment, Kind
from judge.assignments.queries import feedback_setting
from judge.blobs import store
from judge.grading.case import KEEP_BYTES
from judge.grading.job import ANSWERS
from judge.grading.languages import LANGUAGES
from judge.grading.verdict import Verdict
from judge.people.models import User
from judge.people.permissions import (
    Viewer,
    courses_staffed_by,
    is_admin,
    may_see_queue,
    may_see_secret_data,
    may_see_work_of,
    person,
)
from judge.submissions.fit import at_work, lacked_by
from judge.submissions.models import CaseResult, Judgement, Owed, State, Submission, Trial, Worker
from judge.submissions.text import shown as shown_text
from problems.models import Case, Problem, Version
from problems.package.model import ProblemType

SAMPLE = "sample"
PACE_SECONDS = 5
FRESH = timedelta(minutes=5)
"""A worker not heard of for longer than this is not counted on."""


def submission(viewer: Viewer, pk: int) -> Submission | None:
    """The submission with its problem, author and the judgement that counts, or None."""
    return submissions(viewer).filter(pk=pk).first()


def submissions(
    viewer: Viewer, author: User | None = None, problem: Problem | None = None
) -> QuerySet[Submission, Submission]:
    """Submissions that the viewer may see, newest first; `effective.judgement` of each is at hand."""
    found = Submission.objects.select_related(
        "problem", "author", "assignment__course", "effective__judgement__version"
    )
    found = found.filter(_visible_to(viewer))
    if author is not None:
        found = found.filter(author=author)
    if problem is not None:
        found = found.filter(problem=problem)
    return found


def overseen(viewer: Viewer) -> QuerySet[Submission, Submission]:
    """Of `submissions` those in which the viewer may see everything, also what a student is not shown."""
    found = submissions(viewer)
    if is_admin(viewer):
        return found
    owned = list(Problem.objects.filter(owners=viewer.pk).order_by().values_list("pk", flat=True))
    return found.filter(Q(assignment__in=_assignments_overseen_by(viewer)) | Q(problem__in=owned))


def sources(viewer: Viewer, sent: Submission | Trial) -> dict[str, bytes]:
    """The files as they were sent, in their order; empty for who may not see them."""
    if not may_see_work_of(viewer, sent.author_id, course_of(sent)):
        return {}
    return {file["name"]: store.get(file["digest"]) for file in sent.files}


def trial(viewer: Viewer, pk: int) -> Trial | None:
    """A trial run of the viewer's own; any for admins."""
    found = Trial.objects.select_related("version__problem").filter(pk=pk).first()
    return found if found is not None and may_see_work_of(viewer, found.author_id, None) else None


def snapshot(viewer: Viewer, shown: Submission) -> dict[str, Any] | None:
    """Everything that a page, the live stream and polling show of a submission, ready for JSON.

    Names and notes of secret cases are for the author too, as far as the assignment's feedback settings show them;
    what the validator told the judge, and what the program printed, is not.
    """
    course = course_of(shown)
    if not may_see_work_of(viewer, shown.author_id, course):
        return None
    judgement = Judgement.objects.select_related("version").get(effective__submission=shown)
    staff = may_see_secret_data(viewer, shown.problem, course)
    results = [] if judgement.state == State.QUEUED else list(judgement.results.all())
    facts = {
        "id": shown.pk,
        "judgement": judgement.pk,
        "problem": shown.problem.slug,
        "language": shown.language,
        "language_label": language_label(shown.language),
        "sent": _moment(shown.sent),
        "version": judgement.version.number,
        **_standing(judgement),
        "compiled": judgement.compiled,
        "compile_log": shown_text(judgement.compile_log),
        "toolchain": judgement.toolchain,
        "cases": [_case(result, staff) for result in results],
        "total": Case.objects.filter(version=judgement.version_id).count(),
        "verdict": judgement.verdict,
        "points": _number(judgement.points),
        "out_of": _number(judgement.out_of),
        "note": judgement.note,
    }
    if staff:
        facts["judge_note"] = judgement.judge_note
        facts["worker"] = judgement.worker
        facts["attempt"] = judgement.attempt
    else:
        _conceal(facts, shown, judgement)
    return facts


def trial_snapshot(viewer: Viewer, shown: Trial) -> dict[str, Any] | None:
    """The same for a trial run; `results` is as the last step left it."""
    if not may_see_work_of(viewer, shown.author_id, None):
        return None
    return {
        "id": shown.pk,
        "language": shown.language,
        "language_label": language_label(shown.language),
        "sent": _moment(shown.queued),
        "own_input": bool(shown.own_input),
        **_standing(shown),
        "results": shown.results,
    }


def case_output(viewer: Viewer, judgement_id: int, position: int, *, stderr: bool = False) -> bytes | None:
    """What the program printed on a case (clipped): for who sees secret data; on samples for the author too."""
    found = CaseResult.objects.select_related(
        "judgement__submission__assignment__course", "judgement__submission__problem", "judgement__submission__author"
    )
    result = found.filter(judgement=judgement_id, position=position).first()
    if result is None:
        return None
    sent = result.judgement.submission
    if not may_see_work_of(viewer, sent.author_id, course_of(sent)):
        return None
    told = result.group == SAMPLE or may_see_secret_data(viewer, sent.problem, course_of(sent))
    if not told and not _shows(_setting(sent), result.judgement, Kind.SECRET):
        return None
    digest = result.stderr if stderr else result.output
    return store.get(digest)[:KEEP_BYTES] if digest else b""


def place_in_queue(row: Owed) -> int | None:
    """1 for what is taken next, counting everything that waits for the same workers; None when it does not wait."""
    if row.state != State.QUEUED:
        return None
    return 1 + sum(_before(model, row) for model in (Judgement, Trial))


def expected_wait(place: int | None) -> float | None:
    """Seconds until what has this place in the queue is begun, at the pace of the last hour; None: nobody knows.

    It holds as long as nobody comes who goes ahead, and all workers that judge go on doing so.
    """
    if place is None:
        return None
    slots, pace = _pace()
    if not slots or pace is None:
        return None
    return (place - 1) / slots * pace + pace / (slots + 1)


def lacks(row: Owed) -> list[str] | None:
    """Labels of the languages that a row waits for, because no worker at work has them; None: it is not so.

    Empty: it waits for a worker of newer code.
    """
    names = lacked_by(row) if row.state == State.QUEUED else None
    return None if names is None else [language_label(name) for name in names]


def workers_at_work() -> int:
    """How many programs the workers that take live work now can judge at the same time."""
    return _pace()[0]


def _pace() -> tuple[int, float | None]:
    """Programs judged at the same time, and the seconds that one took on average; looked up every few seconds."""
    found: tuple[int, float | None] | None = cache.get("pace")
    if found is None:
        now = timezone.now()
        slots = sum(worker.slots for worker in at_work() if worker.judges)
        took = ExpressionWrapper(F("finished") - F("started"), output_field=DurationField())
        last = Judgement.objects.filter(finished__gt=now - timedelta(hours=1), started__isnull=False)
        times = list(last.order_by("-finished").values_list(took, flat=True)[:50])
        mean = sum(times, timedelta()).total_seconds() / len(times) if times else None
        found = (slots, mean)
        cache.set("pace", found, PACE_SECONDS)
    return found


def problem_states(viewer: Viewer) -> dict[int, str]:
    """Problem id -> `solved` or `tried`, for the viewer's own submissions; a problem not in it was not tried."""
    if not isinstance(viewer, User):
        return {}
    solved = Count("pk", filter=Q(effective__judgement__verdict=Verdict.ACCEPTED.value))
    rows = Submission.objects.filter(author=viewer).order_by().values("problem").annotate(solved=solved)
    return {row["problem"]: "solved" if row["solved"] else "tried" for row in rows}


def offered_languages() -> frozenset[str]:
    """Ids of the languages that a worker can judge now; every language before the first worker was seen.

    When no worker was heard of lately, what the last ones could do counts: work waits for them in the queue.
    """
    workers = workers_that_judge()
    if not workers:
        return frozenset(LANGUAGES)
    return frozenset(name for worker in workers for name in worker.languages if name in LANGUAGES)


def toolchains() -> Mapping[str, Sequence[str]]:
    """Language id -> by what the workers that judge now compile or run it, each different answer once."""
    found: dict[str, dict[str, None]] = {}
    for worker in workers_that_judge():
        for name, version in worker.toolchains.items():
            found.setdefault(name, {})[str(version)] = None
    return {name: tuple(versions) for name, versions in found.items()}


def workers_that_judge() -> list[Worker]:
    """Those that judge and were heard of lately; when there are none, all that were ever."""
    workers = [worker for worker in Worker.objects.all() if worker.judges]
    return [worker for worker in workers if worker.seen > timezone.now() - FRESH] or workers


def allowed_languages(version: Version) -> list[str]:
    """Ids of the languages in which a program for `version` may be sent now, in the order of the table."""
    codes = version.facts.get("languages")
    offered = offered_languages()
    return [
        name for name, language in LANGUAGES.items() if name in offered and (codes is None or language.code in codes)
    ]


def wants_answers(version: Version) -> bool:
    """Whether answers are sent for `version`, and no program."""
    return ProblemType.SUBMIT_ANSWER in version.facts.get("types", ())


def language_label(name: str) -> str:
    """How people call a language; a name no longer in the table as it is."""
    if name == ANSWERS:
        return "Answers"
    return LANGUAGES[name].label if name in LANGUAGES else name


def queue_overview(viewer: Viewer, limit: int = 50) -> dict[str, Any] | None:
    """What runs, what waits, who works, and what must be looked at, as far as the viewer sees the work; the counts are
    of everything. None for who sees only their own.
    """
    if not may_see_queue(viewer):
        return None
    judgements = Judgement.objects.select_related(
        "submission__author", "submission__problem", "submission__effective__judgement__version"
    ).filter(_visible_to(viewer, "submission__"))
    counts = Judgement.objects.filter(state__in=(State.QUEUED, State.RUNNING)).values("state").order_by("state")
    return {
        "counts": dict(counts.annotate(number=Count("pk")).values_list("state", "number")),
        "running": list(judgements.filter(state=State.RUNNING).order_by("started")[:limit]),
        "waiting": list(judgements.filter(state=State.QUEUED).order_by("due", "pk")[:limit]),
        "trials": Trial.objects.filter(state__in=(State.QUEUED, State.RUNNING)).count(),
        "to_look_at": list(
            judgements.filter(verdict=Verdict.JUDGE_ERROR.value, effective__isnull=False).order_by("-finished")[:limit]
        ),
        "workers": list(Worker.objects.all()[:limit]),
    }


def course_of(sent: Submission | Trial) -> int | None:
    """Id of the course for which it was sent; None: practice, or a trial run."""
    return sent.assignment.course_id if isinstance(sent, Submission) and sent.assignment else None


def _conceal(facts: dict[str, Any], sent: Submission, judgement: Judgement) -> None:
    """Take out what the assignment does not show to its students now. Verdict, points and the compiler stay."""
    setting = _setting(sent)
    if setting is None:
        return
    if not _shows(setting, judgement, Kind.WHAT_HAPPENED):
        facts |= {"cases": [], "total": 0, "progress": ""}
        if judgement.verdict not in (Verdict.JUDGE_ERROR, Verdict.COMPILE_ERROR):
            facts["note"] = ""
    elif not _shows(setting, judgement, Kind.COST):
        cost = dict.fromkeys(("cpu_seconds", "cpu_range", "wall_seconds", "memory_bytes"))
        facts["cases"] = [case | cost for case in facts["cases"]]


def shows_cost(viewer: Viewer, sent: Submission, judgement: Judgement) -> bool:
    """Whether times and memory of `sent` are shown to the viewer, who may see it."""
    if may_see_secret_data(viewer, sent.problem, course_of(sent)):
        return True
    setting = _setting(sent)
    return all(_shows(setting, judgement, kind) for kind in (Kind.WHAT_HAPPENED, Kind.COST))


def _setting(sent: Submission) -> Setting | None:
    return feedback_setting(sent.author, sent.problem_id, sent.assignment)


def _shows(setting: Setting | None, judgement: Judgement, kind: Kind) -> bool:
    failed = judgement.over and judgement.verdict != Verdict.ACCEPTED
    return shows(setting, kind, failed=failed, now=timezone.now())


def _visible_to(viewer: Viewer, path: str = "") -> Q:
    """Of submissions: those that `may_see_work_of` allows. `path` leads to the submission."""
    if is_admin(viewer):
        return Q()
    if person(viewer) is None:
        return Q(pk__in=())
    mine = Q(**{f"{path}author": viewer.pk})
    overseen = _assignments_overseen_by(viewer)
    return mine | Q(**{f"{path}assignment__in": overseen}) if overseen else mine


def _assignments_overseen_by(viewer: Viewer) -> list[int]:
    """Of the courses whose work the viewer sees. As numbers, and not as a query within the query: only so can a
    database take from its indexes what is theirs, instead of looking at all that everybody ever sent."""
    staffed = courses_staffed_by(viewer).order_by().values("pk")
    return list(Assignment.objects.filter(course__in=staffed).order_by("pk").values_list("pk", flat=True))


def _before(model: type[Owed], row: Owed) -> int:
    earlier = Q(due__lt=row.due)
    if isinstance(row, model):
        earlier |= Q(due=row.due, pk__lt=row.pk)
    return model.objects.filter(earlier, state=State.QUEUED).count()


def _standing(row: Owed) -> dict[str, Any]:
    place = place_in_queue(row)
    return {
        "state": row.state,
        "final": row.over,
        "place": place,
        "wait_seconds": expected_wait(place),
        "nobody_works": place is not None and not workers_at_work(),
        "lacks": lacks(row),
        "progress": row.progress,
        "started": _moment(row.started),
        "finished": _moment(row.finished),
    }


def _case(result: CaseResult, staff: bool) -> dict[str, Any]:
    facts = {
        "position": result.position,
        "name": result.name,
        "group": result.group,
        "sample": result.group == SAMPLE,
        "verdict": result.verdict,
        "cpu_seconds": result.cpu_seconds,
        "cpu_range": None if result.cpu_low is None else [result.cpu_low, result.cpu_high],
        "wall_seconds": result.wall_seconds,
        "memory_bytes": result.memory_bytes,
        "points": float(result.points),
        "note": result.note,
        "team_note": result.team_note,
        "has_output": bool(result.output) and (staff or result.group == SAMPLE),
    }
    if staff:
        facts["judge_note"] = result.judge_note
    return facts


def _number(points: Any) -> float | None:
    return None if points is None else float(points)


def _moment(when: datetime | None) -> str | None:
    return None if when is None else when.isoformat()
