"""Control groups, v1 and v2 behind one interface: where they are, whether they can be used, what others left.

Each slot has a folder of its own below `palfrey` in every hierarchy, and holds a lock on it as long as it or its worker
lives; whatever is there without a lock was left by one that was killed, and is removed.
"""

import ctypes
import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sandbox.contract import SandboxFault

NAME = "palfrey"
NEEDED_V1 = ("memory", "pids", "cpuacct")
NEEDED_V2 = ("memory", "pids")
"""Processor time is told without a controller; `cpu` is taken where it is had, so that runs share a core evenly."""
LEAF = "others"
"""Where the processes go that were in a group of v2 which is to have groups below it."""
DELEGATED = "user.delegate"
"""The attribute by which systemd (251 or newer) marks a group that it has handed over."""
HOW = (
    "Judging needs rights that this process does not have. There are three ways: run it as root; or, where systemd is, "
    "as `systemd-run --user --scope -p Delegate=yes ./palfrey up`; or, on your own laptop and for programs that you "
    "trust, `PALFREY_SANDBOX=laptop ./palfrey up`, which holds less (sandbox/README.md says what)."
)


_REMOUNT, _BIND = 32, 4096
"""Of mount(2): of this one mount only, not of the file system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A mounted hierarchy, as /proc/self/mountinfo tells."""

    point: Path
    kind: str
    """`cgroup` or `cgroup2`."""
    options: frozenset[str]
    """Of the hierarchy; v1 names its controllers here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hierarchies:
    """The groups this host offers: version 1 with a base folder a controller, version 2 with a single one, or none."""

    version: int
    """0: there are none, as on a laptop."""
    bases: tuple[Path, ...]
    """Existing folders in which slots make theirs: for memory, pids and cpuacct, or a single one (v2)."""


def mounts(mountinfo: str) -> list[Mount]:
    """The control-group hierarchies in the text of a mountinfo file."""
    found = []
    for line in mountinfo.splitlines():
        before, _, after = line.partition(" - ")
        kind, _, rest = after.partition(" ")
        if kind in ("cgroup", "cgroup2"):
            point = before.split()[4].encode().decode("unicode_escape")
            found.append(Mount(point=Path(point), kind=kind, options=frozenset(rest.split()[-1].split(","))))
    return found


NONE = Hierarchies(version=0, bases=())


def find(mountinfo: str | None = None) -> Hierarchies:
    """What can be used here, its base folders made. Raises `SandboxFault` with cause and cure when nothing can."""
    known = mounts(Path("/proc/self/mountinfo").read_text() if mountinfo is None else mountinfo)
    if os.geteuid() != 0:
        return _find_delegated(known, Path("/proc/self/cgroup").read_text())
    by_controller = {
        name: mount.point for mount in known if mount.kind == "cgroup" for name in NEEDED_V1 if name in mount.options
    }
    if all(name in by_controller for name in NEEDED_V1):
        for name in NEEDED_V1:
            _open_for_writing(by_controller[name])
        return _find_v1(by_controller)
    for mount in known:
        if mount.kind == "cgroup2":
            _open_for_writing(mount.point)
            return _find_v2(mount.point)
    raise SandboxFault(
        "No control groups for memory, pids and cpuacct are mounted, so no limit could be held: "
        "mount them (most hosts have them at /sys/fs/cgroup; a container is given its own there)."
    )


def _open_for_writing(point: Path) -> None:
    """Containers get their own groups read-only; who may mount can change that, for their mount namespace alone.

    Where it is refused, making the first group fails, and says so.
    """
    flags = os.statvfs(point).f_flag
    if flags & os.ST_RDONLY:
        kept = flags & (os.ST_NOSUID | os.ST_NODEV | os.ST_NOEXEC)  # mount(2) has the same numbers for these
        ctypes.CDLL(None).mount(None, os.fsencode(point), None, ctypes.c_ulong(_REMOUNT | _BIND | kept), None)


def _find_v1(by_controller: dict[str, Path]) -> Hierarchies:
    bases = []
    for name in NEEDED_V1:
        base = by_controller[name] / NAME
        try:
            base.mkdir(exist_ok=True)
        except OSError as error:
            raise SandboxFault(
                f"The control group {base} cannot be made ({error.strerror}): run as root, and in a container with the "
                "rights that docker-compose.yml names."
            ) from None
        bases.append(base)
    if not (bases[0] / "memory.limit_in_bytes").exists() or not (bases[1] / "pids.max").exists():
        raise SandboxFault("The kernel does not limit memory and processes by control group: boot with both enabled.")
    return Hierarchies(version=1, bases=tuple(bases))


def _find_delegated(known: list[Mount], groups: str) -> Hierarchies:
    """For an ordinary user: the group of this process, if it was handed over."""
    points = [mount.point for mount in known if mount.kind == "cgroup2"]
    paths = [line.removeprefix("0::") for line in groups.splitlines() if line.startswith("0::")]
    if not points or not paths:
        raise SandboxFault(HOW)
    group = points[0] / paths[0].lstrip("/")
    if group.name == LEAF:  # where we were put when the first sandbox was opened
        group = group.parent
    if not _is_handed_over(group):
        raise SandboxFault(HOW)
    return _find_v2(group)


def _is_handed_over(group: Path) -> bool:
    """Whether systemd says so, or what is ours begins here. Others that we may write to are systemd's to arrange."""
    if not all(os.access(group / name, os.W_OK) for name in ("", "cgroup.procs", "cgroup.subtree_control")):
        return False
    with suppress(OSError):
        return os.getxattr(group, DELEGATED) == b"1"
    return not os.access(group.parent, os.W_OK)


