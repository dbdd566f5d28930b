"""A real box, and a small package that asks for the sum of two numbers."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.grading.grade import grade
from judge.grading.job import CaseResult, Compiled, Job, ReadyCase, Report, Source
from judge.grading.languages import LANGUAGES
from problems.package.model import (
    Aggregation,
    CaseSettings,
    Limits,
    Package,
    ProblemType,
    Program,
    TestGroup,
)
from sandbox.box import open_sandbox
from sandbox.contract import Sandbox

LIMITS = Limits(
    time_seconds=1.0,
    memory_bytes=256 << 20,
    output_bytes=2 << 20,
    compile_seconds=10,
    compile_memory_bytes=768 << 20,
    validation_seconds=5,
)
ALWAYS = ("c89", "c99", "c17", "cpp11", "cpp17", "cpp20", "cpp23", "python3", "java", "javascript")
"""What every machine that tests has; the others are tried where they are installed."""
SUMS = (("secret/1-small", "2 3\n", "5\n"), ("secret/2-negative", "10 -4\n", "6\n"))


def missing(language: str) -> str:
    """What a language needs and this machine has not; empty when everything is there."""
    row = LANGUAGES[language]
    needed = [part for part in (*row.compile, *row.run) if part.startswith("/usr/")]
    return next((part for part in needed if not Path(part).exists()), "")


def needs(language: str) -> pytest.MarkDecorator:
    """Skips a test where a language that is not asked of every machine is not installed."""
    lack = missing(language)
    return pytest.mark.skipif(bool(lack) and language not in ALWAYS, reason=f"{lack} is not installed")


@pytest.fixture(scope="session")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    sandbox = open_sandbox(tmp_path_factory.mktemp("sandbox"))
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="session")
def plus() -> Package:
    """Pass-fail, the default validator, no samples."""
    return Package(
        root=Path("/nonexistent"),
        slug="plus",
        names={"en": "Plus"},
        uuid="00000000-0000-0000-0000-000000000001",
        types=frozenset({ProblemType.PASS_FAIL}),
        limits=LIMITS,
        statements={},
        groups=(TestGroup(name="sample", aggregation=Aggregation.PASS_FAIL), _secret()),
        cases=(),
        examples=(),
        input_validators=(),
        output_validator=None,
        generators={},
    )


def _secret() -> TestGroup:
    return TestGroup(name="secret", aggregation=Aggregation.PASS_FAIL)


@pytest.fixture(scope="session")
def sums(tmp_path_factory: pytest.TempPathFactory) -> tuple[ReadyCase, ...]:
    return make_cases(tmp_path_factory.mktemp("sums"), SUMS)


def make_cases(folder: Path, rows: tuple[tuple[str, str, str], ...], **settings: Any) -> tuple[ReadyCase, ...]:
    """Cases on disk from rows of name, input, answer; the group is the folder of the name."""
    cases = []
    for name, given, answer in rows:
        path = folder / f"{name}.in"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(given)
        path.with_suffix(".ans").write_text(answer)
        cases.append(
            ReadyCase(
                name=name,
                group=name.rpartition("/")[0],
                input=path,
                answer=path.with_suffix(".ans"),
                settings=CaseSettings(**settings),
            )
        )
    return tuple(cases)


class Judged:
    """All steps of one judgement, by kind."""

    def __init__(self, steps: list[Any]) -> None:
        assert isinstance(steps[0], Compiled)
        assert isinstance(steps[-1], Report)
        self.compiled = steps[0]
        self.cases: list[CaseResult] = steps[1:-1]
        self.report = steps[-1]


Judge = Callable[..., Judged]


@pytest.fixture(scope="session")
def judge(box: Sandbox, plus: Package, sums: tuple[ReadyCase, ...]) -> Judge:
    """Judge a program given as text, bytes or a mapping of files; keywords replace fields of the package."""

    def judged(
        source: str | bytes | dict[str, bytes],
        language: str = "python3",
        *,
        cases: tuple[ReadyCase, ...] = sums,
        run_everything: bool = False,
        time_factor: float = 1.0,
        **changes: Any,
    ) -> Judged:
        files = (
            source if isinstance(source, dict) else {"prog": source if isinstance(source, bytes) else source.encode()}
        )
        job = Job(
            package=replace(plus, **changes),
            cases=cases,
            source=Source(language=language, files=files),
            run_everything=run_everything,
            time_factor=time_factor,
        )
        return Judged(list(grade(job, box)))

    return judged


def program(text: str, name: str = "output_validator/check.py") -> Program:
    """An author's program of one file."""
    return Program(name=name, files={name.rpartition("/")[2]: text.encode()})
