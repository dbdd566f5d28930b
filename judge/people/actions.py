"""What people can do with courses and who is in them. One verb, one transaction."""

import re
import zoneinfo
from datetime import date

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from judge.people.models import AuditEntry, Course, CourseRole, Membership, Role, Section, User
from judge.people.permissions import is_admin, may_archive, may_create_courses, may_run
from judge.people.refusal import Refused
from problems.say import say

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
SECTIONS = 200
ROLES = (say("part", "student"), say("part", "assistant"), say("part", "instructor"))
"""As the audit has them."""
BECAUSE = ", because "
"""Before the reason in the audit; what follows is taken out when somebody is forgotten."""


def must_run(by: User, course: Course) -> None:
    """Raises `Refused`."""
    if not may_run(by, course):
        raise Refused(
            _("This course is archived: take it out of the archive first.")
            if may_archive(by, course)
            else _("Only instructors of this course can do this.")
        )


def create_course(by: User, course: Course) -> Course:
    """Keep a new course; who makes it is its first instructor. Raises `Refused`."""
    if not may_create_courses(by):
        raise Refused(_("Only instructors can begin a course. Ask an admin to make you one."))
    _check(course)
    try:
        with transaction.atomic():
            course.save(force_insert=True)
            Membership.objects.create(user=by, course=course, role=CourseRole.INSTRUCTOR)
            note(by, course, say("said", "began the course"))
    except IntegrityError:
        raise Refused(
            _("There is a course called %(slug)s already. Choose another short name.") % {"slug": course.slug}
        ) from None
    return course


def change_course(by: User, course: Course) -> None:
    """Keep its new name, code, dates and zone. Raises `Refused`."""
    must_run(by, course)
    _check(course)
    with transaction.atomic():
        course.save(update_fields=["name", "code", "starts", "ends", "time_zone"])
        note(
            by,
            course,
            say("said", "changed the course: %(name)s, %(zone)s", name=course.name, zone=course.time_zone),
        )


def archive(by: User, course: Course, *, back: bool = False) -> None:
    """Put the course away: it can only be read. `back`: take it out again. Raises `Refused`."""
    if not may_archive(by, course):
        raise Refused(_("Only instructors of this course can do this."))
    with transaction.atomic():
        course.archived = None if back else course.archived or timezone.now()
        course.save(update_fields=["archived"])
        what = say("said", "took the course out of the archive") if back else say("said", "archived the course")
        note(by, course, what)


def change_member(by: User, membership: Membership, *, role: str, section: Section | None, active: bool) -> None:
    """Give somebody another role or section, or take them out of the course and in again. Raises `Refused`."""
    course = membership.course
    must_run(by, course)
    if role not in CourseRole.values or (section is not None and section.course_id != course.pk):
        raise Refused(_("Choose a role and a section of this course."))
    with transaction.atomic():
        Course.objects.select_for_update().get(pk=course.pk)
        held = Membership.objects.get(pk=membership.pk)
        instructors = course.memberships.filter(role=CourseRole.INSTRUCTOR, active=True).exclude(pk=held.pk)
        last = held.role == CourseRole.INSTRUCTOR and held.active and not instructors.exists()
        if last and (role != CourseRole.INSTRUCTOR or not active):
            raise Refused(_("The course needs an instructor. Make somebody else one first."))
        told = []
        if held.role != role:
            told.append(say("part", "role %(before)s → %(after)s", before=held.role, after=role))
        if held.section_id != (section.pk if section else None):
            told.append(say("part", "section → %(name)s", name=section or "–"))
        if held.active != active:
            told.append(say("part", "into the course again") if active else say("part", "out of the course"))
        held.role, held.section, held.active = role, section, active
        held.save(update_fields=["role", "section", "active"])
        if told:
            note(by, course, say("said", "changed %(what)s", what=", ".join(told)), held.user)


def add_section(by: User, course: Course, name: str) -> Section:
    """Raises `Refused`."""
    must_run(by, course)
    name = " ".join(name.split())
    if not name or len(name) > 80 or not name.isprintable():
        raise Refused(_("Give the section a name of at most 80 letters."))
    if course.sections.count() >= SECTIONS:
        raise Refused(_("A course has at most %(sections)s sections.") % {"sections": SECTIONS})
    try:
        with transaction.atomic():
            section = Section.objects.create(course=course, name=name)
            note(by, course, say("said", "added the section %(name)s", name=name))
    except IntegrityError:
        raise Refused(_("There is a section of this name already.")) from None
    return section


def remove_section(by: User, section: Section) -> None:
    """People and assignments of the section stay, without it. Raises `Refused`."""
    must_run(by, section.course)
    with transaction.atomic():
        if section.assignments.exists():
            raise Refused(
                _("An assignment is for %(section)s only. Change that first: else it would be for everybody.")
                % {"section": section}
            )
        note(by, section.course, say("said", "removed the section %(name)s", name=section))
        section.delete()


def change_account(by: User, user: User, *, role: str, active: bool) -> None:
    """What somebody may do on the site, and whether they may sign in. For admins. Raises `Refused`."""
    if not is_admin(by):
        raise Refused(_("Only admins can change accounts."))
    if by == user:
        raise Refused(_("You cannot change your own account here. Another admin can."))
    if role not in Role.values or user.anonymised:
        raise Refused(_("This account cannot be changed so."))
    with transaction.atomic():
        held = User.objects.select_for_update().get(pk=user.pk)
        told = [say("part", "role %(before)s → %(after)s", before=held.role, after=role)] if held.role != role else []
        if held.is_active != active:
            told.append(say("part", "opened the account") if active else say("part", "closed the account"))
        held.role, held.is_active = role, active
        held.is_staff = held.is_superuser = role == Role.ADMIN
        held.save(update_fields=["role", "is_active", "is_staff", "is_superuser"])
        if told:
            note(by, None, say("said", "changed %(what)s", what=", ".join(told)), held)


def note(by: User | None, course: Course | None, what: str, about: User | None = None) -> None:
    """Add to the audit what was done. Within the transaction that does it."""
    AuditEntry.objects.create(by=by, course=course, about=about, what=what[:1000])


def because(name: object, what: str, reason: str) -> str:
    """What `note` is given where somebody has to say why: so that the reason can be taken out."""
    return say("said", "%(name)s: %(what)s, because %(reason)s", name=name, what=what, reason=reason.strip())


def _check(course: Course) -> None:
    if not course.name.strip() or not course.name.isprintable():
        raise Refused(_("Give the course a name."))
    if not SLUG.fullmatch(course.slug) or len(course.slug) > 64 or course.slug == "new":
        raise Refused(_("Give the course a short name of a-z, 0-9 and -, such as algorithms-2026."))
    if course.time_zone not in zoneinfo.available_timezones():
        raise Refused(_("This time zone is not known. Choose one from the list."))
    if isinstance(course.starts, date) and isinstance(course.ends, date) and course.ends < course.starts:
        raise Refused(_("The course ends before it starts."))
