"""Each defence is switched off in turn, and the hostile programs that it holds back must then get through.

A test that cannot fail proves nothing; this is how the tests in `test_hostile.py` are seen to fail. By name only: every
row compiles a launcher of its own.
"""

import os
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from sandbox import build, inputs
from sandbox.box import LinuxSandbox
from sandbox.cgroups import find
from sandbox.contract import Ending, Quota, Run, SandboxFault
from tests.sandbox.programs import MIB
from tests.sandbox.test_hostile import HOSTILE, check, check_nothing_kept

pytestmark = pytest.mark.byname


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole:
    """A defence taken out of the launcher: (file, text, what stands there instead), and who then gets through."""

    name: str
    edits: tuple[tuple[str, str, str], ...]
    through: tuple[str, ...]


HOLES = [
    Hole(
        name="no filter",
        edits=(("program.c", "return filter_load();", "return 0;"),),
        through=(
            "exited/channels.c",
            "exited/network.c",
            "exited/system_calls.c",
            "exited/namespaces_and_mounts.c",
            "exited/other_processes.c",
            "refused/int80.c",
            "refused/x32.c",
        ),
    ),
    Hole(
        name="the program stays root",
        edits=(("program.c", " || setresuid(user, user, user) < 0", ""),),
        through=(
            "exited/descriptors_and_environment.c",
            "exited/more_than_its_share.c",
            "exited/changes_given_files.c",
        ),
    ),
    Hole(
        name="rights may come back by an exec",
        edits=(("slot.c", 'need(prctl(PR_CAPBSET_DROP, right, 0, 0, 0), "drop rights");', ";"),),
        through=("exited/descriptors_and_environment.c",),
    ),
    Hole(
        name="no memory limit",
        edits=(
            ("groups.c", "(g->memory_max, memory_bytes)", "(g->memory_max, memory_bytes + (1ull << 36))"),
            ("groups.c", "v2 ? 0 : memory_bytes", "v2 ? 0 : memory_bytes + (1ull << 36)"),
        ),
        through=(
            "memory/spread.c",
            "memory/shared_map.c",
            "memory/memfd.c",
            "memory/files.c",
            "memory/socket_buffers.c",
        ),
    ),
    Hole(
        name="kills for memory are not counted",
        edits=(("groups.c", 'read_number(g->memory_events, "oom_kill")', "0"),),
        through=("memory/in_a_child.c", "memory/hog.c"),
    ),
    Hole(
        name="no limit of processes",
        edits=(("groups.c", "(g->pids_max, processes)", "(g->pids_max, processes + 5000)"),),
        through=("processes/forks.c", "processes/threads.c", "processes/forks.py"),
    ),
    Hole(
        name="CPU is not polled",
        edits=(("box.c", "if (cpu > quota->cpu_ns) {", "if (false) {"),),
        through=("cpu_time/loop.c", "cpu_time/orphans.c", "cpu_time/threads.c"),
    ),
    Hole(
        name="output is not stopped",
        edits=(("box.c", "if (w->out.over)\n            w->cause", "if (false)\n            w->cause"),),
        through=("output/flood.c", "output/flood_by_children.c"),
    ),
    Hole(
        name="the box is not sticky",
        edits=(("box.c", "chmod(parts[i][0], 01777)", "chmod(parts[i][0], 0777)"),),
        through=("exited/changes_given_files.c",),
    ),
    Hole(
        name="given files may be written",
        edits=(("give.c", "O_WRONLY | O_CREAT | O_EXCL, 0555", "O_WRONLY | O_CREAT | O_EXCL, 0777"),),
        through=("exited/changes_given_files.c",),
    ),
    Hole(
        name="files have no bound together",
        edits=(("give.c", '"size=%llu,nr_inodes=%u"', '"size=%llu00,nr_inodes=%u00"'),),
        through=("output/fills_its_files.c", "output/too_many_files.c"),
    ),
    Hole(
        name="one file has no bound",
        edits=(("program.c", "limit(RLIMIT_FSIZE, quota->file_bytes) < 0 || ", ""),),
        through=("output/terabyte_file.c", "exited/more_than_its_share.c"),
    ),
    Hole(
        name="core dumps",
        edits=(("program.c", "limit(RLIMIT_CORE, 0) < 0 || ", ""),),
        through=("exited/descriptors_and_environment.c",),
    ),
    Hole(
        name="all of /proc",
        edits=(("box.c", '"subset=pid,hidepid=invisible"', "NULL"),),
        through=("exited/looks_around.c", "exited/looks_around.py"),
    ),
    Hole(
        name="/proc may be written",
        edits=(
            (
                "box.c",
                "MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC",
                "MS_REMOUNT | MS_BIND | MS_NOSUID",
            ),
        ),
        through=("exited/more_than_its_share.c",),
    ),
    Hole(
        name="nothing is masked",
        edits=(("slot.c", 'need(mount("empty", path, NULL, MS_BIND, NULL), path);', ";"),),
        through=("exited/looks_around.c",),
    ),
    Hole(
        name="/usr may be written and gives rights",
        edits=(("slot.c", "MS_REMOUNT | MS_BIND | MS_NOSUID | flags", "MS_REMOUNT | MS_BIND | (flags & 0)"),),
        through=("exited/setuid_programs.c",),
    ),
    Hole(
        name="links are followed on the way out",
        edits=(
            ("launcher.c", "RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV", "0"),
            ("keep.c", "O_RDONLY | O_NOFOLLOW |", "O_RDONLY |"),
            ("keep.c", " && about.st_uid == w->user", ""),
        ),
        through=("nothing_kept/symlink.c", "nothing_kept/folder_of_links.c", "nothing_kept/replaced_folder.c"),
    ),
    Hole(
        name="anything is taken for a file",
        edits=(("keep.c", "S_ISREG(about.st_mode) && ", ""),),
        through=("nothing_kept/fifo.c",),
    ),
    Hole(
        name="no bound to the depth of folders",
        edits=(("keep.c", "depth < DEPTH", "depth < 100 * DEPTH"), ("keep.c", "depth >= DEPTH", "false")),
        through=("nothing_kept/deep.c",),
    ),
]


