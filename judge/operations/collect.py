"""Deletes from the store what no row names any more.

Rows name bytes by their digest, in a column or somewhere in JSON; every column of every room is looked through, so that
a room that is added need not be told of here. What was put, or asked to be kept, within the grace is left alone.
"""

import re
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.files.storage import storages
from django.db.models import CharField, Field, JSONField, Model, Q, TextField
from django.utils import timezone

from judge.blobs import store
from judge.submissions.models import CaseResult

DIGEST = re.compile(r"[0-9a-f]{64}")
BATCH = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What came of it."""

    looked_at: int
    deleted: int
    freed_bytes: int
    outputs_forgotten: int
    """Case results whose output and error output are no longer kept, because they are too old."""


def collect(grace: timedelta, *, really: bool = True) -> Collected:
    """Delete what no row names and is older than `grace` (at least `store.FRESH` twice). Not `really`: only count."""
    grace = max(grace, 2 * store.FRESH)
    forgotten = _forget_old_outputs(really=really)
    looked_at = deleted = freed = 0
    with (
        tempfile.TemporaryDirectory(prefix="palfrey-collect-") as folder,
        closing(sqlite3.connect(Path(folder) / "names.sqlite3", isolation_level=None)) as names,
    ):
        names.execute("PRAGMA journal_mode=OFF")
        names.execute("CREATE TABLE old (digest TEXT PRIMARY KEY) WITHOUT ROWID")
        names.execute("CREATE TABLE used (digest TEXT PRIMARY KEY) WITHOUT ROWID")
        names.execute("BEGIN")
        # Candidates first, rows then: what a row comes to name meanwhile was put anew, and is young.
        for name in store.stored():
            looked_at += 1
            if store.age(name) > grace:
                names.execute("INSERT OR IGNORE INTO old VALUES (?)", [name.rpartition("/")[2]])
        for digest in _named_by_rows():
            names.execute("INSERT OR IGNORE INTO used VALUES (?)", [digest])
        for (digest,) in names.execute("SELECT digest FROM old WHERE digest NOT IN (SELECT digest FROM used)"):
            name = f"{digest[:2]}/{digest}"
            if store.age(name) > grace:
                size = storages["blobs"].size(name)
                if not really or store.drop(name):
                    deleted += 1
                    freed += size
    if really:
        store.sweep(grace)
    return Collected(looked_at=looked_at, deleted=deleted, freed_bytes=freed, outputs_forgotten=forgotten)


def _forget_old_outputs(*, really: bool) -> int:
    """PALFREY_OUTPUTS_KEPT_DAYS: verdicts and figures stay, what programs printed goes."""
    if not settings.OUTPUTS_KEPT_DAYS:
        return 0
    end = timezone.now() - timedelta(days=settings.OUTPUTS_KEPT_DAYS)
    old = CaseResult.objects.filter(~Q(output="") | ~Q(stderr=""), judgement__finished__lt=end).order_by()
    if not really:
        return old.count()
    forgotten = 0
    while batch := list(old.values_list("pk", flat=True)[:BATCH]):
        forgotten += CaseResult.objects.filter(pk__in=batch).update(output="", stderr="")
    return forgotten


def _named_by_rows() -> Iterator[str]:
    for model in apps.get_models():
        for field in model._meta.concrete_fields:  # noqa: SLF001 - Django's documented way to ask a model
            if _may_name(field):
                yield from _in_column(model, field.attname)


def _may_name(field: "Field[Any, Any]") -> bool:
    if isinstance(field, CharField):
        return (field.max_length or 64) >= 64
    return isinstance(field, TextField | JSONField)


def _in_column(model: type[Model], column: str) -> Iterator[str]:
    values = model._default_manager.order_by().values_list(column, flat=True)  # noqa: SLF001
    for value in values.iterator(chunk_size=BATCH):
        if value:
            yield from DIGEST.findall(value if isinstance(value, str) else str(value))
