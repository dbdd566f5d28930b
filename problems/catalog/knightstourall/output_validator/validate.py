"""Decides whether the output holds every tour exactly once, in any order.

Called as `validate.py INPUT ANSWER FEEDBACK_FOLDER`, with the output to judge as standard input. Exits with
42 (right), 43 (wrong) or 1 (the judge's own data is wrong). `teammessage.txt` in the feedback folder says what kind of
mistake it is and in which tour, without showing anything of the input or the output; `judgemessage.txt` shows these as
well.
"""

import re
import sys
from pathlib import Path

RIGHT, WRONG, FAULT = 42, 43, 1
# What comes after this many bytes is no answer to any input.
MOST_BYTES = 64 << 20
# Places up to this one are told to the team as they are.
EXACT_PLACES = 100
SQUARE = re.compile(rb"([1-9])-([1-9])")


def main() -> int:
    """Judge standard input."""
    board, answer, feedback = sys.argv[1:4]
    size, row, column = map(int, Path(board).read_bytes().split())
    expected = Path(answer).read_bytes().count(b":")
    # One tour more than there are is enough to find a mistake.
    words = sys.stdin.buffer.read(MOST_BYTES).split(None, (expected + 2) * (size * size + 2))
    found, problem, detail = read_tours(words, size, (row, column), expected)
    if not problem and found > expected:
        tell(
            feedback, "judgemessage.txt", f"The output has {found} different tours, the answer of the judge {expected}."
        )
        return FAULT
    if not problem and found < expected:
        problem, detail = "Some tours are missing; those printed are right.", f"These are {found}."
        if not found:
            problem = "There are tours from this start, but none was printed."
    if not problem:
        return RIGHT
    case = f"{size} x {size}, start on {row}-{column}, {expected} tours"
    tell(feedback, "judgemessage.txt", " ".join(filter(None, (problem, detail, f"({case})"))))
    tell(feedback, "teammessage.txt", problem)
    return WRONG


def read_tours(words: list[bytes], size: int, start: tuple[int, int], expected: int) -> tuple[int, str, str]:
    """The number of different tours; on the first thing wrong a sentence for the team and more for the judges."""
    if words == [b"0"] and expected == 0:
        return 0, "", ""
    seen: dict[tuple[bytes, ...], int] = {}
    squares = size * size
    at = 0
    while at < len(words) and len(seen) <= expected:
        number = len(seen) + 1
        heading = words[at : at + 2]
        if heading[0].lower() != b"solution":
            detail = f'{shown(heading[0])} stands where "Solution {number}:" was expected.'
            if seen:
                problem = f"After the end of {place('tour', number - 1)} another heading or nothing was expected."
                return len(seen), problem, detail
            return 0, 'The output does not begin with "Solution 1:".', detail
        if heading[1:] != [b"%d:" % number]:
            problem = f'The heading of {place("tour", number)} is not "Solution" with its number and a colon.'
            return len(seen), problem, f'It is {shown(b" ".join(heading))}, not "Solution {number}:".'
        tour = tuple(words[at + 2 : at + 2 + squares])
        problem, detail = what_is_wrong(tour, size, start)
        if problem:
            return len(seen), f"In {place('tour', number)} {problem}", detail
        if tour in seen:
            problem = f"The same tour as {place('tour', number)} was printed before."
            return len(seen), problem, f"Tour {number} is the same as tour {seen[tour]}."
        seen[tour] = number
        at += 2 + squares
    return len(seen), "", ""


def what_is_wrong(tour: tuple[bytes, ...], size: int, start: tuple[int, int]) -> tuple[str, str]:
    """On the first thing wrong with one tour the rest of a sentence for the team, and more for the judges, or ""."""
    visited: dict[tuple[int, int], int] = {}
    before = start
    for visit, word in enumerate(tour, 1):
        if word.lower() == b"solution":
            return "squares are missing at the end.", f"It ends after {visit - 1}."
        match = SQUARE.fullmatch(word)
        if match is None:
            problem = 'something stands where a square was expected, as "row-column".'
            return problem, f"It is {shown(word)} in the place of square number {visit}."
        square = int(match[1]), int(match[2])
        if max(square) > size:
            return "a square is not on the board.", f"It is {shown(word)}."
        if visit == 1 and square != start:
            return "the first square is not the start.", f"It is {shown(word)}."
        if visit > 1 and sorted((abs(square[0] - before[0]), abs(square[1] - before[1]))) != [1, 2]:
            detail = f"It is move {visit - 1}, from {before[0]}-{before[1]} to {square[0]}-{square[1]}."
            return "there is a step that is no knight move.", detail
        if square in visited:
            return "a square is visited twice.", f"{shown(word)} is number {visited[square]} and number {visit}."
        visited[square] = visit
        before = square
    if len(tour) < size * size:
        return "squares are missing at the end.", f"It ends after {len(tour)}."
    return "", ""


def place(kind: str, number: int) -> str:
    """Where something is, for the team: the student's program chooses the place, and must not tell the input by it."""
    return f"{kind} {number}" if number <= EXACT_PLACES else f"a {kind} far into the output"


def shown(word: bytes) -> str:
    """A piece of the output, cut short and in plain characters."""
    text = "".join(chr(byte) if 32 <= byte < 127 else "?" for byte in word[:20])
    return f'"{text}{"..." if len(word) > 20 else ""}"'


def tell(feedback: str, name: str, message: str) -> None:
    (Path(feedback) / name).write_text(message + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
