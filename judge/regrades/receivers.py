"""What is done when something below has happened."""

from typing import Any

from django.dispatch import receiver

from judge.regrades import shifts, stages
from judge.regrades.models import Regrade, Shift, Stage
from judge.submissions.signals import given_up, swept
from problems.say import say


@receiver(swept)
def go_on(**_: Any) -> None:
    """Whatever got lost between a shift and the next one: send it."""
    for pk in Regrade.objects.filter(stage__in=(Stage.DRAFT, Stage.RUNNING), paused=False).values_list("pk", flat=True):
        shifts.advance(pk)


@receiver(given_up)
def shift_given_up(row: Any, reason: str, **_: Any) -> None:
    """A shift failed three times: a plan cannot be made then; a running regrade goes on without what it held."""
    if not isinstance(row, Shift):
        return
    regrade = Regrade.objects.get(pk=row.regrade_id)
    if regrade.stage == Stage.DRAFT:
        stages.fail(regrade, say("said", "The plan could not be made: %(fault)s", fault=reason))
    else:
        shifts.advance(regrade.pk)
