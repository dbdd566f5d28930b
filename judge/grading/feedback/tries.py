"""What a program did on single inputs, so that it is run on none of them twice."""

from collections.abc import Iterable, Iterator

from judge.grading.executable import Executable
from judge.grading.feedback.bench import Answer, Bench, Seen

_KEPT = 4 << 10
"""Bytes of an output that are kept; what printed more is run again."""


class Tries:
    """All searches after one failure share it."""

    def __init__(self, executable: Executable) -> None:
        self._executable = executable
        self._seen: dict[bytes, tuple[Answer, Seen]] = {}
        self.saved = 0
        """Runs that were not made because their end was known."""

    def look(self, bench: Bench, text: bytes, answer: Answer) -> Seen:
        """As `Bench.look`, without patience. Raises what it does."""
        if text in self._seen:
            self.saved += 1
            return self._seen[text][1]
        return self._new(bench, text, answer)

    def more(self, bench: Bench, texts: Iterable[bytes]) -> Iterator[None]:
        """Look at more of `texts`, one a step, no more than were saved. Raises what `Bench.look` does."""
        for text in texts:
            if self.saved == 0:
                return
            answer = bench.answer(text)
            if text not in self._seen and answer is not None:
                self.saved -= 1
                self._new(bench, text, answer)
                yield

    def wrong(self) -> dict[bytes, tuple[Answer, Seen]]:
        """Input -> what is right there and what the program did, where it is wrong."""
        return {text: both for text, both in self._seen.items() if both[1].wrong}

    def _new(self, bench: Bench, text: bytes, answer: Answer) -> Seen:
        seen = bench.look(self._executable, text, answer)
        if len(seen.outcome.stdout) + len(seen.outcome.stderr) <= _KEPT:
            self._seen[text] = answer, seen
        return seen
