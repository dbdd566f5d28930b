"""What is said about a host, and what the room stands on."""

import ast
import io
import sys
from pathlib import Path

import pytest

from sandbox import build, doctor
from sandbox.__main__ import main
from sandbox.box import open_sandbox
from sandbox.cgroups import find, mounts
from sandbox.contract import SandboxFault
from sandbox.doctor import examine, tried
from tests.sandbox.test_defences import weakened

ROOM = Path(build.__file__).parent


def test_only_the_standard_library_is_imported() -> None:
    allowed = sys.stdlib_module_names | {"sandbox"}
    for source in sorted(ROOM.rglob("*.py")):
        for node in ast.walk(ast.parse(source.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names = [node.module or ""]
            for name in names:
                assert name.partition(".")[0] in allowed, f"{source.name} imports {name}"


def test_the_launcher_is_compiled_once_for_its_sources(tmp_path: Path, state: Path) -> None:
    launcher = build.launcher(state / "launcher")
    changed = launcher.stat().st_mtime_ns
    assert build.launcher(state / "launcher").stat().st_mtime_ns == changed
    assert [path.name for path in launcher.parent.iterdir()] == ["launcher"]
    client = build.client(state / "launcher")
    assert client.stat().st_mtime_ns == build.client(state / "launcher").stat().st_mtime_ns
    assert b"interpreter" not in launcher.read_bytes()[:1024]  # static: it needs nothing of the host's


def test_no_compiler_is_said_with_a_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxFault, match="apt install gcc"):
        build.launcher(tmp_path)


def test_an_ordinary_user_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(SandboxFault, match="as root"):
        open_sandbox(tmp_path)


def test_a_box_that_cannot_be_prepared_is_said_with_its_reason(tmp_path: Path) -> None:
    closed = ("program.c", "return filter_load();", "return -1;")
    with pytest.raises(SandboxFault, match="a box: drop rights"), weakened(tmp_path, (closed,)):
        pass


@pytest.mark.parametrize(
    ("mountinfo", "what"),
    [
        ("", "No control groups"),
        ("25 1 0:20 / /sys/fs/cgroup rw - tmpfs tmpfs rw", "No control groups"),
        ("25 1 0:20 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory", "No control groups"),
    ],
)
def test_a_host_without_control_groups_is_refused_with_a_cure(mountinfo: str, what: str) -> None:
    with pytest.raises(SandboxFault, match=what):
        find(mountinfo)


def test_a_v2_hierarchy_without_controllers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cgroup.controllers").write_text("cpu io\n")
    with pytest.raises(SandboxFault, match=r"lack memory, pids.*Delegate"):
        find(f"25 1 0:20 / {tmp_path} rw - cgroup2 cgroup2 rw")


def test_groups_that_cannot_be_made_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    lines = [
        f"25 1 0:20 / {tmp_path}/file rw shared:3 - cgroup cgroup rw,{name}" for name in ("memory", "pids", "cpuacct")
    ]
    with pytest.raises(SandboxFault, match="cannot be made"):
        find("\n".join(lines))


def test_mounts_are_read_from_mountinfo() -> None:
    text = (
        "30 25 0:26 / /sys/fs/cgroup/a\\040b rw,nosuid shared:9 master:1 - cgroup cgroup rw,cpu,cpuacct\n"
        "31 25 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate\n"
        "32 25 0:28 / /proc rw - proc proc rw\n"
    )
    one, two = mounts(text)
    assert (one.point, one.kind, "cpuacct" in one.options) == (Path("/sys/fs/cgroup/a b"), "cgroup", True)
    assert (two.point, two.kind) == (Path("/sys/fs/cgroup/unified"), "cgroup2")


def test_the_doctor_finds_this_host_well(state: Path) -> None:
    findings = examine(state)
    assert [finding.what for finding in findings if finding.needed and not finding.holds] == []
    assert len(findings) >= 8


def test_the_doctor_knows_settings_of_the_kernel_that_let_programs_do_more() -> None:
    assert doctor._dumps("|/usr/lib/systemd/systemd-coredump %P\n").holds
    assert "kernel.core_pattern" in doctor._dumps("@/run/dumps\n").cure
    assert doctor._reserving("0\n").holds
    assert "vm.overcommit_memory" in doctor._reserving("2\n").cure


def test_the_doctor_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert main(["doctor"]) == 1
    assert "run it as root" in capsys.readouterr().out


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"typed\n")))


@pytest.mark.usefixtures("stdin")
def test_run_gives_the_programs_exit_code(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--state", str(state), "run", "--", "/bin/sh", "-c", "cat; exit 5"]) == 5
    out, err = capsys.readouterr()
    assert out == "typed\n"
    assert "exited, exit code 5" in err


@pytest.mark.usefixtures("stdin")
def test_run_says_why_there_is_no_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert main(["--state", str(tmp_path), "run", "--", "/bin/true"]) == 2
    assert "as root" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("edit", "what"),
    [
        (("groups.c", ".cpu_ns = groups_cpu_ns(g),", ".cpu_ns = 2 * groups_cpu_ns(g),"), "CPU time is told truly"),
        (("groups.c", 'read_number(g->memory_peak, "")', "1 << 20"), "Memory is told truly"),
        (("box.c", "if (now >= w->started + w->frozen + quota->wall_ns) {", "if (false) {"), "The wall limit holds"),
    ],
)
def test_a_host_that_would_misjudge_is_found_out(edit: tuple[str, str, str], what: str, tmp_path: Path) -> None:
    with weakened(tmp_path, (edit,)) as sandbox:
        assert [finding.what for finding in tried(sandbox) if not finding.holds] == [what]
