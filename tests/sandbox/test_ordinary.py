"""The laptop mode: an ordinary user, no control groups. What is held there is tried here; the whole list by name."""

import os
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.box import open_sandbox
from sandbox.contract import Ending, Outcome, Quota, Run, SandboxFault
from tests.sandbox import test_legitimate
from tests.sandbox.ordinary.user import OrdinarySandbox, home, ordinary_sandbox, start
from tests.sandbox.programs import HERE, MIB
from tests.sandbox.test_boxes import SEALED
from tests.sandbox.test_deaths import lives, marked, soon
from tests.sandbox.test_figures import CHILDREN, ORPHAN, OWN_CPU, SHARED, TOUCH, run
from tests.sandbox.test_hostile import HOSTILE, QUOTAS, check, check_compiling, check_next_run, check_nothing_kept

QUOTA = Quota(cpu_seconds=5, wall_seconds=20, memory_bytes=128 * MIB, file_bytes=16 * MIB)
GIVEN: dict[str, bytes | Path] = {"given.txt": b"given", "folder/inner.txt": b"inner", "big": b"b" * (1 << 20)}


@pytest.fixture(scope="module")
def laptop() -> Iterator[OrdinarySandbox]:
    with ordinary_sandbox() as sandbox:
        yield sandbox


def shell(sandbox: OrdinarySandbox, script: str, **more: object) -> Outcome:
    return sandbox.run(Run(argv=("/bin/bash", "-c", script), quota=QUOTA, **more))  # type: ignore[arg-type]


def test_it_judges_truly(laptop: OrdinarySandbox) -> None:
    """What a worker asks before it takes work: each limit, and both figures."""
    assert [finding.what for finding in laptop.ask("tried") if not finding.holds] == []


def test_cpp(laptop: OrdinarySandbox) -> None:
    test_legitimate.test_cpp_is_compiled_and_run(laptop)


def test_java(laptop: OrdinarySandbox) -> None:
    if not shutil.which("javac"):
        pytest.skip("javac is not installed")
    test_legitimate.test_java_is_compiled_and_run(laptop)


@pytest.mark.parametrize(
    ("interpreter", "text"),
    [
        ("/usr/bin/python3", "print(sum(map(int, input().split())))"),
        ("/usr/bin/node", "console.log(require('fs').readFileSync(0, 'utf8').split(' ').reduce((a, b) => +a + +b))"),
    ],
    ids=["python", "javascript"],
)
def test_adds(laptop: OrdinarySandbox, interpreter: str, text: str) -> None:
    if not shutil.which(interpreter):
        pytest.skip(f"{interpreter} is not installed")
    outcome = laptop.run(Run(argv=(interpreter, "add"), files={"add": text.encode()}, stdin=b"20 22", quota=QUOTA))
    assert (outcome.ending, outcome.stdout) == (Ending.EXITED, b"42\n"), outcome


@pytest.mark.parametrize(
    "program",
    [
        "cpu_time/loop.c",
        "cpu_time/fork_bomb.c",
        "cpu_time/many_children.c",
        "cpu_time/many_short_lives.c",
        "wall_time/sleeps.c",
        "wall_time/stops_itself.c",
        "memory/hog.c",
        "memory/in_a_child.c",
        "memory/spread.c",
        "memory/shared_map.c",
        "memory/files.c",
        "output/flood.c",
        "output/fills_its_files.c",
        "processes/forks.c",
        "refused/x32.c",
        "signalled/9-kill.c",
        "exited/network.c",
        "exited/other_processes.c",
        "exited/looks_around.c",
        "exited/setuid_programs.c",
        "exited/namespaces_and_mounts.c",
        "exited/orphan_burns_on.c",
    ],
)
def test_hostile_programs_end_as_their_folders_say(laptop: OrdinarySandbox, program: str) -> None:
    check(laptop, Ending(program.partition("/")[0]), HOSTILE / program)
    check_next_run(laptop)


def test_processes_are_counted_to_the_last(laptop: OrdinarySandbox) -> None:
    """Those of the keepers and of other boxes, which have the same number, are not among them."""
    quota = Quota(cpu_seconds=5, wall_seconds=20, memory_bytes=128 * MIB, processes=8)
    script = (
        "import os, time\nfor n in range(99):\n    try: os.fork() or time.sleep(9)\n    except OSError: break\nprint(n)"
    )
    outcome = laptop.run(Run(argv=("/usr/bin/python3", "-c", script), quota=quota))
    assert (outcome.ending, outcome.stdout) == (Ending.EXITED, b"7\n")


