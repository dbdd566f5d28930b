"""The edge where Celery ends: an id comes in, the tracer runs in the box, its trace becomes the row's."""

from celery import Task

from judge.blobs.versions import package_of
from judge.config.celery import app
from judge.grading.lesson import TraceFailed, trace_of
from judge.lessons.models import LessonTrace
from judge.lessons.queries import packed
from judge.submissions.ledger import Claim
from judge.submissions.tasks import work, worker_name, workshop
from judge.submissions.text import storable
from problems.models import Version
from problems.package.lesson import Command
from sandbox.contract import Sandbox


@app.task(name=LessonTrace.TASK, bind=True)
def trace_task(self: Task[[int], None], pk: int) -> None:
    """Make the trace that is owed under this id, if it still is."""
    work(LessonTrace, pk, make, worker_name(self.request.hostname))


def make(claim: Claim[LessonTrace], box: Sandbox) -> None:
    """Make a claimed trace."""
    version = Version.objects.select_related("problem").get(pk=claim.row.version_id)
    command = Command.of_text(claim.row.command)
    try:
        printed = trace_of(command, package_of(version), box, workshop())
    except TraceFailed as fault:
        with claim.finish(fault=storable(fault.message, 4_000), refused=fault.reader):
            return
    with claim.finish(trace=packed(printed)):
        pass
