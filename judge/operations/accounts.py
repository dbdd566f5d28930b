"""The three accounts to try a new site with."""

import os
import secrets
from pathlib import Path

from judge.people.models import Role, User

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
