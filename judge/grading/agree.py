"""Whether the other accepted solutions of a package agree with the answers that its model solution gave."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from judge.grading.authored import BuildFailed, said
from judge.grading.build import Making, checker_failed, with_model
from judge.grading.case import allowance_of
from judge.grading.check import CheckerBroken
from judge.grading.compile import compile_program, language_of
from judge.grading.explain import happened
from judge.grading.job import ReadyCase
from judge.grading.performance import performer_of
from judge.grading.recipes import MadeCases
from judge.grading.verdict import Verdict
from judge.grading.workshop import PLAIN, Workshop
from problems.package.model import Example, Package
from problems.say import say
from sandbox.contract import Ending, Sandbox

_ONLY_ACCEPTED = frozenset({"AC"})
_STOPPED = (Ending.CPU_TIME, Ending.WALL_TIME)


def agree(
    package: Package, cases: Sequence[ReadyCase], box: Sandbox, into: Path, workshop: Workshop = PLAIN
) -> Iterator[Making]:
    """Run every other example that must be accepted on all cases, and yield `Making` before each run.

    Who agreed is kept in the folder `into` of `build`, and not asked again for the same cases. Examples in a language
    that is not judged here are left out, and so are packages where answers are submitted. A program that is a little
    too slow is left to verifying, one that had to be stopped is not. Raises `BuildFailed` with the names of the
    program and of the case, `SandboxFault`.
    """
    if package.submit_answer:
        return
    made = MadeCases(package, into / "cases")
    others = [one for one in with_model(package).examples if _must_agree(one) and not made.agreed(one)]
    total = len(others) * len(cases)
    for number, example in enumerate(others):
        done = number * len(cases)
        yield from _agrees(package, example, cases, box, workshop, done=done, total=total)
        made.keep_agreed(example)


def _must_agree(example: Example) -> bool:
    return (
        not example.model_solution
        and example.permitted == _ONLY_ACCEPTED
        and language_of(example.program, code=example.language) is not None
    )


def _agrees(
    package: Package,
    example: Example,
    cases: Sequence[ReadyCase],
    box: Sandbox,
    workshop: Workshop,
    *,
    done: int,
    total: int,
) -> Iterator[Making]:
    name = example.program.name
    compiled = compile_program(example.program, package, box, workshop, code=example.language)
    if compiled.verdict == Verdict.JUDGE_ERROR:  # its compiler is not on this machine
        return
    if compiled.executable is None:
        log = compiled.log.decode("utf-8", "replace")[:2000]
        fault = say("said", "%(name)s must be accepted, and does not compile.", name=name)
        raise BuildFailed(f"{fault} {compiled.note}\n{log}".strip())
    allowance = allowance_of(package.limits)
    try:
        performer = performer_of(package, compiled.executable, box, allowance, workshop)
    except CheckerBroken as error:
        raise BuildFailed(str(error)) from error
    for number, case in enumerate(cases):
        yield Making(done=done + number, total=total, case=f"{case.name}, {name}")
        work = performer.perform(case)
        outcome = work.measured.outcome
        if work.verdict == Verdict.ACCEPTED:
            continue
        if work.verdict == Verdict.TIME_LIMIT_EXCEEDED and outcome.ending not in _STOPPED:
            continue
        note = work.checked.judge_note if work.checked else said(outcome)
        if work.verdict == Verdict.JUDGE_ERROR:
            where = f"{case.name}, {name}"
            raise BuildFailed(checker_failed(where, note) if work.checked else f"{where}: {note}")
        told = happened(
            work.measured,
            work.verdict,
            compiled.executable,
            allowance,
            output_right=False,
            shown=True,
            interactive=package.interactive,
        )
        fault = say(
            "said",
            "%(case)s: %(name)s does not agree with the model solution: it %(told)s It must be accepted: mend it, the "
            "model solution, the case or the limit, or put it into another folder.",
            case=case.name,
            name=name,
            told=told,
        )
        raise BuildFailed(f"{fault}\n{note}".strip())
