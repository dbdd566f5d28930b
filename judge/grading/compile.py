"""Turns sources into something to run, in a box of its own. Only the bytes of the result leave that box."""

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from judge.grading.javaclass import main_class
from judge.grading.job import Source
from judge.grading.languages import LANGUAGES, OUT, SCRIPTS, TEMPORARY, Language, guess_of, of_code
from judge.grading.sources import entry, laid_out, sources
from judge.grading.verdict import Verdict
from problems.package.model import Limits, Package, Program
from sandbox.contract import Ending, Outcome, Quota, Run, Sandbox

LOG_BYTES = 64 << 10
_FILE_BYTES = 256 << 20
_LONGEST_NAME = 200
"""Characters of what a compiler makes, folders included; a box takes somewhat more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Executable:
    """A compiled program: what lies in the box it runs in, and how it is started."""

    language: Language
    entry: str
    files: Mapping[str, bytes]
    lines: Mapping[str, int]
    """Source file -> how many lines it has, to tell a real place in a message from an invented one."""

    def command(self, memory_bytes: int) -> tuple[str, ...]:
        """The arguments that start it under a memory limit."""
        return self.language.command(entry=self.entry, memory_bytes=memory_bytes)

    def environment(self, memory_bytes: int) -> dict[str, str]:
        """The variables it is started with under a memory limit."""
        return self.language.environment(memory_bytes=memory_bytes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compilation:
    """What came of compiling. `executable` is None exactly when `verdict` is compile_error or judge_error."""

    executable: Executable | None
    verdict: Verdict | None
    log: bytes
    """What the compiler said, at most `LOG_BYTES`."""
    note: str
    """In a sentence, why there is nothing to run."""
    cpu_seconds: float
    toolchain: str


def source_problem(package: Package, source: Source) -> str | None:
    """Why `source` cannot be judged as it stands, in a sentence for its author; None when it can."""
    language = LANGUAGES.get(source.language)
    if language is None:
        return f"There is no language called “{source.language[:40]}” here. Choose one of: {', '.join(LANGUAGES)}."
    if package.languages is not None and language.code not in package.languages:
        return f"This problem does not take {language.label}. It takes: {', '.join(sorted(package.languages))}."
    size = sum(map(len, source.files.values()))
    if not any(content.strip() for content in source.files.values()):
        return "The program is empty. Write or choose a file first."
    if size > package.limits.code_bytes:
        return f"The program has {_kib(size)} KiB; this problem takes at most {_kib(package.limits.code_bytes)} KiB."
    if len(source.files) > 1 and not any(name.endswith(language.suffixes) for name in source.files):
        return f"None of the files ends in {' or '.join(language.suffixes)}, as a program in {language.label} must."
    return None


def compile_source(source: Source, package: Package, box: Sandbox) -> Compilation:
    """Compile a submission with the limits and the `include/` files of its package. Raises `SandboxFault`."""
    problem = source_problem(package, source)
    if problem is not None:
        return _failed(Verdict.COMPILE_ERROR, problem, log=problem.encode())
    language = LANGUAGES[source.language]
    include = {**package.include.get("default", {}), **package.include.get(language.code, {})}
    return compile_files(language, source.files, package.limits, box, include=include)


def compile_program(program: Program, package: Package, box: Sandbox, *, code: str | None = None) -> Compilation:
    """Compile an author's program: a validator, a generator, or an example (whose language the package may name).

    The last few are kept, because a validator serves many submissions. Raises `SandboxFault`.
    """
    language = language_of(program, code=code)
    if language is None:
        return _failed(
            Verdict.JUDGE_ERROR,
            f"The language of {program.name} cannot be told: no file in it has an ending such as .cpp or .py.",
        )
    key = _key(language, program.files)
    if key in _kept:
        _kept.move_to_end(key)
        return _kept[key]
    compiled = compile_files(language, program.files, package.limits, box, include={})
    if compiled.executable is not None:
        _kept[key] = compiled
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)
    return compiled


SCRIPT_NAMES = frozenset({"build", "run"})
_KEPT = 16
_kept: OrderedDict[str, Compilation] = OrderedDict()


def language_of(program: Program, *, code: str | None = None) -> Language | None:
    """The language of an author's program: the one the package names, else what its files say; None when unknown."""
    if not SCRIPT_NAMES.isdisjoint(program.files):
        return SCRIPTS
    return (of_code(code) if code else None) or guess_of(program.files)


