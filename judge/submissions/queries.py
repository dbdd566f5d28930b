"""What is read of submissions and trial runs. Every function takes the viewer first and gives only what they may see.

What a viewer may not see is not there: `None`, an empty list, `DoesNotExist`. Each function takes a fixed number of
queries, however much there is.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from judge.blobs import store
from judge.grading.case import KEEP_BYTES
from judge.grading.languages import LANGUAGES
from judge.grading.verdict import Verdict
from judge.people.models import User
from judge.people.permissions import Viewer, is_staff, may_see_secret_data, may_see_work_of
from judge.submissions.models import CaseResult, Judgement, Owed, State, Submission, Trial, Worker
from judge.submissions.text import shown as shown_text
from problems.models import Case, Problem, Version

SAMPLE = "sample"
FRESH = timedelta(minutes=5)
"""A worker not heard of for longer than this is not counted on."""


def submission(viewer: Viewer, pk: int) -> Submission | None:
    """The submission with its problem, author and the judgement that counts, or None."""
    return submissions(viewer).filter(pk=pk).first()


def submissions(
    viewer: Viewer, author: User | None = None, problem: Problem | None = None
) -> QuerySet[Submission, Submission]:
    """Submissions that the viewer may see, newest first; `effective.judgement` of each is at hand."""
    found = Submission.objects.select_related("problem", "author", "effective__judgement__version")
    if not is_staff(viewer):
        found = found.filter(author=viewer) if isinstance(viewer, User) and viewer.is_active else found.none()
    if author is not None:
        found = found.filter(author=author)
    if problem is not None:
        found = found.filter(problem=problem)
    return found


def sources(viewer: Viewer, sent: Submission | Trial) -> dict[str, bytes]:
    """The files as they were sent, in their order; empty for who may not see them."""
    if not may_see_work_of(viewer, sent.author_id):
        return {}
    return {file["name"]: store.get(file["digest"]) for file in sent.files}


def trial(viewer: Viewer, pk: int) -> Trial | None:
    """A trial run of the viewer's own, or any for staff."""
    found = Trial.objects.select_related("version__problem").filter(pk=pk).first()
    return found if found is not None and may_see_work_of(viewer, found.author_id) else None


def snapshot(viewer: Viewer, shown: Submission) -> dict[str, Any] | None:
    """Everything that a page, the live stream and polling show of a submission, ready for JSON.

    Names and notes of secret cases are for the author too; what the validator told the judge, and what the program
    printed, is not.
    """
    if not may_see_work_of(viewer, shown.author_id):
        return None
    judgement = Judgement.objects.select_related("version").get(effective__submission=shown)
    staff = may_see_secret_data(viewer)
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
    return facts


def trial_snapshot(viewer: Viewer, shown: Trial) -> dict[str, Any] | None:
    """The same for a trial run; `results` is as the last step left it."""
    if not may_see_work_of(viewer, shown.author_id):
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
    """What the program printed on a case (clipped): for staff, and for the author on samples. None otherwise."""
    found = CaseResult.objects.select_related("judgement__submission").filter(judgement=judgement_id, position=position)
    result = found.first()
    if result is None or not may_see_work_of(viewer, result.judgement.submission.author_id):
        return None
    if result.group != SAMPLE and not may_see_secret_data(viewer):
        return None
    digest = result.stderr if stderr else result.output
    return store.get(digest)[:KEEP_BYTES] if digest else b""


def place_in_queue(row: Owed) -> int | None:
    """1 for what is taken next, counting everything that waits for the same workers; None when it does not wait."""
    if row.state != State.QUEUED:
        return None
    return 1 + sum(_before(model, row) for model in (Judgement, Trial))


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
    workers = _workers()
    if not workers:
        return frozenset(LANGUAGES)
    return frozenset(name for worker in workers for name in worker.languages if name in LANGUAGES)


def toolchains() -> Mapping[str, Sequence[str]]:
    """Language id -> by what the workers that judge now compile or run it, each different answer once."""
    found: dict[str, dict[str, None]] = {}
    for worker in _workers():
        for name, version in worker.toolchains.items():
            found.setdefault(name, {})[str(version)] = None
    return {name: tuple(versions) for name, versions in found.items()}


def _workers() -> list[Worker]:
    """Those that judge and were heard of lately; when there are none, all that were ever."""
    workers = [worker for worker in Worker.objects.all() if worker.languages]
    return [worker for worker in workers if worker.seen > timezone.now() - FRESH] or workers


def allowed_languages(version: Version) -> list[str]:
    """Ids of the languages in which a program for `version` may be sent now, in the order of the table."""
    codes = version.facts.get("languages")
    offered = offered_languages()
    return [
        name for name, language in LANGUAGES.items() if name in offered and (codes is None or language.code in codes)
    ]


def language_label(name: str) -> str:
    """How people call a language; a name no longer in the table as it is."""
    return LANGUAGES[name].label if name in LANGUAGES else name


def queue_overview(viewer: Viewer, limit: int = 50) -> dict[str, Any] | None:
    """What runs, what waits, who works, and what staff must look at; None for anybody else."""
    if not is_staff(viewer):
        return None
    judgements = Judgement.objects.select_related("submission__author", "submission__problem")
    counts = Judgement.objects.filter(state__in=(State.QUEUED, State.RUNNING)).values("state").order_by("state")
    return {
        "counts": dict(counts.annotate(number=Count("pk")).values_list("state", "number")),
        "running": list(judgements.filter(state=State.RUNNING).order_by("started")[:limit]),
        "waiting": list(judgements.filter(state=State.QUEUED).order_by("queued", "pk")[:limit]),
        "trials": Trial.objects.filter(state__in=(State.QUEUED, State.RUNNING)).count(),
        "to_look_at": list(
            judgements.filter(verdict=Verdict.JUDGE_ERROR.value, effective__isnull=False).order_by("-finished")[:limit]
        ),
        "workers": list(Worker.objects.all()[:limit]),
    }


def _before(model: type[Owed], row: Owed) -> int:
    earlier = Q(queued__lt=row.queued)
    if isinstance(row, model):
        earlier |= Q(queued=row.queued, pk__lt=row.pk)
    return model.objects.filter(earlier, state=State.QUEUED).count()


def _standing(row: Owed) -> dict[str, Any]:
    return {
        "state": row.state,
        "final": row.over,
        "place": place_in_queue(row),
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
