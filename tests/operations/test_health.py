"""The health pages tell the truth, in as few words as they can."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pytest_django import Settings

from judge.operations import health


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that has just started."""
    monkeypatch.setattr(health, "_migrated", Event())


def test_live_needs_nothing(client: Client) -> None:
    answer = client.get("/health/live")
    assert (answer.status_code, answer.content) == (200, b"alive\n")
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_ready_when_everything_is_there(
    client: Client, settings: Settings, start_broker: Callable[[], "subprocess.Popen[bytes]"], tmp_path: Path
) -> None:
    settings.REDIS_URL = f"unix://{tmp_path}/b.sock"
    process = start_broker()
    answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()) == (200, {"database": "ok", "queue": "ok", "blobs": "ok"})
    process.kill()
    process.wait()
    answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()) == (503, {"database": "ok", "queue": "failed", "blobs": "ok"})


@pytest.mark.django_db
def test_not_ready_while_a_migration_is_owed(client: Client) -> None:
    MigrationRecorder.Migration.objects.filter(app="submissions").delete()
    answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()["database"]) == (503, "failed")


@pytest.mark.django_db
def test_migrations_are_looked_at_until_none_is_owed_and_then_no_more(django_assert_num_queries: Any) -> None:
    kept = MigrationRecorder.Migration.objects.filter(app="submissions")
    rows = list(kept)
    kept.delete()
    assert [health.database(), health.database()] == [False, False]
    MigrationRecorder.Migration.objects.bulk_create(rows)
    assert health.database()
    with django_assert_num_queries(1):
        assert health.database()


def test_every_answer_has_its_number(client: Client) -> None:
    assert len(client.get("/health/live")["X-Request-Id"]) == 32
    assert client.get("/health/live", headers={"X-Request-Id": "proxy-12345678"})["X-Request-Id"] == "proxy-12345678"
    assert client.get("/health/live", headers={"X-Request-Id": 'x" onload="'})["X-Request-Id"] != 'x" onload="'
