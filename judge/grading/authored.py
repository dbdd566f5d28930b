"""Runs what the author of a package wrote to make it: generators and input validators, under the limits for these."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from judge.grading.compile import compile_program
from judge.grading.ended import ended
from judge.grading.executable import Executable
from judge.grading.run import patiently
from judge.grading.workshop import PLAIN, Workshop
from problems.package.model import Package, Program, TestCase
from problems.say import say
from sandbox.contract import Content, Ending, Outcome, Quota, Run, Sandbox

_VALID = 42
_INPUT_BYTES = 256 << 20
GENERATOR_SECONDS = 10
"""CPU time of a generator for one case; by the clock it has 23 s. Shorter where `validation_time` is."""
_WRITTEN = "testcase.in"
"""A generator may write its input to a file of this name (`{name}.in`) instead of printing it."""


class BuildFailed(Exception):
    """The package cannot be made ready; the text names the case and says what to do. The author's fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Authored:
    """The programs of one package."""

    package: Package
    box: Sandbox
    workshop: Workshop = PLAIN
    _ready: dict[str, Executable] = field(default_factory=dict)

    def compiled(self, program: Program, *, code: str | None = None) -> Executable:
        """`program`, ready to run. Raises `BuildFailed`, `SandboxFault`."""
        if program.name in self._ready:
            return self._ready[program.name]
        compiled = compile_program(program, self.package, self.box, self.workshop, code=code)
        if compiled.executable is None:
            log = compiled.log.decode("utf-8", "replace")[:2000]
            fault = say("said", "%(name)s does not compile.", name=program.name)
            raise BuildFailed(f"{fault} {compiled.note}\n{log}".strip())
        self._ready[program.name] = compiled.executable
        return compiled.executable

    def input_of(self, case: TestCase) -> bytes:
        """The input of a case, made by its generator if it has one. Raises `BuildFailed`.

        Also when the package has a copy of it that differs: then nobody can tell which of the two is meant.
        """
        if case.input_text is not None:
            return case.input_text
        if case.provenance is None and case.input is not None:
            return case.input.read_bytes()
        given = self.generated(case)
        if case.input is not None and case.input.read_bytes() != given:
            assert case.provenance is not None
            raise BuildFailed(
                say(
                    "said",
                    "%(case)s: data/%(case)s.in is not what `%(command)s` gives, its line in generators.yaml. Delete "
                    "the stored copy, or the line.",
                    case=case.name,
                    command=" ".join((case.provenance.generator, *case.provenance.arguments)),
                )
            )
        return given

    def generated(self, case: TestCase) -> bytes:
        """What the generator of a case gives. Raises `BuildFailed`, also when it has none."""
        made = case.provenance
        if made is None or made.generator not in self.package.generators:
            raise BuildFailed(
                say("said", "%(case)s has neither an input nor a generator that is there.", case=case.name)
            )
        generator = self.compiled(self.package.generators[made.generator])
        seconds = min(GENERATOR_SECONDS, self.package.limits.validation_seconds)
        outcome = self._run(
            generator, made.arguments, b"", seconds=seconds, output_bytes=_INPUT_BYTES, keep=(_WRITTEN,)
        )
        if outcome.ending != Ending.EXITED or outcome.exit_code != 0:
            command = " ".join((made.generator, *made.arguments))
            fault = say(
                "said",
                "%(case)s: the generator `%(command)s` %(how)s. Mend it or its line in generators.yaml.",
                case=case.name,
                command=command,
                how=ended(outcome),
            )
            raise BuildFailed(f"{fault}\n{said(outcome)}".strip())
        return outcome.kept.get(_WRITTEN, outcome.stdout)

    def refusals(self, case: TestCase, given: Content) -> Iterator[tuple[Program, Outcome]]:
        """The input validators that do not say that `given` is a valid input of `case`. Raises `BuildFailed`."""
        for program in self.package.input_validators:
            settings = case.settings.input_validator_args
            args = (*settings.get(program.name, settings.get("", ())), *case.settings.args)
            outcome = self._run(self.compiled(program), args, given, files=case.files)
            if outcome.ending != Ending.EXITED or outcome.exit_code != _VALID:
                yield program, outcome

    def _run(
        self,
        executable: Executable,
        args: tuple[str, ...],
        stdin: Content,
        *,
        files: Mapping[str, Path] | None = None,
        seconds: float | None = None,
        output_bytes: int | None = None,
        keep: tuple[str, ...] = (),
    ) -> Outcome:
        limits = self.package.limits
        seconds = seconds or limits.validation_seconds
        return patiently(
            Run(
                argv=(*executable.command(limits.validation_memory_bytes), *args),
                files={**executable.files, **(files or {})},
                stdin=stdin,
                env=executable.environment(limits.validation_memory_bytes),
                keep=keep,
                quota=Quota(
                    cpu_seconds=seconds,
                    wall_seconds=2 * seconds + 3,
                    memory_bytes=limits.validation_memory_bytes,
                    output_bytes=output_bytes or limits.validation_output_bytes,
                ),
            ),
            self.box,
        )


def said(outcome: Outcome) -> str:
    """What an author's program said, clipped, for its author."""
    return (outcome.stderr[-1500:] or outcome.stdout[-500:]).decode("utf-8", "replace").strip()


def begins(content: bytes, *, lines: int = 5, characters: int = 60) -> str:
    """How an input begins, indented, for its author; what is no text in it is escaped."""
    text = content[: 4 * lines * characters]
    rows = text.decode("utf-8", "backslashreplace").split("\n")
    more = len(text) < len(content) or len(rows) > lines + (rows[lines:] == [""])
    if rows[-1] == "":
        rows.pop()
    shown = ["".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in row) for row in rows[:lines]]
    cut = [row if len(row) <= characters else f"{row[:characters]}…" for row in shown]
    return "\n".join(f"    {row}" for row in (*cut, *(("…",) if more else ())))
