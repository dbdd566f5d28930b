"""Keeps a few programs running side by side: starts them in order, starts again what dies, stops them in turn.

Every child has a session of its own (so that Ctrl-C reaches the supervisor alone, which then stops them in order) and
is tied to the supervisor's life: when that is killed, the kernel kills the child. What children print is shown line by
line with their names before it and kept in bounded files.
"""

import contextlib
import logging
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import FrameType
from typing import IO

TETHER = Path(__file__).with_name("tether.py")
FIRST_DELAY, LAST_DELAY, STEADY = 0.5, 30.0, 60.0
"""Seconds before a child that died is started again: doubling from the first to the last, and from the start again once
it had lived for the third."""
LOG_BYTES, LOG_FILES = 4 << 20, 2
LINE_BYTES = 64 << 10
"""A child's line longer than this is shown in pieces."""
TICK = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A program to keep running."""

    name: str
    argv: Sequence[str]
    grace: float
    """Seconds it may take to end by itself after SIGTERM; then it and its whole session are killed."""
    descriptors: tuple[int, ...] = ()
    """Open descriptors that it takes over under the same numbers."""
    shown: bool = True
    """Whether what it prints is shown; it is kept in its file in any case."""


@dataclass(slots=True, kw_only=True)
class _Running:
    child: Child
    log: RotatingFileHandler
    process: subprocess.Popen[bytes] | None = None
    rest: bytes = b""
    started: float = 0.0
    delay: float = FIRST_DELAY
    due: float = 0.0
    """When to start it (again), by the monotonic clock."""


@dataclass(slots=True, kw_only=True)
class Supervisor:
    """Runs children until SIGINT, SIGTERM or SIGHUP; a second such signal kills what is still there."""

    logs: Path
    """Folder for one log file a child, and one older one."""
    environment: Mapping[str, str]
    show: IO[str] | None = None
    """Where lines are shown; None is standard output as it is when they are."""
    ready: Callable[[], bool] = lambda: True
    """Asked now and then until it says yes; then `when_ready` is called once."""
    when_ready: Callable[[], None] = lambda: None
    _running: list[_Running] = field(default_factory=list)
    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    _asked_to_stop: int = 0

    def start(self, child: Child) -> None:
        """Start `child` now; from then on it is kept running by `run`."""
        self.logs.mkdir(parents=True, exist_ok=True)
        log = RotatingFileHandler(
            self.logs / f"{child.name}.log", maxBytes=LOG_BYTES, backupCount=LOG_FILES - 1, errors="backslashreplace"
        )
        log.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        running = _Running(child=child, log=log)
        self._running.append(running)
        self._spawn(running)

    def run(self) -> None:
        """Keep the children running until asked to stop, then stop them, the last started first."""
        with self._signals():
            try:
                ready = False
                while not self._asked_to_stop:
                    self._forward(TICK)
                    self._look_after()
                    if not ready and self.ready():
                        ready = True
                        self.when_ready()
            finally:
                self.stop()

    def stop(self) -> None:
        """End every child, the last started first, each within its grace; none of their processes is left then."""
        for running in reversed(self._running):
            process = running.process
            if process is None:
                continue
            deadline = time.monotonic() + running.child.grace
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            while process.poll() is None and time.monotonic() < deadline and self._asked_to_stop < 2:
                self._forward(TICK / 4)
            self._kill_session(process)
            self._forward(0)
            self._let_go(running)
            running.log.close()
        self._running.clear()

    def say(self, name: str, line: str) -> None:
        """Show one line under a name."""
        try:
            print(f"{name:<8}| {line}", file=self.show or sys.stdout, flush=True)
        except OSError:  # nobody looks any more; the files still have it
            self.show = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (as long as we live)

    def _spawn(self, running: _Running) -> None:
        child = running.child
        running.started = time.monotonic()
        running.process = process = subprocess.Popen(  # noqa: S603 - what we were told to keep running
            [sys.executable, "-IS", str(TETHER), str(os.getpid()), *child.argv],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=dict(self.environment),
            start_new_session=True,
            pass_fds=child.descriptors,
        )
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        self._selector.register(process.stdout, selectors.EVENT_READ, running)

    def _look_after(self) -> None:
        now = time.monotonic()
        for running in self._running:
            if running.process is None:
                if now >= running.due:
                    self._spawn(running)
            elif (code := running.process.poll()) is not None:
                self._kill_session(running.process)
                self._let_go(running)
                if now - running.started > STEADY:
                    running.delay = FIRST_DELAY
                running.due = now + running.delay
                self.say(running.child.name, f"ended ({_how(code)}); it is started again in {running.delay:g} s")
                running.delay = min(2 * running.delay, LAST_DELAY)

    def _kill_session(self, process: subprocess.Popen[bytes]) -> None:
        """Kill what is left of a child and of whatever it started in its process group."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def _let_go(self, running: _Running) -> None:
        """Take in the last lines of a child that is gone and forget its process."""
        process = running.process
        assert process is not None
        assert process.stdout is not None
        self._take(running)
        if running.rest:
            self._line(running, running.rest)
            running.rest = b""
        with contextlib.suppress(KeyError):
            self._selector.unregister(process.stdout)
        process.stdout.close()
        running.process = None

    def _forward(self, seconds: float) -> None:
        """Pass on what children print, waiting at most `seconds` for it."""
        if not self._selector.get_map():
            time.sleep(seconds)
            return
        for key, _ in self._selector.select(seconds):
            if not self._take(key.data):
                self._selector.unregister(key.fileobj)

    def _take(self, running: _Running) -> bool:
        """Read what is there; False when nothing will come any more."""
        assert running.process is not None
        assert running.process.stdout is not None
        try:
            piece = os.read(running.process.stdout.fileno(), LINE_BYTES)
        except BlockingIOError:
            return True
        *lines, running.rest = (running.rest + piece).split(b"\n")
        if len(running.rest) >= LINE_BYTES:
            lines.append(running.rest)
            running.rest = b""
        for line in lines:
            self._line(running, line)
        return bool(piece)

    def _line(self, running: _Running, line: bytes) -> None:
        text = line.decode("utf-8", "backslashreplace").rstrip("\r")
        running.log.handle(logging.LogRecord(running.child.name, logging.INFO, "", 0, text, None, None))
        if running.child.shown:
            self.say(running.child.name, text)

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        def asked(_number: int, _frame: FrameType | None) -> None:
            self._asked_to_stop += 1

        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = {number: signal.signal(number, asked) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _how(code: int) -> str:
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
