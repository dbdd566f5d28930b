"""A regrade: which submissions are judged again, against what, how far that is, what came of it, and who applied it."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from judge.config.celery import REGRADE_QUEUE
from judge.submissions.models import Judgement, Owed, Submission
from problems.models import Problem, Version


class Stage(models.TextChoices):
    """Where a regrade stands. It moves by conditional UPDATE only (`judge.regrades.stages`)."""

    DRAFT = "draft"
    """Its submissions are frozen; what each takes is being looked up."""
    PLANNED = "planned"
    RUNNING = "running"
    READY = "ready"
    """Everything is judged; nothing counts yet."""
    APPLIED = "applied"
    REVERTED = "reverted"
    CANCELLED = "cancelled"
    FAILED = "failed"
    """It stopped by itself; `Regrade.failure` says why."""


OVER = (Stage.REVERTED, Stage.CANCELLED, Stage.FAILED)


class Regrade(models.Model):
    """Many submissions judged again beside what counts, to be compared and then applied at once or not at all."""

    stage = models.CharField(max_length=16, choices=Stage.choices, default=Stage.DRAFT)
    paused = models.BooleanField(default=False)
    """While it runs: nothing new is begun."""
    reason = models.CharField(max_length=500)
    """Told to students whose result changes."""
    selection = models.JSONField(default=dict)
    """By which filters its submissions were chosen, to be read by people; the items are what counts."""
    anew = models.BooleanField(default=False)
    """Run everything, whatever is known already."""
    facts = models.JSONField(default=dict)
    """Of the plan and of the canary, for the pages: see `planning` and `canary`."""
    failure = models.TextField(blank=True)
    tried = models.DateTimeField(null=True)
    """When the canary had passed."""
    key = models.CharField(max_length=64)
    """Made with the form: the same form sent twice is one regrade."""
    policy = models.CharField(max_length=16, blank=True)
    """Whose results were applied: `all`, `increases`, `selected`."""
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    """None: the command line; likewise below."""
    started = models.DateTimeField(null=True)
    finished = models.DateTimeField(null=True)
    """When the last submission was judged, or it was stopped."""
    applied = models.DateTimeField(null=True)
    applied_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reverted = models.DateTimeField(null=True)
    reverted_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["created_by", "key"], name="regrade_key_once")]

    def __str__(self) -> str:
        return f"regrade {self.pk}"

    @property
    def channel(self) -> str:
        """Where changes are announced."""
        return f"palfrey:regrade:{self.pk}"

    @property
    def over(self) -> bool:
        """Nothing will change any more."""
        return self.stage in OVER


class Target(models.Model):
    """Against which version the submissions to one problem are judged: frozen, whatever becomes live meanwhile."""

    regrade = models.ForeignKey(Regrade, on_delete=models.CASCADE, related_name="targets")
    problem = models.ForeignKey(Problem, on_delete=models.CASCADE, related_name="+")
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["regrade", "problem"], name="regrade_target_once")]

    def __str__(self) -> str:
        return f"{self.version} for {self.regrade}"


class Shift(Owed):
    """A worker's time on one regrade, bounded: it takes item after item. When its worker dies, another one goes on."""

    regrade = models.ForeignKey(Regrade, on_delete=models.CASCADE, related_name="shifts")

    TASK = "judge.regrades.shift"
    QUEUE = REGRADE_QUEUE

    class Meta:
        indexes = [models.Index(fields=["state", "queued"], name="shift_owed")]

    def __str__(self) -> str:
        return f"shift {self.pk} of regrade {self.regrade_id}"

    def forget(self) -> None:
        """What the attempt before had begun is taken up again."""
        self.items.filter(outcome=Outcome.OPEN).update(shift=None)


class Plan(models.TextChoices):
    """What a submission takes, by most of it."""

    RESCORE = "rescore"
    """Nothing is run or checked."""
    RECHECK = "recheck"
    """Kept outputs are checked."""
    SOME = "some"
    """Some cases are run."""
    EVERYTHING = "everything"


