"""Runs what a lesson shows: a tracer of the author's in the box, on an input that is valid, and reads its trace."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from judge.grading.compile import compile_program
from judge.grading.ended import ended
from judge.grading.executable import Executable
from judge.grading.run import patiently
from judge.grading.workshop import PLAIN, Workshop
from problems.package.claim import Claim
from problems.package.lesson import Command
from problems.package.model import Package, Program
from problems.package.replay import frames
from problems.package.trace import MAX_BYTES, parse
from problems.package.trace_line import TraceFault
from problems.say import say
from sandbox.contract import Ending, Outcome, Quota, Run, Sandbox

CPU_SECONDS = 5.0
MEMORY_BYTES = 512 << 20
INPUT_BYTES = 64 << 10
SAID = ".judge/output"
"""Where a tracer finds what the program printed that its picture is of."""
_VALID, _INVALID = 42, 43


class TraceFailed(Exception):
    """There is no trace. The message says what to mend; `reader`: the values that were chosen are to blame."""

    def __init__(self, message: str, *, reader: bool = False) -> None:
        super().__init__(message)
        self.message, self.reader = message, reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """A trace that was made while a version was built."""

    command: Command
    trace: bytes


def trace_lessons(package: Package, box: Sandbox, workshop: Workshop = PLAIN) -> Iterator[Traced]:
    """Every figure of every lesson as it is first shown, and at both ends of what may be chosen.

    Raises `TraceFailed`, whose message begins with the file and line of the figure, and `SandboxFault`.
    """
    seen: set[str] = set()
    for lesson in package.lessons.values():
        for block in lesson.blocks:
            for values in block.ends():
                for command in block.commands(values):
                    if command.text in seen:
                        continue
                    seen.add(command.text)
                    try:
                        yield Traced(command=command, trace=trace_of(command, package, box, workshop))
                    except TraceFailed as fault:
                        chosen = ", ".join(f"{key} = {value}" for key, value in values.items())
                        where = f"{lesson.where}:{block.line}"
                        told = say("said", "%(where)s: %(fault)s", where=where, fault=fault.message)
                        if chosen:
                            told += " " + say("said", "(with %(chosen)s)", chosen=chosen)
                        raise TraceFailed(told) from fault


def trace_of(command: Command, package: Package, box: Sandbox, workshop: Workshop = PLAIN) -> bytes:
    """What the tracer prints, checked to its last step. Raises `TraceFailed`, `SandboxFault`."""
    teller = _Teller(package, box, workshop)
    given = command.given.encode()
    if command.generator:
        name, *arguments = command.generator
        if name not in package.generators:
            raise TraceFailed(say("said", "There is no generator called %(name)s.", name=name))
        given = teller.printed(package.generators[name], tuple(arguments), b"", INPUT_BYTES)
    for validator in package.input_validators:
        teller.validate(validator, given)
    tracer = package.tracers.get(command.tracer)
    if tracer is None:
        raise TraceFailed(say("said", "There is no tracer called %(name)s.", name=command.tracer))
    files = {SAID: command.said.encode()} if command.said is not None else {}
    printed = teller.printed(tracer, command.arguments, given, MAX_BYTES + 1, files=files)
    try:
        trace = parse(printed)
        for _ in frames(trace):
            pass
    except TraceFault as fault:
        raise TraceFailed(
            say("said", "What %(program)s prints cannot be played: %(fault)s", program=tracer.name, fault=fault)
        ) from fault
    if command.said is None and any(isinstance(step, Claim) for step in trace.steps):
        raise TraceFailed(
            say(
                "said",
                "%(tracer)s claims something of a program, and there was none: it must look first for %(file)s.",
                tracer=tracer.name,
                file=SAID,
            )
        )
    return printed


class _Teller:
    def __init__(self, package: Package, box: Sandbox, workshop: Workshop) -> None:
        self.package, self.box, self.workshop = package, box, workshop

    def printed(
        self,
        program: Program,
        arguments: tuple[str, ...],
        given: bytes,
        most: int,
        *,
        files: Mapping[str, bytes] | None = None,
    ) -> bytes:
        outcome = self._run(program, arguments, given, most, files or {})
        if outcome.ending != Ending.EXITED or outcome.exit_code != 0:
            said = outcome.stderr[-800:].decode("utf-8", "replace").strip()
            what = say("said", "%(program)s %(ended)s.", program=program.name, ended=ended(outcome))
            raise TraceFailed(f"{what} {said}".strip())
        return outcome.stdout

    def validate(self, program: Program, given: bytes) -> None:
        outcome = self._run(program, (), given, INPUT_BYTES, {})
        if outcome.ending != Ending.EXITED or outcome.exit_code not in (_VALID, _INVALID):
            raise TraceFailed(
                say(
                    "said",
                    "%(program)s %(ended)s, where 42 or 43 is to come.",
                    program=program.name,
                    ended=ended(outcome),
                )
            )
        if outcome.exit_code == _INVALID:
            raise TraceFailed(say("said", "This is no legal input of the problem."), reader=True)

    def _run(
        self, program: Program, arguments: tuple[str, ...], given: bytes, most: int, files: Mapping[str, bytes]
    ) -> Outcome:
        executable = self._compiled(program)
        return patiently(
            Run(
                argv=(*executable.command(MEMORY_BYTES), *arguments),
                files={**executable.files, **files},
                stdin=given,
                env=executable.environment(MEMORY_BYTES),
                quota=Quota(
                    cpu_seconds=CPU_SECONDS,
                    wall_seconds=2 * CPU_SECONDS + 3,
                    memory_bytes=MEMORY_BYTES,
                    output_bytes=most,
                ),
            ),
            self.box,
        )

    def _compiled(self, program: Program) -> Executable:
        compiled = compile_program(program, self.package, self.box, self.workshop)
        if compiled.executable is None:
            log = compiled.log.decode("utf-8", "replace")[:1000]
            what = say("said", "%(name)s does not compile.", name=program.name)
            raise TraceFailed(f"{what} {compiled.note}\n{log}".strip())
        return compiled.executable
