"""What workers say of themselves."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.utils import timezone

from judge.config.release import release
from judge.grading.keys import FORMAT
from judge.grading.toolchain import Toolchain
from judge.submissions import hints, ledger
from judge.submissions.fit import HEARD_OF, unknown_tables
from judge.submissions.models import Owed, State, Worker
from judge.submissions.record import host_class

SEEN_EVERY_SECONDS = 5.0
STOPPED = "It was stopped."
"""What a worker says last when it ends in good order."""


def say_hello(name: str, toolchains: Mapping[str, Toolchain], slots: int, queues: Sequence[str]) -> None:
    """A worker starts: with what it can work, on what, how many programs at a time, and by which code."""
    now = timezone.now()
    Worker.objects.update_or_create(
        name=name,
        defaults={
            "languages": list(toolchains),
            "toolchains": {language: toolchain.version for language, toolchain in toolchains.items()},
            "tools": {language: toolchain.tools for language, toolchain in toolchains.items()},
            "generation": FORMAT,
            "release": release(),
            "host": host_class(),
            "slots": slots,
            "queues": list(queues),
            "trouble": "",
            "started": now,
            "seen": now,
        },
    )


def still_here(name: str, trouble: str = "") -> None:
    """A worker lives, and takes work unless it says why not; to be said every `SEEN_EVERY_SECONDS`."""
    Worker.objects.filter(name=name).update(seen=timezone.now(), trouble=trouble[:255])


def anybody_at_work() -> bool:
    """Whether a worker lives, also one of older code on older tables."""
    return Worker.objects.filter(seen__gt=timezone.now() - HEARD_OF).exclude(trouble=STOPPED).exists()


def cannot_work() -> str:
    """Why this process can take no work now, in a sentence; empty while it can."""
    return lacking_room() or unknown_tables()


def lacking_room() -> str:
    """Why this host cannot take work now, in a sentence; empty while its disk has room for it."""
    folder = Path(settings.PALFREY_CACHE)
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if free < settings.DISK_RESERVE_BYTES:
        reserve = settings.DISK_RESERVE_BYTES >> 20
        return f"Only {free >> 20} MiB are free in {folder}, and {reserve} MiB are needed (PALFREY_DISK_RESERVE_BYTES)."
    return ""


def return_work_of(name: str) -> int:
    """Give back what the processes of a worker still work on, because it stops. Costs no attempt.

    Gives how many rows.
    """
    returned = 0
    for model in (model for model in apps.get_models() if issubclass(model, Owed)):
        for row in model.objects.filter(state=State.RUNNING, worker__startswith=f"{name}/"):
            if ledger.hand_back(row):
                hints.send(row)
                hints.announce(row)
                returned += 1
    return returned