class Outcome(models.TextChoices):
    """What came of one submission."""

    OPEN = "open"
    """It is not judged yet."""
    SAME = "same"
    CHANGED = "changed"
    UNSTABLE = "unstable"
    """Near a limit, and judged differently each time: the old result stays unless it is chosen."""
    FAULT = "fault"
    """The judge failed on it; the old result stays."""
    GONE = "gone"
    """The submission was deleted meanwhile."""


class RegradeItem(models.Model):
    """One submission of a regrade."""

    regrade = models.ForeignKey(Regrade, on_delete=models.CASCADE, related_name="items")
    submission = models.ForeignKey(Submission, null=True, on_delete=models.SET_NULL, related_name="+")
    number = models.PositiveBigIntegerField()
    """Of the submission; it stays when that is deleted."""
    base = models.ForeignKey(Judgement, null=True, on_delete=models.SET_NULL, related_name="+")
    """What counted when the plan was made."""
    new = models.OneToOneField(Judgement, null=True, on_delete=models.SET_NULL, related_name="regraded")
    """None also where everything was the same and against the same version."""
    position = models.PositiveIntegerField()
    """In this order they are judged."""
    canary = models.BooleanField(default=False)
    """Chosen by lot to go first."""
    plan = models.CharField(max_length=16, choices=Plan.choices, blank=True)
    """Empty: not looked at yet."""
    runs = models.PositiveIntegerField(default=0)
    """Cases: of the plan at most, then of what was done. Likewise those checked, and those taken as they were."""
    checks = models.PositiveIntegerField(default=0)
    kept = models.PositiveIntegerField(default=0)
    cost = models.FloatField(default=0.0)
    """Seconds of CPU that the plan expects."""
    shift = models.ForeignKey(Shift, null=True, on_delete=models.SET_NULL, related_name="items")
    """Who works on it."""
    outcome = models.CharField(max_length=16, choices=Outcome.choices, default=Outcome.OPEN)
    gain = models.SmallIntegerField(default=0)
    """1: more points, or as many and now accepted; -1: the opposite; 0: neither."""
    cause = models.JSONField(default=dict)
    """The first case that differs: see `judge.regrades.causes`."""
    chosen = models.BooleanField(default=True)
    """Ticked on the page; of those that are unstable none is at first."""
    moved = models.DateTimeField(null=True)
    """When its new judgement began to count."""
    returned = models.DateTimeField(null=True)
    """When that was taken back: nothing falls back to it any more."""
    conflict = models.BooleanField(default=False)
    """It was to be applied, and was left alone: another judgement counted meanwhile, or its course was archived."""

    class Meta:
        ordering = ["regrade_id", "position"]
        constraints = [models.UniqueConstraint(fields=["regrade", "number"], name="regrade_item_once")]
        indexes = [
            models.Index(fields=["regrade", "outcome", "position"], name="regrade_item_open"),
            models.Index(fields=["submission", "moved"], name="regrade_item_moved"),
        ]

    def __str__(self) -> str:
        return f"submission {self.number} in {self.regrade}"


class Entry(models.Model):
    """One line of the log: which result began to count instead of which, by whom, why. Only ever added to."""

    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    what = models.CharField(max_length=16)
    """`applied`, `reverted`; of the regrade as a whole also `planned`, `started`, `paused`, `resumed`, …"""
    regrade = models.ForeignKey(Regrade, on_delete=models.CASCADE, related_name="log")
    submission = models.PositiveBigIntegerField(null=True)
    """Number of the submission; None: the regrade as a whole."""
    before = models.PositiveBigIntegerField(null=True)
    """Number of the judgement that counted before, and after."""
    after = models.PositiveBigIntegerField(null=True)
    why = models.TextField(blank=True)

    objects: ClassVar[models.Manager["Entry"]] = models.Manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["submission"], name="entry_of_submission")]

    def __str__(self) -> str:
        return f"{self.what} {self.regrade}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Raises `TypeError` for a line that stands already."""
        if not self._state.adding:
            raise TypeError("The log is only added to.")
        super().save(*args, **kwargs)

    def delete(self, *_: Any, **__: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("The log is only added to.")
