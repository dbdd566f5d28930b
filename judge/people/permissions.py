"""Who may do what. Asked here and nowhere else.

Work that was sent for an assignment is seen by its author, by assistants and instructors of that course, and by admins;
practice work by its author and admins alone. What a problem keeps secret is seen by its owners, by admins, and, as far
as it shows in work of their course, by the staff of that course. A course is changed by its instructors and admins.
"""

from collections.abc import Callable

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from judge.people.models import Course, CourseRole, Membership, Role, User
from problems.models import Problem

Viewer = User | AnonymousUser

STAFF = (CourseRole.ASSISTANT, CourseRole.INSTRUCTOR)


def person(viewer: Viewer) -> User | None:
    """The viewer, when they have an account that is open."""
    return viewer if isinstance(viewer, User) and viewer.is_active else None


def is_admin(viewer: Viewer) -> bool:
    """Whoever runs the site."""
    return isinstance(viewer, User) and viewer.is_active and viewer.role == Role.ADMIN


# The site -------------------------------------------------------------------------------------------------------------


def may_create_problems(viewer: Viewer) -> bool:
    return isinstance(viewer, User) and viewer.is_active and viewer.role in (Role.INSTRUCTOR, Role.ADMIN)


def may_create_courses(viewer: Viewer) -> bool:
    return may_create_problems(viewer)


def may_use_desk(viewer: Viewer) -> bool:
    """The problem desk is for whoever may begin a problem or owns one."""
    return may_create_problems(viewer) or (
        isinstance(viewer, User) and viewer.is_active and viewer.owned_problems.exists()
    )


def may_edit(viewer: Viewer, problem: Problem) -> bool:
    """Working copy, versions and secret data of a problem."""
    if is_admin(viewer):
        return True
    return isinstance(viewer, User) and viewer.is_active and problem.owners.filter(pk=viewer.pk).exists()


def may_answer_for(viewer: Viewer, problem: Problem) -> bool:
    """Say who owns a problem, what of it is live and whether it is on the shelf: owners who may begin problems too."""
    return may_create_problems(viewer) and may_edit(viewer, problem)


def who_answers_for(problem: Problem) -> QuerySet[User, User]:
    """The owners who may; admins may besides."""
    return problem.owners.filter(is_active=True, role__in=(Role.INSTRUCTOR, Role.ADMIN)).order_by("username")


def may_end_ownership(viewer: Viewer, problem: Problem, owner: User) -> bool:
    """Take it back from `owner`: from oneself always; from the first one, who began it, admins alone."""
    if is_admin(viewer) or viewer == owner:
        return may_edit(viewer, problem)
    first = (
        Problem.owners.through.objects.filter(problem_id=problem.pk).order_by("pk").values_list("user_id", flat=True)
    )
    return may_answer_for(viewer, problem) and first.first() != owner.pk


def may_regrade(viewer: Viewer) -> bool:
    """Have work on problems that one may edit judged again, as far as one sees it with all that is secret in it."""
    return is_admin(viewer) or (isinstance(viewer, User) and viewer.is_active and viewer.owned_problems.exists())


def may_edit_all(viewer: Viewer, problems: QuerySet[Problem, Problem]) -> bool:
    """`may_edit` of each."""
    if is_admin(viewer):
        return True
    return person(viewer) is not None and not problems.exclude(pk__in=_owned(viewer)).exists()


def _owned(viewer: Viewer) -> QuerySet[Problem, Problem]:
    return Problem.objects.filter(owners=viewer.pk).order_by()


def may_submit(viewer: Viewer) -> bool:
    return person(viewer) is not None


def may_see_queue(viewer: Viewer) -> bool:
    """What runs and waits, as far as it is work that one may see."""
    return sees_work_of_others(viewer)


def may_look_after(viewer: Viewer, user: User) -> bool:
    """Name, mail address and invitation of an account: for admins; until its first password is set, also for the
    instructors of the course that made it. So no instructor can take over what is somebody's already."""
    return looks_after(viewer)(user)


