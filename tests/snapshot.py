"""Rows that many tests begin with, made once and put back for each of them."""

from collections.abc import Callable

from django.apps import apps
from django.db import models, transaction


class Snapshot:
    """All rows that `make` leaves in an empty database. For tests with real transactions.

    What is put back has the numbers it had; the database gives out none of them again.
    """

    def __init__(self, make: Callable[[], None]) -> None:
        self._make = make
        self._rows: list[models.Model] = []

    def lay(self) -> None:
        """Put the rows there."""
        if self._rows:
            with transaction.atomic():
                for row in self._rows:
                    row.save_base(raw=True, force_insert=True)  # raw: with the times that it had
            return
        before = {model: set(model._base_manager.values_list("pk", flat=True)) for model in _models()}
        self._make()
        for model, there in before.items():
            self._rows += [row for row in model._base_manager.all() if row.pk not in there]


def _models() -> list[type[models.Model]]:
    return [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
