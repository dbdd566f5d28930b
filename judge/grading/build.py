"""Makes a package ready to judge: every input generated and validated, every answer there; kept by digest."""

import hashlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from judge.grading import recipes
from judge.grading.answers import answers_of
from judge.grading.authored import Authored, BuildFailed, begins, said
from judge.grading.case import allowance_of
from judge.grading.check import Checker, CheckerBroken, checker_of
from judge.grading.compile import language_of
from judge.grading.ended import ended
from judge.grading.executable import Executable
from judge.grading.explain import happened
from judge.grading.job import ReadyCase
from judge.grading.performance import Performer, performer_of
from judge.grading.run import measure
from judge.grading.verdict import Verdict
from judge.grading.workshop import PLAIN, Workshop
from problems.package.model import Package, TestCase
from problems.say import say
from sandbox.contract import Sandbox

__all__ = ["BuildFailed", "Built", "Making", "build", "digest_of"]

_BEGINNING = 4 << 10
"""Bytes of a refused input that are looked at for its author."""
_FORMAT = b"1"
"""Changed when what a build makes of the same package changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """A step of the way: `done` of `total` cases are ready."""

    done: int
    total: int
    case: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A package that is ready to judge."""

    digest: str
    """Of the package's files."""
    folder: Path
    cases: tuple[ReadyCase, ...]


def build(package: Package, box: Sandbox, into: Path, workshop: Workshop = PLAIN) -> Iterator[Making | Built]:
    """Yield `Making` for each case and last the `Built`, which lies in the folder `into/<digest>`.

    A second build of the same package is there at once. One that fails or is killed leaves only the cases that were
    made, by their recipe, and the next one makes the others. Raises `BuildFailed`, `SandboxFault`.
    """
    digest = digest_of(package)
    folder = into / digest
    if not folder.is_dir():
        with recipes.workplace(into) as work:
            recipes.tidy(into / "cases", int(digest[:2], 16))
            made = recipes.MadeCases(package, into / "cases")
            builder = CaseMaker(package, box, work, workshop)
            for number, case in enumerate(package.cases, start=1):
                yield Making(done=number - 1, total=len(package.cases), case=case.name)
                if not made.take(case, _ready(case, work)):
                    made.keep(case, builder.make(case))
            try:
                work.rename(folder)
            except OSError:
                if not folder.is_dir():  # somebody else has built it meanwhile
                    raise
    yield Built(digest=digest, folder=folder, cases=tuple(_ready(case, folder) for case in package.cases))


def digest_of(package: Package) -> str:
    """Digest of a package: of the names and bytes of all its files."""
    total = hashlib.sha256(_FORMAT)
    for folder, folders, files in os.walk(package.root):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__pycache__")))
        for name in sorted(files):
            path = Path(folder, name)
            content = path.read_bytes() if path.is_file() else b""
            total.update(f"{path.relative_to(package.root)}\0{len(content)}\0".encode("utf-8", "surrogateescape"))
            total.update(content)
    return total.hexdigest()


def _ready(case: TestCase, folder: Path) -> ReadyCase:
    return ReadyCase(
        name=case.name,
        group=case.group,
        input=folder / f"{case.name}.in",
        answer=folder / f"{case.name}.ans",
        files=case.files,
        settings=case.settings,
        provenance=case.provenance,
    )


def with_model(package: Package) -> Package:
    """`package`, with a model solution in a language that is judged here, when its author leaves the choice to us."""
    if any(one.model_solution for one in package.examples):
        return package
    accepted = (one for one in package.examples if one.folder == "accepted")
    known = next((one for one in accepted if language_of(one.program, code=one.language) is not None), None)
    return replace(package, examples=tuple(replace(one, model_solution=one is known) for one in package.examples))


def checker_failed(where: str, note: str) -> str:
    """The sentence for the author whose checker itself failed; `note` is what the judge is told."""
    fault = say("said", "%(where)s: the checker failed: mend it or its arguments, not the solution.", where=where)
    return f"{fault} {note}".strip()


