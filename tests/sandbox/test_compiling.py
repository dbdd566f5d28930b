"""Programs that run while others are compiled, in the same kind of box: processors, plugins, recipes."""

import shutil
from collections.abc import Mapping

import pytest

from sandbox.box import LinuxSandbox
from sandbox.contract import Content, Ending, Outcome, Quota, Run
from tests.sandbox.programs import MIB

QUOTA = Quota(cpu_seconds=20, wall_seconds=60, memory_bytes=768 * MIB)
PEEK = "cat /etc/shadow /root/.bashrc /proc/1/environ /dev/vda; echo x > /usr/mine; kill -9 1; echo it ran"
PROCESSOR = """import java.nio.file.*;
import java.util.*;
import javax.annotation.processing.*;
import javax.lang.model.element.*;
@SupportedAnnotationTypes("*")
public class Peeks extends AbstractProcessor {
    public boolean process(Set<? extends TypeElement> types, RoundEnvironment round) {
        System.err.println("it ran");
        for (String path : List.of("/etc/shadow", "/root/.bashrc", "/proc/1/environ", "/dev/vda"))
            if (Files.exists(Path.of(path))) System.err.println("breach");
        try { Files.writeString(Path.of("/usr/mine"), "x"); System.err.println("breach"); } catch (Exception good) { }
        try { new java.net.Socket("127.0.0.1", 6379); System.err.println("breach"); } catch (Exception good) { }
        return false;
    }
}
"""
PLUGIN = f"""int system(const char *);
__attribute__((constructor)) static void peek(void) {{ system("{PEEK}"); }}
"""
RECIPE = f"all:\n\t{PEEK.replace(';', ' ;')}\n"


def compiling(sandbox: LinuxSandbox, *argv: str, files: Mapping[str, Content], keep: tuple[str, ...] = ()) -> Outcome:
    writable = ("out",) if keep else ()
    return sandbox.run(Run(argv=argv, files=files, quota=QUOTA, keep=keep, writable=writable))


def check(outcome: Outcome) -> None:
    said = outcome.stdout + outcome.stderr
    assert outcome.ending is Ending.EXITED, outcome
    assert b"it ran" in said
    assert b"root:" not in said
    assert b"breach" not in said
    for path in (b"/etc/shadow", b"/root/.bashrc", b"/proc/1/environ", b"/dev/vda", b"/usr/mine"):
        assert path not in said or path + b": No such file" in said or path + b": Read-only file system" in said


def test_a_processor_of_annotations(sandbox: LinuxSandbox) -> None:
    if not shutil.which("javac"):
        pytest.skip("javac is not installed")
    made = compiling(
        sandbox, "/usr/bin/javac", "-d", "out", "Peeks.java", files={"Peeks.java": PROCESSOR.encode()}, keep=("out",)
    )
    assert made.exit_code == 0, made.stderr
    files = {**made.kept, "Main.java": b"class Main {}"}
    words = ("-cp", "out", "-processor", "Peeks", "-d", "/tmp", "Main.java")
    check(compiling(sandbox, "/usr/bin/javac", *words, files=files))


def test_a_plugin_of_the_compiler(sandbox: LinuxSandbox) -> None:
    words = ("-shared", "-fPIC", "-o", "out/plugin.so", "plugin.c")
    made = compiling(sandbox, "/usr/bin/gcc", *words, files={"plugin.c": PLUGIN.encode()}, keep=("out",))
    assert made.exit_code == 0, made.stderr
    files = {**made.kept, "main.c": b"int main(void) { return 0; }"}
    check(compiling(sandbox, "/usr/bin/gcc", "-fplugin=out/plugin.so", "-o", "/tmp/p", "main.c", files=files))


def test_a_recipe_of_make(sandbox: LinuxSandbox) -> None:
    if not shutil.which("make"):
        pytest.skip("make is not installed")
    check(compiling(sandbox, "/usr/bin/make", "-i", files={"Makefile": RECIPE.encode()}))
