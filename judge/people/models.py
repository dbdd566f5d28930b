"""Accounts, courses, and who is what in a course."""

import zoneinfo

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    """What somebody may do on this site as a whole. What they may do in a course says their `Membership`."""

    STUDENT = "student", _("Student")
    INSTRUCTOR = "instructor", _("Instructor")
    """May begin courses and problems."""
    ADMIN = "admin", _("Admin")


class CourseRole(models.TextChoices):
    """What somebody is in one course."""

    STUDENT = "student", _("Student")
    ASSISTANT = "assistant", _("Assistant")
    """Sees all work and all grades of the course, and changes nothing."""
    INSTRUCTOR = "instructor", _("Instructor")


class User(AbstractUser):
    """A person with an account. Admins may do everything; `is_superuser` follows the role."""

    role = models.CharField(max_length=16, choices=Role.choices, default=Role.STUDENT)
    made_in = models.ForeignKey("Course", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    """The course whose roster made this account: until its first password is set, its instructors look after it."""
    language = models.CharField(max_length=16, blank=True, default="", db_default="")
    """What they have chosen of `settings.LANGUAGES`; empty: the language of the browser, and English in letters."""
    anonymised = models.DateTimeField(null=True, blank=True)
    """Since when nothing here tells any more who this was."""

    def __str__(self) -> str:
        return self.get_full_name() or self.username

    @property
    def taken_up(self) -> bool:
        """Whether somebody has set a password: from then on the account is theirs alone."""
        return self.has_usable_password()


class Course(models.Model):
    """A course in one term. Deadlines are entered in its zone."""

    name = models.CharField(max_length=200)
    code = models.CharField(max_length=40, blank=True)
    """How the house calls it, such as `INF-210`."""
    slug = models.SlugField(max_length=64, unique=True)
    starts = models.DateField(null=True, blank=True)
    ends = models.DateField(null=True, blank=True)
    time_zone = models.CharField(max_length=64, default="UTC")
    archived = models.DateTimeField(null=True, blank=True)
    """Since when everything in it can only be read."""
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        return zoneinfo.ZoneInfo(self.time_zone)


class Section(models.Model):
    """A group of people within a course."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="sections")
    name = models.CharField(max_length=80)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["course", "name"], name="section_name_once")]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """Somebody in a course. Never deleted, because work may hang on it: who has left is not `active`."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=16, choices=CourseRole.choices, default=CourseRole.STUDENT)
    section = models.ForeignKey(Section, null=True, blank=True, on_delete=models.SET_NULL, related_name="memberships")
    active = models.BooleanField(default=True)
    joined = models.DateTimeField(auto_now_add=True)
    invited = models.DateTimeField(null=True, blank=True)
    """When a link for the first password was last made for them."""

    class Meta:
        ordering = ["course", "user"]
        constraints = [models.UniqueConstraint(fields=["user", "course"], name="membership_once")]
        indexes = [models.Index(fields=["course", "role", "active"], name="membership_by_role")]

    def __str__(self) -> str:
        return f"{self.user} in {self.course}"


class AuditEntry(models.Model):
    """Who did what in a course, or with an account. Only ever added."""

    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    """None: a command, or somebody whose account is gone."""
    course = models.ForeignKey(Course, null=True, on_delete=models.CASCADE, related_name="audit")
    about = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    what = models.CharField(max_length=1000)
    """A sentence without a subject: `gave an extension until …`."""

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["course", "-id"], name="audit_of_course")]

    def __str__(self) -> str:
        return f"{self.by or 'a command'} {self.what}"


class Token(models.Model):
    """Lets a program act for somebody through the API. Of the secret only its digest is kept."""

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=80)
    """What it is for, in the owner's words."""
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=16)
    """How the secret begins, so that its owner knows which one it is."""
    scopes = models.JSONField(default=list)
    """Of `judge.people.tokens.Scope`: what it may do, of what its owner may."""
    made = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()
    used = models.DateTimeField(null=True)
    """When it was last used, to the minute."""
    revoked = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"token {self.pk}"
