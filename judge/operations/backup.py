"""Everything that a site must not lose as one tar file, and back: the rows, the bytes that they name, the key.

The rows are read first, as of one moment. Bytes are in the store before a row names them, so whatever these rows name
is there when the store is read after them; the file may hold a little more, never less.
"""

import hashlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import call_command
from django.db import OperationalError, ProgrammingError, connection, connections
from django.db.migrations.executor import MigrationExecutor

from judge.blobs import store
from judge.config import local
from judge.people.models import User

FACTS, ROWS, KEY, BYTES = "palfrey.json", "rows", "secret-key", "blobs/"
FORMAT = 1


class BackupFailed(Exception):
    """Nothing was kept, or nothing was changed; the message says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a file holds."""

    engine: str
    made: str
    blobs: int


def backup(file: Path) -> Told:
    """Write the site to `file`, which is there whole or not at all. Raises `BackupFailed`. Nothing need be stopped."""
    file = file.resolve()
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")  # readable by its owner alone
    try:
        with os.fdopen(handle, "wb") as raw, tarfile.open(fileobj=raw, mode="w") as tar:
            with tempfile.TemporaryDirectory(prefix="palfrey-backup-", dir=file.parent) as folder:
                rows = Path(folder) / ROWS
                _dump_rows(rows)
                facts: dict[str, Any] = {
                    "format": FORMAT,
                    "engine": connection.vendor,
                    "made": datetime.now(UTC).isoformat(timespec="seconds"),
                    "migrations": sorted(map(list, MigrationExecutor(connection).loader.applied_migrations)),
                }
                _add(tar, FACTS, json.dumps(facts).encode())
                tar.add(rows, ROWS)
            if (key := local.secret_key_file(settings.VAR)).exists():
                tar.add(key, KEY)
            number = 0
            for name_in_store in store.stored():
                with storages["blobs"].open(name_in_store) as content:
                    _add(tar, BYTES + name_in_store, content.read())
                number += 1
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Told(engine=facts["engine"], made=facts["made"], blobs=number)


def restore(file: Path, *, replace: bool) -> Told:
    """Make the site what it was. `replace`: also where there are accounts already. Raises `BackupFailed`.

    The rows are put back in one step, after the bytes. The site must not run meanwhile.
    """
    try:
        with tarfile.open(file) as tar:
            facts = _facts(tar)
            if not replace and _has_people():
                raise BackupFailed("This site has accounts: give --replace to have them replaced by those of the file.")
            number = 0
            with tempfile.TemporaryDirectory(prefix="palfrey-restore-", dir=_place()) as folder:
                rows = Path(folder) / ROWS
                for member in tar:
                    if member.isfile() and member.name == ROWS:
                        _unpack(tar, member, rows)
                    elif member.isfile() and member.name == KEY:
                        _restore_key(_content(tar, member))
                    elif member.isfile() and member.name.startswith(BYTES):
                        _restore_bytes(member.name.removeprefix(BYTES), _content(tar, member))
                        number += 1
                if not rows.exists():
                    raise BackupFailed(f"{file} has no rows: it was cut off, or is no backup.")
                _load_rows(rows)
    except (tarfile.TarError, EOFError) as error:
        raise BackupFailed(f"{file} cannot be read: {error}") from error
    call_command("migrate", interactive=False, verbosity=0)
    return Told(engine=facts["engine"], made=facts["made"], blobs=number)


def _dump_rows(file: Path) -> None:
    if connection.vendor == "sqlite":
        with (
            closing(sqlite3.connect(connection.settings_dict["NAME"])) as here,
            closing(sqlite3.connect(file)) as there,
        ):
            here.backup(there)
            there.execute("PRAGMA journal_mode=DELETE")
        return
    _postgres("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={file}", _database())


def _load_rows(file: Path) -> None:
    connections.close_all()
    if connection.vendor == "sqlite":
        target = Path(connection.settings_dict["NAME"])
        with closing(sqlite3.connect(file)) as rows:
            if rows.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise BackupFailed("The rows in the file are damaged.")
        for ending in ("-wal", "-shm"):
            target.with_name(target.name + ending).unlink(missing_ok=True)
        shutil.move(file, target)
        return
    words = ["--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error"]
    _postgres("pg_restore", *words, f"--dbname={_database()}", str(file))


def _postgres(program: str, *words: str) -> None:
    """Run one of PostgreSQL's own programs on our database."""
    if not shutil.which(program):
        raise BackupFailed(f"{program} is missing (on Debian: apt-get install postgresql-client).")
    facts = connection.settings_dict
    environment = {**os.environ, "PGPASSWORD": str(facts["PASSWORD"] or "")}
    pairs = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER"}
    environment |= {name: str(facts[key]) for name, key in pairs.items() if facts[key]}
    done = subprocess.run([program, *words], env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise BackupFailed(f"{program} failed: {done.stderr.strip()[-1000:]}")


def _database() -> str:
    return str(connection.settings_dict["NAME"])


def _place() -> Path:
    """Where the rows of a file can lie before they take their place, on the same file system."""
    if connection.vendor == "sqlite":
        return Path(connection.settings_dict["NAME"]).parent
    return Path(tempfile.gettempdir())


def _has_people() -> bool:
    try:
        return User.objects.exists()
    except (ProgrammingError, OperationalError):  # there are no tables yet
        return False


def _facts(tar: tarfile.TarFile) -> dict[str, Any]:
    try:
        member = tar.next()
        facts = json.loads(_content(tar, member)) if member is not None and member.name == FACTS else {}
    except ValueError:
        facts = {}
    if facts.get("format") != FORMAT:
        raise BackupFailed("This file is no backup of Palfrey.")
    if facts["engine"] != connection.vendor:
        raise BackupFailed(f"The file is of a site on {facts['engine']}, and this one is on {connection.vendor}.")
    known = _known_migrations()
    newer = [".".join(each) for each in facts["migrations"] if tuple(each) not in known]
    if newer:
        raise BackupFailed(f"The file is of a newer Palfrey ({newer[-1]}): upgrade this one first.")
    return dict(facts)


def _known_migrations() -> set[tuple[str, str]]:
    loader = MigrationExecutor(connection).loader
    return {*loader.disk_migrations, *loader.replacements}


def _restore_key(content: bytes) -> None:
    """Sessions and links in letters stay good. A key that is there already stays."""
    file = local.secret_key_file(settings.VAR)
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as there:
            there.write(content)


def _restore_bytes(name: str, content: bytes) -> None:
    if hashlib.sha256(content).hexdigest() != name.rpartition("/")[2]:
        raise BackupFailed(f"The bytes of {name} are damaged in the file.")
    storage = storages["blobs"]
    if not storage.exists(name) or storage.size(name) != len(content):
        storage.save(name, ContentFile(content))


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    member.mode = 0o600
    tar.addfile(member, io.BytesIO(content))


def _content(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member)
    assert file is not None
    return file.read()


def _unpack(tar: tarfile.TarFile, member: tarfile.TarInfo, to: Path) -> None:
    file = tar.extractfile(member)
    assert file is not None
    with to.open("wb") as there:
        shutil.copyfileobj(file, there)
