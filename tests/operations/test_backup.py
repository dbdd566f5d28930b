"""A site written to a file and made anew from it, by the commands, on both databases."""

import json
import os
import stat
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.operations.conftest import ROOT
from tests.postgres import Postgres, can_run
from tests.shelf import write_package

EACH = """
import sys
from django.core.management import CommandError, call_command
for words in {commands!r}:
    try:
        call_command(*words, stdout=sys.stdout)
    except CommandError as error:
        print(words, error)
"""
COUNT = """
from judge.submissions.models import *; from judge.people.models import User; from problems.models import *
from judge.blobs import store
print([User.objects.count(), Problem.objects.count(), Case.objects.count(), Submission.objects.count()])
print(all(len(store.get(case.input)) == case.input_bytes for case in Case.objects.all()))
"""
UPGRADE = """
from judge.grading.languages import LANGUAGES
from judge.operations import selftest
there = selftest.offered
selftest.offered = lambda box, _: there(box, [LANGUAGES["python3"]])
call_command("upgrade", stdout=sys.stdout)
"""
"""Its self-test tries one language: to try them all takes as long as all the rest."""
FILL = """
from judge.people.models import User; from judge.submissions import actions; from problems.models import Problem
sam = User.objects.create_user("sam", "sam@example.org", "long enough")
actions.submit(sam, Problem.objects.get(), "python3", {"main.py": b"print(4)"}, "1")
"""


class Installation:
    """A folder with a site, used by commands as an operator does."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder = folder
        self._environment = {
            "PATH": os.environ["PATH"],
            "PALFREY_LOCAL": "1",
            "PALFREY_VAR": str(folder),
            "REDIS_URL": f"unix://{folder}/none.sock",
            **({"DATABASE_URL": database} if database else {}),
        }

    def run(self, *words: str, fails: bool = False) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stdout + done.stderr

    def shell(self, code: str, *commands: tuple[str, ...]) -> str:
        """Run commands, and then `code`, in one process, which is quicker than one for each."""
        return self.run("shell", "-v", "0", "-c", EACH.format(commands=commands) + code)


@pytest.fixture(params=[pytest.param("sqlite", marks=pytest.mark.byname), "postgres"])
def databases(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """Two, one for the site and one to restore it into."""
    if request.param == "sqlite":
        yield "", ""
        return
    if not can_run():
        pytest.skip("needs root and an installed PostgreSQL (apt-get install postgresql)")
    server = Postgres()
    try:
        server.start()
        base = server.url.rpartition("/")[0]
        for name in ("one", "two"):
            subprocess.run(["psql", "-q", f"{server.url}", "-c", f"CREATE DATABASE {name}"], check=True)
        yield f"{base}/one", f"{base}/two"
    finally:
        server.remove()


def test_there_and_back(databases: tuple[str, str], tmp_path: Path) -> None:
    site = Installation(tmp_path / "one", databases[0])
    (tmp_path / "one").mkdir()
    counted = "[1, 1, 4, 1]\nTrue\n"
    package = write_package(tmp_path / "twice")
    assert counted in site.shell(FILL + COUNT, ("migrate", "-v", "0"), ("publish", str(package)))
    (tmp_path / "one" / "secret-key").write_text("k" * 60)
    file = tmp_path / "site.tar"
    assert "files, as of" in site.run("backup", str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600, "it holds everything that is secret"

    other = Installation(tmp_path / "two", databases[1])
    assert "Restored the site" in other.run("restore", str(file))
    assert other.shell(f"{COUNT}User.objects.create_user('late')") == counted
    assert (tmp_path / "two" / "secret-key").read_text() == "k" * 60
    assert "give --replace" in other.run("restore", str(file), fails=True)
    other.run("restore", str(file), "--replace")
    assert other.shell(COUNT) == counted
    assert "Upgraded." in other.shell(UPGRADE)
    (made,) = (tmp_path / "two" / "backups").iterdir()
    assert made.stat().st_size > 1000


@pytest.fixture
def small(tmp_path: Path) -> tuple[Installation, Path]:
    site = Installation(tmp_path / "one", "")
    (tmp_path / "one").mkdir()
    keep = "from judge.blobs import store; store.put(b'kept'); call_command('backup', {file!r})"
    site.shell(keep.format(file=str(tmp_path / "site.tar")), ("migrate", "-v", "0"))
    return site, tmp_path / "site.tar"


def test_a_file_that_is_none_or_damaged_changes_nothing(small: tuple[Installation, Path], tmp_path: Path) -> None:
    site, file = small
    before = (tmp_path / "one" / "palfrey.sqlite3").read_bytes()
    (tmp_path / "text").write_text("hello\n")
    (tmp_path / "half").write_bytes(file.read_bytes()[:40_000])
    changed = file.read_bytes().replace(b"kept", b"kopt")
    (tmp_path / "changed").write_bytes(changed)
    files = {"text": "cannot be read", "half": "cannot be read", "changed": "damaged", "no": "No such"}
    lines = site.shell("", *(("restore", str(tmp_path / name)) for name in files)).splitlines()
    for name, said in files.items():
        assert any(f"/{name}'" in line and said in line for line in lines), (name, lines)
    assert (tmp_path / "one" / "palfrey.sqlite3").read_bytes() == before


@pytest.mark.byname
def test_a_file_of_a_newer_palfrey_is_refused(small: tuple[Installation, Path], tmp_path: Path) -> None:
    site, file = small
    with tarfile.open(file) as there, tarfile.open(tmp_path / "newer.tar", "w") as here:
        for member in there:
            content = there.extractfile(member)
            assert content is not None
            if member.name == "palfrey.json":
                facts = json.loads(content.read())
                facts["migrations"].append(["submissions", "9999_later"])
                (tmp_path / "facts").write_text(json.dumps(facts))
                here.add(tmp_path / "facts", "palfrey.json")
            else:
                here.addfile(member, content)
    assert "upgrade this one first" in site.run("restore", str(tmp_path / "newer.tar"), fails=True)
