"""All that is looked for after a failure: a counterexample, what went wrong on it, a known mistake, how time grows."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from judge.grading.compile import compile_source
from judge.grading.draw import Image, draw_output
from judge.grading.executable import Executable
from judge.grading.explain import happened
from judge.grading.feedback.behaves_like import Likeness, behaves_like
from judge.grading.feedback.bench import Bench, digest_of, measured
from judge.grading.feedback.counterexample import Found, Hunt, Hunted
from judge.grading.feedback.crash import Crash, Crashed, crash_of, second_look
from judge.grading.feedback.direction import Direction, Wrong, direction_of
from judge.grading.feedback.ground import RESOURCES, Grounds
from judge.grading.feedback.measure import Measured, measure_growth
from judge.grading.feedback.metered import Metered, Spent
from judge.grading.feedback.mistake import Mistake, mistake_of
from judge.grading.feedback.trait import FEWEST
from judge.grading.feedback.tries import Tries
from judge.grading.job import ReadyCase, Source
from judge.grading.lesson import INPUT_BYTES, Traced, TraceFailed, trace_of
from judge.grading.run import LEEWAY
from judge.grading.verdict import Verdict
from judge.grading.workshop import Workshop
from problems.package.lesson import Command
from problems.package.model import Package
from problems.package.trace import Path, parse
from sandbox.contract import Sandbox

BUDGET = 5.0
"""Seconds of CPU for a counterexample."""
SAID_BYTES = 16 << 10
"""A longer output is not marked in a replay."""
PICTURES = 4
PICTURE_BYTES = 512 << 10
"""At most so many pictures of an output are shown, none of them larger."""
LIKENESS_SECONDS = 6.0
GROWTH_SECONDS = 6.0
_UNCLEAR = frozenset({Crash.MEMORY_ACCESS, Crash.ABORT, Crash.EXCEPTION, Crash.DIVISION, Crash.NO_RETURN})

_EVERYWHERE = frozenset({Mistake.OFF_BY_ONE, Mistake.TIMES})
"""What is only seen of many wrong answers together."""
_WHATEVER_IS_RIGHT = frozenset(
    {
        *(
            Mistake.NOTHING_PRINTED,
            Mistake.BLANK,
            Mistake.LETTER_CASE,
            Mistake.FULL_STOP,
            Mistake.SPACING,
            Mistake.MORE_THAN_ASKED,
        ),
        *(Mistake.CUT_SHORT, Mistake.ONLY_THE_NUMBERS, Mistake.WORDING),
    }
)
"""What may be said also where other answers than the reference's are right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What the judging found, as far as a search goes on from there."""

    verdict: Verdict
    case: ReadyCase | None = None
    """The first that was not accepted. Of a secret one only the kind of a crash and the program's own line go out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterexample:
    """The search for an input is over."""

    hunted: Hunted
    note: str = ""
    """What happened on it: the end of a sentence that begins with the program."""
    mistake: Mistake | None = None
    """How the output differs from the right one, where there is only one right."""
    crashed: Crashed | None = None
    cpu_seconds: float = 0.0
    """Of the budget, what was used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrashOfCase:
    """What ended the program on the case that gave the verdict."""

    crashed: Crashed


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The trace of what should happen on the counterexample."""

    traced: Traced


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures:
    """What the package's visualizer draws of the counterexample."""

    output: tuple[Image, ...]
    """Of what the program printed."""
    answer: tuple[Image, ...]
    """Of a right output."""


Step = Counterexample | CrashOfCase | Direction | Likeness | Measured | Replay | Pictures


