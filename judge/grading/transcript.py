"""What two sides said to one another, as a `.interaction` file writes it: `<` the judge, `>` the program, `---`."""

from collections import deque
from itertools import groupby
from operator import itemgetter

MOST = 64 << 10
"""Bytes kept of a transcript: half from its beginning, half from its end."""

_JUDGE, _PROGRAM = b"<", b">"
_MARK = 16
"""What one piece costs at most in prefixes and ends of lines, beside its own bytes."""
_GAP = b"[... %d bytes are left out here ...]\n"


class Transcript:
    """Takes what is said in order, and never grows beyond about `MOST` bytes."""

    def __init__(self) -> None:
        self._head: list[tuple[bytes, bytes]] = []
        self._tail: deque[tuple[bytes, bytes]] = deque()
        self._head_room = self._tail_room = MOST // 2
        self._left_out = 0

    def from_validator(self, words: bytes) -> None:
        """The judge's side said this."""
        self._add(_JUDGE, words)

    def from_program(self, words: bytes) -> None:
        """The program said this."""
        self._add(_PROGRAM, words)

    def text(self) -> bytes:
        """Everything that was kept, a line each; a line that is not ended is ended where the other side speaks."""
        if not self._left_out:
            return _lines([*self._head, *self._tail])
        return _lines(self._head) + _GAP % self._left_out + _lines(list(self._tail))

    def _add(self, who: bytes, words: bytes) -> None:
        if not self._tail:
            fits = max(0, self._head_room - _cost(words) + len(words))
            self._head.append((who, words[:fits]))
            self._head_room -= _cost(words[:fits])
            words = words[fits:]
            if not words:
                return
        kept = words[-MOST // 2 :]
        self._left_out += len(words) - len(kept)
        self._tail.append((who, kept))
        self._tail_room -= _cost(kept)
        while self._tail_room < 0 and len(self._tail) > 1:
            _, gone = self._tail.popleft()
            self._tail_room += _cost(gone)
            self._left_out += len(gone)


def next_pass(before: bytes, text: bytes) -> bytes:
    """The transcript `before` with that of a further pass; of what is too long, the middle is left out."""
    both = before + b"---\n" + text
    if len(both) <= MOST:
        return both
    half = MOST // 2 - len(_GAP) - 8
    return both[:half] + b"\n" + _GAP % (len(both) - 2 * half) + both[-half:]


def _cost(words: bytes) -> int:
    return len(words) + words.count(b"\n") + _MARK


def _lines(pieces: list[tuple[bytes, bytes]]) -> bytes:
    """Pieces of one side that follow one another are one text."""
    lines: list[bytes] = []
    for who, together in groupby(pieces, key=itemgetter(0)):
        text = b"".join(words for _, words in together)
        if text:
            lines += [who + line for line in text.removesuffix(b"\n").split(b"\n")]
    return b"".join(line + b"\n" for line in lines)