class CaseMaker:
    """Makes the cases of a package in a folder, one by one. Raises `BuildFailed` when the package cannot have any."""

    def __init__(self, package: Package, box: Sandbox, folder: Path, workshop: Workshop) -> None:
        self._package = with_model(package)
        self._box = box
        self._workshop = workshop
        self._folder = folder
        if not package.cases:
            raise BuildFailed(
                say("said", "The package has no test case. Add one to data/secret or to generators/generators.yaml.")
            )
        self._authored = Authored(package=package, box=box, workshop=workshop)
        for program in (*package.input_validators, package.static_validator):
            if program is not None:  # what does not compile is told at once
                self._authored.compiled(program)
        self._checker: Checker | None = None
        self._performer: Performer | None = None
        self._solution: Executable | None = None

    def make(self, case: TestCase) -> ReadyCase:
        """Put the input and the answer of `case` into the folder. Raises `BuildFailed`."""
        ready = _ready(case, self._folder)
        ready.input.parent.mkdir(parents=True, exist_ok=True)
        ready.input.write_bytes(self._input(case))
        self._validate(case, ready.input)
        if case.answer is not None:
            shutil.copyfile(case.answer, ready.answer)
        elif case.answer_text is not None:
            ready.answer.write_bytes(case.answer_text)
        if self._package.interactive or self._package.multi_pass:
            self._perform(ready)
            return ready
        output = self._handed_in(ready) if self._package.submit_answer else self._solve(ready)
        if not ready.answer.exists():
            ready.answer.write_bytes(output)
        self._check(ready, output)
        return ready

    def _input(self, case: TestCase) -> bytes:
        return self._authored.input_of(case)

    def _validate(self, case: TestCase, made: Path) -> None:
        for program, outcome in self._authored.refusals(case, made):
            fault = say(
                "said",
                "%(case)s: %(name)s %(how)s, where 42 says that an input is valid. Mend the case or the validator.",
                case=case.name,
                name=program.name,
                how=ended(outcome),
            )
            why = said(outcome) or say("said", "It printed nothing that says why.")
            raise BuildFailed("\n".join((fault, why, *_input_told(case, made))))

    def _solve(self, ready: ReadyCase) -> bytes:
        """What the model solution prints."""
        solution = self._model_solution()
        allowance = allowance_of(self._package.limits)
        measured = measure(
            solution, self._box, allowance, stdin=ready.input, files=ready.files, args=ready.settings.args
        )
        if measured.verdict is not None:
            told = happened(measured, measured.verdict, solution, allowance, output_right=False, shown=True)
            fault = say(
                "said",
                "%(case)s: the model solution %(name)s %(told)s So there is no answer to judge against: mend the "
                "solution, the case or the limit.",
                case=ready.name,
                name=self._model_name,
                told=told,
            )
            raise BuildFailed(f"{fault}\n{said(measured.outcome)}".strip())
        return measured.outcome.stdout

    def _handed_in(self, ready: ReadyCase) -> bytes:
        """What the model submission answers, where answers are submitted."""
        package = self._package
        cases = [_ready(case, self._folder) for case in package.cases]
        answers = answers_of(package.model_solution.program.files, cases)
        if ready.name in answers:
            return answers[ready.name]
        if ready.group == "sample" and ready.answer.exists():
            return ready.answer.read_bytes()
        raise BuildFailed(
            say(
                "said",
                "%(case)s: %(name)s has no answer for it. Add a file `%(file)s.out` to that submission.",
                case=ready.name,
                name=self._model_name,
                file=ready.name.removeprefix("secret/"),
            )
        )

    def _perform(self, ready: ReadyCase) -> None:
        """Where the validator leads, nothing is made of what the model solution says, but it must be accepted."""
        if not ready.answer.exists():
            ready.answer.write_bytes(b"")
        solution = self._model_solution()
        allowance = allowance_of(self._package.limits)
        if self._performer is None:
            try:
                self._performer = performer_of(self._package, solution, self._box, allowance, self._workshop)
            except CheckerBroken as error:
                raise BuildFailed(str(error)) from error
        done = self._performer.perform(ready)
        if done.verdict == Verdict.ACCEPTED:
            return
        told = happened(
            done.measured,
            done.verdict,
            solution,
            allowance,
            output_right=False,
            shown=True,
            interactive=self._package.interactive,
        )
        note = done.checked.judge_note if done.checked else said(done.measured.outcome)
        if done.verdict == Verdict.JUDGE_ERROR:
            raise BuildFailed(checker_failed(ready.name, note) if done.checked else f"{ready.name}: {note}")
        fault = say(
            "said",
            "%(case)s: the model solution %(name)s %(told)s Mend the solution, the case or the checker.",
            case=ready.name,
            name=self._model_name,
            told=told,
        )
        raise BuildFailed(f"{fault}\n{note}\n{done.shown[-1500:].decode('utf-8', 'replace')}".strip())

    def _model_solution(self) -> Executable:
        if self._solution is None:
            model = self._package.model_solution
            self._solution = self._authored.compiled(model.program, code=model.language)
        return self._solution

    @property
    def _model_name(self) -> str:
        return self._package.model_solution.program.name

    def _check(self, ready: ReadyCase, output: bytes) -> None:
        """The model solution's own output must be right, also where the answer was given and not made by it."""
        if self._checker is None:
            try:
                self._checker = checker_of(self._package, self._box, self._workshop)
            except CheckerBroken as error:
                raise BuildFailed(str(error)) from error
        checked = self._checker.check(ready, output)
        if checked.verdict == Verdict.JUDGE_ERROR:
            raise BuildFailed(checker_failed(ready.name, checked.judge_note))
        if checked.verdict != Verdict.ACCEPTED:
            fault = say(
                "said",
                "%(case)s: what the model solution %(name)s prints is not accepted. Mend the solution, the answer of "
                "the case or the checker.",
                case=ready.name,
                name=self._model_name,
            )
            raise BuildFailed(f"{fault}\n{checked.judge_note}".strip())


def _input_told(case: TestCase, made: Path) -> tuple[str, ...]:
    """Where a refused input came from, and how it begins, for its author."""
    with made.open("rb") as file:
        start = begins(file.read(_BEGINNING))
    how = case.provenance
    if how is None:
        return (say("said", "The input begins:"), start) if start else (say("said", "The input is empty."),)
    command = " ".join((how.generator, *how.arguments))
    if not start:
        return (say("said", "The input, which `%(command)s` made, is empty.", command=command),)
    return (say("said", "The input, which `%(command)s` made, begins:", command=command), start)
