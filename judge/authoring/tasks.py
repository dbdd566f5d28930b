"""The edge where Celery ends: an id of an errand comes in."""

from celery import Task
from django.conf import settings

from judge.authoring import errands
from judge.authoring.models import Errand
from judge.config.celery import app
from judge.submissions.tasks import work, worker_name


@app.task(name=Errand.TASK, bind=True, time_limit=settings.ERRAND_SECONDS)
def errand_task(self: "Task[[int], None]", errand_id: int) -> None:
    """Do the errand that is owed under this id, if it still is."""
    work(Errand, errand_id, errands.run, worker_name(self.request.hostname))
