"""What lessons show: the trace of each figure, made with the version or asked for by a reader."""

from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models

from judge.submissions.models import Owed
from problems.models import Version


class LessonTrace(Owed):
    """The trace of one command of one version: made once, whoever asks for it."""

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="traces")
    key = models.CharField(max_length=64)
    """Digest of `command`."""
    command = models.TextField()
    """`problems.package.lesson.Command.text`."""
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    """Who was the first to ask."""
    of_version = models.BooleanField(default=False)
    """It was made with the version and is kept as long; others are deleted after some days."""
    trace = models.BinaryField(default=bytes)
    """The lines that the tracer printed, compressed with zlib; in the row, so that it goes when the row goes."""
    fault = models.TextField(blank=True)
    """Why there is no trace, for staff."""
    refused = models.BooleanField(default=False)
    """Whether that is because of the values that the reader chose."""

    TASK = "judge.lessons.trace"
    URGENT = True
    BLANK: ClassVar[dict[str, Any]] = {"trace": b"", "fault": "", "refused": False}
    GIVEN_UP: ClassVar[dict[str, Any]] = {"fault": "The judge failed three times on this figure."}

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "key"], name="lesson_trace_once")]
        indexes = [
            models.Index(fields=["state", "queued"], name="lesson_trace_owed"),
            models.Index(fields=["asked_by", "state"], name="lesson_trace_by_reader"),
        ]

    def __str__(self) -> str:
        return f"lesson trace {self.pk}"

    @classmethod
    def passing(cls) -> models.QuerySet[Self]:
        return cls.objects.filter(of_version=False)