def _find_v2(point: Path) -> Hierarchies:
    missing = [name for name in NEEDED_V2 if name not in (point / "cgroup.controllers").read_text().split()]
    if missing:
        raise SandboxFault(
            f"The control groups at {point} lack {', '.join(missing)}: give this service or container "
            "those controllers (systemd: Delegate=yes)."
        )
    base = point / NAME
    try:
        if (point / "cgroup.type").exists():
            _move_into_leaf(point)
        _enable(point)
        base.mkdir(exist_ok=True)
        _enable(base)
    except OSError as error:
        raise SandboxFault(
            f"The control group {base} cannot be made ({error.strerror}): run as root, and in a container with the "
            "rights that docker-compose.yml names."
        ) from None
    probe = base / f"probe-{secrets.token_hex(4)}"
    probe.mkdir()
    try:
        if not (probe / "memory.peak").exists():
            raise SandboxFault("The kernel does not tell the peak of memory (memory.peak): use Linux 5.19 or newer.")
    finally:
        probe.rmdir()
    return Hierarchies(version=2, bases=(base,))


def _enable(group: Path) -> None:
    offered = (group / "cgroup.controllers").read_text().split()
    names = [*NEEDED_V2, "cpu"] if "cpu" in offered else NEEDED_V2
    (group / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in names))


def _move_into_leaf(point: Path) -> None:
    """Below the root of all, v2 lets only groups without processes of their own hand controllers on."""
    leaf = point / LEAF
    leaf.mkdir(exist_ok=True)
    for pid in (point / "cgroup.procs").read_text().split():
        with suppress(OSError):  # ended meanwhile, or a thread of the kernel
            (leaf / "cgroup.procs").write_text(pid)


class SlotGroups:
    """One slot's folders, locked; `fds` are what the launcher gets."""

    def __init__(self, hierarchies: Hierarchies) -> None:
        self.version = hierarchies.version
        self.name = secrets.token_hex(8)
        self.folders = [base / self.name for base in hierarchies.bases]
        self.fds: list[int] = []
        try:
            self.fds.extend(_make_locked(folder) for folder in self.folders)
            if self.version == 2:
                _enable(self.folders[0])
        except OSError as error:
            self.close()
            raise SandboxFault(f"The slot's control group could not be made: {error}") from None

    def close(self) -> None:
        """Give the locks back and remove the folders, as far as nothing lives in them."""
        for fd in self.fds:
            os.close(fd)
        self.fds = []
        for folder in self.folders:
            _remove(folder)


def _make_locked(folder: Path) -> int:
    """Make `folder` and share-lock it; again if a sweep took it for a leftover in between."""
    while True:
        folder.mkdir(exist_ok=True)
        try:
            fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        fcntl.flock(fd, fcntl.LOCK_SH)
        if folder.exists():
            return fd
        os.close(fd)


def sweep(hierarchies: Hierarchies) -> int:
    """Remove the groups of slots that are dead; gives how many folders there were."""
    removed = 0
    for base in hierarchies.bases:
        for folder in _folders(base):
            try:
                fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            except OSError:
                continue
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # What is locked may be gone, and a new folder with a slot of its own stand in its place.
                if os.path.samestat(os.fstat(fd), folder.stat()):
                    removed += _remove(folder)
            except OSError:
                continue  # its slot lives, or it is gone
            finally:
                os.close(fd)
    return removed


def _folders(parent: Path) -> Iterator[Path]:
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield Path(entry.path)


def _remove(folder: Path) -> bool:
    for inner in _folders(folder):
        with suppress(OSError):
            inner.rmdir()
    with suppress(OSError):
        folder.rmdir()
        return True
    return False
