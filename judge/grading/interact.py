"""Two programs that talk: a submission and the package's validator, each in a box of its own, started together.

Between them stands a relay. It hands on every byte at once, counts, and keeps what was said; and as nobody learns of
the other's end but through it, it knows which fault came first. Each side can therefore write to one that has gone
and is none the worse for it.
"""

import errno
import os
import select
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum

from judge.grading.transcript import Transcript
from sandbox.contract import Ending, Outcome, Run, Running, Sandbox

GRACE = 0.1
"""Seconds for which an end is kept from the other side. What that one does meanwhile it does on its own account: a
validator that says no to the last thing a program said before it crashed was first."""
_CHUNK = 64 << 10
_ACCEPT = 42


class Side(StrEnum):
    PROGRAM = "program"
    VALIDATOR = "validator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """How both sides ended, and whose word counts."""

    program: Outcome
    """Its `stdout` is what it said to the validator, up to its limit."""
    validator: Outcome
    first_fault: Side | None
    """PROGRAM: it crashed or was stopped before the validator said no. VALIDATOR: it said no, or failed, first; the
    program was ended for it, if it had not ended by itself. None: the program came to a good end."""
    heard: Transcript


def converse(box: Sandbox, program: Run, validator: Run, *, most_said: int) -> Conversation:
    """Run both until both have ended. Raises `SandboxFault` (or what else the sandbox's runs raise).

    The program may say `most_said` bytes, the validator as many as its quota has for output; who says more is ended
    with `Ending.OUTPUT`.
    """
    with ThreadPoolExecutor(2, thread_name_prefix="waits for a side") as waiting:
        return _Relay(box, program, validator, most_said, waiting).run()


@dataclass(slots=True, kw_only=True)
class _Side:
    """One of the two, seen from between them."""

    hears: int
    """The end of the pipe on which it is told things; -1: closed."""
    says: int
    """The end of the pipe from which it is heard; -1: it has closed its own."""
    most: int
    record: Callable[[bytes], None]
    running: Running
    future: Future[Outcome]
    said: int = 0
    waiting: bytes = b""
    """What it said and the other has not taken yet."""
    silent_since: float | None = None
    flooded: bool = False
    killed: bool = False
    words: bytearray = field(default_factory=bytearray)

    @property
    def ended(self) -> bool:
        return self.future.done()

    def kill(self) -> None:
        self.killed = True
        self.running.kill()

    def close_ear(self) -> None:
        if self.hears >= 0:
            os.close(self.hears)
            self.hears = -1

    def outcome(self) -> Outcome:
        outcome = self.future.result()
        return replace(outcome, ending=Ending.OUTPUT) if self.flooded else outcome


class _Relay:
    def __init__(
        self,
        box: Sandbox,
        program: Run,
        validator: Run,
        most_said: int,
        waiting: ThreadPoolExecutor,
    ) -> None:
        self._box = box
        self._pool = waiting
        self._program_ended_at: float | None = None
        self._woken, self._wake = os.pipe()
        self._sides: list[_Side] = []
        self._heard = Transcript()
        try:
            self._validator = self._start(validator, validator.quota.output_bytes, self._heard.from_validator)
            self._program = self._start(program, most_said, self._heard.from_program)
        except BaseException:
            self._close()
            raise

    def _start(self, run: Run, most: int, record: Callable[[bytes], None]) -> _Side:
        theirs_in, hears = os.pipe()
        says, theirs_out = os.pipe()
        try:
            running = self._box.start(replace(run, stdin=theirs_in, stdout=theirs_out))
        except BaseException:
            os.close(hears)
            os.close(says)
            raise
        finally:  # only the box holds its ends from here on, so that an end is seen as one
            os.close(theirs_in)
            os.close(theirs_out)
        os.set_blocking(hears, False)
        os.set_blocking(says, False)
        future = self._pool.submit(running.wait)
        future.add_done_callback(lambda _: os.write(self._wake, b"."))
        side = _Side(hears=hears, says=says, most=most, record=record, running=running, future=future)
        self._sides.append(side)
        return side

    def run(self) -> Conversation:
        program, validator = self._program, self._validator
        try:
            while not (program.ended and validator.ended):
                self._wait()
                self._judge_ends()
            while self._hand_on(program, validator):  # what it said last
                pass
            return Conversation(
                program=replace(program.outcome(), stdout=bytes(program.words)),
                validator=validator.outcome(),
                first_fault=self._first_fault(),
                heard=self._heard,
            )
        finally:
            self._close()

    def _first_fault(self) -> Side | None:
        program, validator = self._program, self._validator
        if program.killed and not program.flooded:
            return Side.VALIDATOR
        if not _broke_off(program):
            return None
        return Side.VALIDATOR if _said_no(validator) and not validator.killed else Side.PROGRAM

    def _judge_ends(self) -> None:
        """Act on who has ended: what one end means for the other side."""
        program, validator = self._program, self._validator
        now = time.monotonic()
        if validator.ended and not program.ended and not program.killed:
            if _accepted(validator):
                if not validator.waiting and validator.says < 0:
                    program.close_ear()
            else:
                program.kill()
        if program.ended and not validator.ended and not validator.killed:
            self._program_ended_at = self._program_ended_at or now
            if not _broke_off(program):
                if not program.waiting and program.says < 0:
                    validator.close_ear()
            elif now >= self._program_ended_at + GRACE:
                validator.kill()
        for side, other in ((program, validator), (validator, program)):
            closed = side.says < 0 and not side.waiting and not side.ended
            if closed and side.silent_since is not None and now >= side.silent_since + GRACE:
                other.close_ear()  # it goes on without a word

    def _wait(self) -> None:
        """Hand on what there is, once there is something, somebody has ended, or a time of grace is over."""
        poll = select.poll()
        poll.register(self._woken, select.POLLIN)
        pairs = ((self._program, self._validator), (self._validator, self._program))
        for side, other in pairs:
            if side.waiting:
                poll.register(other.hears, select.POLLOUT)
            elif side.says >= 0:
                poll.register(side.says, select.POLLIN)
        ready = {fd for fd, _ in poll.poll(self._patience())}
        if self._woken in ready:
            os.read(self._woken, 16)
        for side, other in pairs:
            if side.says in ready or other.hears in ready:
                self._hand_on(side, other)

    def _patience(self) -> float | None:
        """Milliseconds until the next time of grace is over."""
        begun = [side.silent_since for side in self._sides if side.silent_since is not None and not side.ended]
        if self._program_ended_at is not None and not self._validator.killed:
            begun.append(self._program_ended_at)
        if not begun:
            return None
        now = time.monotonic()
        ahead = [one + GRACE - now for one in begun if one + GRACE > now]
        return 1000 * min(ahead) + 1 if ahead else None

    def _hand_on(self, side: _Side, other: _Side) -> bool:
        """Give `other` what `side` says, as far as that goes without waiting. Whether there was anything."""
        if not self._give(side, other) or side.says < 0:
            return False
        try:
            words = os.read(side.says, _CHUNK)
        except BlockingIOError:
            return False
        if not words:
            os.close(side.says)
            side.says = -1
            side.silent_since = time.monotonic()
            return False
        side.said += len(words)
        side.record(words)
        if side is self._program:
            side.words += words[: side.most - len(side.words)]
        if side.said > side.most and not side.flooded:
            side.flooded = True
            side.kill()
        side.waiting = words
        self._give(side, other)
        return True

    def _give(self, side: _Side, other: _Side) -> bool:
        """Whether `other` has taken everything, or will never take anything more."""
        while side.waiting:
            if other.hears < 0:
                side.waiting = b""
                break
            try:
                taken = os.write(other.hears, side.waiting)
            except BlockingIOError:
                return False
            except OSError as error:
                if error.errno != errno.EPIPE:
                    raise
                other.close_ear()
            else:
                side.waiting = side.waiting[taken:]
        return True

    def _close(self) -> None:
        for side in self._sides:
            if not side.ended:
                side.running.kill()
        for side in self._sides:
            with suppress(Exception):  # told by `outcome`, when it is asked for
                side.future.result()
            side.close_ear()
            if side.says >= 0:
                os.close(side.says)
                side.says = -1
        self._pool.shutdown()  # the callbacks have written by then
        os.close(self._woken)
        os.close(self._wake)


def _accepted(side: _Side) -> bool:
    outcome = side.outcome()
    return outcome.ending == Ending.EXITED and outcome.exit_code == _ACCEPT


def _said_no(side: _Side) -> bool:
    outcome = side.outcome()
    return outcome.ending == Ending.EXITED and outcome.exit_code == _ACCEPT + 1


def _broke_off(side: _Side) -> bool:
    """Whether a program's end is a fault of its own."""
    outcome = side.outcome()
    return outcome.ending != Ending.EXITED or outcome.exit_code != 0
