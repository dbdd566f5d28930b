"""Decides whether the output holds every tour exactly once, in any order.

Called as `validate.py INPUT ANSWER FEEDBACK_FOLDER`, with the output to judge as standard input. Exits with
42 (right), 43 (wrong) or 1 (the judge's own data is wrong). `teammessage.txt` in the feedback folder says what is wrong
without showing size, start and number of tours, `judgemessage.txt` names these as well.
"""

import re
import sys
from pathlib import Path

RIGHT, WRONG, FAULT = 42, 43, 1
# What comes after this many bytes is no answer to any input.
MOST_BYTES = 64 << 20
SQUARE = re.compile(rb"([1-9])-([1-9])")


def main() -> int:
    """Judge standard input."""
    board, answer, feedback = sys.argv[1:4]
    size, row, column = map(int, Path(board).read_bytes().split())
    expected = Path(answer).read_bytes().count(b":")
    words = sys.stdin.buffer.read(MOST_BYTES).split()
    found, problem = read_tours(words, size, (row, column), expected)
    if not problem and found > expected:
        tell(
            feedback, "judgemessage.txt", f"The output has {found} different tours, the answer of the judge {expected}."
        )
        return FAULT
    if not problem and found < expected:
        problem = f"There are more tours than the {found} printed; those are right."
        if not found:
            problem = "There are tours from this start, but none was printed."
    if not problem:
        return RIGHT
    case = f"{size} x {size}, start on {row}-{column}, {expected} tours"
    tell(feedback, "judgemessage.txt", f"{problem} ({case})")
    tell(feedback, "teammessage.txt", problem)
    return WRONG


def read_tours(words: list[bytes], size: int, start: tuple[int, int], expected: int) -> tuple[int, str]:
    """The number of different tours, and a sentence on the first thing wrong, empty if nothing is."""
    if words == [b"0"] and expected == 0:
        return 0, ""
    seen: dict[tuple[bytes, ...], int] = {}
    squares = size * size
    place = 0
    while place < len(words):
        number = len(seen) + 1
        heading = words[place : place + 2]
        if heading[0].lower() != b"solution":
            if seen:
                after = f"After tour {number - 1}, which is complete,"
                return len(seen), f'{after} "Solution {number}:" or the end was expected, not {shown(heading[0])}.'
            return 0, f'The output begins with {shown(heading[0])} where "Solution 1:" was expected.'
        if heading[1:] != [b"%d:" % number]:
            got = shown(b" ".join(heading))
            return len(seen), f'Tour {number} is headed {got} where "Solution {number}:" was expected.'
        tour = tuple(words[place + 2 : place + 2 + squares])
        problem = what_is_wrong(tour, size, start)
        if problem:
            return len(seen), f"Tour {number}: {problem}"
        if tour in seen:
            return len(seen), f"Tour {number} is the same as tour {seen[tour]}."
        seen[tour] = number
        place += 2 + squares
    return len(seen), ""


def what_is_wrong(tour: tuple[bytes, ...], size: int, start: tuple[int, int]) -> str:
    """A sentence on the first thing wrong with one tour, empty if nothing is."""
    visited: dict[tuple[int, int], int] = {}
    before = start
    for visit, word in enumerate(tour, 1):
        if word.lower() == b"solution":
            return f"it ends after {visit - 1} squares; the board has more."
        match = SQUARE.fullmatch(word)
        if match is None:
            return f'{shown(word)} stands where square number {visit} was expected, as "row-column".'
        square = int(match[1]), int(match[2])
        if max(square) > size:
            return f"square {shown(word)} is not on the board."
        if visit == 1 and square != start:
            return f"it begins with {shown(word)}, which is not the start."
        if visit > 1 and sorted((abs(square[0] - before[0]), abs(square[1] - before[1]))) != [1, 2]:
            return f"from {before[0]}-{before[1]} to {square[0]}-{square[1]} (move {visit - 1}) is no knight move."
        if square in visited:
            return f"square {shown(word)} is visited twice, as number {visited[square]} and as number {visit}."
        visited[square] = visit
        before = square
    if len(tour) < size * size:
        return f"it ends after {len(tour)} squares; the board has more."
    return ""


def shown(word: bytes) -> str:
    """A piece of the output, cut short and in plain characters."""
    text = "".join(chr(byte) if 32 <= byte < 127 else "?" for byte in word[:20])
    return f'"{text}{"..." if len(word) > 20 else ""}"'


def tell(feedback: str, name: str, message: str) -> None:
    (Path(feedback) / name).write_text(message + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
