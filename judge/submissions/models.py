"""What was sent, and what is owed and was done about it."""

from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from judge.assignments.models import Assignment
from judge.config.celery import LIVE_QUEUE
from judge.grading.needs import offer
from judge.grading.verdict import Verdict
from problems.models import Problem, Version
from problems.say import say


class State(models.TextChoices):
    """Where something that is owed stands. Never mixed with `Verdict`."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    ABANDONED = "abandoned"


class Purpose(models.TextChoices):
    """Why a judgement was made."""

    LIVE = "live"
    REGRADE = "regrade"


VERDICTS = [(verdict.value, verdict.value) for verdict in Verdict]


class Owed(models.Model):
    """Work owed by a row: claimed by compare-and-swap, held by a lease, written only while the fence is one's own."""

    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    queued = models.DateTimeField(auto_now_add=True)
    due = models.DateTimeField(default=timezone.now, db_default=Now())
    """Of what waits, the row with the earliest goes first: when it was queued, later for who used much lately
    (`judge.submissions.order`)."""
    hinted = models.DateTimeField(auto_now_add=True)
    """When a message about it was last sent; the sweeper tops up lost ones."""
    started = models.DateTimeField(null=True)
    finished = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    fence = models.PositiveIntegerField(default=0)
    """Rises with every claim; results are written only `WHERE fence = mine`."""
    attempt = models.PositiveSmallIntegerField(default=0)
    worker = models.CharField(max_length=128, blank=True)
    progress = models.CharField(max_length=64, blank=True)
    """What runs now, in a word or two: `compiling`, the case's number."""
    request = models.CharField(max_length=64, blank=True, default="", db_default="")
    """Number of the web request that asked for it: it stands in every log line about the row, on every host."""
    needs = models.CharField(max_length=255, blank=True, default="", db_default="")
    """What a worker must offer to do it, in words of `judge.grading.needs`; empty: any worker will do."""

    objects: ClassVar[models.Manager[Self]] = models.Manager()

    TASK: ClassVar[str]
    """Name of the Celery task that does it."""
    QUEUE: ClassVar[str] = LIVE_QUEUE
    BLANK: ClassVar[dict[str, Any]] = {}
    """Columns as they are before an attempt; every claim starts from them."""
    GIVEN_UP: ClassVar[dict[str, Any]] = {}
    """Columns as they are once the last attempt has failed."""

    class Meta:
        abstract = True

    @property
    def over(self) -> bool:
        """Nothing will change any more."""
        return self.state in (State.DONE, State.ABANDONED)

    @property
    def channel(self) -> str:
        """Where changes of the row are announced. A message there has no content: read the row."""
        return f"palfrey:{self._meta.model_name}:{self.pk}"

    def forget(self) -> None:
        """Delete the rows that an unfinished attempt left."""

    @classmethod
    def passing(cls) -> models.QuerySet[Self]:
        """Rows that are deleted some days after they are over."""
        return cls.objects.none()


class Submission(models.Model):
    """A program as it was sent. Never changed."""

    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="submissions")
    problem = models.ForeignKey(Problem, on_delete=models.PROTECT, related_name="submissions")
    assignment = models.ForeignKey(
        Assignment, null=True, blank=True, on_delete=models.PROTECT, related_name="submissions"
    )
    """For what it was sent; None: for practice, which nobody but its author and the admins see."""
    language = models.CharField(max_length=32)
    files = models.JSONField()
    """List of `{"name", "digest", "size"}` in the order given."""
    sent = models.DateTimeField(auto_now_add=True)
    token = models.CharField(max_length=64)
    """Made with the form: the same form sent twice is one submission."""

    class Meta:
        ordering = ["-sent", "-pk"]
        constraints = [models.UniqueConstraint(fields=["author", "token"], name="submission_token_once")]
        indexes = [
            models.Index(fields=["author", "problem", "-sent"], name="submission_by_author"),
            models.Index(fields=["problem", "-sent"], name="submission_by_problem"),
            models.Index(fields=["author", "-sent"], name="submission_of_author"),
            models.Index(fields=["-sent", "-id"], name="submission_newest"),
            models.Index(fields=["assignment", "author", "problem"], name="submission_for_assignment"),
        ]

    def __str__(self) -> str:
        return f"submission {self.pk}"


