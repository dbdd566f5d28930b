"""Links by which people set the first password of an account that was made for them.

A link is signed, ends after a time, and works once: it holds a fingerprint of the state of the account, which the first
password changes. Nothing is stored. Only who may look after an account can make one, so no link opens an account that
somebody has taken up.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from judge.people.actions import note
from judge.people.models import Course, Membership, Role, User
from judge.people.permissions import is_admin, may_look_after, may_run
from judge.people.refusal import Refused
from problems.say import say

SALT = "judge.people.invitations"
MAILED = 200
"""Letters sent at once."""


def link_for(user: User) -> str:
    """What stands in the address. The account must not be taken up yet."""
    return signing.dumps([user.pk, _fingerprint(user)], salt=SALT, compress=False)


def account_of(link: str) -> User | None:
    """Whom a link is for; None when it is used, too old, or none of ours."""
    return _account_of(link, User.objects.all())


def _account_of(link: str, users: QuerySet[User, User]) -> User | None:
    try:
        pk, fingerprint = signing.loads(link, salt=SALT, max_age=timedelta(days=settings.INVITATION_DAYS))
    except (signing.BadSignature, ValueError, TypeError):
        return None
    user = users.filter(pk=pk, is_active=True).first()
    if user is None or user.taken_up or not constant_time_compare(fingerprint, _fingerprint(user)):
        return None
    return user


def accept(link: str, password: str) -> User | None:
    """Set the first password. None when somebody was faster, or the link does not hold."""
    with transaction.atomic():
        user = _account_of(link, User.objects.select_for_update())
        if user is not None:
            user.set_password(password)
            user.save(update_fields=["password"])
    return user


def to_invite(by: User, course: Course) -> list[Membership]:
    """Those in the course who have no password yet and whom `by` may invite."""
    if not may_run(by, course):
        return []
    found = _without_password(course)
    if is_admin(by):
        return found
    # the same as `may_look_after`, which would ask once for each
    return [one for one in found if one.user.made_in_id == course.pk and one.user.role == Role.STUDENT]


def invited_elsewhere(by: User, course: Course) -> int:
    """How many in the course have no password yet and are not for `by` to invite: another course made their account."""
    return len(_without_password(course)) - len(to_invite(by, course))


def _without_password(course: Course) -> list[Membership]:
    found = course.memberships.filter(active=True, user__is_active=True).select_related("user", "section")
    ordered = found.order_by("user__last_name", "user__first_name", "user__username")
    return [one for one in ordered if not one.user.taken_up]


def links(by: User, course: Course, wanted: Iterable[int] | None = None) -> list[tuple[Membership, str]]:
    """Everybody to invite with their link, and note that they have one. `wanted`: only these users (by id)."""
    members = to_invite(by, course)
    if wanted is not None:
        chosen = set(wanted)
        members = [one for one in members if one.user_id in chosen]
    with transaction.atomic():
        Membership.objects.filter(pk__in=[one.pk for one in members]).update(invited=timezone.now())
        if len(members) == 1:
            note(by, course, say("said", "made an invitation link"), members[0].user)
        elif members:
            note(by, course, say("said", "made invitation links: %(number)d", number=len(members)))
    return [(one, link_for(one.user)) for one in members]


def next_to_mail(by: User, course: Course, wanted: Iterable[int] = ()) -> list[int]:
    """Ids of those to send a letter now: of the `wanted`, or of everybody, who has had no link yet comes first."""
    chosen = set(wanted)
    waiting = [one for one in to_invite(by, course) if one.user.email and (not chosen or one.user_id in chosen)]
    waiting.sort(key=lambda one: one.invited.timestamp() if one.invited else 0)
    return [one.user_id for one in waiting[:MAILED]]


def renew(by: User, user: User) -> None:
    """Make every link that was given out for this account worthless. Raises `Refused`."""
    with transaction.atomic():
        held = User.objects.select_for_update().get(pk=user.pk)
        if held.taken_up or not may_look_after(by, held):
            raise Refused(_("Somebody has set a password for this account: it is theirs."))
        held.set_unusable_password()
        held.save(update_fields=["password"])


def mail(by: User, course: Course, addresses: Sequence[tuple[Membership, str]]) -> int:
    """Send each their link (membership, whole address), all with a mail address; gives how many were sent.

    Raises `Refused`, `OSError`.
    """
    if not can_mail():
        raise Refused(_("No mail server is set up. Copy the links, or download them all."))
    letters = []
    for member, address in addresses:
        # Who has not chosen a language yet is written to in that of the one who invites.
        with override(member.user.language or get_language()):
            facts = {"member": member, "course": course, "address": address, "days": settings.INVITATION_DAYS, "by": by}
            subject = _("Your account for %(course)s") % {"course": course}
            letters.append(
                EmailMessage(
                    subject=subject.replace("\n", " "),
                    body=render_to_string("account/invitation_mail.txt", facts),
                    to=[member.user.email],
                )
            )
    return get_connection().send_messages(letters) or 0


def can_mail() -> bool:
    """Whether letters leave this machine."""
    return not settings.EMAIL_BACKEND.endswith((".console.EmailBackend", ".dummy.EmailBackend"))


def _fingerprint(user: User) -> str:
    return salted_hmac(SALT, f"{user.pk}:{user.password}:{user.last_login}").hexdigest()[:24]
