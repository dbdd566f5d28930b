"""Submissions: sent, followed, and what came of them; as far as the pages show it to the reader."""

import base64
from typing import Annotated, Any

from asgiref.sync import sync_to_async
from django.db import connections
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import get_random_string
from ninja import File, Form, Router, Status
from ninja.files import UploadedFile
from pydantic import Field

from judge.api.access import READ, SUBMIT, holds, reader
from judge.api.errors import ERRORS, Failure
from judge.api.lists import SHORT_NAME, After, Limit, Number, cut, told
from judge.api.problems import open_problem
from judge.api.shape import Told
from judge.blobs.store import BlobMissing
from judge.grading.verdict import Verdict
from judge.people.refusal import Refused
from judge.people.tokens import Scope
from judge.submissions import actions, hints, live, queries, upload
from judge.submissions.models import Judgement, Submission
from judge.submissions.targets import PRACTICE, targets

router = Router(tags=["submissions"], auth=READ)
FIELDS = frozenset({"language", "assignment", "key"})
"""Of the form beside its files. One that is misspelt must not be taken for one that is left out."""


class SubmissionLine(Told):
    """A submission in a list."""

    id: int
    problem: str
    assignment: int | None
    language: str
    sent: str
    state: str
    """`queued`, `running`, `done`, or `abandoned`: nothing will come of it."""
    verdict: str
    """Empty: there is none yet."""
    points: float | None
    out_of: float | None
    address: str
    """Of its page."""


class SubmissionList(Told):
    """Newest first."""

    items: list[SubmissionLine]
    next: int | None


class CaseFacts(Told):
    """One case. What the reader is not shown is empty."""

    position: int
    name: str
    group: str
    sample: bool
    verdict: str
    """Empty: it was not run."""
    cpu_seconds: float | None
    cpu_range: tuple[float, float] | None
    """Least and most of what was measured, where that was done more than once."""
    wall_seconds: float | None
    memory_bytes: int | None
    points: float
    note: str
    team_note: str
    has_output: bool
    judge_note: str = ""
    """For staff."""


class SubmissionFacts(Told):
    """All that is shown of a submission, and of the judgement that counts."""

    id: int
    judgement: int
    problem: str
    version: int
    language: str
    language_label: str
    sent: str
    state: str
    final: bool
    """Nothing will change any more, unless it is judged again."""
    place: int | None
    """In the queue; 1 is taken next."""
    wait_seconds: float | None
    nobody_works: bool
    progress: str
    started: str | None
    finished: str | None
    compiled: bool
    compile_log: str
    toolchain: str
    cases: list[CaseFacts]
    total: int
    """How many cases there are."""
    verdict: str
    points: float | None
    out_of: float | None
    note: str
    judge_note: str = ""
    worker: str = ""
    attempt: int = 0


class SourceFile(Told):
    """A file as it was sent."""

    name: str
    text: str | None
    """None: it is no UTF-8."""
    base64: str
    """Its bytes."""


class SourceFiles(Told):
    items: list[SourceFile]


@router.post("/problems/{slug:slug}/submissions", response={201: SubmissionLine, ERRORS: Failure}, auth=SUBMIT)
def submit(
    request: HttpRequest,
    slug: str,
    files: File[list[UploadedFile]],
    *,
    language: Annotated[str, Form(max_length=40)] = "",
    assignment: Annotated[str, Form(max_length=20)] = "",
    key: Annotated[str, Form(max_length=64)] = "",
) -> Any:
    """Send a program: one or several `files`, or one ZIP with them.

    Without `language` the endings of the files say it. `assignment` is a number from the facts of the problem, or
    `practice`; without it the program is sent for what the page would choose. The same `key` with the same content is
    one submission, however often it is sent. Sizes and rates are bounded as on the page. Scope: `submit`.
    """
    author = reader(request)
    problem, version = open_problem(author, slug)
    unknown = sorted(set(request.POST) - FIELDS)
    if unknown:
        raise Refused(f"There is no field called {actions.shown_name(unknown[0])} here.")
    found = targets(author, problem, assignment)
    if assignment and assignment not in {PRACTICE, *(one.pk for one in found.offered)}:
        raise Refused("This assignment is not open for you now. Choose what you send it for.")
    try:
        program = upload.files_of(files, upload.limit_of(version), text=not queries.wants_answers(version))
    except upload.Unusable as error:
        raise Refused(str(error)) from error
    spoken = language or upload.language_of(version, program)
    if not spoken:
        raise Refused("The endings of the files say no language. Give the language of the program.")
    chosen = found.assignment(assignment or found.chosen)
    token = upload.seal(key or get_random_string(32), spoken, program, chosen)
    sent = actions.submit(author, problem, spoken, program, token, assignment=chosen)
    return Status(201, _line(request, queries.submissions(author).get(pk=sent.pk)))


