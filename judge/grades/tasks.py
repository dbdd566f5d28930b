"""The edge where Celery ends: a report that is owed is made of the programs that were sent."""

from collections.abc import Iterator, Mapping

import structlog
from celery import Task
from django.db.models import QuerySet

from judge.assignments.queries import students_of
from judge.blobs import store
from judge.blobs.versions import package_of
from judge.config.celery import app
from judge.grades.models import Comparison
from judge.grades.similarity.outputs import same_rare_outputs
from judge.grades.similarity.report import Program, report
from judge.grading.languages import LANGUAGES
from judge.grading.verdict import Verdict
from judge.submissions import hints
from judge.submissions.admission import FREE
from judge.submissions.ledger import Claim
from judge.submissions.models import State, Submission
from judge.submissions.tasks import work, worker_name
from problems.models import Problem
from sandbox.contract import Sandbox

log = structlog.get_logger(__name__)

GIVEN_BYTES = 256 << 10
"""A longer attachment is no template."""


@app.task(name=Comparison.TASK, bind=True)
def compare_task(self: "Task[[int], None]", comparison_id: int) -> None:
    """Make the report that is owed under this id, if it still is."""
    work(Comparison, comparison_id, run, worker_name(self.request.hostname))


def run(claim: Claim[Comparison], box: Sandbox) -> None:  # noqa: ARG001 - nothing is run for it
    """Make a claimed report; it takes the place of the older ones."""
    row = Comparison.objects.select_related("entry__assignment", "entry__problem__live__problem").get(pk=claim.row.pk)
    entry = row.entry
    members = [member.user_id for member in students_of(entry.assignment)]
    sent = Submission.objects.filter(
        assignment=entry.assignment_id,
        problem=entry.problem_id,
        author__in=members,
        effective__judgement__state=State.DONE,
    ).exclude(effective__judgement__verdict__in=FREE)
    programs = list(_programs(sent))
    people = len({one.author for one in programs})
    made = report(programs, _given(entry.problem, row.given), same_rare_outputs(sent, people))
    with claim.finish(result={**made, "people": people}):
        Comparison.objects.filter(entry=entry, pk__lt=row.pk).exclude(state__in=(State.QUEUED, State.RUNNING)).delete()
    log.info("compared", row=str(row), programs=len(programs), pairs=len(made["pairs"]), cut=made["cut"])
    hints.announce(claim.row)


def _programs(sent: QuerySet[Submission, Submission]) -> Iterator[Program]:
    """One for each person: the last that was accepted, else the last."""
    chosen: dict[int, tuple[bool, Submission]] = {}
    for one in sent.select_related("effective__judgement").order_by("sent", "pk"):
        right = one.effective.judgement.verdict == Verdict.ACCEPTED
        if right or not chosen.get(one.author_id, (False,))[0]:
            chosen[one.author_id] = (right, one)
    for _, one in chosen.values():
        code = LANGUAGES[one.language].code if one.language in LANGUAGES else one.language
        files = {file["name"]: store.get(file["digest"]) for file in one.files}
        yield Program(submission=one.pk, author=one.author_id, code=code, files=files)


def _given(problem: Problem, written: str) -> list[Mapping[str, bytes]]:
    """What everybody had: files that students may have, files that are copied over theirs, and what the staff names."""
    found: list[Mapping[str, bytes]] = [{"given": written.encode("utf-8", "replace")}] if written.strip() else []
    if problem.live is None:
        return found
    package = package_of(problem.live)
    found += [
        {name: path.read_bytes()} for name, path in package.attachments.items() if path.stat().st_size <= GIVEN_BYTES
    ]
    found += [{name: content} for files in package.include.values() for name, content in files.items()]
    return found
