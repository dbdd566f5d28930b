"""What was published: a problem has immutable versions, a version its cases. Bytes are elsewhere, by digest."""

from django.conf import settings
from django.db import models


class Problem(models.Model):
    """A problem of the site. `live` is the version that new submissions are judged against; None: students see none."""

    slug = models.SlugField(max_length=64, unique=True)
    uuid = models.CharField(max_length=64, unique=True)
    live = models.ForeignKey("Version", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    owners = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="owned_problems")
    """Who writes it, besides admins; of any role. The first, by the order in which they were added, began it."""
    listed = models.BooleanField(default=True)
    """On the shelf for everybody; else only for those to whom an assignment that is open gives it."""
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.slug


class Version(models.Model):
    """One built package, never changed afterwards. `digest` names its content: package files and generated cases."""

    problem = models.ForeignKey(Problem, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    archive = models.CharField(max_length=64)
    """Digest of the package as a zip."""
    titles = models.JSONField(default=dict)
    """Language code -> title."""
    facts = models.JSONField(default=dict)
    """What lists show without opening the archive: limits, types, keywords, points."""
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    """Who published it; None: the command line."""
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["problem", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["problem", "number"], name="version_number_once"),
            models.UniqueConstraint(fields=["problem", "digest"], name="version_digest_once"),
        ]

    def __str__(self) -> str:
        return f"{self.problem.slug} v{self.number}"


class Case(models.Model):
    """One test case of a version, in judging order."""

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="cases")
    position = models.PositiveIntegerField()
    group = models.CharField(max_length=255)
    name = models.CharField(max_length=255)
    input = models.CharField(max_length=64)
    answer = models.CharField(max_length=64)
    input_bytes = models.PositiveBigIntegerField()
    provenance = models.JSONField(null=True)

    class Meta:
        ordering = ["version_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["version", "position"], name="case_position_once"),
            models.UniqueConstraint(fields=["version", "name"], name="case_name_once"),
        ]

    def __str__(self) -> str:
        return self.name
