"""The smallest input on which a program goes wrong, among those that a package offers; else one made smaller."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge.grading.executable import Executable
from judge.grading.feedback.bench import Bench, Seen, digest_of
from judge.grading.feedback.direction import Direction, Wrong, direction_of
from judge.grading.feedback.metered import Spent
from judge.grading.feedback.mistake import Mistake
from judge.grading.feedback.shrink import shrunk
from judge.grading.feedback.together import Together
from judge.grading.feedback.trait import Trait, trait_of
from judge.grading.feedback.tries import Tries
from judge.grading.verdict import Verdict

_FIRST_PIECE, _PIECE = 256, 2048
"""Inputs that are joined for one run: few at first, so that a usual mistake is found at once."""
_SUSPECTS = 6
"""So many inputs that are answered wrongly among others are tried alone before the mistake is taken for one that shows
only in several together."""
_LARGEST = 4
"""So many of the largest inputs are tried where time or memory is what fails."""
_MOST_LINES = 40
"""What cannot be brought below this many lines is not shown: nobody would read it."""
_FEW = 6
"""So many are listed."""
_TO_COUNT = 1.0
"""Seconds that must be left for counting on how many inputs a program is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An input on which the program is wrong, what is right there, and what it did."""

    input: bytes
    answer: bytes
    seen: Seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunted:
    """What came of the search."""

    found: Found | None
    tried: int
    """Of the small inputs those of which it is known whether the program is right."""
    of: int
    """Small inputs that there are."""
    wrong: int | None = None
    """On how many of `of` it is wrong, where all were run."""
    all_wrong: tuple[bytes, ...] = ()
    """Those on which it is wrong, where they are few and all of them may be told."""
    common: Trait | None = None
    """What those inputs have in common, where they are many."""
    direction: Direction | None = None
    """What all wrong outputs have in common, where all inputs were run."""
    pattern: Mistake | None = None
    """How all wrong answers differ, where many were run at once."""
    smallest: bool = False
    """Whether every smaller one was run, and was right or may not be told."""
    spent: bool = False
    """Whether the budget ended the search."""
    kept_back: int = 0
    """Inputs on which it is wrong and that are not told, because they are secret cases."""


class Hunt:
    """Looks for an input on which `executable` is wrong. `inputs`: smallest first; those of the author's list are
    taken to be legal until one is to be shown. `secret`: digests of inputs that may not be told."""

    def __init__(
        self,
        bench: Bench,
        executable: Executable,
        inputs: Sequence[bytes],
        *,
        joined: bool = False,
        listed: bool = True,
        secret: Collection[str] = (),
        largest_first: bool = False,
        tries: Tries | None = None,
    ) -> None:
        """`largest_first`: it takes too much time or memory, which small inputs do not show, and starting it on each of
        them would use up the budget. `tries`: of `executable`, to go on with what is known."""
        self._bench, self._executable, self._inputs = bench, executable, inputs
        self._joined, self._listed, self._secret = joined, listed, secret
        self._largest_first = largest_first and not joined
        self._places = {text: place for place, text in enumerate(inputs)}
        self._together = Together(bench, executable)
        self._tries = tries or Tries(executable)
        self._tried = self._kept_back = 0
        self._exact = listed
        self._best: Found | None = None

    def hunt(self) -> Hunted:
        """Look until it is found or the budget is spent. Raises `SandboxFault`, `NoGround`."""
        wrong: Mapping[bytes, Wrong] | None = None
        few: tuple[bytes, ...] = ()
        spent = False
        try:
            for found in self._many_at_once() if self._joined else self._in_order():
                self._best = found
                if not self._listed or found.input not in self._places:
                    self._make_smaller(found)
                if self._readable():
                    break
            if self._joined and self._exact and self._best is not None:
                wrong = self._all_wrong()
                few = self._few(tuple(wrong or ()))
        except Spent:
            spent = True
        best = self._best if self._readable() else None
        return Hunted(
            found=best,
            tried=self._tried,
            of=len(self._inputs),
            wrong=None if wrong is None else len(wrong),
            all_wrong=few,
            common=trait_of(self._inputs, wrong) if wrong and len(wrong) > _FEW else None,
            direction=self._direction(wrong, best) if wrong and best is not None else None,
            pattern=self._together.pattern(self._inputs[:_FIRST_PIECE]) if wrong else None,
            smallest=best is not None and self._exact and best.input in self._places,
            spent=spent,
            kept_back=self._kept_back,
        )

    def _readable(self) -> bool:
        return self._best is not None and self._best.input.count(b"\n") <= _MOST_LINES

    def _wrong_on(self, text: bytes, *, sure: bool) -> Found | None:
        """The input as a counterexample: legal, not secret, and the program is wrong. `sure`: it is legal most likely,
        so that this is looked at last."""
        secret = digest_of(text) in self._secret
        if not sure and (secret or not self._bench.legal(text)):
            return None
        answer = self._bench.answer(text)
        if answer is None:
            return None
        seen = self._tries.look(self._bench, text, answer)
        if seen.verdict == Verdict.TIME_LIMIT_EXCEEDED:
            seen = self._bench.look(self._executable, text, answer, patient=True)
        if not seen.wrong or (sure and not self._bench.legal(text)):
            return None
        if secret:
            self._kept_back += 1
            return None
        return Found(input=text, answer=answer.output, seen=seen)

    def _in_order(self) -> Iterator[Found]:
        if self._largest_first:
            yield from self._from_the_largest()
        yield from self._one_by_one()

    def _from_the_largest(self) -> Iterator[Found]:
        """The largest that fails, and of those between it and a smaller one that does not the smallest for which there
        is time. They are looked for without patience: only what is to be told is looked at with it."""
        last = len(self._inputs) - 1
        high = next((place for place in range(last, max(last - _LARGEST, -1), -1) if self._seems_wrong(place)), None)
        if high is None:
            return
        suspects, low = [high], 0
        while low < high:
            middle = (low + high) // 2
            if self._seems_wrong(middle):
                high = middle
                suspects.append(middle)
            else:
                low = middle + 1
        self._exact = False
        for place in suspects:  # the largest first: it fails most surely
            found = self._wrong_on(self._inputs[place], sure=self._listed)
            if found is None:
                break
            self._best = found
        if self._best is not None:
            yield self._best
        self._exact, self._tried = self._listed, 0

    def _seems_wrong(self, place: int) -> bool:
        answer = self._bench.answer(self._inputs[place])
        self._tried += 1
        return answer is not None and self._tries.look(self._bench, self._inputs[place], answer).wrong

    def _one_by_one(self) -> Iterator[Found]:
        for text in self._inputs:
            found = self._wrong_on(text, sure=self._listed)
            self._tried += 1
            if found is not None:
                yield found

    def _many_at_once(self) -> Iterator[Found]:
        """Many in a run; whatever is answered wrongly among others is tried alone."""
        first = self._wrong_on(self._inputs[0], sure=True)
        if first is not None:
            self._tried = 1
            yield first
        for piece in self._pieces():
            suspects = self._together.wrong(piece)
            if suspects is None:
                place = self._together.first_wrong(piece)
                suspects = [] if place is None else [place]
            innocent = 0
            for place in suspects:
                back = self._kept_back
                found = self._wrong_on(piece[place], sure=True)
                if found is not None:
                    self._tried += place + 1
                    yield found
                innocent += found is None and self._kept_back == back
                if innocent == _SUSPECTS:
                    break
            if innocent:
                self._exact = False
                for most in dict.fromkeys((suspects[0] + 1, len(piece))):
                    found = self._wrong_on(b"".join(piece[:most]), sure=True)
                    if found is not None:
                        yield found
                        break
            self._tried += len(piece)

    def _pieces(self) -> Iterator[Sequence[bytes]]:
        yield self._inputs[:_FIRST_PIECE]
        for start in range(_FIRST_PIECE, len(self._inputs), _PIECE):
            yield self._inputs[start : start + _PIECE]

    def _all_wrong(self) -> Mapping[bytes, Wrong] | None:
        """The inputs on which it is wrong; None when there is no time, or it ends early among many."""
        if getattr(self._bench.box, "left", _TO_COUNT) < _TO_COUNT:
            return None
        found: dict[bytes, Wrong] = {}
        for piece in self._pieces():
            places = self._together.wrong(piece)
            if places is None:
                return None
            lines = list(self._together.lines(piece))
            for place in places:
                answer, output = lines[place]
                secret = digest_of(piece[place]) in self._secret
                found[piece[place]] = Wrong(answer=answer, output=output, secret=secret)
        return found

    def _direction(self, wrong: Mapping[bytes, Wrong], best: Found) -> Direction | None:
        if best.input not in wrong or best.seen.verdict != Verdict.WRONG_ANSWER:
            return None
        shown = Wrong(answer=best.answer, output=best.seen.output)
        package = self._bench.package
        return direction_of(tuple(wrong.values()), shown, numbers=package.one_right, none=package.feedback.none)

    def _few(self, wrong: Sequence[bytes]) -> tuple[bytes, ...]:
        """`wrong`, when they are few, none is a secret case, and it is wrong on each of them alone, too. A list that
        leaves out secret cases would tell which they are."""
        if len(wrong) > _FEW or any(digest_of(text) in self._secret for text in wrong):
            return ()
        return tuple(wrong) if all(self._wrong_on(text, sure=True) for text in wrong) else ()

    def _make_smaller(self, found: Found) -> None:
        def still(text: bytes) -> bool:
            put_together = self._joined and all(line in self._places for line in text.splitlines(keepends=True))
            smaller = self._wrong_on(text, sure=put_together)
            if smaller is not None:
                self._best = smaller
            return smaller is not None

        shrunk(found.input, still, lower=self._inputs if self._joined else ())
