"""Compares the number in the output with the number of tours.

Called as `validate.py INPUT ANSWER FEEDBACK_FOLDER`, with the output to judge as standard input. Exits with
42 (right) or 43 (wrong). `teammessage.txt` in the feedback folder says what kind of mistake it is
without showing anything of the output, and `judgemessage.txt` shows both numbers.
"""

import re
import sys
from pathlib import Path

RIGHT, WRONG = 42, 43
# What comes after this many bytes is no answer to any input.
MOST_BYTES = 64 << 20
# There are 1,735,079 walks from a corner of 5 x 5 and far fewer tours: no answer has more digits than this.
MOST_DIGITS = 9


def main() -> int:
    """Judge standard input."""
    _, answer, feedback = sys.argv[1:4]
    expected = int(Path(answer).read_bytes())
    words = sys.stdin.buffer.read(MOST_BYTES).split(None, 1)
    problem = what_is_wrong(words, expected)
    if not problem:
        return RIGHT
    tell(feedback, "judgemessage.txt", f"{problem} Expected {expected}, got {shown(words[0]) if words else 'nothing'}.")
    tell(feedback, "teammessage.txt", problem)
    return WRONG


def what_is_wrong(words: list[bytes], expected: int) -> str:
    """A sentence on the mistake, empty if there is none."""
    if not words:
        return "The output is empty: one number was expected."
    if not re.fullmatch(rb"-?[0-9]+", words[0]):
        return "The output does not begin with a whole number, written in digits only."
    if len(words) > 1:
        return "One number was expected, but more than one word was printed."
    if words[0].startswith(b"-"):
        return "The number is negative; there are no fewer than 0 tours."
    if len(words[0]) > MOST_DIGITS or int(words[0]) != expected:
        return "The number printed is not the number of tours from this start."
    return ""


def shown(word: bytes) -> str:
    """A word of the output, cut short and in plain characters."""
    text = "".join(chr(byte) if 33 <= byte < 127 else "?" for byte in word[:20])
    return f'"{text}{"..." if len(word) > 20 else ""}"'


def tell(feedback: str, name: str, message: str) -> None:
    (Path(feedback) / name).write_text(message + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
