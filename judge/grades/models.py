"""What stands beside the grades that are computed: a hand's corrections. Computed grades have no rows."""

from django.conf import settings
from django.db import models

from judge.assignments.models import AssignmentProblem


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
