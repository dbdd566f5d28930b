"""The edge where Celery ends: an id of a shift comes in."""

from celery import Task

from judge.config.celery import app
from judge.regrades import shifts
from judge.regrades.models import Shift
from judge.submissions.tasks import work, worker_name


@app.task(name=Shift.TASK, bind=True)
def shift_task(self: "Task[[int], None]", shift_id: int) -> None:
    """Work the shift that is owed under this id, if it still is."""
    work(Shift, shift_id, shifts.run, worker_name(self.request.hostname))
