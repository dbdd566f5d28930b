"""Control groups v2, which most hosts have, tried in a guest of qemu's: boots Debian's cloud kernel on the host's own
programs. By name only; needs the packages qemu-system-x86 and busybox-static.
"""

import gzip
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from sandbox import build
from tests.sandbox.programs import HERE, compiled
from tests.sandbox.test_figures import CHILDREN, SHARED, TOUCH

pytestmark = pytest.mark.byname

ROOT = HERE.parents[1]
CACHE = Path(tempfile.gettempdir()) / f"palfrey-tests-guest-{os.getuid()}"
TOOLS = ("python3", "sh", "true", "echo", "sleep")
FOLDERS = ("cpu_time", "exited", "memory", "output", "processes", "refused", "signalled", "wall_time")


def kernel() -> Path:
    """Debian's newest cloud kernel for 6.1, fetched by apt once."""
    found = sorted(CACHE.glob("kernel/boot/vmlinuz-*"))
    if not found:
        CACHE.mkdir(exist_ok=True)
        names = subprocess.run(
            ["apt-cache", "search", "--names-only", "^linux-image-6.1.0-[0-9]+-cloud-amd64$"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        newest = max((line.split()[0] for line in names), key=lambda name: int(name.split("-")[3]))
        subprocess.run(["apt-get", "download", newest], cwd=CACHE, check=True)
        subprocess.run(["dpkg-deb", "-x", *CACHE.glob("*.deb"), CACHE / "kernel"], check=True)
        found = sorted(CACHE.glob("kernel/boot/vmlinuz-*"))
    return found[-1]


def copy(path: Path, root: Path) -> None:
    """A file of the host at the same place below `root`, links resolved."""
    target = root / path.relative_to("/")
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path.resolve(), target)


def copy_program(path: Path, root: Path) -> None:
    copy(path, root)
    for word in subprocess.run(["ldd", path], capture_output=True, text=True, check=False).stdout.split():
        if word.startswith("/"):
            copy(Path("/usr") / word.lstrip("/") if not word.startswith("/usr") else Path(word), root)


def make_root(root: Path, tmp_path: Path) -> None:
    for link in ("bin", "sbin", "lib", "lib64"):
        (root / "usr" / link).mkdir(parents=True)
        (root / link).symlink_to(f"usr/{link}")
    copy(Path("/usr/bin/busybox"), root)
    for tool in TOOLS:
        copy_program(Path("/usr/bin") / tool, root)
    library = Path("/usr/lib/python3.11")
    ignored = shutil.ignore_patterns("test", "__pycache__", "site-packages", "dist-packages", "config-*", "ensurepip")
    shutil.copytree(library, root / library.relative_to("/"), ignore=ignored, symlinks=True)
    for extension in (library / "lib-dynload").glob("*.so"):
        copy_program(extension, root)
    shutil.copytree(ROOT / "sandbox", root / "palfrey" / "sandbox")
    inside = root / "palfrey" / "tests" / "sandbox" / "guest"
    inside.mkdir(parents=True)
    (root / "palfrey" / "tests" / "__init__.py").touch()
    (root / "palfrey" / "tests" / "sandbox" / "__init__.py").touch()
    shutil.copy(HERE / "guest" / "inside.py", inside)
    shutil.copy(HERE / "guest" / "init", root / "init")
    (root / "init").chmod(0o755)
    for folder in ("etc", "proc", "sys", "dev", "tmp"):
        (root / folder).mkdir(exist_ok=True)
    build.launcher(root / "state" / "launcher")
    build.client(root / "state" / "launcher")
    programs = root / "programs"
    for name in FOLDERS:
        for source in sorted((HERE / "hostile" / name).glob("*.c")):
            (programs / name).mkdir(parents=True, exist_ok=True)
            (programs / name / source.stem).write_bytes(compiled(source))
    (programs / "figures").mkdir()
    for name, text in (("touch", TOUCH), ("children", CHILDREN), ("shared", SHARED)):
        source = tmp_path / f"{name}.c"
        source.write_text(text.format(attack=HERE / "hostile" / "attack.h"))
        (programs / "figures" / name).write_bytes(compiled(source))


def test_the_sandbox_on_control_groups_v2(tmp_path: Path) -> None:
    if not shutil.which("qemu-system-x86_64") or not Path("/usr/bin/busybox").exists():
        pytest.skip("install qemu-system-x86 and busybox-static")
    root = tmp_path / "root"
    root.mkdir()
    make_root(root, tmp_path)
    names = subprocess.run(["find", "."], cwd=root, capture_output=True, check=True).stdout
    archive = subprocess.run(
        ["busybox", "cpio", "-o", "-H", "newc"], cwd=root, input=names, capture_output=True, check=True
    ).stdout
    image = tmp_path / "initramfs"
    image.write_bytes(gzip.compress(archive, 1))
    command = ["qemu-system-x86_64", "-accel", "tcg", "-m", "1536", "-smp", "2", "-nographic", "-no-reboot"]
    command += ["-kernel", str(kernel()), "-initrd", str(image), "-append", "console=ttyS0 quiet panic=-1"]
    console = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=900, check=False
    ).stdout
    lines = [line[line.index("guest: ") :].strip() for line in console.splitlines() if "guest: " in line]
    report = "\n".join(lines) or console[-3000:]
    assert "guest: control groups v2" in lines, report
    assert "guest: done" in lines, console[-3000:]
    assert [line for line in lines if line.startswith("guest: bad")] == [], report
    assert "guest: good no dump of a box goes to the handler" in lines
    assert sum(line.startswith("guest: good") for line in lines) > 50
    assert sum(line.startswith("guest: good delegated") for line in lines) == 25
    assert sum(line.startswith("guest: good contained") for line in lines) == 25