def compile_files(
    language: Language, files: Mapping[str, bytes], limits: Limits, box: Sandbox, *, include: Mapping[str, bytes]
) -> Compilation:
    """Compile `files` under the compile limits. Raises `SandboxFault`."""
    laid = laid_out(language, files, include=include)
    given = sources(language, laid)
    start = entry(language, {name: laid[name] for name in given})
    toolchain = ask_version(language, box)
    outcome = box.run(
        Run(
            argv=language.compiler(sources=given, entry=start, memory_bytes=limits.compile_memory_bytes),
            files=laid,
            env={**language.environment(memory_bytes=limits.compile_memory_bytes), "TMPDIR": f"/box/{TEMPORARY}"},
            quota=Quota(
                cpu_seconds=limits.compile_seconds,
                wall_seconds=2 * limits.compile_seconds + 5,
                memory_bytes=limits.compile_memory_bytes,
                output_bytes=LOG_BYTES * 16,
                stderr_bytes=LOG_BYTES,
                file_bytes=_FILE_BYTES,
            ),
            writable=(OUT, TEMPORARY),
            keep=() if language.interpreted else (OUT,),
        )
    )
    compilation = Compilation(
        executable=None,
        verdict=None,
        log=(outcome.stderr + outcome.stdout)[:LOG_BYTES],
        note="",
        cpu_seconds=outcome.cpu_seconds,
        toolchain=toolchain,
    )
    verdict, note = _stopped(outcome, language, limits)
    if verdict is None:
        made = laid if language.interpreted else outcome.kept
        if any(len(name) > _LONGEST_NAME for name in made):
            verdict, note = Verdict.COMPILE_ERROR, "A class has a name that is too long: give it a shorter one."
        elif language.main_class:
            start = main_class({name: made[name] for name in made if name.endswith(".class")}) or ""
            if not start:
                verdict, note = Verdict.COMPILE_ERROR, _NO_MAIN[language.code]
        elif not made:
            verdict, note = Verdict.COMPILE_ERROR, "The compiler made no program."
        if verdict is None:
            lines = {name: laid[name].count(b"\n") + 1 for name in given}
            executable = Executable(language=language, entry=start, files=made, lines=lines)
            return replace(compilation, executable=executable)
    log = compilation.log
    if note.encode() not in log:
        log = (note.encode() + b"\n" + log)[:LOG_BYTES] if outcome.ending != Ending.EXITED or not log else log
    return replace(compilation, verdict=verdict, note=note, log=log)


_NO_MAIN = {
    "java": "No class has a method “public static void main(String[] args)”.",
    "kotlin": "The program has no function called main outside of a class, where it would start.",
}


def _stopped(outcome: Outcome, language: Language, limits: Limits) -> tuple[Verdict | None, str]:
    ending = outcome.ending
    match ending:
        case Ending.EXITED:
            if outcome.exit_code == 0:
                return None, ""
            what = "cannot be read as" if language.interpreted else "does not compile as"
            if b"undefined reference to `main'" in outcome.stderr:
                return Verdict.COMPILE_ERROR, "The program has no function called main, where it would start."
            return Verdict.COMPILE_ERROR, f"The program {what} {language.label}; the compiler's messages say where."
        case Ending.SIGNALLED:
            return Verdict.COMPILE_ERROR, f"The compiler crashed on this program (signal {outcome.signal})."
        case Ending.CPU_TIME | Ending.WALL_TIME:
            return Verdict.COMPILE_ERROR, f"The compiler was stopped after {limits.compile_seconds:g} s."
        case Ending.MEMORY:
            mib = limits.compile_memory_bytes >> 20
            return Verdict.COMPILE_ERROR, f"The compiler was stopped: it needed more than {mib} MiB of memory."
        case Ending.OUTPUT:
            return Verdict.COMPILE_ERROR, "The compiler was stopped: its messages or its program grew without end."
        case Ending.PROCESSES | Ending.REFUSED:
            return Verdict.JUDGE_ERROR, f"The compiler for {language.label} could not work in its box ({ending})."
        case Ending.NOT_STARTED:
            return Verdict.JUDGE_ERROR, f"The compiler for {language.label} is not installed on this worker."
        case _:
            assert_never(ending)


_versions: dict[tuple[str, ...], str] = {}


def ask_version(language: Language, box: Sandbox) -> str:
    """Compiler or interpreter with its version, and the flags that matter. Raises `SandboxFault`."""
    if language.version not in _versions:
        quota = Quota(cpu_seconds=10, wall_seconds=30, memory_bytes=1 << 30)
        env = language.environment(memory_bytes=quota.memory_bytes)
        outcome = box.run(Run(argv=language.version, quota=quota, env=env))
        if outcome.ending != Ending.EXITED:
            return f"{language.version[0]} (no answer)"
        lines = (outcome.stdout + outcome.stderr).decode("utf-8", "replace").strip().splitlines()
        _versions[language.version] = lines[0].removeprefix("info: ") if lines else ""
    flags = " ".join(part for part in language.compile if part.startswith(("-std", "-O", "-static")))
    return f"{_versions[language.version]} {flags}".strip()


def _failed(verdict: Verdict, note: str, log: bytes = b"") -> Compilation:
    return Compilation(executable=None, verdict=verdict, log=log, note=note, cpu_seconds=0.0, toolchain="")


def _kib(size: int) -> int:
    return -(-size // 1024)


def _key(language: Language, files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256(repr((language.id, [(name, len(files[name])) for name in files])).encode())
    for content in files.values():
        digest.update(content)
    return digest.hexdigest()
