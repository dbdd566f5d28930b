"""What a language is: how a program in it is named, compiled, started, and tried out.

Commands and variables are templates. `{sources}` stands for the source files, `{entry}` for the file or class to start,
and `{heap_mib}`, `{twice_mib}`, `{stack_kib}` for what an interpreter must be told of the memory limit. Everything is
started as a list of arguments; no command line is ever made of a student's text.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

OUT = ".out"
"""Folder of the compiler's results in its box. A source never has such a name: they do not begin with a dot."""

AHEAD = ".ahead"
"""Folder of what was made ahead, in a compiler's box."""

ENVIRONMENT: Mapping[str, str] = {"ONLINE_JUDGE": "1", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}
"""Added for every program: text is UTF-8, and a second run of the same program does the same."""

TEMPORARY = ".tmp"
"""Folder of what a compiler writes by the way and nobody keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """A file made once on a host by a compiler, with which later compiles take less and make the same bytes."""

    files: Mapping[str, bytes]
    """What it is made of."""
    make: tuple[str, ...]
    made: str
    """Where `make` leaves it below `OUT`, and where a compile finds it below `AHEAD`."""
    flags: tuple[str, ...]
    """Given to a compile that has it, before all others."""
    asked_by: bytes
    """Only a program with these bytes in it gets it."""
    betrayed_by: tuple[bytes, ...]
    """A compile whose messages hold one of these is done again without, because they may read differently then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language. `id` is what rows and forms say, `code` what the package format calls it."""

    id: str
    label: str
    code: str
    source: str
    """Name of a program that is a single file."""
    suffixes: tuple[str, ...]
    """Endings of the files that are compiled or started; others (headers) are only laid beside them."""
    compile: tuple[str, ...]
    interpreted: bool
    """The sources themselves are what is run; `compile` only looks whether they can be read."""
    run: tuple[str, ...]
    version: tuple[str, ...]
    self_test: bytes
    """A program that reads a number and prints it plus one."""
    out_of_memory: tuple[bytes, ...] = ()
    """What its run-time system says on standard error when memory is used up before the control group sees it."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables for compiler and program."""
    starts: re.Pattern[bytes] | None = None
    """Found in the file to start; None when only its name tells."""
    main_class: str = ""
    """What a single file's class to start is usually called. Not empty: the compiler makes classes of the Java machine,
    and the one to start is found among them."""
    made_of: tuple[str, ...] = ()
    """Patterns of the files and folders that decide what `compile` makes. Without any, nothing is kept for others."""
    ahead: Ahead | None = None

    def command(self, *, entry: str, memory_bytes: int) -> tuple[str, ...]:
        """The arguments that start a compiled program whose memory limit is `memory_bytes`."""
        words = {"entry": entry, **_sizes(memory_bytes)}
        return tuple(part.format_map(words) for part in self.run)

    def environment(self, *, memory_bytes: int) -> dict[str, str]:
        """The variables for a program whose memory limit is `memory_bytes`, and for its compiler."""
        words = _sizes(memory_bytes)
        return {**ENVIRONMENT, **{name: value.format_map(words) for name, value in self.env.items()}}

    def compiler(self, *, sources: Iterable[str], entry: str, memory_bytes: int) -> tuple[str, ...]:
        """The arguments that compile `sources`."""
        argv: list[str] = []
        for part in self.compile:
            if part == "{sources}":
                argv += sources
            else:
                argv.append(part.format(entry=entry, heap_mib=max((memory_bytes >> 20) * 3 // 4, 16)))
        return tuple(argv)


def _sizes(memory_bytes: int) -> dict[str, str]:
    mib = memory_bytes >> 20
    return {
        "heap_mib": str(max(mib - 64, mib // 2, 16)),  # the rest is for the interpreter itself
        "twice_mib": str(2 * mib),
        "stack_kib": str(min(memory_bytes // 4, 256 << 20) >> 10),
    }
