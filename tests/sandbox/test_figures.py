"""The figures are those of the program: of all its processes, and of nothing else."""

import statistics
from pathlib import Path

import pytest

from sandbox.box import LinuxSandbox, open_sandbox
from sandbox.contract import Ending, Outcome, Quota, Run, Sandbox
from tests.sandbox.programs import MIB, compiled

QUOTA = Quota(cpu_seconds=5, wall_seconds=20, memory_bytes=256 * MIB)

TOUCH = '#include "{attack}"\nint main(void) {{ size_t n = 64 << 20; char *p = malloc(n); touch(p, n); return 0; }}'
CHILDREN = """#include "{attack}"
int main(void) {{
    int p[2]; char c; pipe(p);
    for (int i = 0; i < 4; i++)
        if (fork() == 0) {{ char *m = malloc(16 << 20); touch(m, 16 << 20); write(p[1], "x", 1); pause(); }}
    for (int i = 0; i < 4; i++) read(p[0], &c, 1);
    return 0; }}"""
SHARED = """#include "{attack}"
int main(void) {{ size_t n = 64 << 20;
    touch(mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), n); return 0; }}"""
UNTOUCHED = '#include "{attack}"\nint main(void) {{ return malloc(64 << 20) == NULL; }}'
OWN_CPU = """#include "{attack}"
int main(void) {{ burn(0.2); struct rusage u; getrusage(RUSAGE_SELF, &u);
    printf("%.6f", u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6);
    fflush(stdout); _exit(0); }}"""
LINES = """#include "{attack}"
int main(void) {{ for (int i = 0; i < 50000; i++) write(1, "123456789\\n", 10);
    struct rusage u; getrusage(RUSAGE_SELF, &u); dprintf(2, "%ld", u.ru_nvcsw + u.ru_nivcsw); return 0; }}"""
ORPHAN = """#include "{attack}"
int main(void) {{
    int p[2]; char c; pipe(p);
    if (fork() == 0) {{ setsid(); if (fork() == 0) {{ burn(0.15); write(p[1], "x", 1); pause(); }} _exit(0); }}
    return read(p[0], &c, 1) != 1; }}"""


def run(sandbox: Sandbox, folder: Path, text: str, **more: object) -> Outcome:
    source = folder / "program.c"
    source.write_text(text.format(attack=Path(__file__).parent / "hostile" / "attack.h"))
    compiled.cache_clear()
    files = {"program": compiled(source)}
    outcome = sandbox.run(Run(argv=("program",), files={**files, **more}, quota=QUOTA))  # type: ignore[dict-item]
    assert (outcome.ending, outcome.exit_code) == (Ending.EXITED, 0), outcome
    return outcome


@pytest.mark.parametrize("text", [TOUCH, CHILDREN, SHARED], ids=["one process", "four children", "shared map"])
def test_64_mb_are_64_mb(sandbox: LinuxSandbox, tmp_path: Path, text: str) -> None:
    assert 64 * MIB <= run(sandbox, tmp_path, text).memory_bytes < 66 * MIB


def test_memory_not_touched_is_not_used(sandbox: LinuxSandbox, tmp_path: Path) -> None:
    assert run(sandbox, tmp_path, UNTOUCHED).memory_bytes < 2 * MIB


def test_files_put_in_are_not_the_programs_memory(sandbox: LinuxSandbox, tmp_path: Path) -> None:
    assert run(sandbox, tmp_path, UNTOUCHED, big=bytes(50 * MIB)).memory_bytes < 2 * MIB


def test_a_big_worker_does_not_show(sandbox: LinuxSandbox, tmp_path: Path) -> None:
    smalls = [run(sandbox, tmp_path, UNTOUCHED) for _ in range(5)]
    ballast = bytearray(400 * MIB)
    ballast[::4096] = b"x" * len(ballast[::4096])
    bigs = [run(sandbox, tmp_path, UNTOUCHED) for _ in range(5)]
    for small, big in zip(smalls, bigs, strict=True):
        assert abs(big.memory_bytes - small.memory_bytes) < MIB
    times = [statistics.median(outcome.cpu_seconds for outcome in outcomes) for outcomes in (smalls, bigs)]
    assert abs(times[1] - times[0]) < 0.001


def test_cpu_is_what_the_program_measures_itself(sandbox: LinuxSandbox, tmp_path: Path) -> None:
    differences = []
    for _ in range(5):
        outcome = run(sandbox, tmp_path, OWN_CPU)
        differences.append(outcome.cpu_seconds - float(outcome.stdout))
    # It cannot see the end of its exec and its exit, and sees what its process did before it became the program.
    assert abs(statistics.median(differences)) < 0.0005


def test_cpu_of_orphans_counts(sandbox: LinuxSandbox, tmp_path: Path) -> None:
    assert 0.15 <= run(sandbox, tmp_path, ORPHAN).cpu_seconds < 0.3


def test_wall_time_is_not_cpu_time(sandbox: LinuxSandbox) -> None:
    outcome = sandbox.run(Run(argv=("/bin/sleep", "0.3"), quota=QUOTA))
    assert 0.3 <= outcome.wall_seconds < 3
    assert outcome.cpu_seconds < 0.1


def test_memory_is_limited_to_the_page(sandbox: LinuxSandbox) -> None:
    quota = Quota(cpu_seconds=5, wall_seconds=20, memory_bytes=32 * MIB)
    outcome = sandbox.run(Run(argv=("/usr/bin/python3", "-c", "bytearray(100 << 20)"), quota=quota))
    assert (outcome.ending, outcome.memory_bytes) == (Ending.MEMORY, 32 * MIB)


def test_writing_line_by_line_does_not_wake_the_keeper_for_each(state: Path, tmp_path: Path) -> None:
    """On one core each waking would cost the program its place, and the neighbours time that nobody is charged for."""
    pinned = open_sandbox(state, pinned=True)
    try:
        outcome = run(pinned, tmp_path, LINES)
    finally:
        pinned.close()
    assert len(outcome.stdout) == 500_000
    assert int(outcome.stderr) < 5_000  # of 50,000 lines
