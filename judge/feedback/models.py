"""What is looked for after a failure, and what it stands on."""

from typing import Any, ClassVar

from django.db import models

from judge.config.celery import FEEDBACK_QUEUE
from judge.feedback.ladder import Rung
from judge.submissions.models import Owed, Submission
from problems.models import Version


class Ground(models.Model):
    """What is made once for a version: `judge.grading.feedback.ground.Ground`."""

    version = models.OneToOneField(Version, on_delete=models.CASCADE, related_name="ground")
    kept = models.CharField(max_length=64)
    """Digest of its bytes in the store."""

    def __str__(self) -> str:
        return f"ground of {self.version}"


class Search(Owed):
    """The search for what is wrong with one program, done once for a version whoever sends it."""

    source = models.CharField(max_length=64)
    """Digest of the language, names and bytes of the program."""
    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="searches")
    submission = models.ForeignKey(Submission, null=True, on_delete=models.SET_NULL, related_name="+")
    """Who sent it first. Pages of others who sent the same look again by themselves."""
    result = models.JSONField(default=dict)
    """What was found, in the form of `judge.feedback.findings`. Nothing in it is secret."""
    mutant = models.CharField(max_length=255, blank=True)
    """The mutant it behaves like, if any."""

    QUEUE: ClassVar[str] = FEEDBACK_QUEUE
    TASK: ClassVar[str] = "judge.feedback.search"
    BLANK: ClassVar[dict[str, Any]] = {"result": {}, "mutant": ""}

    class Meta:
        constraints = [models.UniqueConstraint(fields=["source", "version"], name="search_once")]
        indexes = [
            models.Index(fields=["state", "queued"], name="search_owed"),
            models.Index(fields=["version", "mutant"], name="search_by_mutant"),
        ]

    def __str__(self) -> str:
        return f"search {self.pk}"

    @property
    def channel(self) -> str:
        return f"palfrey:submission:{self.submission_id}"


class Shown(models.Model):
    """The highest rung of the ladder that was on a page which its author opened; none: the verdict alone."""

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="shown")
    rung = models.CharField(max_length=16, choices=[(rung.value, rung.value) for rung in Rung])

    def __str__(self) -> str:
        return f"{self.rung} shown of {self.submission_id}"
