"""What workers say of themselves."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.utils import timezone

from judge.grading.toolchain import Toolchain
from judge.submissions import hints, ledger
from judge.submissions.models import Owed, State, Worker

SEEN_EVERY_SECONDS = 5.0
STOPPED = "It was stopped."
"""What a worker says last when it ends in good order."""


def say_hello(name: str, toolchains: Mapping[str, Toolchain], slots: int, queues: Sequence[str]) -> None:
    """A worker starts: what it can judge, how many programs at a time, and on what it works."""
    now = timezone.now()
    Worker.objects.update_or_create(
        name=name,
        defaults={
            "languages": list(toolchains),
            "toolchains": {language: toolchain.version for language, toolchain in toolchains.items()},
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
