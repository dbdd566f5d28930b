"""What compiling gives: something to run, or the reason why there is nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

from judge.grading.job import Compiled
from judge.grading.language import Language
from judge.grading.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Executable:
    """A compiled program: what lies in the box it runs in, and how it is started."""

    language: Language
    entry: str
    files: Mapping[str, bytes]
    lines: Mapping[str, int]
    """Source file -> how many lines it has, to tell a real place in a message from an invented one."""

    def command(self, memory_bytes: int) -> tuple[str, ...]:
        """The arguments that start it under a memory limit."""
        return self.language.command(entry=self.entry, memory_bytes=memory_bytes)

    def environment(self, memory_bytes: int) -> dict[str, str]:
        """The variables it is started with under a memory limit."""
        return self.language.environment(memory_bytes=memory_bytes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compilation:
    """What came of compiling. `executable` is None when `verdict` is compile_error or judge_error, and for answers."""

    executable: Executable | None
    verdict: Verdict | None
    log: bytes
    """What the compiler said, at most `LOG_BYTES`."""
    note: str
    """In a sentence, why there is nothing to run."""
    cpu_seconds: float
    """Of the compiler, when it ran; that may have been for an earlier judgement, see `reused`."""
    toolchain: str
    lasting: bool = False
    """The same sources would always give the same: no limit, and no accident, had a part in it."""
    reused: bool = False
    """The compiler was not asked: it had compiled the same before."""

    @property
    def step(self) -> Compiled:
        """What is told of it."""
        return Compiled(
            verdict=self.verdict,
            log=self.log,
            cpu_seconds=self.cpu_seconds,
            toolchain=self.toolchain,
            reused=self.reused,
        )
