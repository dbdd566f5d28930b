"""A worker in a container: root with the rights that docker-compose.yml names, on groups that are read-only."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from sandbox.cgroups import mounts

ROOT = Path(__file__).parents[2]
JUDGING = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["x-judging"]
RIGHTS = frozenset(JUDGING["cap_add"])
PINNED = """
import pathlib, sys
from sandbox.doctor import pinned
found = pinned(pathlib.Path(sys.argv[1]))
print(found.cure)
sys.exit(not found.holds)
"""


def contained(rights: frozenset[str], *words: str) -> subprocess.CompletedProcess[str]:
    """Python with `words`, in a mount namespace of its own."""
    groups = [str(mount.point) for mount in mounts(Path("/proc/self/mountinfo").read_text())]
    script = 'for group in $GROUPS_; do mount -o remount,bind,ro $group || exit 9; done; exec "$@"'
    named = ",".join(f"+{right.lower()}" for right in sorted(rights))
    fewer = ["setpriv", "--no-new-privs", "--bounding-set", f"-all,{named}", sys.executable, *words]
    return subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh", *fewer],
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "GROUPS_": " ".join(groups)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_the_rights_of_the_compose_file_are_enough_to_judge(state: Path) -> None:
    assert JUDGING["cap_drop"] == ["ALL"]
    result = contained(RIGHTS, "-c", PINNED, str(state))
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_worker_that_may_not_choose_cores_is_found_out(state: Path) -> None:
    result = contained(RIGHTS - {"SYS_NICE"}, "-c", PINNED, str(state))
    assert result.returncode == 1
    assert "keep to one core" in result.stdout


@pytest.mark.byname
def test_everything_holds_with_them(state: Path) -> None:
    result = contained(RIGHTS, "-m", "sandbox", "--state", str(state), "doctor")
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.byname
@pytest.mark.parametrize("right", sorted(RIGHTS))
def test_none_of_them_can_be_spared(right: str, state: Path) -> None:
    result = contained(RIGHTS - {right}, "-m", "sandbox", "--state", str(state), "doctor")
    assert result.returncode == 1, result.stdout + result.stderr
    assert "LACK" in result.stdout