@contextmanager
def weakened(folder: Path, edits: tuple[tuple[str, str, str], ...]) -> Iterator[LinuxSandbox]:
    sources = folder / "sources"
    shutil.copytree(build.SOURCES, sources)
    for name, old, new in edits:
        text = (sources / name).read_text()
        assert old in text, f"{name} has changed: {old!r} is not in it any more"
        (sources / name).write_text(text.replace(old, new))
    sandbox = LinuxSandbox(build.launcher(folder / "launcher", sources), find(), folder, None)
    try:
        yield sandbox
    finally:
        sandbox.close()


def held(sandbox: LinuxSandbox, program: str) -> bool:
    source = HOSTILE / program
    try:
        if source.parent.name == "nothing_kept":
            check_nothing_kept(sandbox, source)
        else:
            check(sandbox, Ending(source.parent.name), source)
    except (AssertionError, SandboxFault):
        return False
    return True


@pytest.mark.parametrize("hole", HOLES, ids=lambda hole: hole.name)
def test_without_it_the_programs_get_through(tmp_path: Path, hole: Hole) -> None:
    with weakened(tmp_path, hole.edits) as sandbox:
        assert [program for program in hole.through if held(sandbox, program)] == []


def test_with_all_defences_they_do_not(tmp_path: Path) -> None:
    with weakened(tmp_path, ()) as sandbox:
        everything = {program for hole in HOLES for program in hole.through}
        assert [program for program in sorted(everything) if not held(sandbox, program)] == []


def test_without_seals_the_input_can_be_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "_SEALS", 0)
    real = os.fchmod
    monkeypatch.setattr("os.fchmod", lambda fd, mode: real(fd, 0o666))
    with weakened(tmp_path, ()) as sandbox:
        assert not held(sandbox, "exited/changes_its_input.c")


def test_without_the_chain_of_deaths_a_box_outlives_its_slot(tmp_path: Path) -> None:
    edits = (("box.c", "prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || ", ""),)
    with weakened(tmp_path, edits) as sandbox:
        quota = Quota(cpu_seconds=9, wall_seconds=9, memory_bytes=64 * MIB)
        running = sandbox.start(Run(argv=("/bin/sleep", "8"), quota=quota))
        slot = sandbox.slot_pid or 0
        boxes = [int(pid) for pid in Path(f"/proc/{slot}/task/{slot}/children").read_text().split()]
        os.kill(slot, signal.SIGKILL)
        time.sleep(0.5)
        left = [pid for pid in boxes if "launcher" in Path(f"/proc/{pid}/comm").read_text()]
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        assert left
        with pytest.raises(SandboxFault):
            running.wait()
