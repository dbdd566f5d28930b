"""Every program in `hostile/` ends as its folder says and harms neither the keeper of its box nor the next run."""

from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.box import LinuxSandbox
from sandbox.contract import Ending, Quota, Run, Sandbox
from tests.sandbox.programs import HERE, MIB, run_of

HOSTILE = HERE / "hostile"
QUOTAS = {
    Ending.EXITED: Quota(cpu_seconds=4, wall_seconds=20, memory_bytes=256 * MIB, file_bytes=16 * MIB),
    Ending.CPU_TIME: Quota(cpu_seconds=0.3, wall_seconds=20, memory_bytes=256 * MIB),
    Ending.WALL_TIME: Quota(cpu_seconds=2, wall_seconds=0.4, memory_bytes=64 * MIB),
    Ending.MEMORY: Quota(cpu_seconds=8, wall_seconds=30, memory_bytes=64 * MIB, file_bytes=256 * MIB),
    Ending.OUTPUT: Quota(cpu_seconds=4, wall_seconds=20, memory_bytes=64 * MIB, output_bytes=MIB, file_bytes=16 * MIB),
    Ending.PROCESSES: Quota(cpu_seconds=4, wall_seconds=20, memory_bytes=256 * MIB, processes=32),
    Ending.REFUSED: Quota(cpu_seconds=1, wall_seconds=5, memory_bytes=64 * MIB),
    Ending.SIGNALLED: Quota(cpu_seconds=1, wall_seconds=5, memory_bytes=64 * MIB),
}
NOTHING_KEPT = Quota(cpu_seconds=2, wall_seconds=10, memory_bytes=64 * MIB, file_bytes=16 * MIB)
COMPILE = Quota(cpu_seconds=1.5, wall_seconds=30, memory_bytes=512 * MIB, output_bytes=256 * MIB, stderr_bytes=64 << 10)


def programs(folder: str) -> list[Path]:
    return sorted(path for path in (HOSTILE / folder).iterdir() if path.suffix in (".c", ".py", ".js", ".java"))


def check_next_run(sandbox: Sandbox) -> None:
    after = sandbox.run(Run(argv=("/bin/echo", "well"), quota=QUOTAS[Ending.SIGNALLED]))
    assert (after.ending, after.stdout) == (Ending.EXITED, b"well\n")


@pytest.mark.parametrize(
    ("ending", "source"),
    [pytest.param(ending, path, id=f"{ending}-{path.name}") for ending in QUOTAS for path in programs(ending)],
)
def test_ends_as_its_folder_says(sandbox: LinuxSandbox, ending: Ending, source: Path) -> None:
    check(sandbox, ending, source)
    check_next_run(sandbox)


def quota_for(ending: Ending, source: Path) -> Quota:
    """Java compiles what it is given before it runs it, which takes more than the attack."""
    quota = QUOTAS[ending]
    return replace(quota, memory_bytes=max(quota.memory_bytes, 256 * MIB)) if source.suffix == ".java" else quota


NOTHING = {
    "nothing.py": "",
    "nothing.js": "",
    "Nothing.java": "class Nothing { public static void main(String[] a) {} }",
}


@pytest.mark.parametrize("name", NOTHING)
@pytest.mark.parametrize("ending", [Ending.MEMORY, Ending.PROCESSES])
def test_the_quotas_are_enough_for_the_interpreters_alone(
    sandbox: LinuxSandbox, tmp_path: Path, ending: Ending, name: str
) -> None:
    source = tmp_path / name
    source.write_text(NOTHING[name])
    outcome = sandbox.run(run_of(source, quota_for(ending, source)))
    assert (outcome.ending, outcome.exit_code) == (Ending.EXITED, 0), outcome


def check(sandbox: Sandbox, ending: Ending, source: Path) -> None:
    quota = quota_for(ending, source)
    outcome = sandbox.run(run_of(source, quota))
    assert outcome.ending is ending, outcome
    assert len(outcome.stdout) <= quota.output_bytes
    assert len(outcome.stderr) <= quota.stderr_bytes
    assert outcome.memory_bytes <= quota.memory_bytes
    if ending is Ending.EXITED:
        assert outcome.exit_code == 0, outcome.stdout.decode(errors="replace")
        again = sandbox.run(run_of(source, quota))
        assert (again.ending, again.exit_code) == (Ending.EXITED, 0), again
    if ending is Ending.SIGNALLED:
        assert outcome.signal == int(source.name.partition("-")[0])
    if ending is Ending.CPU_TIME:
        assert quota.cpu_seconds < outcome.cpu_seconds < quota.cpu_seconds + 0.25


@pytest.mark.parametrize("source", programs("nothing_kept"), ids=lambda path: path.name)
def test_what_it_shapes_is_not_kept(sandbox: LinuxSandbox, source: Path) -> None:
    check_nothing_kept(sandbox, source)
    check_next_run(sandbox)


def check_nothing_kept(sandbox: Sandbox, source: Path) -> None:
    outcome = sandbox.run(run_of(source, NOTHING_KEPT, keep=("out",)))
    assert outcome.ending is Ending.EXITED, outcome
    assert outcome.kept == {}


@pytest.mark.parametrize(
    "source",
    sorted((HOSTILE / "compile").glob("*/*.cpp")),
    ids=lambda path: f"{path.parent.name}-{path.name}",
)
def test_compiling_ends_as_its_folder_says(sandbox: LinuxSandbox, source: Path) -> None:
    check_compiling(sandbox, source)
    check_next_run(sandbox)


def check_compiling(sandbox: Sandbox, source: Path) -> None:
    command = ("/usr/bin/g++", "-O2", "-ftemplate-depth=100000", "-o", "program", "source.cpp")
    files = {"source.cpp": source.read_bytes()}
    ending = Ending(source.parent.name)
    # A fast machine would otherwise fill the memory before the time is over, and a slow one the other way round.
    quota = replace(COMPILE, memory_bytes=2048 * MIB) if ending is Ending.CPU_TIME else replace(COMPILE, cpu_seconds=10)
    outcome = sandbox.run(Run(argv=command, files=files, quota=quota, keep=("program",)))
    assert outcome.ending is ending, outcome
    assert outcome.exit_code != 0
    assert outcome.kept == {}
    assert len(outcome.stderr) <= COMPILE.stderr_bytes
    assert b"root:" not in outcome.stderr