@router.get("/submissions", response={200: SubmissionList, ERRORS: Failure})
def submissions(
    request: HttpRequest,
    limit: Limit = 50,
    after: After = None,
    problem: Annotated[str, Field(max_length=64, pattern=SHORT_NAME)] = "",
    verdict: Verdict | None = None,
) -> Any:
    """Your own submissions, newest first. Scope: `read`."""
    found = queries.submissions(reader(request), author=reader(request))
    if problem:
        found = found.filter(problem__slug=problem)
    if verdict is not None:
        found = found.filter(effective__judgement__verdict=verdict)
    rows, following = cut(found, "pk", after, limit, newest_first=True)
    return told(rows, following, lambda one: _line(request, one))


@router.get("/submissions/{pk}", response={200: SubmissionFacts, ERRORS: Failure}, exclude_unset=True)
def submission(request: HttpRequest, pk: Number) -> Any:
    """What came of a submission, case by case, as far as its page shows it to you.

    Scope: `read`; with `course:read` also those of others whose work you see.
    """
    facts = queries.snapshot(reader(request), visible(request, pk))
    if facts is None:
        raise Http404
    return facts


@router.get("/submissions/{pk}/source", response={200: SourceFiles, ERRORS: Failure})
def source(request: HttpRequest, pk: Number) -> Any:
    """The files as they were sent. Scope: as for the submission."""
    try:
        files = queries.sources(reader(request), visible(request, pk))
    except BlobMissing:
        raise Http404 from None
    return {"items": [_file(name, content) for name, content in files.items()]}


@router.get(
    "/submissions/{pk}/events",
    response={ERRORS: Failure},
    openapi_extra={"responses": {200: {"description": "A stream of events", "content": {"text/event-stream": {}}}}},
)
async def events(request: HttpRequest, pk: Number) -> HttpResponseBase:
    """Follow a submission: a stream of server-sent events, `changed` whenever there is something new to fetch, `done`
    when it is judged.

    A stream ends after ten minutes at the latest; then, and for 503, ask again. Scope: as for the submission.
    """
    await sync_to_async(visible)(request, pk)
    await sync_to_async(connections.close_all)()
    return live.stream(hints.submission_channel(pk), judged, pk)


def judged(pk: int) -> bool:
    """Whether it has its verdict; more may come to its page after that."""
    judgement = Judgement.objects.filter(effective__submission=pk).first()
    return judgement is None or judgement.over


def visible(request: HttpRequest, pk: int) -> Submission:
    """One's own; of others only with a token for what staff see."""
    found = queries.submission(reader(request), pk)
    if found is None or (found.author_id != reader(request).pk and not holds(request, Scope.COURSE_READ)):
        raise Http404
    return found


def _line(request: HttpRequest, sent: Submission) -> dict[str, Any]:
    judgement = sent.effective.judgement
    return {
        "id": sent.pk,
        "problem": sent.problem.slug,
        "assignment": sent.assignment_id,
        "language": sent.language,
        "sent": sent.sent.isoformat(),
        "state": judgement.state,
        "verdict": judgement.verdict,
        "points": judgement.points,
        "out_of": judgement.out_of,
        "address": request.build_absolute_uri(f"/submissions/{sent.pk}/"),
    }


def _file(name: str, content: bytes) -> dict[str, Any]:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = None
    return {"name": name, "text": text, "base64": base64.b64encode(content).decode()}
