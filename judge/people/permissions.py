"""Who may do what. Asked here and nowhere else."""

from django.contrib.auth.models import AnonymousUser

from judge.people.models import Role, User

Viewer = User | AnonymousUser


def is_staff(viewer: Viewer) -> bool:
    """Instructors and admins: they see everybody's work and secret data."""
    return isinstance(viewer, User) and viewer.is_active and viewer.role in (Role.INSTRUCTOR, Role.ADMIN)


def is_admin(viewer: Viewer) -> bool:
    """Whoever runs the machines."""
    return isinstance(viewer, User) and viewer.is_active and viewer.role == Role.ADMIN


def may_submit(viewer: Viewer) -> bool:
    return isinstance(viewer, User) and viewer.is_active


def may_see_work_of(viewer: Viewer, author_id: int) -> bool:
    """Submissions, trial runs and sources are for their author and staff."""
    return isinstance(viewer, User) and viewer.is_active and (viewer.pk == author_id or is_staff(viewer))


def may_see_secret_data(viewer: Viewer) -> bool:
    """Inputs, answers, outputs and validator messages of secret cases."""
    return is_staff(viewer)
