"""Compares the sentences word by word and says what kind of mistake the first wrong one has.

    validate.py INPUT ANSWER FEEDBACK_FOLDER < TEAM_OUTPUT

Exits 42 (right) or 43 (wrong). `teammessage.txt` tells the kind of mistake without showing anything of the case;
`judgemessage.txt` shows both sentences as well. Spacing does not matter, upper and lower case do. The output is bytes
that may be anything.
"""

import sys
from pathlib import Path

WORDS = 10
"""Of one sentence: To get from e2 to e4 takes 2 knight moves."""
NUMBER = 7
"""Place of the number among them."""
LOOK_AHEAD = 30
"""Words of the team's output looked at to understand one sentence."""


def sentence_at(words: list[bytes], first: int) -> list[bytes]:
    """The team's words from `first` up to the next sentence."""
    sentence = words[first : first + LOOK_AHEAD]
    for place, word in enumerate(sentence[1:], 1):
        if word == b"To":
            return sentence[:place]
    return sentence[:WORDS] if sentence[WORDS - 1 : WORDS] == [b"moves."] else sentence


def wording(got: list[bytes], want: list[bytes]) -> str:
    """How a sentence differs from the one wanted, their numbers being left out of both."""
    if got[-1:] == [b"moves"] and got[:-1] == want[:-1]:
        return "a full stop is missing at its end"
    if got[-1:] in ([b"move."], [b"move"]) and got[:-1] == want[:-1]:
        return 'it says "moves." for every number, also for 1'
    if b" ".join(got).lower() == b" ".join(want).lower():
        return "upper and lower case are not those asked for"
    if len(got) == len(want) and got[:3] + got[4:5] + got[6:] == want[:3] + want[4:5] + want[6:]:
        return "the two squares are not the ones of that line, or not in their order"
    if len(got) < len(want):
        return "words are missing"
    if len(got) > len(want):
        return "there are too many words"
    place = next(place for place, (mine, theirs) in enumerate(zip(got, want, strict=True)) if mine != theirs)
    return f"its word {place + 1 + (place >= NUMBER)} is another"


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
    numbers = [place for place, word in enumerate(got) if is_number(word)]
    if not numbers:
        return "the output has no sentence with a number there"
    if numbers[0] == 0:
        return "only a number stands there; the whole sentence is asked for"
    place = numbers[-1]
    differs = wording(got[:place] + got[place + 1 :], want[:NUMBER] + want[NUMBER + 1 :])
    if got[place] == number:
        return f"the number is right but the sentence differs: {differs}"
    return f"the number is wrong, and the sentence differs too: {differs}"


def judge(answer: bytes, output: bytes) -> tuple[str, str]:
    """What to tell the team and what to tell the judges; two empty texts when the output is right."""
    want = answer.split()
    got = output.split(None, len(want) + LOOK_AHEAD)
    if got == want:
        return "", ""
    lines = len(want) // WORDS
    first = next((place for place, (mine, theirs) in enumerate(zip(got, want, strict=False)) if mine != theirs), None)
    if first is None and len(got) > len(want):
        message = f"the output goes on after the last sentence: the input has {lines} lines, so {lines} are expected"
        return message, f"{message}; what follows is {b' '.join(got[len(want) :])[:200]!r}"
    line = (min(len(got), len(want)) if first is None else first) // WORDS
    theirs, mine = want[line * WORDS : (line + 1) * WORDS], sentence_at(got, line * WORDS)
    if not got:
        message = "the output is empty"
    elif not mine:
        message = f"the output ends after line {line}: the input has more lines than that"
    else:
        message = f"line {line + 1}: {mistake(mine, theirs)}"
    return message, f"{message}; expected {b' '.join(theirs)!r}, got {b' '.join(mine)[:200]!r}"


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
