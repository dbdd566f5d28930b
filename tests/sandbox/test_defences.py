"""Each defence is switched off in turn, and the hostile programs that it holds back must then get through.

A test that cannot fail proves nothing; this is how the tests in `test_hostile.py` are seen to fail. By name only: every
row compiles a launcher of its own.
"""

import importlib
import os
import shutil
import signal
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sandbox import build, inputs
from sandbox.box import LinuxSandbox
from sandbox.cgroups import find
from sandbox.contract import Ending, Quota, Run, SandboxFault
from tests.sandbox import test_deaths
from tests.sandbox.holes import HOLES, Hole
from tests.sandbox.programs import HERE, MIB
from tests.sandbox.test_hostile import HOSTILE, check, check_compiling, check_nothing_kept
from tests.sandbox.test_legitimate import check_prints_ok
from tests.sandbox.test_neighbours import beside_one_that_takes_all, look, program, servers

pytestmark = pytest.mark.byname


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
    """Whether all is well with a program, or with a test: `module::function`, with an argument after a dash."""
    try:
        if "::" in program:
            module, _, name = program.partition("::")
            name, _, word = name.partition("-")
            test = getattr(importlib.import_module(f"tests.sandbox.{module}"), name)
            test(sandbox, int(word)) if word else test(sandbox)
        elif program.startswith("compile/"):
            check_compiling(sandbox, HOSTILE / program)
        elif program.startswith("nothing_kept/"):
            check_nothing_kept(sandbox, HOSTILE / program)
        elif program.startswith("legitimate/"):
            check_prints_ok(sandbox, HERE / program)
        elif program == "neighbours/looks.c":
            with beside_one_that_takes_all(sandbox):
                assert look(sandbox).exit_code == 0
        else:
            check(sandbox, Ending(program.partition("/")[0]), HOSTILE / program)
    except (AssertionError, SandboxFault):
        return False
    return True


@pytest.mark.parametrize("hole", HOLES, ids=lambda hole: hole.name)
def test_without_it_the_programs_get_through(tmp_path: Path, hole: Hole, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.box.ANSWER_SECONDS", 3.0)
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


def test_without_it_a_reader_leaves_a_time_on_the_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "_NO_ACCESS_TIME", struct.pack("l", 0))
    with weakened(tmp_path, ()) as sandbox:
        assert not held(sandbox, "exited/sees_who_read_before.c")


def test_servers_of_the_host_are_kept_away_by_two_defences(tmp_path: Path) -> None:
    """By the filter and by the empty network: each alone is enough, without both they are reached."""
    no_filter = ("program.c", "return filter_load();", "return 0;")
    no_namespace = ("slot.c", "CLONE_NEWNS | CLONE_NEWNET", "CLONE_NEWNS")
    reached = []
    for number, edits in enumerate(((no_filter,), (no_namespace,), (no_filter, no_namespace))):
        with weakened(tmp_path / str(number), edits) as sandbox, servers() as (port, name):
            reached.append(sandbox.run(program("connects.c", port, name)).exit_code)
    assert reached == [0, 0, 2]


def test_without_the_kill_and_the_end_of_its_keeper_an_orphan_outlives_its_run(tmp_path: Path) -> None:
    """By two defences: the keeper kills all, and its own end would do it as well."""
    answered = "    answer(&w, channel[0], folder);\n    "
    edits = (
        ("box.c", "    kill(-1, SIGKILL);\n", ""),
        ("box.c", "waitpid(-1, &status, 0)) > 0 || errno == EINTR;", "waitpid(-1, &status, WNOHANG)) > 0;"),
        ("box.c", f"{answered}_exit(0);", f"{answered}for (;;) pause();"),
    )
    with weakened(tmp_path, edits) as sandbox, pytest.raises(AssertionError):
        test_deaths.test_nothing_lives_when_the_answer_is_there(sandbox)


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
