"""The Linux box: `LinuxSandbox` keeps one launcher (a slot) and asks it for one fresh box a run.

Nothing here forks, and nothing opens a path inside a box: what goes in and comes out goes by descriptors.
"""

import functools
import os
import socket
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sandbox import build, wire
from sandbox.cgroups import NONE, Hierarchies, SlotGroups, find, sweep
from sandbox.client import Client
from sandbox.contract import Outcome, Run, SandboxFault
from sandbox.cores import Core
from sandbox.facts import outcome
from sandbox.inputs import Inputs
from sandbox.shelf import Shelf

USER = 60001
"""The first of 1,024 user and group numbers, one for each box; nothing on the host belongs to them.

An ordinary user has but one number to give: then all boxes have the first, which stands for the user's on the host."""
SPARES = 2
"""Boxes kept ready by a slot."""
READY_SECONDS = 30.0
"""A slot that has prepared no box by then is given up."""
ANSWER_SECONDS = 60.0
"""A box that has not answered so long after its wall limit is given up."""
KEPT_BYTES = 64 << 10
"""So much of a result file stays for the next run."""
SHOWN = ("/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/etc/alternatives", "/etc/ld.so.cache")
"""What a box sees of the host, read-only; beside it what compilers keep in /etc."""
SHOWN_OF_ETC = ("java-*", "fpc*.cfg", "mono")
MASKED = ("/usr/local", "/usr/src", "/usr/games", "/usr/share/doc", "/usr/share/man")


CLOSED_BY = {
    "kernel/apparmor_restrict_unprivileged_userns": "1",
    "kernel/unprivileged_userns_clone": "0",
    "user/max_user_namespaces": "0",
}
"""Settings below /proc/sys, and the values with which they keep user namespaces from ordinary users."""


def open_sandbox(state: Path, *, pinned: bool = False, laptop: bool = False, cores: str = "cores") -> "LinuxSandbox":
    """A sandbox that keeps its launcher below `state` (a folder of this host's, made if missing).

    `pinned` is for who does nothing but judge: the calling thread and all its programs get a core to themselves as far
    as there are enough, for steady times. `laptop` is for an ordinary user without control groups, who trusts the
    programs: limits are held by looking now and then, and less is held (see README.md); never take it for a server.
    `cores` is the folder in `state` by whose locks the pinned ones agree.
    Raises `SandboxFault` with cause and cure when this host cannot hold a limit.
    """
    if laptop and os.geteuid() == 0:
        raise SandboxFault("The laptop mode is for an ordinary user: root can hold every limit, so leave it out.")
    hierarchies = NONE if laptop else find()
    sweep(hierarchies)
    launcher = build.launcher(state / "launcher")
    core = Core(state / cores) if pinned else None
    try:
        return LinuxSandbox(launcher, hierarchies, state, core)
    except SandboxFault:
        if core:
            core.close()
        raise


