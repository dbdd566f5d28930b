"""Who may do what. Asked here and nowhere else."""

from django.contrib.auth.models import AnonymousUser

from judge.people.models import Role, User
from problems.models import Problem

Viewer = User | AnonymousUser


def is_staff(viewer: Viewer) -> bool:
    """Instructors and admins: they see everybody's work and secret data."""
    return isinstance(viewer, User) and viewer.is_active and viewer.role in (Role.INSTRUCTOR, Role.ADMIN)


def is_admin(viewer: Viewer) -> bool:
    """Whoever runs the machines."""
    return isinstance(viewer, User) and viewer.is_active and viewer.role == Role.ADMIN


def may_create_problems(viewer: Viewer) -> bool:
    return is_staff(viewer)


def may_use_desk(viewer: Viewer) -> bool:
    """The problem desk is for staff and for whoever owns a problem."""
    return is_staff(viewer) or (isinstance(viewer, User) and viewer.is_active and viewer.owned_problems.exists())


def may_edit(viewer: Viewer, problem: Problem) -> bool:
    """Working copy, versions, secret data and owners of a problem: for staff and for who owns it."""
    if is_staff(viewer):
        return True
    return isinstance(viewer, User) and viewer.is_active and problem.owners.filter(pk=viewer.pk).exists()


def may_submit(viewer: Viewer) -> bool:
    return isinstance(viewer, User) and viewer.is_active


def may_see_work_of(viewer: Viewer, author_id: int) -> bool:
    """Submissions, trial runs and sources are for their author and staff."""
    return isinstance(viewer, User) and viewer.is_active and (viewer.pk == author_id or is_staff(viewer))


def may_see_secret_data(viewer: Viewer) -> bool:
    """Inputs, answers, outputs and validator messages of secret cases."""
    return is_staff(viewer)
