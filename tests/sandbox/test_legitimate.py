"""Every program in `legitimate/` prints "ok" and nothing else: what contest programs may do works in a box."""

from pathlib import Path

import pytest

from sandbox.box import LinuxSandbox
from sandbox.contract import Ending, Quota, Run, Sandbox
from tests.sandbox.programs import HERE, MIB, compiled, run_of

QUOTA = Quota(cpu_seconds=10, wall_seconds=30, memory_bytes=256 * MIB)
COMPILE = Quota(cpu_seconds=20, wall_seconds=60, memory_bytes=1024 * MIB)
ADDERS = {
    "cpp": "#include <iostream>\nint main() { long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }",
    "java": "import java.util.*; class Add { public static void main(String[] x) "
    "{ Scanner s = new Scanner(System.in); System.out.println(s.nextLong() + s.nextLong()); } }",
}


@pytest.mark.parametrize("source", sorted((HERE / "legitimate").iterdir()), ids=lambda path: path.name)
def test_prints_ok(sandbox: LinuxSandbox, source: Path) -> None:
    check_prints_ok(sandbox, source)


def check_prints_ok(sandbox: Sandbox, source: Path) -> None:
    outcome = sandbox.run(run_of(source, QUOTA))
    assert (outcome.ending, outcome.exit_code, outcome.stdout) == (Ending.EXITED, 0, b"ok\n"), outcome


def test_a_recursion_may_be_100_mib_deep(sandbox: LinuxSandbox) -> None:
    outcome = sandbox.run(run_of(HERE / "legitimate" / "deep_recursion.cpp", QUOTA))
    assert (outcome.stdout, outcome.memory_bytes > 100 * MIB) == (b"ok\n", True), outcome


def test_input_read_in_part_is_no_fault(sandbox: LinuxSandbox, tmp_path: Path) -> None:
    big = tmp_path / "input"
    big.write_bytes(b"i" * (5 * MIB))
    program = compiled(HERE / "legitimate" / "reads_a_little.c")
    for stdin in (big, big.read_bytes()):
        outcome = sandbox.run(Run(argv=("p",), files={"p": program}, quota=QUOTA, stdin=stdin))
        assert (outcome.ending, outcome.stdout) == (Ending.EXITED, b"ok\n")


def test_cpp_is_compiled_and_run(sandbox: Sandbox) -> None:
    command = ("/usr/bin/g++", "-std=c++17", "-O2", "-o", "add", "add.cpp")
    made = sandbox.run(Run(argv=command, files={"add.cpp": ADDERS["cpp"].encode()}, keep=("add",), quota=COMPILE))
    assert (made.ending, made.exit_code, made.stdout, made.stderr) == (Ending.EXITED, 0, b"", b"")
    ran = sandbox.run(Run(argv=("add",), files=made.kept, stdin=b"20 22", quota=QUOTA))
    assert ran.stdout == b"42\n"


def test_java_is_compiled_and_run(sandbox: Sandbox) -> None:
    command = ("/usr/bin/javac", "-J-Xmx256m", "-d", "out", "Add.java")
    made = sandbox.run(
        Run(argv=command, files={"Add.java": ADDERS["java"].encode()}, keep=("out",), writable=("out",), quota=COMPILE)
    )
    assert (made.ending, made.exit_code, made.stdout, made.stderr) == (Ending.EXITED, 0, b"", b"")
    assert made.kept.keys() == {"out/Add.class"}
    command = ("/usr/bin/java", "-Xmx128m", "-cp", "out", "Add")
    ran = sandbox.run(Run(argv=command, files=made.kept, stdin=b"20 22", quota=QUOTA))
    assert (ran.stdout, ran.stderr) == (b"42\n", b"")
