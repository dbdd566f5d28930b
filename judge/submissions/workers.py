"""What workers say of themselves."""

from collections.abc import Mapping

from django.utils import timezone

from judge.grading.toolchain import Toolchain
from judge.submissions.models import Worker

SEEN_EVERY_SECONDS = 20.0


def say_hello(name: str, toolchains: Mapping[str, Toolchain], slots: int) -> None:
    """A worker starts: what it can judge, and how many programs at a time."""
    now = timezone.now()
    Worker.objects.update_or_create(
        name=name,
        defaults={
            "languages": list(toolchains),
            "toolchains": {language: toolchain.version for language, toolchain in toolchains.items()},
            "slots": slots,
            "started": now,
            "seen": now,
        },
    )


def still_here(name: str) -> None:
    """A worker lives; to be said every `SEEN_EVERY_SECONDS`."""
    Worker.objects.filter(name=name).update(seen=timezone.now())
