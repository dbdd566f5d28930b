"""Turns sources into something to run, in a box of its own. Only the bytes of the result leave that box."""

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from judge.grading.ahead import MadeAhead
from judge.grading.checktestdata import CHECKTESTDATA, ENDING, LIBRARY
from judge.grading.compilers import ask_version, fingerprint
from judge.grading.executable import Compilation, Executable
from judge.grading.javaclass import main_class
from judge.grading.job import Source
from judge.grading.kept import key_of
from judge.grading.language import AHEAD, OUT, TEMPORARY, Language
from judge.grading.languages import LANGUAGES, SCRIPTS, guess_of, of_code
from judge.grading.sources import entry, laid_out, sources
from judge.grading.verdict import Verdict
from judge.grading.workshop import PLAIN, Workshop
from problems.package.model import Limits, Package, Program
from problems.say import say
from sandbox.contract import Content, Ending, Outcome, Quota, Run, Sandbox

LOG_BYTES = 64 << 10
_FILE_BYTES = 256 << 20
_ACCIDENTS = (b"Killed", b"internal compiler error", b"No space left", b"annot allocate", b" VM", b"out of memory")
_LONGEST_NAME = 200
"""Characters of what a compiler makes, folders included; a box takes somewhat more."""


def source_problem(package: Package, source: Source) -> str | None:
    """Why `source` cannot be judged as it stands, in a sentence for its author; None when it can."""
    language = LANGUAGES.get(source.language)
    if language is None:
        return say(
            "said",
            "There is no language called “%(name)s” here. Choose one of: %(names)s.",
            name=source.language[:40],
            names=", ".join(LANGUAGES),
        )
    if package.languages is not None and language.code not in package.languages:
        return say(
            "said",
            "This problem does not take %(language)s. It takes: %(languages)s.",
            language=language.label,
            languages=", ".join(sorted(package.languages)),
        )
    size = sum(map(len, source.files.values()))
    if not any(content.strip() for content in source.files.values()):
        return say("said", "The program is empty. Write or choose a file first.")
    if size > package.limits.code_bytes:
        return say(
            "said",
            "The program has %(has)s KiB; this problem takes at most %(most)s KiB.",
            has=_kib(size),
            most=_kib(package.limits.code_bytes),
        )
    if len(source.files) > 1 and not any(name.endswith(language.suffixes) for name in source.files):
        return say(
            "said",
            "None of the files ends in %(endings)s, as a program in %(language)s must.",
            endings=", ".join(language.suffixes),
            language=language.label,
        )
    return None


def compile_source(source: Source, package: Package, box: Sandbox, workshop: Workshop = PLAIN) -> Compilation:
    """Compile a submission with the limits and the `include/` files of its package. Raises `SandboxFault`."""
    problem = source_problem(package, source)
    if problem is not None:
        return _failed(Verdict.COMPILE_ERROR, problem, log=problem.encode())
    language = LANGUAGES[source.language]
    include = _included(language, package)
    return compile_files(language, source.files, package.limits, box, include=include, workshop=workshop)


def submitted(source: Source, package: Package) -> dict[str, bytes]:
    """The files of a submission under the names by which it is compiled, with the `include/` files of its package."""
    language = LANGUAGES[source.language]
    return laid_out(language, source.files, include=_included(language, package))


def _included(language: Language, package: Package) -> dict[str, bytes]:
    return {**package.include.get("default", {}), **package.include.get(language.code, {})}


def compile_program(
    program: Program, package: Package, box: Sandbox, workshop: Workshop = PLAIN, *, code: str | None = None
) -> Compilation:
    """Compile an author's program: a validator, a generator, or an example (whose language the package may name).

    Raises `SandboxFault`.
    """
    language = language_of(program, code=code)
    if language is None:
        return _failed(
            Verdict.JUDGE_ERROR,
            f"The language of {program.name} cannot be told: no file in it has an ending such as .cpp or .py.",
        )
    beside: Mapping[str, bytes] = LIBRARY if language is CHECKTESTDATA else {}
    if program.name.startswith(_SUBMITTED):
        beside = _included(language, package)
    return compile_files(language, program.files, package.limits, box, include=beside, workshop=workshop)


_SUBMITTED = ("submissions/", "palfrey/mutants/")
"""What lies here is compiled as a submission is, with the `include/` files of its package."""
SCRIPT_NAMES = frozenset({"build", "run"})


def language_of(program: Program, *, code: str | None = None) -> Language | None:
    """The language of an author's program: the one the package names, else what its files say; None when unknown."""
    if not SCRIPT_NAMES.isdisjoint(program.files):
        return SCRIPTS
    if all(name.endswith(ENDING) for name in program.files):
        return CHECKTESTDATA
    return of_code(code) if code else guess_of(program.files)


