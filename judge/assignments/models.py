"""What is asked of a course: problems with points, until when, under which rules, and what is different for one."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from judge.people.models import Course, Section
from problems.models import Problem


class Counts(models.TextChoices):
    """Which of somebody's submissions to a problem gives the points."""

    BEST = "best"
    LAST = "last"
    LAST_BEFORE_DEADLINE = "last_before_deadline"


class Kind(models.TextChoices):
    """A part of the feedback on a submission, in the order of its value for the student."""

    WHAT_HAPPENED = "what_happened"
    """The cases with their verdicts, and the sentence that says what happened."""
    COUNTEREXAMPLE = "counterexample"
    REPLAY = "replay"
    BEHAVES_LIKE = "behaves_like"
    DIFFERENCE = "difference"
    CHANGES = "changes"
    """What changed since the last attempt."""
    COST = "cost"
    """Processor time and memory of a case."""
    SECRET = "secret"  # noqa: S105 - no password
    """Input, answer and output of secret cases."""


class When(models.TextChoices):
    """When a part of the feedback is shown to the student who sent the program."""

    NEVER = "never"
    ON_FAILURE = "on_failure"
    AFTER_DEADLINE = "after_deadline"
    ALWAYS = "always"


USUAL = {kind.value: When.ALWAYS.value for kind in Kind} | {Kind.SECRET.value: When.NEVER.value}


class Assignment(models.Model):
    """Problems given to a course. `judge.assignments.rules` says what its times and its late rule mean."""

    course = models.ForeignKey(Course, on_delete=models.PROTECT, related_name="assignments")
    title = models.CharField(max_length=200)
    published = models.DateTimeField(null=True, blank=True)
    """From when students see that it is there; None: it is a draft of the course's staff."""
    opens = models.DateTimeField()
    """From when programs can be sent."""
    deadline = models.DateTimeField()
    cutoff = models.DateTimeField(null=True, blank=True)
    """Until when late work is taken; None: none is."""
    grace_minutes = models.PositiveIntegerField(default=0, validators=[MaxValueValidator(7 * 24 * 60)])
    """So long after the deadline work is still in time."""
    late_percent = models.DecimalField(
        max_digits=5, decimal_places=2, default=0, validators=[MinValueValidator(0), MaxValueValidator(100)]
    )
    """Per cent of what was reached that each day begun after the deadline takes away."""
    attempts = models.PositiveSmallIntegerField(null=True, blank=True, validators=[MinValueValidator(1)])
    """Of each problem; None: as many as one likes."""
    counts = models.CharField(max_length=24, choices=Counts.choices, default=Counts.BEST)
    languages = models.JSONField(default=list, blank=True)
    """Ids of the languages allowed; empty: those of the problem."""
    time_factors = models.JSONField(default=dict, blank=True)
    """Language id -> by how much the time limit is multiplied; not in it: 1."""
    feedback = models.JSONField(default=dict, blank=True)
    """`Kind` -> `When`; not in it: as in `USUAL`."""
    grades_published = models.DateTimeField(null=True, blank=True)
    """From when students see their points; None: not yet."""
    sections = models.ManyToManyField(Section, blank=True, related_name="assignments")
    """For whom it is; none: for the whole course."""
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["deadline", "pk"]
        indexes = [models.Index(fields=["course", "deadline"], name="assignment_of_course")]

    def __str__(self) -> str:
        return self.title


class AssignmentProblem(models.Model):
    """A problem in an assignment."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="entries")
    problem = models.ForeignKey(Problem, on_delete=models.PROTECT, related_name="entries")
    points = models.DecimalField(max_digits=8, decimal_places=2, default=100, validators=[MinValueValidator(0)])
    position = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ["assignment", "position", "pk"]
        constraints = [models.UniqueConstraint(fields=["assignment", "problem"], name="entry_once")]

    def __str__(self) -> str:
        return f"{self.problem} in {self.assignment}"


class Extension(models.Model):
    """What is different for one student."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="extensions")
    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="extensions")
    deadline = models.DateTimeField(null=True, blank=True)
    """Instead of the common one. The cut-off moves by as much."""
    exempt = models.BooleanField(default=False)
    """Nothing is asked of them, and nothing counts."""
    extra_attempts = models.PositiveSmallIntegerField(default=0)
    """Of each problem."""
    reason = models.CharField(max_length=500)
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    given = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["assignment", "student"]
        constraints = [models.UniqueConstraint(fields=["assignment", "student"], name="extension_once")]

    def __str__(self) -> str:
        return f"{self.student} in {self.assignment}"
