"""What the site keeps of a person: given to them, and forgotten without breaking grades.

Grades are computed from work sent for assignments, so that work stays, under a name that says nothing; practice work
and trial runs go, and an account for which nothing was graded goes whole. The programs of graded work are kept with it:
a regrade needs them.
"""

import io
import json
import zipfile
from datetime import timedelta
from pathlib import PurePosixPath
from typing import Any

import structlog
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from judge.assignments.models import Extension
from judge.blobs import store
from judge.blobs.store import BlobMissing
from judge.grades.models import Adjustment
from judge.people.actions import BECAUSE, note
from judge.people.models import AuditEntry, CourseRole, Membership, Role, Token, User
from judge.people.permissions import is_admin
from judge.people.refusal import Refused
from judge.submissions.models import Submission, Trial
from problems.say import say

log = structlog.get_logger(__name__)


def export(by: User, user: User) -> bytes:
    """Everything that is kept of a person, as a ZIP: `data.json`, and the programs. For themselves and admins."""
    if by != user and not is_admin(by):
        raise Refused(_("Only admins can have the data of others."))
    packed = io.BytesIO()
    sent = Submission.objects.filter(author=user).select_related(
        "problem", "assignment__course", "effective__judgement__version"
    )
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data.json", json.dumps(_facts(user, list(sent)), ensure_ascii=False, indent=1, default=str))
        for one in sent:
            for file in one.files:
                # Names were checked when they were taken; here they must not lead out of the folder either way.
                name = PurePosixPath(file["name"])
                if not name.is_absolute() and ".." not in name.parts:
                    archive.writestr(f"submissions/{one.pk}/{name}", _bytes(file["digest"]))
    return packed.getvalue()


def _bytes(digest: str) -> bytes:
    try:
        return store.get(digest)
    except BlobMissing:
        return b""


def _facts(user: User, sent: list[Submission]) -> dict[str, Any]:
    memberships = Membership.objects.filter(user=user).select_related("course", "section")
    extensions = Extension.objects.filter(student=user).select_related("assignment__course")
    adjustments = Adjustment.objects.filter(student=user).select_related("entry__assignment", "entry__problem")
    return {
        "account": {
            "username": user.username,
            "first_name": user.first_name,
            "last_name": user.last_name,
            "email": user.email,
            "role": user.role,
            "made": user.date_joined,
            "last_sign_in": user.last_login,
        },
        "courses": [
            {
                "course": one.course.name,
                "role": one.role,
                "section": one.section.name if one.section else None,
                "active": one.active,
                "since": one.joined,
            }
            for one in memberships
        ],
        "extensions": [
            {
                "course": one.assignment.course.name,
                "assignment": one.assignment.title,
                "deadline": one.deadline,
                "exempt": one.exempt,
                "extra_attempts": one.extra_attempts,
                "reason": one.reason,
                "given": one.given,
            }
            for one in extensions
        ],
        "points_by_hand": [
            {
                "assignment": one.entry.assignment.title,
                "problem": one.entry.problem.slug,
                "points": one.points,
                "reason": one.reason,
                "made": one.made,
            }
            for one in adjustments
        ],
        "submissions": [
            {
                "number": one.pk,
                "problem": one.problem.slug,
                "assignment": one.assignment.title if one.assignment else None,
                "course": one.assignment.course.name if one.assignment else None,
                "language": one.language,
                "sent": one.sent,
                "files": [file["name"] for file in one.files],
                "verdict": one.effective.judgement.verdict,
                "points": one.effective.judgement.points,
                "out_of": one.effective.judgement.out_of,
            }
            for one in sent
        ],
        "tokens": list(Token.objects.filter(owner=user).values("name", "scopes", "made", "expires", "used", "revoked")),
        "signed_in_from": list(
            AccessLog.objects.filter(username=user.username).values("ip_address", "user_agent", "attempt_time")
        ),
    }


def forget(by: User | None, user: User) -> bool:
    """Make a person anonymous, or delete the account when nothing graded hangs on it; True when it is deleted.

    `by` None: the command line or the sweeper. Raises `Refused`.
    """
    if by is not None and not is_admin(by):
        raise Refused(_("Only admins can make somebody anonymous."))
    if user == by:
        raise Refused(_("You cannot do this to yourself. Another admin can."))
    with transaction.atomic():
        held = User.objects.select_for_update().get(pk=user.pk)
        if held.role == Role.ADMIN:
            raise Refused(_("An admin's account is not made anonymous. Make it another role first."))
        name = held.username
        AccessAttempt.objects.filter(username=name).delete()
        AccessLog.objects.filter(username=name).delete()
        AccessFailureLog.objects.filter(username=name).delete()
        Token.objects.filter(owner=held).delete()
        Trial.objects.filter(author=held).delete()
        practice = Submission.objects.filter(author=held, assignment=None)
        for one in practice:  # the judgement that counts is protected by its pointer
            one.effective.delete()
        practice.delete()
        graded = (
            Submission.objects.filter(author=held).exists()
            or Adjustment.objects.filter(Q(student=held) | Q(made_by=held)).exists()
            or Extension.objects.filter(Q(student=held) | Q(given_by=held)).exists()
        )
        if not graded:
            held.delete()
            note(by, None, say("said", "deleted an account for which nothing was graded"))
            return True
        held.username = f"former-{held.pk}"
        held.first_name, held.last_name, held.email = "", f"Former member {held.pk}", ""
        held.is_active, held.role, held.last_login = False, Role.STUDENT, None
        held.anonymised = held.anonymised or timezone.now()
        held.set_unusable_password()
        held.owned_problems.clear()
        held.save()
        # Why something was given to somebody tells of them too.
        Extension.objects.filter(student=held).update(reason="")
        Adjustment.objects.filter(student=held).update(reason="")
        for entry in AuditEntry.objects.filter(about=held, what__contains=BECAUSE):
            AuditEntry.objects.filter(pk=entry.pk).update(what=entry.what.partition(BECAUSE)[0])
        note(by, None, say("said", "made an account anonymous"), held)
    return False


def due(days: int) -> list[User]:
    """Students whose courses have all been over for so many days, and who have not been here since. Never who runs a
    course, owns a problem or may make either."""
    before = timezone.now() - timedelta(days=days)
    going_on = Membership.objects.filter(
        Q(role__in=(CourseRole.ASSISTANT, CourseRole.INSTRUCTOR))
        | Q(course__archived=None) & (Q(course__ends=None) | Q(course__ends__gt=before.date()))
        | Q(course__archived__gt=before),
    )
    found = User.objects.filter(role=Role.STUDENT, anonymised=None, owned_problems=None)
    found = found.exclude(pk__in=going_on.order_by().values("user")).filter(memberships__isnull=False)
    seen = found.annotate(seen=Coalesce(Max("submissions__sent"), "date_joined"))
    return list(seen.filter(Q(last_login=None) | Q(last_login__lt=before), seen__lt=before).order_by("pk"))


def forget_who_is_due(days: int | None = None) -> int:
    """Forget everybody who is due; gives how many. `days` None: as `PALFREY_FORGET_DAYS` says, which may be never."""
    days = settings.FORGET_DAYS if days is None else days
    if days <= 0:
        return 0
    people = due(days)
    for user in people:
        deleted = forget(None, user)
        log.info("forgotten", account=user.pk, deleted=deleted)
    return len(people)
