"""The front door: environments made, kept and made again, from anywhere, by several at once, without any network."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.operations.conftest import ROOT

BARE = {"PATH": "/usr/bin:/bin"}
MAKING = "making the Python environment"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small project behind the same door: no requirements, and a manage.py that tells how it was called."""
    house = tmp_path_factory.mktemp("palfrey") / "with a space, and ünïcode"
    house.mkdir()
    shutil.copy(ROOT / "palfrey", house)
    for name in ("requirements.lock", "requirements-dev.lock", "requirements-uv.lock"):
        (house / name).write_text("# nothing\n")
    (house / "manage.py").write_text("import os, sys\nprint(sys.argv[1:], os.environ.get('PALFREY_LOCAL'))\n")
    return house


def palfrey(house: Path, *words: str, **extra: str) -> subprocess.CompletedProcess[str]:
    environment = {**BARE, "HOME": str(house.parent), **extra}
    command = [str(house / "palfrey"), *words]
    return subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, timeout=120, check=False)


def test_help_needs_no_environment(house: Path) -> None:
    for words in ((), ("help",), ("--help",)):
        done = palfrey(house, *words)
        assert done.returncode == 0
        assert "./palfrey up" in done.stdout
    assert not (house / ".venv/stamp-run").exists()


def test_it_makes_its_environment_once_and_hands_over(house: Path) -> None:
    environment = {**BARE, "HOME": str(house.parent)}
    several = [
        subprocess.Popen(
            [house / "palfrey", "check", "a b", ""], env=environment, cwd="/", stdout=-1, stderr=-1, text=True
        )
        for _ in range(3)
    ]
    said = [process.communicate(timeout=120) for process in several]
    assert [process.returncode for process in several] == [0, 0, 0], said
    assert {out for out, _ in said} == {"['check', 'a b', ''] 1\n"}
    assert sum(MAKING in err for _, err in said) == 1

    assert MAKING not in palfrey(house, "check").stderr


@pytest.mark.parametrize("what", ["a changed lock", "an interrupted installation"])
def test_it_installs_again_after(house: Path, what: str) -> None:
    palfrey(house, "check")
    if what == "a changed lock":
        (house / "requirements.lock").write_text("# still nothing\n")
    else:
        (house / ".venv/stamp-run").unlink()
    assert MAKING in palfrey(house, "check").stderr
    assert MAKING not in palfrey(house, "check").stderr


def test_through_a_link(house: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(house / "palfrey")
    environment = {**BARE, "HOME": str(tmp_path)}
    done = subprocess.run([tmp_path / "link", "check"], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "['check'] 1\n"


def test_naming_hosts_is_leaving_ones_own_machine(house: Path) -> None:
    assert palfrey(house, "check").stdout == "['check'] 1\n"
    assert palfrey(house, "check", PALFREY_HOSTS="judge.example.org").stdout == "['check'] None\n"
    assert palfrey(house, "check", PALFREY_LOCAL="0").stdout == "['check'] 0\n"


def test_what_is_missing_is_said_in_one_line(house: Path, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("sh", "readlink", "dirname", "id", "cat", "sha256sum", "flock"):
        (tools / name).symlink_to(str(shutil.which(name)))
    done = palfrey(house, "up", PATH=str(tools))
    assert done.returncode == 1
    assert done.stderr.splitlines() == ["palfrey: please install: g++ (on Debian, as root: apt-get install g++)"]


def test_locks_name_hashes_and_no_address() -> None:
    for name in ("requirements.lock", "requirements-dev.lock", "requirements-uv.lock"):
        text = (ROOT / name).read_text(encoding="ascii")
        assert "://" not in text
        assert "index" not in text.replace("--hash", "").split("sha256:")[0]
        pins = [line for line in text.splitlines() if line and line[0].isalnum()]
        assert pins
        assert all("==" in pin for pin in pins)
        assert text.count("--hash=sha256:") >= len(pins)


def test_what_is_locked_for_development_contains_what_runs() -> None:
    def pins(name: str) -> set[str]:
        lines = (ROOT / name).read_text(encoding="ascii").splitlines()
        return {line.split(" ;")[0].rstrip(" \\") for line in lines if line and line[0].isalnum()}

    assert pins("requirements.lock") <= pins("requirements-dev.lock")


def test_scripts_are_executable_and_well_formed() -> None:
    for name in ("palfrey", "tests/gate", ".ci/run"):
        assert os.access(ROOT / name, os.X_OK)
        shell = "bash" if name == ".ci/run" else "sh"
        subprocess.run([shell, "-n", str(ROOT / name)], check=True)
