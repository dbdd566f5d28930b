"""What the inputs on which a program goes wrong have in common, in terms of the input alone."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

FEWEST = 8
"""Of fewer inputs anything may be common by chance."""
_WRONG_PART, _OTHERS_PART = 0.95, 0.1
"""At least so many of the wrong ones have it, and at most so many of the others."""
_MOST_WORDS, _LONGEST = 6, 8
"""Inputs with more words, or words with more characters, are not looked at: the sentence would say nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """A character at a place, or two words that are the same. Words and characters count from 1."""

    word: int
    character: int = 0
    """0: the word is the same as `other`."""
    other: int = 0
    value: str = ""
    """The character."""
    wrong: int
    """So many of the wrong inputs have it."""
    elsewhere: int
    """So many of the inputs that are answered right have it too."""


def trait_of(inputs: Sequence[bytes], wrong: Collection[bytes]) -> Trait | None:
    """What nearly all of `wrong` and hardly any other of `inputs` have; None when there is no such thing."""
    split = [text.split() for text in inputs]
    if not FEWEST <= len(wrong) < len(inputs) or len({len(words) for words in split}) != 1:
        return None
    if len(split[0]) > _MOST_WORDS or any(len(word) > _LONGEST for words in split for word in words):
        return None
    bad = set(wrong)
    have: Counter[tuple[int, int, int, bytes]] = Counter()
    have_wrong: Counter[tuple[int, int, int, bytes]] = Counter()
    for text, words in zip(inputs, split, strict=True):
        features = list(_features(words))
        have.update(features)
        if text in bad:
            have_wrong.update(features)
    best = max(have_wrong, key=lambda one: 2 * have_wrong[one] - have[one], default=None)
    if best is None:
        return None
    number, elsewhere = have_wrong[best], have[best] - have_wrong[best]
    if number < _WRONG_PART * len(bad) or elsewhere > _OTHERS_PART * (len(inputs) - len(bad)) or elsewhere >= number:
        return None
    word, character, other, value = best
    return Trait(
        word=word,
        character=character,
        other=other,
        value=value.decode("ascii", "replace"),
        wrong=number,
        elsewhere=elsewhere,
    )


def _features(words: Sequence[bytes]) -> Iterator[tuple[int, int, int, bytes]]:
    for place, word in enumerate(words, 1):
        for before in range(1, place):
            if words[before - 1] == word:
                yield before, 0, place, b""
        for character in range(len(word)):
            yield place, character + 1, 0, word[character : character + 1]
