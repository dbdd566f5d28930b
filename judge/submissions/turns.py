"""Whose turn it is, kept in the database: of any number of processes one acts, and another when that one is gone."""

from datetime import timedelta

from django.db.models import Q
from django.db.models.functions import Now

from judge.submissions.models import Turn


def take_turn(name: str, holder: str, seconds: float) -> bool:
    """Take or keep the turn for `seconds`; False while another process has it."""
    Turn.objects.get_or_create(name=name)
    free = Q(until__isnull=True) | Q(until__lt=Now()) | Q(holder=holder)
    taken = Turn.objects.filter(free, name=name).update(holder=holder[:128], until=Now() + timedelta(seconds=seconds))
    return taken == 1


def pass_on(name: str, holder: str) -> None:
    """Give the turn up, so that the next process need not wait."""
    Turn.objects.filter(name=name, holder=holder).update(until=None)
