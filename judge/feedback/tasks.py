"""The edge where Celery ends: an id of a search comes in; what is found becomes part of its row, bit by bit."""

from functools import lru_cache
from typing import Any

import structlog
from celery import Task
from django.conf import settings

from judge.blobs import store
from judge.blobs.store import BlobMissing
from judge.blobs.versions import package_of, ready_cases
from judge.config.celery import app
from judge.feedback.findings import told
from judge.feedback.models import Ground, Search
from judge.grading.feedback.bench import NoGround, digest_of, why_not
from judge.grading.feedback.ground import Grounds
from judge.grading.feedback.search import Failure, Pictures, Replay, search
from judge.grading.job import ReadyCase, Source
from judge.grading.verdict import Verdict
from judge.lessons.actions import keep as keep_traces
from judge.submissions import hints
from judge.submissions.ledger import Claim
from judge.submissions.models import Judgement, State, Submission
from judge.submissions.tasks import work, worker_name, workshop
from problems.models import Version
from sandbox.contract import Sandbox

log = structlog.get_logger(__name__)


@app.task(name=Search.TASK, bind=True)
def search_task(self: "Task[[int], None]", search_id: int) -> None:
    """Do the search that is owed under this id, if it still is."""
    work(Search, search_id, run, worker_name(self.request.hostname))


def run(claim: Claim[Search], box: Sandbox) -> None:
    """Do a claimed search."""
    row = claim.row
    version = Version.objects.select_related("problem").get(pk=row.version_id)
    package, cases = package_of(version), ready_cases(version)
    failed = _failed(row)
    facts: dict[str, Any] = {}
    reason = why_not(package, cases)
    if reason or failed is None:
        facts["why_not"] = reason or "the submission is gone"
    else:
        submission, failure = failed
        grounds = Grounds(
            package,
            cases,
            box,
            workshop(),
            kept=lambda: _kept(version),
            keep=lambda content: _keep(version, content),
        )
        files = {file["name"]: store.get(file["digest"]) for file in submission.files}
        try:
            for step in search(
                package,
                Source(language=submission.language, files=files),
                _with_case(failure, cases),
                box,
                workshop(),
                grounds=grounds,
                secret=_secret(version.pk),
                budget=settings.FEEDBACK_SECONDS,
            ):
                if isinstance(step, Pictures):
                    for image in (*step.output, *step.answer):
                        store.put(image.content)
                facts |= told(step)
                with claim.write(result=facts):
                    if isinstance(step, Replay):
                        keep_traces(version, [step.traced])
                hints.announce(row)
        except NoGround as error:
            log.warning("nothing can be looked for", row=str(row), reason=str(error))
            facts["why_not"] = "the package's own programs do not work"
    like = facts.get("like", {}).get("mutant", "")
    with claim.finish(result=facts, mutant=like):
        pass
    log.info("searched", row=str(row), found=facts.get("counterexample", {}).get("found", False), like=like)
    hints.announce(row)


def _failed(row: Search) -> tuple[Submission, Judgement] | None:
    """The submission that set it off, and its judgement."""
    judgements = Judgement.objects.select_related("submission").filter(
        submission=row.submission_id, version=row.version_id, state=State.DONE
    )
    judgement = judgements.first() if row.submission_id else None
    return (judgement.submission, judgement) if judgement is not None else None


def _with_case(judgement: Judgement, cases: tuple[ReadyCase, ...]) -> Failure:
    result = judgement.results.exclude(verdict__in=("", Verdict.ACCEPTED.value)).first()
    case = next((case for case in cases if result is not None and case.name == result.name), None)
    return Failure(verdict=Verdict(judgement.verdict), case=case)


@lru_cache(maxsize=32)
def _secret(version_id: int) -> frozenset[str]:
    """Digests of the inputs that may not be told; a version never changes."""
    cases = ready_cases(Version.objects.select_related("problem").get(pk=version_id))
    shown = {digest_of(case.input.read_bytes()) for case in cases if case.group == "sample"}
    return frozenset(digest_of(case.input.read_bytes()) for case in cases) - shown


def _kept(version: Version) -> bytes | None:
    ground = Ground.objects.filter(version=version).first()
    try:
        return store.get(ground.kept) if ground is not None else None
    except BlobMissing:
        return None


def _keep(version: Version, content: bytes) -> None:
    Ground.objects.update_or_create(version=version, defaults={"kept": store.put(content)})