def looks_after(viewer: Viewer) -> Callable[[User], bool]:
    """`may_look_after` for many accounts, in one query."""
    admin = is_admin(viewer)
    run = Membership.objects.filter(user=viewer.pk, active=True, role=CourseRole.INSTRUCTOR) if person(viewer) else ()
    courses = {one.course_id for one in run}

    def looked_after(user: User) -> bool:
        pending = not user.taken_up and user.role == Role.STUDENT and user.is_active
        return admin or (pending and user.made_in_id in courses)

    return looked_after


# A course -------------------------------------------------------------------------------------------------------------


def role_in(viewer: Viewer, course_id: int) -> CourseRole | None:
    """What the viewer is in the course; None for who is not in it, or no longer."""
    if person(viewer) is None:
        return None
    found = Membership.objects.filter(user=viewer.pk, course=course_id, active=True).values_list("role", flat=True)
    role = found.first()
    return None if role is None else CourseRole(role)


def courses_of(viewer: Viewer) -> QuerySet[Course, Course]:
    """Those in which the viewer is anything; for admins all."""
    if is_admin(viewer):
        return Course.objects.all()
    mine = Membership.objects.filter(user=viewer.pk, active=True) if person(viewer) else Membership.objects.none()
    return Course.objects.filter(pk__in=mine.order_by().values("course"))


def courses_staffed_by(viewer: Viewer) -> QuerySet[Course, Course]:
    """Those whose work the viewer sees; for admins all."""
    if is_admin(viewer):
        return Course.objects.all()
    if person(viewer) is None:
        return Course.objects.none()
    staff = Membership.objects.filter(user=viewer.pk, active=True, role__in=STAFF)
    return Course.objects.filter(pk__in=staff.order_by().values("course"))


def sees_work_of_others(viewer: Viewer) -> bool:
    return is_admin(viewer) or courses_staffed_by(viewer).exists()


def may_see_course(viewer: Viewer, course: Course) -> bool:
    return is_admin(viewer) or role_in(viewer, course.pk) is not None


def may_assist(viewer: Viewer, course: Course) -> bool:
    """Its people, its work and its grades, to look at."""
    return is_admin(viewer) or role_in(viewer, course.pk) in STAFF


def may_run(viewer: Viewer, course: Course) -> bool:
    """Its people, assignments and grades, to change. An archived course is only read."""
    return course.archived is None and may_archive(viewer, course)


def may_archive(viewer: Viewer, course: Course) -> bool:
    """Put it away, and take it back."""
    return is_admin(viewer) or role_in(viewer, course.pk) == CourseRole.INSTRUCTOR


# Work -----------------------------------------------------------------------------------------------------------------


def may_see_work_of(viewer: Viewer, author_id: int, course_id: int | None) -> bool:
    """A submission sent for an assignment of that course, and its source; None: practice, or a trial run."""
    if person(viewer) is None:
        return False
    return viewer.pk == author_id or is_admin(viewer) or _staffs(viewer, course_id)


def may_see_secret_data(viewer: Viewer, problem: Problem, course_id: int | None) -> bool:
    """Inputs, answers, outputs and validator messages of secret cases in work that the viewer may see."""
    return _staffs(viewer, course_id) or may_edit(viewer, problem)


def may_have_judged_again(viewer: Viewer, course_id: int | None) -> bool:
    """Work whose judging failed by no fault of its author."""
    return is_admin(viewer) or _staffs(viewer, course_id)


def may_have_errors_judged_again(viewer: Viewer, problem: Problem) -> bool:
    """All work on the problem whose judging failed, which may lie at its programs; it is not shown to them by that."""
    return may_edit(viewer, problem)


def _staffs(viewer: Viewer, course_id: int | None) -> bool:
    return course_id is not None and role_in(viewer, course_id) in STAFF
