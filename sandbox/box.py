"""The Linux box: `LinuxSandbox` keeps one launcher (a slot) and asks it for one fresh box a run.

Nothing here forks, and nothing opens a path inside a box: what goes in and comes out goes by descriptors.
"""

import os
import socket
import subprocess
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

from sandbox import build, wire
from sandbox.cgroups import Hierarchies, SlotGroups, find, sweep
from sandbox.contract import Outcome, Run, SandboxFault
from sandbox.facts import check, outcome
from sandbox.inputs import Inputs
from sandbox.shelf import Shelf

USER = 60001
"""User and group number of every program; nothing on the host belongs to it."""
SPARES = 2
"""Boxes kept ready by a slot."""
READY_SECONDS = 30.0
"""A slot that has prepared no box by then is given up."""
ANSWER_SECONDS = 60.0
"""A box that has not answered so long after its wall limit is given up."""
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/box", "LANG": "C.UTF-8"}
SHOWN = ("/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/etc/alternatives", "/etc/ld.so.cache")
"""What a box sees of the host, read-only; beside it what compilers keep in /etc."""
SHOWN_OF_ETC = ("java-*", "fpc*.cfg", "mono")
MASKED = ("/usr/local", "/usr/src", "/usr/games", "/usr/share/doc", "/usr/share/man")


def open_sandbox(state: Path) -> "LinuxSandbox":
    """A sandbox that keeps its launcher below `state` (a folder of this host's, made if missing).

    Raises `SandboxFault` with cause and cure when this host cannot hold a limit.
    """
    if os.geteuid() != 0:
        raise SandboxFault(
            "The sandbox has to be started as root, because it makes namespaces and control groups: "
            "run the worker as root. Judging as an ordinary user is not possible yet."
        )
    hierarchies = find()
    sweep(hierarchies)
    return LinuxSandbox(build.launcher(state / "launcher"), hierarchies, state)


class LinuxSandbox:
    """`sandbox.contract.Sandbox` on Linux. Runs may be started and awaited from several threads at once."""

    def __init__(self, launcher: Path, hierarchies: Hierarchies, state: Path) -> None:
        self._launcher = launcher
        self._hierarchies = hierarchies
        self._root = state / "root"
        self._root.mkdir(parents=True, exist_ok=True)
        self._shelf = Shelf(state / "shelf")
        self._inputs = Inputs(self._shelf)
        self._lock = threading.Lock()
        self._closed = False
        self._slot: Slot | None = Slot(launcher, hierarchies, self._root, self._shelf.folder)

    @property
    def slot_pid(self) -> int | None:
        """The slot's process number on this host; None when there is none just now."""
        return self._slot.process.pid if self._slot else None

    def start(self, run: Run) -> "LinuxRun":
        """Start `run` and return at once. Raises `SandboxFault`, and `ValueError` for a request that makes no sense."""
        check(run)
        with ExitStack() as sent, ExitStack() as ours:
            mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            sent.enter_context(theirs)
            ours.enter_context(mine)
            result = os.memfd_create("result", os.MFD_CLOEXEC)
            ours.callback(os.close, result)
            stdin = run.stdin if isinstance(run.stdin, int) else self._inputs.stdin(run.stdin, sent)
            fds = [theirs.fileno(), result, stdin]
            if run.stdout is not None:
                fds.append(run.stdout)
            parts = self._inputs.files(run.files.values(), fds, sent)
            self._ask(wire.request(run, {**ENVIRONMENT, **run.env}, parts), fds)
            ours.pop_all()
        return LinuxRun(run, mine, result)

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
        self._inputs.close()
        self._shelf.close()

    def _ask(self, message: bytes, fds: list[int]) -> None:
        """Send a request to the slot, or to a new one if it has died meanwhile."""
        with self._lock:
            if self._closed:
                raise SandboxFault("The sandbox is closed.")
            if self._slot and self._slot.process.poll() is not None:
                self._slot.close()
                self._slot = None
            if self._slot is None:
                self._slot = Slot(self._launcher, self._hierarchies, self._root, self._shelf.folder)
            slot = self._slot
        try:
            socket.send_fds(slot.requests, [message], fds)
        except OSError as error:
            raise SandboxFault(f"The sandbox's slot did not take the run: {error}") from None


class Slot:
    """One launcher process with its control groups, and the socket on which its boxes take requests."""

    def __init__(self, launcher: Path, hierarchies: Hierarchies, root: Path, shelf: Path) -> None:
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
            raise SandboxFault(f"The sandbox could not be prepared on this host: {said}")

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


class LinuxRun:
    """A run that has been started in a box. Forgotten without `wait`, it is killed."""

    def __init__(self, run: Run, reply: socket.socket, result: int) -> None:
        self._run = run
        self._reply = reply
        self._result = os.fdopen(result, "rb", buffering=0)
        self._lock = threading.Lock()
        self._outcome: Outcome | None = None

    def wait(self) -> Outcome:
        """Wait for the end; everything of the run is dead when this returns. Raises `SandboxFault`."""
        with self._lock:
            if self._outcome is None:
                with self._result, self._reply:
                    self._outcome = self._answer()
            return self._outcome

    def kill(self) -> None:
        """End it early; `wait` still gives the outcome."""
        with suppress(OSError):
            self._reply.shutdown(socket.SHUT_WR)  # no message: unread, it would cost the answer

    def _answer(self) -> Outcome:
        try:
            self._reply.settimeout(self._run.quota.wall_seconds + ANSWER_SECONDS)
            message = self._reply.recv(wire.Reply.SIZE + 1)
        except OSError as error:
            raise SandboxFault(f"The sandbox's box did not answer: {error}") from None
        facts = wire.reply(message)
        self._result.seek(0)  # the position is shared with the box, which wrote
        stdout = self._read(facts.stdout_bytes)
        stderr = self._read(facts.stderr_bytes)
        return outcome(self._run, facts, stdout, stderr, wire.kept(self._read(facts.kept_bytes)))

    def _read(self, size: int) -> bytes:
        """The next part of the result file."""
        parts = []
        while size > 0 and (part := self._result.read(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)