class Judgement(Owed):
    """One judging of a submission against one version. Its facts never change once it is done."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="judgements")
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="judgements")
    purpose = models.CharField(max_length=16, choices=Purpose.choices, default=Purpose.LIVE)
    verdict = models.CharField(max_length=32, choices=VERDICTS, blank=True)
    points = models.DecimalField(max_digits=24, decimal_places=12, null=True)
    out_of = models.DecimalField(max_digits=24, decimal_places=12, null=True)
    note = models.TextField(blank=True)
    judge_note = models.TextField(blank=True)
    compile_log = models.BinaryField(default=bytes)
    compiled = models.BooleanField(default=False)
    compiled_at = models.DateTimeField(null=True)
    """When compiling was over, whatever came of it."""
    toolchain = models.CharField(max_length=255, blank=True)
    basis = models.JSONField(default=dict)
    """By which tools, on what class of host and under which limits it was judged: `judge.submissions.record`."""
    time_factor = models.FloatField(default=1.0)
    """By how much the time limit was multiplied for this language, by the rules of the assignment."""

    TASK = "judge.submissions.judge"
    BLANK = {"compile_log": b"", "compiled": False, "compiled_at": None, "toolchain": "", "basis": {}}
    GIVEN_UP = {
        "verdict": Verdict.JUDGE_ERROR.value,
        "note": say(
            "said",
            "The judge failed three times on this submission. The fault is ours: it does not count as an attempt, the "
            "staff has been told, and it can be judged again as it is.",
        ),
    }

    class Meta:
        ordering = ["-queued", "-pk"]
        indexes = [
            models.Index(fields=["state", "due"], name="judgement_in_order"),
            models.Index(fields=["finished"], name="judgement_finished"),
            models.Index(
                fields=["finished"], condition=models.Q(verdict=Verdict.JUDGE_ERROR.value), name="judgement_failed"
            ),
            models.Index(fields=["submission", "-queued"], name="judgement_of_submission"),
        ]

    def __str__(self) -> str:
        return f"judgement {self.pk}"

    @property
    def channel(self) -> str:
        return f"palfrey:submission:{self.submission_id}"

    def forget(self) -> None:
        self.results.all().delete()


class CaseResult(models.Model):
    """One case of one judgement; `verdict` empty means not run."""

    judgement = models.ForeignKey(Judgement, on_delete=models.CASCADE, related_name="results")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=255)
    group = models.CharField(max_length=255)
    verdict = models.CharField(max_length=32, choices=VERDICTS, blank=True)
    cpu_seconds = models.FloatField()
    cpu_low = models.FloatField(null=True)
    cpu_high = models.FloatField(null=True)
    wall_seconds = models.FloatField()
    memory_bytes = models.PositiveBigIntegerField()
    points = models.DecimalField(max_digits=24, decimal_places=12)
    note = models.TextField(blank=True)
    team_note = models.TextField(blank=True)
    judge_note = models.TextField(blank=True)
    output = models.CharField(max_length=64, blank=True)
    """Digest of the kept output, for staff and for samples; empty: it printed nothing."""
    stderr = models.CharField(max_length=64, blank=True)
    """Digest of what came on standard error, likewise."""
    origin = models.JSONField(default=dict)
    """How it came about, so that a regrade can use it again: `judge.submissions.record`."""

    class Meta:
        ordering = ["judgement_id", "position"]
        constraints = [models.UniqueConstraint(fields=["judgement", "position"], name="case_result_once")]

    def __str__(self) -> str:
        return f"{self.name} of judgement {self.judgement_id}"


class Effective(models.Model):
    """Which judgement of a submission counts: the only thing that moves, by compare-and-swap.

    It is made with the submission and points to its first judgement, also while that one is still owed.
    """

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="effective")
    judgement = models.OneToOneField(Judgement, on_delete=models.PROTECT, related_name="effective")

    def __str__(self) -> str:
        return f"judgement {self.judgement_id} counts for submission {self.submission_id}"


class Trial(Owed):
    """A run that is not a submission: on the samples, or on an input of the student's own."""

    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="trials")
    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="+")
    language = models.CharField(max_length=32)
    files = models.JSONField()
    own_input = models.CharField(max_length=64, blank=True)
    """Digest of the student's input; empty: the samples."""
    time_factor = models.FloatField(default=1.0)
    """As that of a judgement."""
    results = models.JSONField(default=dict)
    """What the page shows: compile log, and for each run its verdict, note, figures and clipped output."""

    TASK = "judge.submissions.try_out"
    BLANK = {"results": {}}
    GIVEN_UP = {
        "results": {
            "note": say("said", "The judge failed three times on this run. The fault is ours; please try again.")
        }
    }

    class Meta:
        indexes = [
            models.Index(fields=["state", "due"], name="trial_in_order"),
            models.Index(fields=["author", "state"], name="trial_by_author"),
        ]

    def __str__(self) -> str:
        return f"trial {self.pk}"

    @classmethod
    def passing(cls) -> models.QuerySet[Self]:
        return cls.objects.all()


class Worker(models.Model):
    """A worker that was seen: what the pages may offer, and what an operator sees."""

    name = models.CharField(max_length=128, unique=True)
    languages = models.JSONField(default=list)
    """Ids of the languages whose self-test passed in its box."""
    toolchains = models.JSONField(default=dict)
    """Language id -> compiler or interpreter with its version."""
    tools = models.JSONField(default=dict, db_default=models.Value({}, models.JSONField()))
    """Language id -> digest of compiler, libraries and sandbox: where it is the same, results are."""
    generation = models.PositiveSmallIntegerField(default=1, db_default=1)
    """Of its grading (`judge.grading.keys.FORMAT`): it does what was asked for by code of this one or an older one."""
    release = models.CharField(max_length=64, blank=True, default="", db_default="")
    """Which code it runs: version, and digest of the sources."""
    host = models.CharField(max_length=200, blank=True, default="", db_default="")
    """What its machine is like: times of one class may be compared."""
    slots = models.PositiveSmallIntegerField(default=1)
    """How many programs it judges at the same time."""
    queues = models.JSONField(default=list, db_default=models.Value([], models.JSONField()))
    """What it works on."""
    trouble = models.CharField(max_length=255, blank=True, default="", db_default="")
    """Why it takes no work now, in a sentence; empty: it does."""
    started = models.DateTimeField()
    seen = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def judges(self) -> bool:
        """Whether it takes what people wait for."""
        return bool(self.languages) and self.takes(LIVE_QUEUE)

    def takes(self, queue: str) -> bool:
        """Whether it works on what waits there, when it works."""
        return not self.queues or queue in self.queues

    def offers(self) -> frozenset[str]:
        """Its words."""
        return offer(self.languages, self.generation)


class Turn(models.Model):
    """Whose turn it is to do something that only one process does at a time; it passes on when `until` is past."""

    name = models.CharField(max_length=32, unique=True)
    holder = models.CharField(max_length=128, blank=True)
    until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name}: {self.holder or 'nobody'}"
