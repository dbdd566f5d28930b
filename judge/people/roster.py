"""A list of people as CSV: read, compared with the course as it is, and applied whole or not at all.

`plan` changes nothing and says exactly what `apply` would do; `apply` makes the plan again within its transaction and
does nothing if it came out different, so that what was looked at is what happens.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext as _

from judge.people.models import AuditEntry, Course, CourseRole, Membership, Section, User
from judge.people.permissions import looks_after, may_run
from judge.people.refusal import Refused
from judge.people.roster_file import Fault, Row, read
from problems.say import say

TOLD = 200
"""Faults that are told of one file."""


class Changed(Refused):
    """Something else was changed since the preview."""


class Fate(StrEnum):
    """What becomes of somebody."""

    ADD = "add"
    """A new account, and into the course."""
    JOIN = "join"
    """Into the course, with an account that is there."""
    BACK = "back"
    """Was in the course, left it, and is in it again."""
    UPDATE = "update"
    REMOVE = "remove"
    """No longer in the file, and no longer in the course; what was sent stays."""
    SAME = "same"


_COUNTED = {
    Fate.ADD: say("part", "%(number)d added"),
    Fate.JOIN: say("part", "%(number)d joined"),
    Fate.BACK: say("part", "%(number)d came back"),
    Fate.UPDATE: say("part", "%(number)d changed"),
    Fate.REMOVE: say("part", "%(number)d left"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What becomes of one person."""

    fate: Fate
    line: int
    """0: they are not in the file."""
    username: str
    name: str
    details: tuple[str, ...] = ()
    row: Row | None = field(default=None, compare=False)
    user: User | None = field(default=None, compare=False)
    membership: Membership | None = field(default=None, compare=False)

    @property
    def moves(self) -> bool:
        return self.fate is not Fate.SAME


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a file would do."""

    changes: Sequence[Change]
    faults: Sequence[Fault]
    ignored: Sequence[str]
    """Heads of columns that mean nothing here."""
    notes: Sequence[str]
    new_sections: Sequence[str]

    @property
    def counts(self) -> dict[str, int]:
        return {fate.value: sum(change.fate is fate for change in self.changes) for fate in Fate}

    @property
    def moving(self) -> list[Change]:
        return [change for change in self.changes if change.moves]

    @property
    def seal(self) -> str:
        """The same for the same changes, whatever else is different."""
        told = [(c.fate.value, c.line, c.username, c.name, c.details) for c in self.changes]
        return hashlib.sha256(repr((told, list(self.new_sections))).encode()).hexdigest()


# Comparing ------------------------------------------------------------------------------------------------------------


def plan(by: User, course: Course, text: str, *, remove: bool = False) -> Plan:
    """What the file would do. `remove`: students who are not in it leave the course. Five queries."""
    if not may_run(by, course):
        raise Refused(_("Only instructors of this course can change who is in it."))
    rows, faults, ignored, notes = read(text)
    members = {one.user_id: one for one in course.memberships.select_related("user", "section", "user__made_in")}
    names, mails = _accounts(rows, members)
    mine = looks_after(by)
    changes = []
    taken: dict[int, int] = {}
    for row in rows:
        found = _find(row, names, mails)
        if isinstance(found, str):
            faults.append(Fault(line=row.line, text=found))
            continue
        if found is not None and taken.setdefault(found.pk, row.line) != row.line:
            faults.append(
                Fault(
                    line=row.line,
                    text=_("This is the account of line %(line)s too. Keep one.") % {"line": taken[found.pk]},
                )
            )
            continue
        membership = members.get(found.pk) if found else None
        change = _change(by, row, found, membership, looked_after=found is not None and mine(found))
        if isinstance(change, str):
            faults.append(Fault(line=row.line, text=change))
        else:
            changes.append(change)
    for one in changes:
        if one.row and one.user and not mine(one.user) and _says_otherwise(one.row, one.user):
            note = _("Line %(line)s has another name or mail address for %(username)s, who keeps their own.")
            notes.append(note % {"line": one.line, "username": one.username})
    if remove and not faults:
        changes += [
            Change(
                fate=Fate.REMOVE, line=0, username=one.user.username, name=str(one.user), user=one.user, membership=one
            )
            for one in members.values()
            if one.active
            and one.role == CourseRole.STUDENT
            and one.user_id not in taken
            and one.user.anonymised is None  # their grades stay in the book, and no list of a school names them
        ]
    there = set(course.sections.values_list("name", flat=True))
    new = sorted({row.section for row in rows if row.section} - there)
    return Plan(changes=changes, faults=faults[:TOLD], ignored=ignored, notes=notes[:TOLD], new_sections=new)


def _accounts(rows: Sequence[Row], members: Mapping[int, Membership]) -> tuple[dict[str, User], dict[str, list[User]]]:
    """By username and by mail address, both in small letters."""
    wanted = [row.username for row in rows if row.username] + [row.email for row in rows if row.email]
    lower = [name.lower() for name in wanted]
    found = User.objects.annotate(low=Lower("username"), low_mail=Lower("email")).filter(
        Q(username__in=wanted) | Q(low__in=lower) | Q(low_mail__in=lower, anonymised=None)
    )
    names: dict[str, User] = {}
    mails: dict[str, list[User]] = {}
    for user in [*found, *(one.user for one in members.values())]:
        names[user.username.casefold()] = user
        if user.email and user.anonymised is None and user not in mails.setdefault(user.email.casefold(), []):
            mails[user.email.casefold()].append(user)
    return names, mails


def _find(row: Row, names: Mapping[str, User], mails: Mapping[str, list[User]]) -> User | str | None:
    """The account that the row means, None for a new one, or why that cannot be said."""
    with_mail = mails.get(row.email.casefold(), []) if row.email else []
    if row.username:
        found = names.get(row.username.casefold())
        if found is None and with_mail:
            return _("The mail address belongs to another account. Leave the username empty to mean that account.")
        return found
    if len(with_mail) > 1:
        return _("Several accounts have this mail address. Give the username too.")
    return with_mail[0] if with_mail else names.get(row.email.casefold())


def _change(
    by: User, row: Row, user: User | None, membership: Membership | None, *, looked_after: bool
) -> Change | str:
    """What becomes of the person of a row, or why nothing can. `looked_after`: name and mail are for `by` to change."""
    if user is None:
        name = " ".join(part for part in (row.first_name, row.last_name) if part)
        username = row.username or row.email.lower()[:150]
        if not any(sign.isalnum() for sign in username):
            return _("“%(username)s” is no username: it has neither a letter nor a digit.") % {"username": username}
        told = _told(("role", row.role or CourseRole.STUDENT), ("section", row.section), ("mail", row.email))
        return Change(fate=Fate.ADD, line=row.line, username=username, name=name or username, details=told, row=row)
    closed = _("This account is closed. Ask an admin to open it again.")
    if not user.is_active and (membership is None or not membership.active):
        return closed
    details: list[str] = []
    if user == by and row.role and membership and row.role != membership.role:
        return _("You cannot change your own role. Another instructor can.")
    if looked_after:
        details += [
            f"{label}: {getattr(user, key) or '–'} → {getattr(row, key)}"
            for key, label in (("first_name", "first name"), ("last_name", "last name"), ("email", "mail"))
            if getattr(row, key) and getattr(row, key) != getattr(user, key)
        ]
    facts = {"fate": Fate.SAME, "line": row.line, "username": user.username, "name": str(user)}
    if membership is None:
        told = _told(("role", row.role or CourseRole.STUDENT), ("section", row.section))
        facts |= {"fate": Fate.JOIN, "details": (*told, *details)}
    else:
        if row.role and row.role != membership.role:
            details.insert(0, f"role: {membership.role} → {row.role}")
        if row.section and row.section != (membership.section.name if membership.section else ""):
            details.append(f"section: {membership.section or '–'} → {row.section}")
        if details and not user.is_active:
            return closed
        fate = Fate.BACK if not membership.active else Fate.UPDATE if details else Fate.SAME
        facts |= {"fate": fate, "details": tuple(details)}
    return Change(**facts, row=row, user=user, membership=membership)  # type: ignore[arg-type]


def _says_otherwise(row: Row, user: User) -> bool:
    """Whether name or mail are others than those of the account."""
    if user.anonymised is not None:
        return False
    names = tuple(one for one in (row.first_name, row.last_name) if one)
    named = names and names != tuple(one for one in (user.first_name, user.last_name) if one)
    return bool(named or (row.email and row.email.casefold() != user.email.casefold()))


def _told(*pairs: tuple[str, str]) -> tuple[str, ...]:
    return tuple(f"{label}: {value}" for label, value in pairs if value)


# Applying -------------------------------------------------------------------------------------------------------------


def apply(by: User, course: Course, text: str, seal: str, *, remove: bool = False) -> Plan:
    """Do what the plan with this seal says, in one transaction. Raises `Refused`, `Changed`; then nothing was done."""
    try:
        with transaction.atomic():
            held = Course.objects.select_for_update().get(pk=course.pk)
            made = plan(by, held, text, remove=remove)
            if made.faults:
                raise Refused(_("The file is not in order any more. Look at what is wrong with it below."))
            if made.seal != seal:
                raise Changed(_("The course was changed in the meantime. Look at what the file would do now."))
            _do(by, held, made)
    except IntegrityError:
        raise Changed(
            _("Somebody else has just made one of these accounts. Look at what the file would do now.")
        ) from None
    return made


def _do(by: User, course: Course, made: Plan) -> None:
    Section.objects.bulk_create([Section(course=course, name=name) for name in made.new_sections])
    sections = {section.name: section for section in course.sections.all()}
    moving = made.moving
    new = [(change, change.row) for change in moving if change.fate is Fate.ADD and change.row]
    accounts = User.objects.bulk_create(
        [
            User(
                username=change.username,
                email=row.email,
                first_name=row.first_name,
                last_name=row.last_name,
                password=make_password(None),
                made_in=course,
            )
            for change, row in new
        ]
    )
    joining = [(user, row) for user, (_change, row) in zip(accounts, new, strict=True)]
    joining += [
        (change.user, change.row) for change in moving if change.fate is Fate.JOIN and change.user and change.row
    ]
    Membership.objects.bulk_create(
        [
            Membership(user=user, course=course, role=row.role or CourseRole.STUDENT, section=sections.get(row.section))
            for user, row in joining
        ]
    )
    mine = looks_after(by)
    members, users = [], []
    for change in moving:
        if change.membership is not None:
            change.membership.active = change.fate is not Fate.REMOVE
            if change.row is not None:
                change.membership.role = change.row.role or change.membership.role
                change.membership.section = sections.get(change.row.section) or change.membership.section
            members.append(change.membership)
        if change.user is not None and change.row is not None and mine(change.user):
            for key in ("first_name", "last_name", "email"):
                setattr(change.user, key, getattr(change.row, key) or getattr(change.user, key))
            users.append(change.user)
    Membership.objects.bulk_update(members, ["active", "role", "section"], batch_size=500)
    User.objects.bulk_update(users, ["first_name", "last_name", "email"], batch_size=500)
    counts = ", ".join(
        _COUNTED[Fate(fate)] % {"number": number}
        for fate, number in made.counts.items()
        if number and fate != Fate.SAME
    )
    if moving:
        AuditEntry.objects.create(
            by=by, course=course, what=say("said", "applied a list of people: %(counts)s", counts=counts)
        )
