"""Accounts."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class Role(models.TextChoices):
    """What somebody is on this site as a whole; roles in a course come with courses."""

    STUDENT = "student"
    INSTRUCTOR = "instructor"
    ADMIN = "admin"


class User(AbstractUser):
    """A person with an account. Admins may do everything; `is_superuser` follows the role."""

    role = models.CharField(max_length=16, choices=Role.choices, default=Role.STUDENT)

    def __str__(self) -> str:
        return self.get_full_name() or self.username
