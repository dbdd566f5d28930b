"""Whether this process lives and whether the site can do its work. Both pages are open to all and tell no more."""

from collections.abc import Callable
from threading import Event

from django.conf import settings
from django.core.files.storage import storages
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judge.operations import broker

_migrated = Event()
"""Set once every migration of this code was seen in the database: none is taken back while this process runs."""


def database() -> bool:
    """The database answers and has every migration."""
    try:
        if _migrated.is_set():
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            return True
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return False
    except DatabaseError:
        return False
    _migrated.set()
    return True


def queue() -> bool:
    """The broker answers."""
    return broker.answers(settings.REDIS_URL)


def blobs() -> bool:
    """The store of bytes can be asked."""
    try:
        storages["blobs"].exists("ready")
    except Exception:  # noqa: BLE001 (stores of every kind have errors of their own)
        return False
    return True


CHECKS: tuple[Callable[[], bool], ...] = (database, queue, blobs)


@never_cache
@require_safe
def live(_request: HttpRequest) -> HttpResponse:
    """200 as long as this process answers; for whoever restarts it."""
    return HttpResponse("alive\n", content_type="text/plain")


@never_cache
@require_safe
def ready(_request: HttpRequest) -> JsonResponse:
    """200 when everything that pages need is there, else 503; for whoever sends visitors here."""
    states = {check.__name__: check() for check in CHECKS}
    return JsonResponse(
        {name: "ok" if state else "failed" for name, state in states.items()},
        status=200 if all(states.values()) else 503,
    )
