"""What is read of traces. Lessons are for everybody, so nobody is asked for."""

import zlib
from collections.abc import Mapping, Sequence

from judge.blobs.store import digest_of
from judge.lessons.models import LessonTrace
from problems.models import Version
from problems.package.lesson import Command
from problems.package.trace import MAX_BYTES, Trace, parse


def key_of(command: Command) -> str:
    return digest_of(command.text.encode())


def traces(version: Version, commands: Sequence[Command]) -> Mapping[str, LessonTrace]:
    """Key -> row, for those of `commands` that were ever asked for; one query."""
    keys = {key_of(command) for command in commands}
    return {row.key: row for row in LessonTrace.objects.filter(version=version, key__in=keys)}


def packed(printed: bytes) -> bytes:
    return zlib.compress(printed, 9)


def unpacked(kept: bytes) -> Trace:
    """The trace that a row keeps. Raises `TraceFault` when what is kept is none, which a worker never wrote."""
    return parse(zlib.decompressobj().decompress(kept, MAX_BYTES + 1))
