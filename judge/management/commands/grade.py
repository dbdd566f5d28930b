"""`./palfrey grade SLUG FILE`: the judge with no web, no database and no broker around it."""

import json
import os
import sys
from argparse import ArgumentParser
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from judge.grading.build import BuildFailed, Built, Making, build
from judge.grading.grade import grade
from judge.grading.job import ANSWERS, CaseResult, Compiled, Job, ReadyCase, Report, Source
from judge.grading.languages import LANGUAGES, guess_of
from judge.grading.verdict import Verdict
from judge.management.by_hand import package_called, workshop_of_this_machine
from problems.package.model import Package
from sandbox.box import open_sandbox
from sandbox.contract import Sandbox, SandboxFault

EXIT_NOT_ACCEPTED, EXIT_TROUBLE = 1, 2
"""Exit codes beside 0 for accepted. Trouble: a judge error, or a call that makes no sense."""
_MOST_FILES = 200
_MOST_BYTES = 64 << 20


class Command(BaseCommand):
    help = "Judge a program against a problem of the catalog, or against any package folder."
    requires_system_checks = ()
    answered = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="name of a catalog problem, or path of a package folder")
        parser.add_argument("files", metavar="FILE", nargs="+", help="the program or the answers: files or a folder")
        parser.add_argument("--language", metavar="ID", help=f"one of {', '.join(LANGUAGES)}; else the ending says")
        parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")

    def run_from_argv(self, argv: list[str]) -> None:
        """As Django does it; but with `--json` even a call that cannot be read is answered by an object."""
        try:
            super().run_from_argv(argv)
        except BrokenPipeError:  # whoever read has had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(EXIT_TROUBLE)
        except SystemExit as end:
            if "--json" in argv and end.code == EXIT_TROUBLE and not self.answered:
                print(json.dumps(_trouble("Bad use. It is: ./palfrey grade SLUG FILE [--language ID] [--json]")))
            raise

    def handle(self, *_args: Any, **options: Any) -> None:
        told = _Told() if options["json"] else _Table()
        try:
            package = package_called(options["slug"])
            language = ANSWERS if package.submit_answer else options["language"]
            source = _source([Path(name) for name in options["files"]], language)
            with closing(open_sandbox(settings.PALFREY_CACHE / "sandbox", pinned=True, laptop=settings.LAPTOP)) as box:
                _judge(package, source, box, told)
        except (CommandError, BuildFailed, SandboxFault) as error:
            if not options["json"]:
                raise CommandError(str(error), returncode=EXIT_TROUBLE) from error
            print(json.dumps(_trouble(str(error))))
            verdict = Verdict.JUDGE_ERROR
        else:
            if options["json"]:
                print(json.dumps(told.answer(source)))
            verdict = told.report.verdict
        self.answered = True
        if verdict == Verdict.JUDGE_ERROR:
            sys.exit(EXIT_TROUBLE)
        if verdict != Verdict.ACCEPTED:
            sys.exit(EXIT_NOT_ACCEPTED)


class _Told:
    """Takes in what judging says, and shows nothing of it."""

    compiled: Compiled
    report: Report

    def __init__(self) -> None:
        self.results: list[CaseResult] = []

    def making(self, making: Making) -> None:
        """A case is being made."""

    def begins(self, package: Package, source: Source, cases: tuple[ReadyCase, ...]) -> None:
        """Judging begins."""

    def step(self, step: Compiled | CaseResult | Report) -> None:
        """Judging said something."""
        match step:
            case Compiled():
                self.compiled = step
            case CaseResult():
                self.results.append(step)
            case Report():
                self.report = step

    def answer(self, source: Source) -> dict[str, Any]:
        """Everything, as the object that `--json` prints."""
        return {
            "verdict": self.report.verdict,
            "language": source.language,
            "toolchain": self.compiled.toolchain,
            "points": _number(self.report.points),
            "out_of": _number(self.report.out_of),
            "note": self.report.note,
            "judge_note": self.report.judge_note,
            "compile_log": self.compiled.log.decode("utf-8", "replace"),
            "compiled_before": self.compiled.reused,
            "cases": [
                {
                    "name": result.name,
                    "group": result.group,
                    "verdict": result.verdict,
                    "cpu_seconds": round(result.cpu_seconds, 4),
                    "memory_bytes": result.memory_bytes,
                    "points": _number(result.points),
                    "note": result.note,
                    "team_note": result.team_note,
                    "judge_note": result.judge_note,
                }
                for result in self.results
            ],
        }