class LinuxSandbox:
    """`sandbox.contract.Sandbox` on Linux. Runs may be started and awaited from several threads at once."""

    def __init__(self, launcher: Path, hierarchies: Hierarchies, state: Path, core: Core | None) -> None:
        root = state / "root"
        root.mkdir(parents=True, exist_ok=True)
        self._shelf = Shelf(state / "shelf")
        # A program with our number could change the times and rights of an input, and the next run would see that.
        self._inputs = Inputs(self._shelf, lasting=os.geteuid() == 0)
        self._lock = threading.Lock()
        self._closed = False
        self._core = core
        self._client = Client(build.client(state / "launcher"))
        self._idle: list[Lines] = []
        self._new_slot = functools.partial(Slot, launcher, hierarchies, root, self._shelf.folder, core)
        self._slot: Slot | None = self._new_slot()

    @property
    def slot_pid(self) -> int | None:
        """The slot's process number on this host; None when there is none just now."""
        return self._slot.process.pid if self._slot else None

    def start(self, run: Run) -> "LinuxRun":
        """Start `run` and return at once. Raises `SandboxFault`, and `ValueError` for a request that makes no sense."""
        if self._core:
            self._core.take()
        try:
            lines = self._lines()
            try:
                answers = self._begin(run, lines)
            except BaseException:
                lines.close()
                raise
        except BaseException:
            if self._core:
                self._core.leave()
            raise
        return LinuxRun(
            run, client=self._client, answers=answers, lines=lines, core=self._core, put_back=self._put_back
        )

    def run(self, run: Run) -> Outcome:
        """Start and wait."""
        return self.start(run).wait()

    def close(self) -> None:
        """Kill what runs, give back what was taken from the host. May be called again."""
        with self._lock:
            self._closed = True
            slot, self._slot = self._slot, None
        if slot:
            slot.close()
        while self._idle:
            self._idle.pop().close()
        self._inputs.close()
        self._shelf.close()
        if self._core:
            self._core.close()
            self._core = None

    def _lines(self) -> "Lines":
        with suppress(IndexError):  # none is idle
            return self._idle.pop()
        stop = os.eventfd(0, os.EFD_CLOEXEC)
        return Lines(stop=stop, result=os.memfd_create("result", os.MFD_CLOEXEC))

    def _put_back(self, lines: "Lines") -> None:
        with self._lock:
            if self._closed:
                lines.close()
            else:
                self._idle.append(lines)

    def _begin(self, run: Run, lines: "Lines") -> int:
        """Ask a box of the slot, or of a new slot if it has died meanwhile. Gives where the answer will come."""
        more = [] if run.stdout is None else [run.stdout]
        lent: list[int] = []
        try:
            with self._inputs.held:
                stdin = run.stdin if isinstance(run.stdin, int) else self._inputs.stdin(run.stdin, lent)
                parts = self._inputs.files(run.files.values(), more, lent)
                message = wire.request(run, parts)
                return self._client.begin(
                    self._living_slot().requests.fileno(),
                    message,
                    stop=lines.stop,
                    result=lines.result,
                    stdin=stdin,
                    afresh=not isinstance(run.stdin, int),
                    more=more,
                )
        except OSError as error:
            raise SandboxFault(f"The sandbox's slot did not take the run: {error}") from None
        finally:
            for fd in lent:
                os.close(fd)

    def _living_slot(self) -> "Slot":
        with self._lock:
            if self._closed:
                raise SandboxFault("The sandbox is closed.")
            if self._slot and self._slot.process.poll() is not None:
                self._slot.close()
                self._slot = None
            if self._slot is None:
                self._slot = self._new_slot()
            return self._slot


class Slot:
    """One launcher process with its control groups, and the socket on which its boxes take requests."""

    def __init__(self, launcher: Path, hierarchies: Hierarchies, root: Path, shelf: Path, core: Core | None) -> None:
        self.requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.requests.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 * wire.REQUEST_BYTES)
        shown = [*SHOWN, *(str(path) for pattern in SHOWN_OF_ETC for path in sorted(Path("/etc").glob(pattern)))]
        with theirs:
            self._groups = SlotGroups(hierarchies)
            words = [
                f"socket={theirs.fileno()}",
                f"groups={self._groups.version}",
                *(f"group={fd}" for fd in self._groups.fds),
                f"name={self._groups.name}",
                f"spares={SPARES}",
                f"user={USER}",
                f"ordinary={int(os.geteuid() != 0)}",
                *([f"core={core.number}", *(f"other={number}" for number in core.others)] if core else ()),
                f"root={root}",
                f"shelf={shelf}",
                *(f"show={path}" for path in shown),
                *(f"mask={path}" for path in MASKED),
            ]
            # A session of its own: Ctrl-C at the worker's terminal is for the worker to act upon.
            self.process = subprocess.Popen(  # noqa: S603 - our own program
                [launcher, *words],
                pass_fds=[theirs.fileno(), *self._groups.fds],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={},
                cwd="/",
                start_new_session=True,
            )
        said = self._first_word()
        if said != "ready":
            self.close()
            raise SandboxFault(f"The sandbox could not be prepared on this host: {said}{_closed()}")

    def _first_word(self) -> str:
        self.requests.settimeout(READY_SECONDS)
        try:
            said = self.requests.recv(8192).decode(errors="replace")
        except OSError as error:
            return str(error)
        self.requests.settimeout(None)
        return said.removeprefix("fault ") or "the launcher ended without a word"

    def close(self) -> None:
        """End the slot with all its boxes, and remove its control groups."""
        self.requests.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._groups.close()


