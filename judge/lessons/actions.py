"""What people can do: ask for a figure with values of their own. And what publishing does: keep those of a version."""

from collections.abc import Iterable, Sequence

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from judge.blobs.versions import programs_of
from judge.grading.lesson import Traced
from judge.grading.needs import lessons, words
from judge.lessons.models import LessonTrace
from judge.lessons.queries import key_of, packed
from judge.people.models import User
from judge.people.permissions import may_create_problems, may_submit
from judge.people.refusal import Refused
from judge.submissions import hints, order
from judge.submissions.models import State
from problems.models import Version
from problems.package.lesson import Command


def ask(reader: User, version: Version, commands: Sequence[Command]) -> None:
    """Have the traces of `commands` made that nobody has asked for before. They are commands of the version's own
    lesson: whoever calls this has taken them from there. Raises `Refused`."""
    if not may_submit(reader):
        raise Refused(_("This account cannot run anything. Ask your instructor."))
    with transaction.atomic():
        for command in commands:
            key = key_of(command)
            if LessonTrace.objects.filter(version=version, key=key).exists():
                continue
            _not_too_many(reader)
            row, new = LessonTrace.objects.get_or_create(
                version=version,
                key=key,
                defaults={
                    "command": command.text,
                    "asked_by": reader,
                    "needs": words(programs_of(version, lessons)),
                    "due": order.trial_due(LessonTrace.objects.filter(asked_by=reader)),
                },
            )
            if new:
                hints.send_on_commit(row)


def keep(version: Version, made: Iterable[Traced]) -> None:
    """Keep the traces that were made with a version."""
    now = timezone.now()
    for each in made:
        LessonTrace.objects.get_or_create(
            version=version,
            key=key_of(each.command),
            defaults={
                "command": each.command.text,
                "of_version": True,
                "state": State.DONE,
                "finished": now,
                "trace": packed(each.trace),
            },
        )


def _not_too_many(reader: User) -> None:
    if may_create_problems(reader):
        return
    mine = LessonTrace.objects.filter(asked_by=reader)
    unfinished = mine.filter(state__in=(State.QUEUED, State.RUNNING)).count()
    if unfinished >= settings.UNFINISHED_TRIALS:
        raise Refused(
            _("%(unfinished)s figures of yours are being made. Wait until one is there, then ask again.")
            % {"unfinished": unfinished}
        )
    if mine.count() >= settings.LESSON_TRACES:
        raise Refused(
            _("You have asked for very many figures. Look at those that are there, or come back in some days.")
        )
