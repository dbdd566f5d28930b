"""What stands beside the grades that are computed: a hand's corrections, reports of similarity. Computed grades have no
rows."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from judge.assignments.models import AssignmentProblem
from judge.config.celery import AUTHORING_QUEUE
from judge.submissions.models import Owed


class Adjustment(models.Model):
    """Points given or taken by hand, beside what was computed. The newest of an entry and a student holds."""

    entry = models.ForeignKey(AssignmentProblem, on_delete=models.CASCADE, related_name="adjustments")
    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="adjustments")
    points = models.DecimalField(max_digits=8, decimal_places=2, null=True)
    """What it shall be, whatever is computed; None: what is computed holds again."""
    reason = models.CharField(max_length=500)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["entry", "student", "-id"], name="adjustment_newest")]

    def __str__(self) -> str:
        return f"{self.student}: {self.entry}"


class Comparison(Owed):
    """A report of which programs for a problem of an assignment are alike. The newest of each is kept."""

    entry = models.ForeignKey(AssignmentProblem, on_delete=models.CASCADE, related_name="comparisons")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    given = models.TextField(blank=True)
    """Code that everybody had, beside the files of the package; it is left out."""
    result = models.JSONField(default=dict)
    """As `judge.grades.similarity.report` makes it, with the number of `people`. Submissions stand in it by number."""

    QUEUE: ClassVar[str] = AUTHORING_QUEUE
    TASK: ClassVar[str] = "judge.grades.compare"
    BLANK: ClassVar[dict[str, Any]] = {"result": {}}

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state", "due"], name="comparison_in_order")]

    def __str__(self) -> str:
        return f"comparison {self.pk}"
