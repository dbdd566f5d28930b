"""Decides whether the output is a knight's tour, or rightly says that there is none; any tour is right.

Called as `validate.py INPUT ANSWER FEEDBACK_FOLDER`, with the output to judge as standard input. Exits with
42 (right), 43 (wrong) or 1 (the judge's own data is wrong). `teammessage.txt` in the feedback folder says what kind of
mistake it is and where, without showing anything of the input or the output; `judgemessage.txt` shows these as well.
`openmessage.txt` is for a student who sees the case: the exact place, and what stands there.
"""

import re
import sys
from pathlib import Path

RIGHT, WRONG, FAULT = 42, 43, 1
# Larger numbers are on no board, and what comes after this many bytes is no answer to any input.
LONGEST_NUMBER = 9
MOST_BYTES = 64 << 20
# Places up to this one are told to the team as they are.
EXACT_PLACES = 100


def main() -> int:
    """Judge standard input."""
    board, answer, feedback = sys.argv[1:4]
    size, row, column = map(int, Path(board).read_bytes().split())
    exists = Path(answer).read_bytes().split() != [b"NO", b"TOUR"]
    words = sys.stdin.buffer.read(MOST_BYTES).split(None, size * size + 1)
    if [word.upper() for word in words[:2]] == [b"NO", b"TOUR"]:
        problem, detail, exact = (
            "The output says NO TOUR, but there is a tour from this start." if exists else "",
            "",
            "",
        )
        if len(words) > 2:
            problem, detail, exact = "Nothing may follow NO TOUR, but something does.", f"It is {shown(words[2])}.", ""
    else:
        problem, detail, exact = what_is_wrong(words, size, row, column)
        if not problem and not exists:
            tell(feedback, "judgemessage.txt", "The output is a tour, but the answer of the judge is NO TOUR.")
            return FAULT
    if not problem:
        return RIGHT
    case = f"({size} x {size}, start in row {row}, column {column})"
    tell(feedback, "judgemessage.txt", " ".join(filter(None, (problem, detail, case))))
    tell(feedback, "teammessage.txt", problem)
    if exact:
        tell(feedback, "openmessage.txt", exact)
    return WRONG


def what_is_wrong(words: list[bytes], size: int, row: int, column: int) -> tuple[str, str, str]:
    """A sentence for the team on the first thing wrong with the tour, more for the judges, and for a team that sees the
    case all of it where there is more to say; empty if nothing is wrong."""
    squares = size * size
    if not words:
        return "The output is empty: N lines of N visit numbers were expected, or the line NO TOUR.", "", ""
    where = {}
    for index, word in enumerate(words[:squares]):
        if not re.fullmatch(rb"-?[0-9]+", word):
            problem = f"Something else than a number stands in {place('row', index // size + 1)}."
            exact = f"{capital(square(index, size))} holds {shown(word)}, which is no number."
            return problem, f"{shown(word)} stands where the visit number of {square(index, size)} was expected.", exact
        number = int(word) if len(word) <= LONGEST_NUMBER else 0
        if not 1 <= number <= squares:
            problem = f"A number outside 1 to N * N stands in {place('row', index // size + 1)}."
            exact = f"{capital(square(index, size))} holds {shown(word)}; the numbers go from 1 to {squares}."
            alike = words[:squares].count(word)
            missing = nowhere(words[:squares], squares)
            if alike > 1:
                exact = f"{alike} of {squares} squares hold {shown(word)}, the first in {square(index, size)}; "
                exact += f"the numbers go from 1 to {squares}."
            elif len(missing) == 1:
                exact += f" {missing[0]} stands nowhere."
            return problem, f"The square in {square(index, size)} holds {shown(word)}.", exact
        if number in where:
            first, second = square(where[number], size), square(index, size)
            problem = f"A number in {place('row', index // size + 1)} stands on another square already."
            detail = f"Two squares hold {number}: {first} and {second}."
            return problem, detail, detail
        where[number] = index
    if len(words) != squares:
        few = "few" if len(words) < squares else "many"
        return f"The output has too {few} numbers: the board has N * N squares.", "", ""
    start = (row - 1) * size + column - 1
    if where[1] != start:
        exact = f"The start, {square(start, size)}, does not hold 1 but {int(words[start])}."
        return "The start does not hold 1.", f"It holds {int(words[start])}.", exact
    for number in range(1, squares):
        here, there = where[number], where[number + 1]
        step = sorted((abs(here // size - there // size), abs(here % size - there % size)))
        if step != [1, 2]:
            problem = f"There is no knight move from the square of {place('visit', number)} to that of the next."
            exact = f"From {number} in {square(here, size)} to {number + 1} in {square(there, size)} is no knight move."
            return problem, f"{number} to {number + 1} is {square(here, size)} to {square(there, size)}.", exact
    return "", "", ""


def nowhere(words: list[bytes], squares: int) -> list[int]:
    """The visit numbers that are not among the words."""
    there = {int(word) for word in words if re.fullmatch(rb"[0-9]+", word) and len(word) <= LONGEST_NUMBER}
    return [number for number in range(1, squares + 1) if number not in there]


def capital(text: str) -> str:
    """As the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def place(kind: str, number: int) -> str:
    """Where something is, for the team: the student's program chooses the place, and must not tell the input by it."""
    return f"{kind} {number}" if number <= EXACT_PLACES else f"a {kind} far into the output"


def square(index: int, size: int) -> str:
    return f"row {index // size + 1}, column {index % size + 1}"


def shown(word: bytes) -> str:
    """A word of the output, cut short and in plain characters."""
    text = "".join(chr(byte) if 33 <= byte < 127 else "?" for byte in word[:20])
    return f'"{text}{"..." if len(word) > 20 else ""}"'


def tell(feedback: str, name: str, message: str) -> None:
    (Path(feedback) / name).write_text(message + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
