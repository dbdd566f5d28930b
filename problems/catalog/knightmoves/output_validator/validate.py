"""Compares the sentences word by word and says what kind of mistake the first wrong one has.

    validate.py INPUT ANSWER FEEDBACK_FOLDER < TEAM_OUTPUT

Exits 42 (right) or 43 (wrong). `teammessage.txt` tells the kind of mistake and its line without showing anything of
the case or the output; `judgemessage.txt` shows both sentences as well. Spacing does not matter, upper and lower case
do. The output is bytes that may be anything.
"""

import sys
from pathlib import Path

WORDS = 10
"""Of one sentence: To get from e2 to e4 takes 2 knight moves."""
NUMBER = 7
"""Place of the number among them."""
LOOK_AHEAD = 30
"""Words of the team's output looked at to understand one sentence."""
EXACT_PLACES = 100
"""Lines up to this one are told to the team as they are."""


def place(kind: str, number: int) -> str:
    """Where something is, for the team: the student's program chooses the place, and must not tell the input by it."""
    return f"{kind} {number}" if number <= EXACT_PLACES else f"a {kind} far into the output"


def sentence_at(words: list[bytes], first: int) -> list[bytes]:
    """The team's words from `first` up to the next sentence."""
    sentence = words[first : first + LOOK_AHEAD]
    for end, word in enumerate(sentence[1:], 1):
        if word == b"To":
            return sentence[:end]
    return sentence[:WORDS] if sentence[WORDS - 1 : WORDS] == [b"moves."] else sentence


def wording(got: list[bytes], want: list[bytes]) -> str:
    """How a sentence differs from the one wanted, their numbers being left out of both."""
    if got[-1:] == [b"moves"] and got[:-1] == want[:-1]:
        return "a full stop is missing at its end"
    if got[-1:] in ([b"move."], [b"move"]) and got[:-1] == want[:-1]:
        return 'the right one says "moves." for every number, also for 1'
    if b" ".join(got).lower() == b" ".join(want).lower():
        return "upper and lower case are not those asked for"
    if len(got) == len(want) and got[:3] + got[4:5] + got[6:] == want[:3] + want[4:5] + want[6:]:
        return "the two squares are not the ones of that line, or not in their order"
    if len(got) < len(want):
        return "words are missing"
    if len(got) > len(want):
        return "there are too many words"
    return "one of its words is another"


def is_number(word: bytes) -> bool:
    """Whether a word is meant as a number: 2, -1, 2.0."""
    return word.lstrip(b"-+").replace(b".", b"", 1).isdigit()


def mistake(got: list[bytes], want: list[bytes]) -> str:
    """What is wrong with one sentence."""
    number = want[NUMBER]
    if got[:NUMBER] + got[NUMBER + 1 :] == want[:NUMBER] + want[NUMBER + 1 :]:
        if not is_number(got[NUMBER]):
            return "there is no number where one is expected; the rest of the sentence is right"
        if got[NUMBER].lstrip(b"+").lstrip(b"0") == number.lstrip(b"0") or got[NUMBER] == number + b".0":
            return "the number is right but is not written plainly: no sign, no zero in front, no decimal point"
        return "the sentence is right but the number is wrong"
    if b"".join(got) == b"".join(want):
        return "the number is right but a space between two words is missing, or one stands inside a word"
    numbers = [at for at, word in enumerate(got) if is_number(word)]
    if not numbers:
        return "the output has no sentence with a number there"
    if numbers[0] == 0:
        return "only a number stands there; the whole sentence is asked for"
    last = numbers[-1]
    differs = wording(got[:last] + got[last + 1 :], want[:NUMBER] + want[NUMBER + 1 :])
    if got[last] == number:
        return f"the number is right but the sentence differs: {differs}"
    return f"the number is wrong, and the sentence differs too: {differs}"


def judge(answer: bytes, output: bytes) -> tuple[str, str]:
    """What to tell the team and what to tell the judges; two empty texts when the output is right."""
    want = answer.split()
    got = output.split(None, len(want) + LOOK_AHEAD)
    if got == want:
        return "", ""
    first = next((at for at, (mine, theirs) in enumerate(zip(got, want, strict=False)) if mine != theirs), None)
    if first is None and len(got) > len(want):
        message = "the output goes on after the last sentence: one for each line of the input is expected"
        rest = b" ".join(got[len(want) :])[:200]
        return message, f"{message}; there are {len(want) // WORDS} lines, and what follows is {rest!r}"
    line = (min(len(got), len(want)) if first is None else first) // WORDS
    theirs, mine = want[line * WORDS : (line + 1) * WORDS], sentence_at(got, line * WORDS)
    if not got:
        message = "the output is empty"
    elif not mine:
        message = f"the output ends after {place('line', line)}: the input has more lines than that"
    else:
        message = f"{place('line', line + 1)}: {mistake(mine, theirs)}"
    return message, f"{message}; line {line + 1}: expected {b' '.join(theirs)!r}, got {b' '.join(mine)[:200]!r}"


def main() -> int:
    """Judge standard input."""
    answer, folder = Path(sys.argv[2]), Path(sys.argv[3])
    team, judges = judge(answer.read_bytes(), sys.stdin.buffer.read())
    if not judges:
        return 42
    (folder / "teammessage.txt").write_text(team + "\n", encoding="ascii")
    (folder / "judgemessage.txt").write_text(judges + "\n", encoding="ascii")
    return 43


if __name__ == "__main__":
    sys.exit(main())