def search(
    package: Package,
    source: Source,
    failure: Failure,
    box: Sandbox,
    workshop: Workshop,
    *,
    grounds: Grounds,
    secret: Collection[str] = (),
    budget: float = BUDGET,
) -> Iterator[Step]:
    """Yield what is found, each when it is. `secret`: digests (`bench.digest_of`) of inputs that may not be told.

    Raises `NoGround` when nothing can be tried for this package, and `SandboxFault`.
    """
    executable = compile_source(source, package, box, workshop).executable
    if executable is None:
        return
    searching = _Searching(package, source, executable, box, grounds)
    counterexample = searching.counterexample(secret, budget, failure.verdict)
    yield counterexample
    if counterexample.hunted.found is not None:
        yield from replayed(package, counterexample.hunted.found, box, workshop)
        yield from searching.pictures(counterexample.hunted.found, budget - counterexample.cpu_seconds)
    if counterexample.hunted.direction is not None and counterexample.hunted.pattern not in _EVERYWHERE:
        yield counterexample.hunted.direction
    if failure.verdict == Verdict.RUN_TIME_ERROR and counterexample.crashed is None and failure.case is not None:
        crashed = second_look(source, package, box, failure.case.input)
        if crashed is not None:
            yield CrashOfCase(crashed=crashed)
    if failure.verdict == Verdict.TIME_LIMIT_EXCEEDED and counterexample.hunted.found is None:
        with grounds.bench(Metered(box, GROWTH_SECONDS)) as bench:
            growth = measure_growth(bench, executable)
        if growth is not None:
            yield growth
    yield from searching.known(counterexample.hunted, secret)


def replayed(package: Package, found: Found, box: Sandbox, workshop: Workshop) -> Iterator[Replay]:
    """The trace for an input, where the package has a tracer for any, with what the program printed marked in it as far
    as the tracer knows how. Of joined inputs the last is shown."""
    command, small = package.feedback.replay, package.feedback.small
    text, said = found.input, found.seen.output if found.seen.verdict == Verdict.WRONG_ANSWER else None
    if not command or len(text) > INPUT_BYTES:
        return
    if small is not None and small.joined:
        said = _last_of(said, text.count(b"\n"))
        text = text.splitlines(keepends=True)[-1]
    given, told = text.decode("utf-8", "replace"), None
    if said is not None and len(said) <= SAID_BYTES:
        told = said.decode("utf-8", "replace")
    for marked in dict.fromkeys((told, None)):  # what trips over an output may still show what should have happened
        asked = Command(tracer=command[0], arguments=command[1:], given=given, said=marked)
        try:
            trace = trace_of(asked, package, box, workshop)
        except TraceFailed:
            continue  # too large to be played, or no input that it shows
        if said is not None or not _goes_nowhere(trace):
            yield Replay(traced=Traced(command=asked, trace=trace))
        return


def _goes_nowhere(trace: bytes) -> bool:
    """Whether the goal is the start: whose program does not come to its end learns nothing from that."""
    return any(isinstance(step, Path) and len(step.places) == 1 for step in parse(trace).steps)


def _last_of(said: bytes | None, lines: int) -> bytes | None:
    """The last line of what was printed, where there is one for each of the `lines` of the input."""
    printed = [line for line in (said or b"").splitlines(keepends=True) if line.strip()]
    return printed[-1] if len(printed) == lines else None