def test_no_rights_are_left(laptop: OrdinarySandbox) -> None:
    status = dict(line.split(":\t", 1) for line in shell(laptop, "cat /proc/self/status").stdout.decode().splitlines())
    assert {status[f"Cap{part}"] for part in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {"0" * 16}
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")


def test_nothing_of_the_host_is_mounted_but_programs(laptop: OrdinarySandbox) -> None:
    lines = shell(laptop, "cat /proc/self/mountinfo", files=GIVEN).stdout.decode().splitlines()
    points = [line.split()[4] for line in lines]
    assert points.count("/proc") == 1
    assert {point for point in points if point.startswith(("/shelf", "/files", "/proc/"))} == set()
    assert {line.split()[-3] for line in lines if line.split()[4] == "/proc"} == {"proc"}


def test_it_goes_first_when_the_host_has_no_memory(laptop: OrdinarySandbox) -> None:
    outcome = shell(laptop, "cat /proc/self/oom_score_adj; echo -1000 > /proc/self/oom_score_adj")
    assert outcome.stdout == b"1000\n"
    assert b"Read-only" in outcome.stderr


@pytest.mark.parametrize(
    "script",
    [
        "echo x >> given.txt",
        "chmod 777 given.txt",
        "touch -d yesterday given.txt",
        "rm -f given.txt",
        "mv given.txt away",
        "touch mine; mv -f mine given.txt",
        "ln given.txt linked",
        "touch folder/new",
        "mv folder other",
        "rm -f folder/inner.txt",
        "chmod 777 folder",
        "chmod 777 big",
        "mv big away",
    ],
)
def test_what_was_given_cannot_be_changed(laptop: OrdinarySandbox, script: str) -> None:
    outcome = shell(laptop, script, files=GIVEN)
    assert (outcome.ending, outcome.exit_code) == (Ending.EXITED, 1), outcome


@pytest.mark.parametrize("script", SEALED.values(), ids=SEALED)
def test_a_sealed_box_stays_as_it_is(laptop: OrdinarySandbox, script: str) -> None:
    given: dict[str, bytes | Path] = {"given": b"x", "folder/given": b"y"}
    outcome = shell(laptop, script, files=given, sealed=True, writable=("dir",), keep=(".",))
    assert (outcome.ending, outcome.kept) == (Ending.EXITED, {})
    assert outcome.exit_code != 0
    assert shell(laptop, "echo 1 > dir/a", sealed=True, writable=("dir",), keep=("dir",)).kept == {"dir/a": b"1\n"}


def test_what_was_given_does_not_come_back(laptop: OrdinarySandbox) -> None:
    assert shell(laptop, "cp given.txt mine", files=GIVEN, keep=(".",)).kept == {"mine": b"given"}


def test_a_folder_to_write_in_may_lie_in_one_that_was_given(laptop: OrdinarySandbox) -> None:
    files = {**GIVEN, "out/given.txt": b"x", "out/deep/given.txt": b"y"}
    script = "echo 1 > folder/out/a; echo 2 > out/b; touch out/deep/c; rm out/given.txt; echo 3 > folder/d"
    outcome = shell(laptop, script, files=files, writable=("folder/out", "out"), keep=("folder", "out"))
    assert outcome.kept == {"folder/out/a": b"1\n", "out/b": b"2\n"}


def test_an_input_is_not_the_next_runs(laptop: OrdinarySandbox, tmp_path: Path) -> None:
    """The program has the number that the input belongs to: it may take its own rights, and nobody else's."""
    source = Path("/etc/hostname")
    for _ in range(2):
        outcome = shell(laptop, "cat > /dev/null && chmod 0 /dev/stdin && echo changed", stdin=source)
        assert outcome.stdout == b"changed\n"


@pytest.mark.parametrize("text", [TOUCH, CHILDREN, SHARED], ids=["one process", "four children", "shared map"])
def test_64_mb_are_told(laptop: OrdinarySandbox, tmp_path: Path, text: str) -> None:
    assert abs(run(laptop, tmp_path, text).memory_bytes - 64 * MIB) < 8 * MIB


def test_cpu_is_what_the_program_is_told(laptop: OrdinarySandbox, tmp_path: Path) -> None:
    outcome = run(laptop, tmp_path, OWN_CPU)
    assert abs(outcome.cpu_seconds - float(outcome.stdout)) < 0.02


def test_cpu_of_orphans_counts(laptop: OrdinarySandbox, tmp_path: Path) -> None:
    assert 0.14 <= run(laptop, tmp_path, ORPHAN).cpu_seconds < 0.3


FORKED = """
import os, time
block = bytearray(80 << 20)
block[::4096] = b"x" * len(block[::4096])
for _ in range(4):
    if os.fork() == 0:
        time.sleep(0.2)
        os._exit(0)
for _ in range(4):
    os.wait()
"""
VFORKED = """#include "{attack}"
int main(void) {{ touch(malloc(80 << 20), 80 << 20); if (vfork() == 0) {{ usleep(50000); _exit(0); }} return 0; }}"""


def test_pages_that_a_fork_shares_count_once(laptop: OrdinarySandbox) -> None:
    outcome = laptop.run(Run(argv=("/usr/bin/python3", "-c", FORKED), quota=QUOTA))
    assert (outcome.ending, outcome.exit_code) == (Ending.EXITED, 0), outcome
    assert outcome.memory_bytes < 100 * MIB


def test_memory_lent_by_a_vfork_counts_once(laptop: OrdinarySandbox, tmp_path: Path) -> None:
    assert run(laptop, tmp_path, VFORKED).memory_bytes < 100 * MIB


@pytest.mark.parametrize(
    "how",
    [
        "block = bytearray(96 << 20)",
        "import mmap; block = mmap.mmap(-1, 96 << 20); block.write(bytes(96 << 20))",
        "open('/tmp/block', 'wb').write(bytes(96 << 20))",
    ],
    ids=["own", "shared", "file"],
)
def test_too_much_memory_is_noticed_soon(laptop: OrdinarySandbox, how: str) -> None:
    quota = Quota(cpu_seconds=5, wall_seconds=20, memory_bytes=64 * MIB, file_bytes=256 * MIB)
    outcome = laptop.run(Run(argv=("/usr/bin/python3", "-c", f"{how}\nimport time; time.sleep(10)"), quota=quota))
    assert (outcome.ending, outcome.memory_bytes) == (Ending.MEMORY, 64 * MIB)
    assert outcome.wall_seconds < 5


@pytest.mark.parametrize("victim", ["worker", "slot"])
def test_kill_9_leaves_no_process(victim: str) -> None:
    mark = f"mark-ordinary-{victim}-{os.getpid()}-{time.monotonic_ns()}"
    script = f": {mark}; setsid sh -c ': {mark}; while :; do :; done' & while :; do :; done"
    code = (
        "import sys; from pathlib import Path; from sandbox.box import open_sandbox; from sandbox.contract import *\n"
        "sandbox = open_sandbox(Path.cwd() / 'state', laptop=True)\n"
        "running = sandbox.start(Run(argv=('/bin/sh', '-c', sys.argv[1]), quota="
        "Quota(cpu_seconds=60, wall_seconds=60, memory_bytes=64 << 20)))\n"
        "print(sandbox.slot_pid, flush=True)\n"
        "running.wait()\n"
    )
    with home() as folder:
        worker = start(folder, "-c", code, script)
        assert worker.stdout
        slot = int(worker.stdout.readline())
        assert soon(lambda: len(marked(mark)) >= 3)  # two shells and the worker
        os.kill(worker.pid if victim == "worker" else slot, signal.SIGKILL)
        worker.wait(10)
        worker.stdout.close()
        assert soon(lambda: not marked(mark) and not lives(slot), 1.0)


def test_root_is_told_to_leave_it_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    with pytest.raises(SandboxFault, match="root can hold every limit"):
        open_sandbox(tmp_path, laptop=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="whoever runs the tests may have been handed a group")
def test_without_it_three_ways_are_told() -> None:
    with pytest.raises(SandboxFault) as told, ordinary_sandbox(mode=""):
        pass
    for way in ("as root", "systemd-run --user --scope -p Delegate=yes", "PALFREY_SANDBOX=laptop"):
        assert way in str(told.value)


# ---- by name ----

OTHERWISE = {
    "exited/changes_given_files.c": "it may close its own box to itself (chmod of /box); nothing else is changed",
    "exited/changes_its_input.c": "the input belongs to its number: rights can be changed, sealed bytes cannot",
    "exited/sees_who_read_before.c": "the input belongs to its number: times can be set, and no other run sees them",
    "exited/descriptors_and_environment.c": "groups of the user's on the host cannot be given up",
    "exited/more_than_its_share.c": "becoming root fails as there is no root (EINVAL), not as it is forbidden (EPERM)",
    "exited/system_calls.py": "the same",
    "memory/kernel_objects.c": "memory of the kernel's is not seen",
    "memory/pipes.c": "the same",
    "memory/socket_buffers.c": "the same",
    "memory/memfd.c": "files in memory that are neither in the box nor mapped are not seen",
    "processes/threads.c": "a refusal is not told, and threads that were gone before a look were not seen",
    "processes/threads.py": "the same",
    "processes/Threads.java": "the same",
}
"""What ends otherwise than its folder says, or may, and why."""


@pytest.mark.byname
@pytest.mark.parametrize("source", sorted(HOSTILE.glob("*/*.*")), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_every_hostile_program(laptop: OrdinarySandbox, source: Path) -> None:
    folder = source.parent.name
    if folder == "nothing_kept":
        check_nothing_kept(laptop, source)
    elif folder in set(QUOTAS):
        try:
            check(laptop, Ending(folder), source)
        except AssertionError:
            if f"{folder}/{source.name}" not in OTHERWISE:
                raise
    check_next_run(laptop)


@pytest.mark.byname
@pytest.mark.parametrize("source", sorted((HOSTILE / "compile").glob("*/*.cpp")), ids=lambda path: path.name)
def test_every_hostile_source(laptop: OrdinarySandbox, source: Path) -> None:
    check_compiling(laptop, source)


@pytest.mark.byname
@pytest.mark.parametrize("source", sorted((HERE / "legitimate").iterdir()), ids=lambda path: path.name)
def test_every_legitimate_program(laptop: OrdinarySandbox, source: Path) -> None:
    test_legitimate.check_prints_ok(laptop, source)