class _Table(_Told):
    """Shows a line for each case as soon as it is known, and while one runs, which one, where somebody looks on."""

    def __init__(self) -> None:
        super().__init__()
        self._live = sys.stderr.isatty()
        self._cases: tuple[ReadyCase, ...] = ()
        self._width = 4

    def making(self, making: Making) -> None:
        self._now(f"making case {making.done + 1} of {making.total}: {making.case}")

    def begins(self, package: Package, source: Source, cases: tuple[ReadyCase, ...]) -> None:
        self._cases = cases
        self._width = max([4, *(len(case.name) for case in cases)])
        title = package.names.get("en") or next(iter(package.names.values()), package.slug)
        self._line(f"{title} ({package.slug}), {len(cases)} cases, {_label(source.language)}")
        self._now("compiling")

    def step(self, step: Compiled | CaseResult | Report) -> None:
        super().step(step)
        match step:
            case Compiled():
                taken = "compiled before" if step.reused else f"{step.cpu_seconds:.2f} s"
                self._line(f"{step.toolchain}, {taken}" if step.toolchain else "")
                if step.log.strip():
                    self._line(step.log.decode("utf-8", "replace").rstrip())
                if step.verdict is None:
                    self._line(f"\n{'case':{self._width}}  {'verdict':21}  {'CPU':>8}  {'memory':>10}")
            case CaseResult():
                self._case(step)
            case Report():
                points = f"{float(step.points):g} of {float(step.out_of):g} points"
                self._line(f"\n{step.verdict.replace('_', ' ')}, {points}\n{step.note}")
                if step.judge_note and step.verdict == Verdict.JUDGE_ERROR:
                    self._line(step.judge_note)
        if isinstance(step, Compiled | CaseResult) and len(self.results) < len(self._cases):
            self._now(f"case {len(self.results) + 1} of {len(self._cases)}: {self._cases[len(self.results)].name}")

    def _case(self, result: CaseResult) -> None:
        word = result.verdict.replace("_", " ") if result.verdict else "not run"
        figures = f"{result.cpu_seconds:6.2f} s  {result.memory_bytes / (1 << 20):6.1f} MiB" if result.verdict else ""
        self._line(f"{result.name:{self._width}}  {word:21}  {figures}".rstrip())
        if result.verdict not in (None, Verdict.ACCEPTED):
            lines = [line for note in (result.note, result.team_note, result.judge_note) for line in note.splitlines()]
            for line in list(dict.fromkeys(lines))[:12]:
                self._line(f"    {line[:300]}")

    def _now(self, what: str) -> None:
        if self._live:
            print(f"\r\033[K{what} …", end="", file=sys.stderr, flush=True)

    def _line(self, line: str) -> None:
        if self._live:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        print(line, flush=True)


def _judge(package: Package, source: Source, box: Sandbox, told: _Told) -> None:
    cases: tuple[ReadyCase, ...] = ()
    workshop = workshop_of_this_machine()
    for step in build(package, box, settings.PALFREY_CACHE / "built", workshop):
        match step:
            case Making():
                told.making(step)
            case Built():
                cases = step.cases
    told.begins(package, source, cases)
    for said in grade(Job(package=package, cases=cases, source=source), box, workshop):
        told.step(said)


def _source(paths: list[Path], language: str | None) -> Source:
    files: dict[str, bytes] = {}
    size = 0
    for path in paths:
        if not path.exists():
            raise CommandError(f"There is no file “{path}”.")
        inside = sorted(found for found in path.rglob("*") if found.is_file()) if path.is_dir() else [path]
        for found in inside:
            name = found.relative_to(path) if path.is_dir() else Path(found.name)
            if any(part.startswith((".", "__pycache__")) for part in name.parts) and path.is_dir():
                continue
            size += found.stat().st_size
            if size > _MOST_BYTES or len(files) >= _MOST_FILES:
                raise CommandError(f"The program has more than {_MOST_FILES} files or {_MOST_BYTES >> 20} MiB.")
            files[str(name)] = found.read_bytes()
    if not files:
        raise CommandError("There is no file to judge in that folder.")
    if language is None:
        guessed = guess_of(files)
        if guessed is None:
            raise CommandError(
                f"The ending of “{next(iter(files))}” does not say its language: give --language, one of "
                f"{', '.join(LANGUAGES)}."
            )
        language = guessed.id
    if language not in LANGUAGES and language != ANSWERS:
        raise CommandError(f"There is no language “{language}”: give one of {', '.join(LANGUAGES)}.")
    return Source(language=language, files=files)


def _label(language: str) -> str:
    return LANGUAGES[language].label if language in LANGUAGES else language


def _trouble(note: str) -> dict[str, Any]:
    return {
        "verdict": Verdict.JUDGE_ERROR,
        "language": None,
        "points": 0,
        "out_of": 0,
        "note": note,
        "compile_log": "",
        "cases": [],
    }


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)
