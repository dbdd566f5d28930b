"""Many inputs in one run, for packages whose inputs are a line each and may be put one after the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.grading.executable import Executable
from judge.grading.feedback.bench import Bench, digest_of
from judge.grading.feedback.mistake import Mistake, mistake_of
from judge.grading.run import run_of, verdict_of


@dataclass(frozen=True, slots=True, kw_only=True)
class _Printed:
    lines: list[list[bytes]]
    """The words of each line that is not empty."""
    whole: bool
    """The program came to a good end, and every line has its end."""


class Together:
    """Runs `executable` on several inputs at once, and says which of them it seems to answer wrongly."""

    def __init__(self, bench: Bench, executable: Executable) -> None:
        self._bench, self._executable = bench, executable
        self._ran: dict[str, _Printed] = {}
        args = bench.settings.output_validator_args
        self._case_matters = bench.package.output_validator is not None or "case_sensitive" in args

    def wrong(self, piece: Sequence[bytes]) -> list[int] | None:
        """Places in `piece` whose answers differ from the reference's; None when lines cannot be told apart."""
        printed, expected = self._run(piece), self._expected(piece)
        if not printed.whole or len(printed.lines) != len(piece):
            return None
        return [place for place in range(len(piece)) if printed.lines[place] != expected[place]]

    def lines(self, piece: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """For each of `piece` what is right, and what was printed for it, where `wrong` can tell lines apart."""
        for right, mine in zip(self._expected(piece), self._run(piece).lines, strict=True):
            yield b" ".join(right), b" ".join(mine)

    def pattern(self, piece: Sequence[bytes]) -> Mistake | None:
        """How all that is answered wrongly differs; None when lines cannot be told apart."""
        places = self.wrong(piece)
        if not places:
            return None
        printed, expected = self._run(piece), self._expected(piece)
        right, mine = ([b" ".join(lines[place]) for place in places] for lines in (expected, printed.lines))
        return mistake_of(b"\n".join(right), b"\n".join(mine))

    def first_wrong(self, piece: Sequence[bytes]) -> int | None:
        """The place of the first difference, or where the program first comes to a bad end; None when all is right."""
        printed, expected = self._run(piece), self._expected(piece)
        words = [word for line in printed.lines for word in line]
        at = 0
        for place, line in enumerate(expected):
            if words[at : at + len(line)] != line:
                if at + len(line) > len(words) and not printed.whole:
                    break  # what is missing may be in the way to the screen: see where it begins to fail
                return place
            at += len(line)
        else:
            if printed.whole:
                return len(piece) - 1 if len(words) > at else None
        return self._first_failing(piece, guess=place if at < len(words) or at else 0)

    def _first_failing(self, piece: Sequence[bytes], *, guess: int) -> int:
        """The least number of inputs after which it fails, less one. `guess` is tried first."""
        if not self._run(piece[:guess]).whole if guess else False:
            low, high = 0, guess - 1
        elif not self._run(piece[: guess + 1]).whole:
            return guess
        else:
            low, high = guess + 1, len(piece) - 1
        while low < high:
            middle = (low + high) // 2
            if self._run(piece[: middle + 1]).whole:
                low = middle + 1
            else:
                high = middle
        return low

    def _run(self, piece: Sequence[bytes]) -> _Printed:
        text = b"".join(piece)
        key = digest_of(text)
        if key not in self._ran:
            limit = self._bench.limit
            outcome = self._bench.box.run(run_of(self._executable, limit, stdin=text))
            whole = verdict_of(outcome, self._executable, limit) is None
            lines = [words for line in outcome.stdout.split(b"\n") if (words := self._words(line))]
            self._ran[key] = _Printed(lines=lines, whole=whole)
        return self._ran[key]

    def _expected(self, piece: Sequence[bytes]) -> list[list[bytes]]:
        answers = [self._bench.answer(text) for text in piece]
        return [self._words(answer.output) if answer is not None else [] for answer in answers]

    def _words(self, text: bytes) -> list[bytes]:
        return (text if self._case_matters else text.lower()).split()