def compile_files(
    language: Language,
    files: Mapping[str, bytes],
    limits: Limits,
    box: Sandbox,
    *,
    include: Mapping[str, bytes],
    workshop: Workshop | None = None,
) -> Compilation:
    """Compile `files` under the compile limits; without a workshop the long way. Raises `SandboxFault`."""
    laid = laid_out(language, files, include=include)
    given = sources(language, laid)
    start = entry(language, {name: laid[name] for name in given})
    run = Run(
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
    toolchain = ask_version(language, box)
    if workshop is None:
        return _compiled(language, laid, limits, box.run(run), toolchain)
    key = key_of(run, language, toolchain=toolchain, fingerprint=fingerprint(language))
    known = workshop.kept.get(key, language)
    if known is not None:
        return known
    outcome = _sooner(run, language, laid, box, workshop.ahead) if workshop.ahead else None
    compilation = _compiled(language, laid, limits, outcome or box.run(run), toolchain)
    workshop.kept.put(key, compilation, language)
    return compilation


def _sooner(
    run: Run, language: Language, laid: Mapping[str, bytes], box: Sandbox, made_ahead: MadeAhead
) -> Outcome | None:
    """`run` with the help of what was made ahead; None when there is nothing, or when it may have left a trace.

    The program that comes out is the same to the byte. What the compiler says is not always: how it came to a place in
    the library reads differently. So a compile that says such a thing counts for nothing, and neither does one that was
    ended by a limit, but for time, of which it needs less.
    """
    made = made_ahead.file(language, laid, box, memory_bytes=run.quota.memory_bytes)
    if made is None or language.ahead is None:
        return None
    first, *others = run.argv
    files: dict[str, Content] = {**laid, f"{AHEAD}/{language.ahead.made}": made}
    outcome = box.run(replace(run, argv=(first, *language.ahead.flags, *others), files=files))
    if outcome.ending not in (Ending.EXITED, Ending.CPU_TIME):
        return None
    said = outcome.stderr + outcome.stdout
    return None if any(word in said for word in language.ahead.betrayed_by) else outcome


def _compiled(
    language: Language, laid: Mapping[str, bytes], limits: Limits, outcome: Outcome, toolchain: str
) -> Compilation:
    """What `outcome` of a compiler means."""
    given = sources(language, laid)
    start = entry(language, {name: laid[name] for name in given})
    compilation = Compilation(
        executable=None,
        verdict=None,
        log=(outcome.stderr + outcome.stdout)[:LOG_BYTES],
        note="",
        cpu_seconds=outcome.cpu_seconds,
        toolchain=toolchain,
        lasting=_lasting(outcome),
    )
    verdict, note = _stopped(outcome, language, limits)
    if verdict is None:
        made = laid if language.interpreted else outcome.kept
        if any(len(name) > _LONGEST_NAME for name in made):
            verdict, note = Verdict.COMPILE_ERROR, _LONG_NAME
        elif language.main_class:
            start = main_class({name: made[name] for name in made if name.endswith(".class")}) or ""
            if not start:
                verdict, note = Verdict.COMPILE_ERROR, _NO_MAIN[language.code]
        elif not made:
            verdict, note = Verdict.COMPILE_ERROR, say("said", "The compiler made no program.")
        if verdict is None:
            lines = {name: laid[name].count(b"\n") + 1 for name in given}
            executable = Executable(language=language, entry=start, files=made, lines=lines)
            return replace(compilation, executable=executable)
    log = compilation.log
    if note.encode() not in log:
        log = (note.encode() + b"\n" + log)[:LOG_BYTES] if outcome.ending != Ending.EXITED or not log else log
    return replace(compilation, verdict=verdict, note=note, log=log)


_LONG_NAME = say("said", "A class has a name that is too long: give it a shorter one.")
_NO_MAIN = {
    "java": say("said", "No class has a method “public static void main(String[] args)”."),
    "kotlin": say("said", "The program has no function called main outside of a class, where it would start."),
}


def _lasting(outcome: Outcome) -> bool:
    """Whether the compiler came to its end undisturbed, with a program or with errors of the program's."""
    if outcome.ending != Ending.EXITED:
        return False
    said = outcome.stderr + outcome.stdout
    return outcome.exit_code == 0 or (outcome.exit_code == 1 and not any(word in said for word in _ACCIDENTS))


def _stopped(outcome: Outcome, language: Language, limits: Limits) -> tuple[Verdict | None, str]:
    ending = outcome.ending
    match ending:
        case Ending.EXITED:
            if outcome.exit_code == 0:
                return None, ""
            return Verdict.COMPILE_ERROR, _refused(outcome, language)
        case Ending.SIGNALLED:
            return Verdict.COMPILE_ERROR, say(
                "said", "The compiler crashed on this program (signal %(number)d).", number=outcome.signal
            )
        case Ending.CPU_TIME | Ending.WALL_TIME:
            limit = f"{limits.compile_seconds:g} s"
            return Verdict.COMPILE_ERROR, say("said", "The compiler was stopped after %(limit)s.", limit=limit)
        case Ending.MEMORY:
            limit = f"{limits.compile_memory_bytes >> 20} MiB"
            return Verdict.COMPILE_ERROR, say(
                "said", "The compiler was stopped: it needed more than %(limit)s of memory.", limit=limit
            )
        case Ending.OUTPUT:
            return Verdict.COMPILE_ERROR, say(
                "said", "The compiler was stopped: its messages or its program grew without end."
            )
        case Ending.PROCESSES | Ending.REFUSED:
            return Verdict.JUDGE_ERROR, f"The compiler for {language.label} could not work in its box ({ending})."
        case Ending.NOT_STARTED:
            return Verdict.JUDGE_ERROR, f"The compiler for {language.label} is not installed on this worker."
        case _:
            assert_never(ending)


def _refused(outcome: Outcome, language: Language) -> str:
    if b"undefined reference to `main'" in outcome.stderr:
        return say("said", "The program has no function called main, where it would start.")
    if language.interpreted:
        return say(
            "said",
            "The program cannot be read as %(language)s; the compiler's messages say where.",
            language=language.label,
        )
    return say(
        "said",
        "The program does not compile as %(language)s; the compiler's messages say where.",
        language=language.label,
    )


def _failed(verdict: Verdict, note: str, log: bytes = b"") -> Compilation:
    return Compilation(executable=None, verdict=verdict, log=log, note=note, cpu_seconds=0.0, toolchain="")


def _kib(size: int) -> int:
    return -(-size // 1024)
