"""What a package's checker says of right outputs that were changed a little, and which of it ought to be mended."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from judge.grading.answers import answers_of
from judge.grading.case import allowance_of
from judge.grading.check import Checked, Checker, CheckerBroken, checker_of
from judge.grading.compile import compile_program
from judge.grading.job import ReadyCase
from judge.grading.perturbations import PERTURBATIONS, Expected, Perturbation
from judge.grading.run import measure
from judge.grading.verdict import Verdict
from judge.grading.workshop import PLAIN, Workshop
from problems.package import default_validator
from problems.package.model import Package
from problems.say import say
from sandbox.contract import Sandbox

_CASES, _SAMPLES = 8, 3
_ANSWER_BYTES = 64 << 10
_CHECK_SECONDS = 10.0
"""A checker that needs longer for one of these small outputs is told as one that was stopped."""
_MESSAGE = 300


class NoPlayground(Exception):
    """There is no output to play with; the text says why."""


class Answer(StrEnum):
    """What the checker said of one changed output."""

    ACCEPTED = "accepted"
    WRONG = "wrong"
    CRASHED = "crashed"
    """It ended otherwise than it may: a judge error, whatever a student has printed."""
    SAME = "same"
    """There is nothing in this output that could be changed so."""
    NOT_TRIED = "not_tried"
    """There was no more time."""


class Opinion(StrEnum):
    """What is to be thought of a row; the first that holds."""

    BROKEN = "broken"
    """The checker crashed: it must be mended."""
    LENIENT = "lenient"
    """It takes what is no answer."""
    HARSH = "harsh"
    """It refuses what no student should lose points for."""
    MIXED = "mixed"
    """It takes it on some cases and on others not."""
    FINE = "fine"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One changed output of one case. `message`: the checker's own, for staff."""

    case: str
    answer: Answer
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One way of changing outputs, on every case chosen."""

    id: str
    words: str
    expected: Expected
    cells: tuple[Cell, ...]
    opinion: Opinion
    said: str
    """The opinion in a sentence; empty when all is fine."""

    def count(self, answer: Answer) -> int:
        """On how many cases the checker said so."""
        return sum(cell.answer == answer for cell in self.cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class Playground:
    """All rows. `cases`: whose outputs were changed."""

    checker: str
    """Name of the package's validator; empty for the format's own."""
    cases: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def surprising(self) -> tuple[Row, ...]:
        """The rows that their author should look at, the worst first."""
        order = list(Opinion)
        return tuple(sorted((row for row in self.rows if row.said), key=lambda row: order.index(row.opinion)))


def play(
    package: Package,
    cases: Sequence[ReadyCase],
    box: Sandbox,
    workshop: Workshop = PLAIN,
    *,
    most_seconds: float = 90.0,
) -> Iterator[Row | Playground]:
    """Yield a `Row` for each way of changing outputs, and last the `Playground`.

    Raises `NoPlayground`, `CheckerBroken` (the validator does not compile), `SandboxFault`.
    """
    until = time.monotonic() + most_seconds
    checker = _checker(package, box, workshop)
    outputs = list(_outputs(package, chosen(cases), checker, box, workshop))
    if not outputs:
        raise NoPlayground(say("said", "No case has an output that is small enough to be changed and looked at."))
    rows = []
    for perturbation in PERTURBATIONS:
        cells = tuple(_cell(perturbation, case, output, checker, until) for case, output in outputs)
        exact = [case.name for case, _ in outputs if _minds_spacing(package, case)]
        rows.append(_row(perturbation, cells, spacing_matters=bool(exact)))
        yield rows[-1]
    yield Playground(
        checker=package.output_validator.name if package.output_validator else "",
        cases=tuple(case.name for case, _ in outputs),
        rows=tuple(rows),
    )


def try_output(
    package: Package, case: ReadyCase, output: bytes, box: Sandbox, workshop: Workshop = PLAIN
) -> tuple[Answer, Checked]:
    """What the checker says of an output that somebody has typed. Raises as `play`."""
    checked = _checker(package, box, workshop).check(case, output)
    return _ANSWERS[checked.verdict], checked


def chosen(cases: Sequence[ReadyCase]) -> list[ReadyCase]:
    """The first samples, and secret cases with answers from small to large, none beyond a bound."""
    samples = [case for case in cases if case.group == "sample"][:_SAMPLES]
    secret = sorted(
        (case for case in cases if case.group != "sample" and case.answer.stat().st_size <= _ANSWER_BYTES),
        key=lambda case: (case.answer.stat().st_size, case.name),
    )
    room = _CASES - len(samples)
    if len(secret) > room:
        secret = [secret[place * (len(secret) - 1) // (room - 1)] for place in range(room)]
    return [*samples, *secret]


_ANSWERS = {
    Verdict.ACCEPTED: Answer.ACCEPTED,
    Verdict.WRONG_ANSWER: Answer.WRONG,
    Verdict.JUDGE_ERROR: Answer.CRASHED,
}


def _checker(package: Package, box: Sandbox, workshop: Workshop) -> Checker:
    if package.interactive:
        raise NoPlayground(
            say("said", "The validator talks to the program here, so there is no finished output to change.")
        )
    if package.multi_pass:
        raise NoPlayground(
            say("said", "What is right in one pass depends on the others here, so there is no one output to change.")
        )
    limits = package.limits
    brisk = replace(package, limits=replace(limits, validation_seconds=min(limits.validation_seconds, _CHECK_SECONDS)))
    return checker_of(brisk, box, workshop)


def _outputs(
    package: Package, cases: Sequence[ReadyCase], checker: Checker, box: Sandbox, workshop: Workshop
) -> Iterator[tuple[ReadyCase, bytes]]:
    """What the model solution prints on each case, where that is right and not too much."""
    model = package.model_solution
    if package.submit_answer:
        answers = answers_of(model.program.files, cases)
        found = ((case, answers[case.name]) for case in cases if case.name in answers)
    else:
        compiled = compile_program(model.program, package, box, workshop, code=model.language)
        if compiled.executable is None:
            fault = say("said", "The model solution %(name)s does not compile here.", name=model.program.name)
            raise NoPlayground(f"{fault} {compiled.note}".strip())
        solution, allowance = compiled.executable, allowance_of(package.limits)
        measured = (
            (case, measure(solution, box, allowance, stdin=case.input, files=case.files, args=case.settings.args))
            for case in cases
        )
        found = ((case, one.outcome.stdout) for case, one in measured if one.verdict is None)
    for case, output in found:
        if len(output) <= _ANSWER_BYTES and checker.check(case, output).verdict == Verdict.ACCEPTED:
            yield case, output


def _cell(perturbation: Perturbation, case: ReadyCase, output: bytes, checker: Checker, until: float) -> Cell:
    changed = perturbation.change(output)
    # An output of nothing but white space has no word to miss: where a wrong one is wanted, blanks alone make none.
    same = changed == output or (perturbation.expected == Expected.WRONG and changed.split() == output.split())
    if same:
        return Cell(case=case.name, answer=Answer.SAME)
    if time.monotonic() > until:
        return Cell(case=case.name, answer=Answer.NOT_TRIED)
    checked = checker.check(case, changed)
    message = " ".join((checked.judge_note or checked.team_note).split())[:_MESSAGE]
    return Cell(case=case.name, answer=_ANSWERS[checked.verdict], message=message)


def _row(perturbation: Perturbation, cells: tuple[Cell, ...], *, spacing_matters: bool) -> Row:
    opinion, said = _opinion(perturbation, cells, spacing_matters=spacing_matters)
    return Row(
        id=perturbation.id,
        words=perturbation.words,
        expected=perturbation.expected,
        cells=cells,
        opinion=opinion,
        said=said,
    )


def _opinion(perturbation: Perturbation, cells: tuple[Cell, ...], *, spacing_matters: bool) -> tuple[Opinion, str]:
    by = {answer: [cell.case for cell in cells if cell.answer == answer] for answer in Answer}
    accepted, wrong, crashed = by[Answer.ACCEPTED], by[Answer.WRONG], by[Answer.CRASHED]
    if crashed:
        where = _on(crashed, accepted + wrong)
        return Opinion.BROKEN, (
            say(
                "said",
                "The checker fails on %(where)s: %(what)s. A student who prints this gets a judge error. Mend it: it "
                "must end with 43.",
                where=where,
                what=perturbation.words,
            )
        )
    if perturbation.expected == Expected.WRONG and accepted:
        where = _on(accepted, wrong)
        return Opinion.LENIENT, (
            say(
                "said",
                "What should be no answer is accepted on %(where)s: %(what)s. Let the checker read to the end, and "
                "take nothing but what the statement asks for.",
                where=where,
                what=perturbation.words,
            )
        )
    if perturbation.expected == Expected.ACCEPTED and wrong:
        if spacing_matters:
            return Opinion.FINE, ""
        where = _on(wrong, accepted)
        return Opinion.HARSH, (
            say(
                "said",
                "A right output is refused on %(where)s: %(what)s. That is hard on students, unless spacing is what "
                "the problem is about.",
                where=where,
                what=perturbation.words,
            )
        )
    if accepted and wrong and perturbation.expected == Expected.EITHER:
        return Opinion.MIXED, ""
    return Opinion.FINE, ""


def _on(some: list[str], others: list[str]) -> str:
    """Which cases, after “on”."""
    if not others:
        return say("part", "every case")
    return (
        some[0]
        if len(some) == 1
        else say("part", "%(some)d of %(all)d cases", some=len(some), all=len(some) + len(others))
    )


def _minds_spacing(package: Package, case: ReadyCase) -> bool:
    """Whether the package asks for its spacing to be kept."""
    if package.output_validator is not None:
        return False
    try:
        return default_validator.parse_options(case.settings.output_validator_args).space_change_sensitive
    except ValueError as error:
        raise CheckerBroken(f"output_validator_args of {case.name}: {error}") from error