def _closed() -> str:
    """What keeps an ordinary user from namespaces, as a sentence."""
    if os.geteuid() == 0:
        return ""
    for name, value in CLOSED_BY.items():
        with suppress(OSError):
            if Path("/proc/sys", name).read_text().strip() == value:
                return f". This host keeps user namespaces from ordinary users: {name.replace('/', '.')} is {value}."
    return ""


@dataclass(slots=True, kw_only=True)
class Lines:
    """Two descriptors that a box is lent. After a run that was answered and not told to stop, they serve the next."""

    stop: int
    """An eventfd: end the run now."""
    result: int
    """A memory file that the box writes what is kept to."""

    def rewind(self, written: int) -> None:
        """Make them ready for the next run, after one with so many bytes in the result file."""
        if written:
            os.lseek(self.result, 0, os.SEEK_SET)
        if written > KEPT_BYTES:
            os.ftruncate(self.result, 0)

    def close(self) -> None:
        os.close(self.stop)
        os.close(self.result)


class LinuxRun:
    """A run that has been started in a box. Forgotten without `wait`, it is killed."""

    def __init__(
        self,
        run: Run,
        *,
        client: Client,
        answers: int,
        lines: Lines,
        core: Core | None,
        put_back: Callable[[Lines], None],
    ) -> None:
        self._run = run
        self._put_back = put_back
        self._client = client
        self._core = core
        self._answers = answers
        self._lines = lines
        self._written: int | None = None
        """Bytes of the result; None: there was no answer."""
        self._stopped = False
        self._open = True
        self._lock = threading.Lock()
        self._ends = threading.Lock()
        """Held to close the descriptors, so that `kill` never writes to one that is somebody else's by now."""
        self._outcome: Outcome | None = None

    def wait(self) -> Outcome:
        """Wait for the end; everything of the run is dead when this returns. Raises `SandboxFault`."""
        with self._lock:
            if self._outcome is None:
                if not self._open:
                    raise SandboxFault("The run failed, as was said.")
                try:
                    self._outcome = self._answer()
                finally:
                    self._close()
            return self._outcome

    def kill(self) -> None:
        """End it early; `wait` still gives the outcome."""
        with self._ends:
            if self._open:
                os.eventfd_write(self._lines.stop, 1)
                self._stopped = True

    def _answer(self) -> Outcome:
        message = self._client.answer(self._answers, self._run.quota.wall_seconds + ANSWER_SECONDS)
        if message is None:
            raise SandboxFault("The sandbox's box did not answer in time.")
        facts = wire.reply(message)
        stdout = self._read(facts.stdout_bytes, 0)
        stderr = self._read(facts.stderr_bytes, facts.stdout_bytes)
        kept = self._read(facts.kept_bytes, facts.stdout_bytes + facts.stderr_bytes)
        self._written = facts.stdout_bytes + facts.stderr_bytes + facts.kept_bytes
        return outcome(self._run, facts, stdout, stderr, wire.kept(kept))

    def _read(self, size: int, offset: int) -> bytes:
        """A part of the result file."""
        parts = []
        while size > 0 and (part := os.pread(self._lines.result, size, offset)):
            parts.append(part)
            size -= len(part)
            offset += len(part)
        return b"".join(parts)

    def _close(self) -> None:
        with self._ends:
            if self._open:
                self._open = False
                os.close(self._answers)
                if self._written is None or self._stopped:
                    self._lines.close()
                else:
                    self._lines.rewind(self._written)
                    self._put_back(self._lines)
                if self._core:
                    self._core.leave()

    def __del__(self) -> None:
        self._close()
