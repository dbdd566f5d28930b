"""Which languages this worker can really judge: those whose small test program passes in its box."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from judge.grading.compile import compile_files
from judge.grading.language import Language
from judge.grading.languages import LANGUAGES
from judge.grading.run import Allowance, measure
from problems.package.model import Limits
from sandbox.contract import Sandbox

_LIMITS = Limits(time_seconds=10, compile_seconds=30)
_ALLOWANCE = Allowance(cpu_seconds=10, memory_bytes=512 << 20, output_bytes=1 << 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """A language that passed its test here, and by what it is compiled or run."""

    language: str
    version: str


def offered(box: Sandbox, languages: Iterable[Language] = tuple(LANGUAGES.values())) -> Mapping[str, Toolchain]:
    """Try every language: id -> its toolchain, for those that work. Seconds, not milliseconds: ask once, at the start.

    Raises `SandboxFault`.
    """
    found: dict[str, Toolchain] = {}
    for language in languages:
        version = _tried(language, box)
        if version is not None:
            found[language.id] = Toolchain(language=language.id, version=version)
    return found


def _tried(language: Language, box: Sandbox) -> str | None:
    compiled = compile_files(language, {language.source: language.self_test}, _LIMITS, box, include={})
    if compiled.executable is None:
        return None
    measured = measure(compiled.executable, box, _ALLOWANCE, stdin=b"41\n")
    return compiled.toolchain if measured.verdict is None and measured.outcome.stdout.split() == [b"42"] else None
