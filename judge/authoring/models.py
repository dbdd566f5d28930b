"""A problem in the making: its working copy, and the long work that is asked for at the desk."""

from django.conf import settings
from django.db import models

from judge.config.celery import AUTHORING_QUEUE
from judge.submissions.models import Owed, State
from problems.models import Problem, Version
from problems.say import say


class Draft(models.Model):
    """The working copy of a problem: a package that need not be right yet. Moves by compare-and-swap on `revision`.

    A problem without a row here has its live version, or its newest, as its working copy.
    """

    problem = models.OneToOneField(Problem, on_delete=models.CASCADE, related_name="draft")
    archive = models.CharField(max_length=64)
    """Digest of the package as a ZIP, as in `Version.archive`."""
    revision = models.PositiveIntegerField(default=1)
    changed = models.DateTimeField()
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    taken = models.JSONField(null=True, blank=True)
    """How the package was taken in that it began as, as `drafts.report_of` tells it; None when it was not."""

    def __str__(self) -> str:
        return f"working copy of {self.problem}"


class Kind(models.TextChoices):
    """What may be asked for. What each does stands in `judge.authoring.errands`."""

    MAKE = "make"
    VERIFY = "verify"
    LIMIT = "limit"
    CHECKER = "checker"
    TRY_OUTPUT = "try"
    STRENGTH = "strength"
    PICTURES = "pictures"
    AGAIN = "again"


class Superseded(models.Model):
    """An archive that was kept for a working copy. Its bytes may go, once nothing names them: `archives` looks."""

    archive = models.CharField(max_length=64, unique=True)
    since = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.archive


class Errand(Owed):
    """Long work asked for at the desk. DONE with `succeeded` False: the author's fault, and `message` says which."""

    kind = models.CharField(max_length=16)
    problem = models.ForeignKey(Problem, on_delete=models.CASCADE, related_name="errands")
    target = models.CharField(max_length=64)
    """What it is about: digest of the working copy's archive, or of the version (and of what else tells it apart)."""
    wishes = models.JSONField(default=dict)
    """How whoever asked wants it done; its form is that of the kind."""
    version = models.ForeignKey(Version, null=True, blank=True, on_delete=models.CASCADE, related_name="errands")
    """The version it is about; of a making, the one that came of it."""
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    now = models.CharField(max_length=255, blank=True)
    """What is worked on: the name of a case or an example."""
    succeeded = models.BooleanField(null=True)
    message = models.TextField(blank=True)
    result = models.JSONField(default=dict)
    """What the page shows; its form is that of the kind."""

    QUEUE = AUTHORING_QUEUE
    TASK = "judge.authoring.errand"
    BLANK = {"done": 0, "total": 0, "now": "", "result": {}, "message": ""}
    GIVEN_UP = {
        "succeeded": False,
        "message": say(
            "said",
            "The judge failed three times on this. That is no fault of the package: tell whoever runs the site, "
            "and ask "
            "for it again.",
        ),
    }

    class Meta:
        ordering = ["-queued", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "problem", "target"],
                condition=models.Q(state__in=(State.QUEUED, State.RUNNING)),
                name="errand_once_at_a_time",
            )
        ]
        indexes = [
            models.Index(fields=["state", "queued"], name="errand_owed"),
            models.Index(fields=["problem", "kind", "-queued"], name="errand_of_problem"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} of {self.problem}"
