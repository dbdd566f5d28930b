"""The store in an object store: a real server that speaks S3. By name; `importorskip` below says what it takes."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.core.files.storage import storages
from django.core.management import call_command
from django.test import Client

from judge.blobs import store
from judge.blobs.store import BlobMissing
from judge.grading.verdict import Verdict
from judge.operations import backup
from judge.people.models import User
from judge.submissions import actions, tasks
from judge.submissions.models import Judgement
from problems.models import Problem
from tests.broker import Broker, tied
from tests.shelf import RIGHT

pytestmark = pytest.mark.byname
BUCKET = "palfrey"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of an empty server with our bucket."""
    pytest.importorskip("moto", reason="pip install 'moto[server]'")
    boto3 = pytest.importorskip("boto3", reason="pip install -r requirements-s3.lock")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen([*tied(), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    until = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            break
        except OSError:
            assert time.monotonic() < until
            time.sleep(0.1)
    client = boto3.client("s3", endpoint_url=url, region_name="us-east-1", **_keys("aws_access_key_id"))
    client.create_bucket(Bucket=BUCKET)
    yield url
    process.kill()
    process.wait()


def _keys(name: str) -> dict[str, str]:
    secret = "aws_secret_access_key" if name.startswith("aws") else "secret_key"
    return {name: "somebody", secret: "something"}


@pytest.fixture(autouse=True)
def object_store(server: str, settings: LazySettings) -> None:
    options = {"bucket_name": BUCKET, "endpoint_url": server, "region_name": "us-east-1", **_keys("access_key")}
    backend = {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}
    settings.STORAGES = {**settings.STORAGES, "blobs": backend}


@pytest.fixture
def elsewhere(settings: LazySettings, tmp_path_factory: pytest.TempPathFactory) -> None:
    """From now on another host: nothing is in its cache."""
    settings.PALFREY_CACHE = tmp_path_factory.mktemp("other")


def test_bytes_come_back_on_another_host(elsewhere: None) -> None:
    content = b"a\0b\xff" * 1000
    digest = store.put(content)
    assert store.put(content) == digest
    assert store.get(digest) == content
    name = f"{digest[:2]}/{digest}"
    assert name in store.stored()
    assert store.age(name) < timedelta(minutes=5)
    with pytest.raises(BlobMissing):
        store.get("ab" * 32)
    store.remove(digest)
    assert name not in store.stored()


def test_old_bytes_are_written_anew_and_young_ones_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    digest = store.put(b"asked for again")
    name = f"{digest[:2]}/{digest}"
    monkeypatch.setattr(store, "FRESH", timedelta(0))
    assert store.put(b"asked for again") == digest
    assert storages["blobs"].exists(name + store.WANTED)
    monkeypatch.undo()
    assert not store.drop(name), "somebody has just asked to keep it"
    storages["blobs"].delete(name + store.WANTED)
    assert store.drop(name)
    assert not storages["blobs"].exists(name)


@pytest.mark.django_db(transaction=True)
def test_a_problem_is_published_and_a_program_judged(
    broker: Broker, twice: Problem, student: User, elsewhere: None
) -> None:
    sent = actions.submit(student, twice, "python3", {"main.py": RIGHT}, "1")
    assert tasks.work_next("here")
    assert Judgement.objects.get(submission=sent).verdict == Verdict.ACCEPTED
    tasks.close_box()


@pytest.mark.django_db(transaction=True)
def test_collecting_backup_and_health(
    broker: Broker,
    twice: Problem,
    client: Client,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = store.put(b"named by no row")
    monkeypatch.setattr(store, "FRESH", timedelta(0))
    call_command("collect", grace_days=0)
    assert f"{kept[:2]}/{kept}" not in store.stored()
    assert twice.live is not None
    assert store.get(twice.live.archive)
    told = backup.backup(tmp_path_factory.mktemp("backup") / "site.tar")
    assert told.blobs == len(list(store.stored())) > 3
    assert client.get("/health/ready").json()["blobs"] == "ok"
