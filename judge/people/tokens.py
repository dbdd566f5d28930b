"""Tokens by which programs use the API for somebody: made, shown once, bounded in what and how long, taken back.

A token never allows more than its owner is allowed at the moment of the call: its scopes only take away.
"""

import hashlib
import secrets
from collections.abc import Collection
from datetime import timedelta
from enum import StrEnum

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from judge.people.actions import note
from judge.people.models import Token, User
from judge.people.permissions import Viewer, person
from judge.people.refusal import Refused

PREFIX = "palfrey_"
"""So that a secret that has got into a repository is recognised for what it is."""
MOST = 20
"""Tokens of one person that can be used at the same time."""
USED_EVERY = timedelta(minutes=1)
"""More often it is not written down that a token was used."""


class Scope(StrEnum):
    """What a token may do. None contains another."""

    READ = "read"
    """Problems, courses and assignments; one's own submissions and grades."""
    SUBMIT = "submit"
    COURSE_READ = "course:read"
    """What course staff see: people, grades, work of others, regrades."""
    COURSE_WRITE = "course:write"
    """What instructors change: people, assignments, points by hand, regrades."""


def make(owner: User, name: str, scopes: Collection[str], days: int) -> tuple[Token, str]:
    """A new token and its secret, which nobody can find out later. Raises `Refused`."""
    name = " ".join(name.split())
    if not name or len(name) > 80 or not name.isprintable():
        raise Refused("Give the token a name of at most 80 letters, such as the machine it is for.")
    wanted = [scope.value for scope in Scope if scope.value in scopes]
    if not wanted or len(wanted) != len(set(scopes)):
        raise Refused("Choose what the token may do.")
    if not 1 <= days <= settings.TOKEN_DAYS:
        raise Refused(f"A token holds for at least a day and at most {settings.TOKEN_DAYS} days.")
    secret = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)
        if usable().filter(owner=owner).count() >= MOST:
            raise Refused(f"You have {MOST} tokens already. Revoke one that you no longer need.")
        made = Token.objects.create(
            owner=owner,
            name=name,
            digest=_digest(secret),
            hint=secret[: len(PREFIX) + 4],
            scopes=wanted,
            expires=timezone.now() + timedelta(days=days),
        )
        note(owner, None, f"made the token {name}: {', '.join(wanted)}, for {days} days", owner)
    return made, secret


def revoke(by: User, token: Token) -> None:
    """From now on it opens nothing. Revoked twice, it is done once. Raises `Refused`."""
    if token.owner_id != by.pk:
        raise Refused(_("This is somebody else's token."))
    with transaction.atomic():
        if Token.objects.filter(pk=token.pk, revoked=None).update(revoked=timezone.now()):
            note(by, None, f"revoked the token {token.name}", by)


def tokens(viewer: Viewer) -> QuerySet[Token, Token]:
    """The viewer's own, newest first, without those that were revoked."""
    if person(viewer) is None:
        return Token.objects.none()
    return Token.objects.filter(owner=viewer.pk, revoked=None)


def usable() -> QuerySet[Token, Token]:
    """Those that open something now."""
    return Token.objects.filter(revoked=None, expires__gt=timezone.now(), owner__is_active=True)


def holder(secret: str) -> Token | None:
    """The token with its owner, if it can be used now; one query, whatever is given."""
    found = usable().select_related("owner").filter(digest=_digest(secret)).first()
    if found is not None and (found.used is None or found.used < timezone.now() - USED_EVERY):
        Token.objects.filter(pk=found.pk).update(used=timezone.now())
    return found


def _digest(secret: str) -> str:
    """A plain digest is enough: the secrets are random and long, so nobody can try them all."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