class _Searching:
    def __init__(
        self, package: Package, source: Source, executable: Executable, box: Sandbox, grounds: Grounds
    ) -> None:
        self._package, self._source, self._executable = package, source, executable
        self._box, self._grounds = box, grounds
        self._tries = Tries(executable)

    def counterexample(self, secret: Collection[str], budget: float, verdict: Verdict) -> Counterexample:
        ground = self._grounds.small()
        costly = verdict.value in RESOURCES
        # To see that it is too slow takes a whole run up to the limit, beyond what else is looked at.
        meter = Metered(self._box, budget + costly * LEEWAY * self._package.limits.time_seconds)
        with self._grounds.bench(meter) as bench:
            hunt = Hunt(
                bench,
                self._executable,
                ground.inputs,
                joined=ground.joined,
                listed=ground.listed,
                secret=secret,
                largest_first=costly,
                tries=self._tries,
            )
            hunted = hunt.hunt() if ground.inputs else Hunted(found=None, tried=0, of=0)
            told = Counterexample(hunted=hunted, cpu_seconds=meter.used)
            return self._explained(told, hunted.found, bench) if hunted.found is not None else told

    def pictures(self, found: Found, budget: float) -> Iterator[Pictures]:
        """What the visualizer draws in `budget` seconds of CPU, of a wrong answer."""
        if self._package.output_visualizer is None or found.seen.verdict != Verdict.WRONG_ANSWER:
            return
        images = []
        try:
            with self._grounds.bench(Metered(self._box, budget)) as bench:
                case = bench.case(found.input, found.answer)
                for output in (found.seen.output, found.answer):
                    drawn = draw_output(self._package, case, output, bench.box, bench.workshop)
                    images.append(tuple(one for one in drawn if len(one.content) <= PICTURE_BYTES)[:PICTURES])
        except Spent:
            pass  # what was drawn until then is shown
        if any(images):
            yield Pictures(output=images[0], answer=images[1] if len(images) > 1 else ())

    def _explained(self, told: Counterexample, found: Found, bench: Bench) -> Counterexample:
        seen = found.seen
        note = happened(measured(seen), seen.verdict, self._executable, bench.limit, output_right=False, shown=True)
        if seen.verdict == Verdict.WRONG_ANSWER:
            mistake = mistake_of(found.answer, seen.output)
            if told.hunted.pattern in _EVERYWHERE:
                return replace(told, note=note, mistake=told.hunted.pattern)
            sure = self._package.output_validator is None or mistake in _WHATEVER_IS_RIGHT
            return replace(told, note=note, mistake=mistake if sure else None)
        crashed = None
        if seen.verdict == Verdict.MEMORY_LIMIT_EXCEEDED:
            crashed = self._only_deep(second_look(self._source, self._package, self._box, found.input))
        if seen.verdict == Verdict.RUN_TIME_ERROR:
            crashed = crash_of(note)
            if crashed is None or crashed.kind in _UNCLEAR:
                crashed = second_look(self._source, self._package, self._box, found.input) or crashed
        return replace(told, note=note, crashed=crashed)

    @staticmethod
    def _only_deep(crashed: Crashed | None) -> Crashed | None:
        """Where memory is used up, only a recursion without end is a reason; the second look has less of it."""
        return crashed if crashed is not None and crashed.kind == Crash.STACK else None

    def known(self, hunted: Hunted, secret: Collection[str]) -> Iterator[Likeness | Direction]:
        """A known mistake; and which way the program is wrong, where that is not known of many inputs at once."""
        ground = self._grounds.full()
        with self._grounds.bench(Metered(self._box, LIKENESS_SECONDS)) as bench:
            likeness = behaves_like(bench, self._tries, ground) if ground.mutants else None
            if likeness is not None:
                yield likeness
            if hunted.found is not None and not ground.joined:
                yield from self._direction(bench, hunted.found, ground.inputs, secret)

    def _direction(
        self, bench: Bench, found: Found, inputs: Sequence[bytes], secret: Collection[str]
    ) -> Iterator[Direction]:
        """Of all that was looked at, and of as many more as were not run again for what was known of them."""
        said = found.seen.output.split()
        try:
            answers = {text: answer for text in inputs if (answer := bench.answer(text)) is not None}
            # Where it would be right to say the same, it is most likely right.
            rest = sorted(answers, key=lambda text: answers[text].output.split() == said)
            for _ in self._tries.more(bench, rest):
                if self._direction_now(found, secret, fewest=1) is None:
                    return
        except Spent:
            pass  # what is known is known
        direction = self._direction_now(found, secret, fewest=FEWEST)
        if direction is not None:
            yield direction

    def _direction_now(self, found: Found, secret: Collection[str], *, fewest: int) -> Direction | None:
        wrong = self._tries.wrong()
        if any(seen.verdict != Verdict.WRONG_ANSWER for _, seen in (*wrong.values(), (None, found.seen))):
            return None
        return direction_of(
            [
                Wrong(answer=answer.output, output=seen.output, secret=digest_of(text) in secret)
                for text, (answer, seen) in wrong.items()
            ],
            Wrong(answer=found.answer, output=found.seen.output),
            numbers=self._package.one_right,
            none=self._package.feedback.none,
            fewest=fewest,
        )
