"""Names for what a judging is made of, by content: the same name, the same result.

`Keys` names the run of a program on a case, the check of its output, and the look at the program itself; `tools_of` the
compiler and the sandbox. Limits are not in them: what another limit means for a result is told from its figures
(`judge.grading.reuse`).
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from judge.grading.answers import answers_of
from judge.grading.compilers import ask_version, fingerprint
from judge.grading.job import ANSWERS, ReadyCase, Source, StaticTest
from judge.grading.language import Language
from judge.grading.languages import LANGUAGES
from problems.package.model import Package
from sandbox.contract import VERSION, Sandbox

FORMAT = 1
"""Raised when the judge makes something else of the same run or check. Workers do nothing that newer code asked for."""


class Keys:
    """Names the runs and checks of one source on the cases of one package, each of which has a name of its own."""

    def __init__(self, package: Package, source: Source, cases: Sequence[ReadyCase]) -> None:
        self._answers = answers_of(source.files, cases) if package.submit_answer else None
        kind = (package.interactive, package.multi_pass, package.submit_answer)
        self._program = digest_of(FORMAT, kind, _program(package, source))
        self._talks = package.interactive or package.multi_pass
        self._checker = checker_key(package)
        self._static = static_key(package)
        self._runs: dict[str, str] = {}
        self._checks: dict[str, str] = {}

    def run(self, case: ReadyCase) -> str:
        """Names all that has a part in the run on `case`, but limits and tools."""
        if case.name in self._runs:
            return self._runs[case.name]
        files = [(name, _file_digest(path)) for name, path in sorted(case.files.items())]
        program = self._program if self._answers is None else _digest(self._answers.get(case.name, b""))
        talk = self._check(case) if self._talks else ""  # there the validator has a part in it
        self._runs[case.name] = key = digest_of(program, input_digest(case), files, case.settings.args, talk)
        return key

    def check(self, case: ReadyCase) -> str:
        """Names all that has a part in the check of what came of the run on `case`, and in what is told of it."""
        if case.name not in self._checks:
            self._checks[case.name] = digest_of(self.run(case), self._check(case))
        return self._checks[case.name]

    def static(self, test: StaticTest) -> str:
        """Names all that has a part in looking at the submission itself, but tools; points have none."""
        return digest_of("static", self._program, self._static, test.asked.args)

    def _check(self, case: ReadyCase) -> str:
        shown = case.group == "sample" or case.settings.full_feedback
        return digest_of(
            self._checker, input_digest(case), answer_digest(case), case.settings.output_validator_args, shown
        )


def checker_key(package: Package) -> str:
    """Names what looks at outputs: the default validator, or the package's own one with its limits."""
    validator = package.output_validator
    limits = package.limits
    own = None if validator is None else _files(validator.files)
    bounds = (limits.validation_seconds, limits.validation_memory_bytes, limits.validation_output_bytes)
    return digest_of(own, bounds if own is not None else (), package.multi_pass, limits.validation_passes)


def static_key(package: Package) -> str:
    """Names what looks at submissions themselves: the package's static validator with its limits."""
    validator = package.static_validator
    limits = package.limits
    bounds = (limits.validation_seconds, limits.validation_memory_bytes, limits.validation_output_bytes)
    return digest_of(None if validator is None else (_files(validator.files), bounds))


def tools_of(source: Source, box: Sandbox) -> str:
    """Names the compiler or interpreter of `source`, its files and the sandbox. Raises `SandboxFault`."""
    language = LANGUAGES.get(source.language)
    if language is None:
        return digest_of(ANSWERS, VERSION)
    return language_tools(language, box)


def language_tools(language: Language, box: Sandbox) -> str:
    """The same for any program in `language`."""
    return digest_of(ask_version(language, box), fingerprint(language), VERSION)


def input_digest(case: ReadyCase) -> str:
    """SHA-256 of the input's bytes. Raises `OSError` when they are lost."""
    return case.input_digest or _digest(case.input.read_bytes())


def answer_digest(case: ReadyCase) -> str:
    """SHA-256 of the answer's bytes. Raises `OSError` when they are lost."""
    return case.answer_digest or _digest(case.answer.read_bytes())


def digest_of(*parts: object) -> str:
    """SHA-256 over the `repr` of plain values."""
    return _digest(repr(parts).encode("utf-8", "surrogatepass"))


def _program(package: Package, source: Source) -> object:
    language = LANGUAGES.get(source.language)
    limits = package.limits
    if language is None:
        return source.language
    include = {**package.include.get("default", {}), **package.include.get(language.code, {})}
    return (
        (language.id, language.compile, language.run, sorted(language.env.items())),
        _files(source.files),
        _files(include),
        (limits.compile_seconds, limits.compile_memory_bytes),
        limits.file_writing,
    )


def _files(files: Mapping[str, bytes]) -> list[tuple[str, str]]:
    return [(name, _digest(content)) for name, content in files.items()]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _file_digest(path: Path) -> str:
    about = path.stat()
    return _read_digest(path, about.st_size, about.st_mtime_ns)


@lru_cache(maxsize=1024)
def _read_digest(path: Path, _size: int, _mtime: int) -> str:
    return _digest(path.read_bytes())
