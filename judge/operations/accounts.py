"""The three accounts, and the course, to try a new site with."""

import os
import secrets
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from judge.assignments.models import Assignment, AssignmentProblem
from judge.people.models import Course, CourseRole, Membership, Role, User
from problems.models import Problem

WORD_CHARACTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that are taken for one another."""


def make_demo_accounts(file: Path) -> None:
    """On a site without any account make one for each role, named after it, and keep their passwords in `file`.

    The passwords are random; the file is for its owner alone. On any other site nothing is done.
    """
    if User.objects.exists():
        return
    passwords = {role: "-".join(_word() for _ in range(3)) for role in Role}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as text:
        text.writelines(f"{role:<12}{password}\n" for role, password in passwords.items())
    for role, password in passwords.items():
        admin = role == Role.ADMIN
        User.objects.create_user(
            role.value, f"{role}@localhost", password=password, role=role, is_staff=admin, is_superuser=admin
        )


def make_demo_course() -> None:
    """On a site with the demo accounts and no course yet: a course of theirs, with the built-in problems assigned.

    The demo instructor owns these problems, so that there is something to see at the problem desk.
    """
    people = {user.username: user for user in User.objects.filter(username__in=list(Role), anonymised=None)}
    if Course.objects.exists() or not {Role.STUDENT, Role.INSTRUCTOR} <= set(people):
        return
    now = timezone.now()
    with transaction.atomic():
        course = Course.objects.create(
            name="Searching", code="DEMO", slug="searching", time_zone=settings.TIME_ZONE, starts=now.date()
        )
        for role in (CourseRole.STUDENT, CourseRole.INSTRUCTOR):
            Membership.objects.create(user=people[role], course=course, role=role)
        assignment = Assignment.objects.create(
            course=course,
            title="Breadth first, and back",
            published=now,
            opens=now,
            deadline=(now + timedelta(days=14)).replace(hour=23, minute=59, second=0, microsecond=0),
            cutoff=(now + timedelta(days=17)).replace(hour=23, minute=59, second=0, microsecond=0),
            grace_minutes=5,
            late_percent=10,
            grades_published=now,
        )
        for position, problem in enumerate(Problem.objects.filter(live__isnull=False).order_by("created"), start=1):
            AssignmentProblem.objects.create(assignment=assignment, problem=problem, points=20, position=position)
            problem.owners.add(people[Role.INSTRUCTOR])


def demo_accounts(file: Path) -> list[tuple[str, str]]:
    """The names and passwords kept in `file` that still hold; none when it is not there."""
    try:
        lines = file.read_text(encoding="ascii").splitlines()
    except FileNotFoundError:
        return []
    kept = [(words[0], words[1]) for line in lines if len(words := line.split()) == 2]
    users = {user.get_username(): user for user in User.objects.filter(username__in=[name for name, _ in kept])}
    return [(name, password) for name, password in kept if name in users and users[name].check_password(password)]


def _word() -> str:
    return "".join(secrets.choice(WORD_CHARACTERS) for _ in range(4))
