"""Pictures that a package's visualizers draw: of a case, and of what a program printed on it.

A visualizer that fails, is stopped by its limits or draws what is no picture is no error: there is no picture then.

**A picture is an author's text, and may have been steered by a student's output.** An SVG can hold scripts, and no
cleaner of ours knows SVG, so none is ever put into a page: show it by `<img src=…>`, where browsers run no script and
load nothing, and serve it with `HEADERS`, which hold when somebody opens its address by itself.

Pictures whose `for_team` is false are for staff. Those of a secret case show the case, so students may see them only
where `full_feedback` says so.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import PurePosixPath

from judge.grading.check import FEEDBACK, CheckerBroken, OwnValidator, validator_of
from judge.grading.compile import compile_program
from judge.grading.job import ReadyCase
from judge.grading.run import patiently
from judge.grading.workshop import PLAIN, Workshop
from problems.package.model import Package, Program
from sandbox.contract import Ending, Outcome, Sandbox

IMAGES = 20
"""At most so many pictures of one output."""
IMAGE_BYTES = 2 << 20
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    "X-Content-Type-Options": "nosniff",
}
"""With these headers every picture is served."""
_DRAWN_BYTES = 16 << 20
_SECONDS = 10.0
_OUTPUT_BYTES = 1 << 20
"""Longer outputs are not drawn."""
_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".svg": "image/svg+xml"}
_STARTS = {
    "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/svg+xml": re.compile(rb"\s*(?:<\?xml[^>]{,200}>\s*)?(?:<!DOCTYPE\s+svg[^>\[]{,300}>\s*)?<svg[\s>]"),
}
_NAME = re.compile(r"(team|judge)image(-[\w.-]+)?\.(png|jpe?g|svg)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """One picture."""

    name: str
    media_type: str
    """As its first bytes say it, not only its name."""
    content: bytes
    for_team: bool
    """Whether it was drawn for students; else it is for staff."""


def draw_case(package: Package, case: ReadyCase, box: Sandbox, workshop: Workshop = PLAIN) -> Image | None:
    """The picture of a case by the package's `input_visualizer`, for staff; None: there is none.

    The visualizer is called with input, answer and `input_visualizer_args`, and writes `testcase.png` (or .jpg, .jpeg,
    .svg) where it is: so BAPCtools has it, the format says no name. Raises `SandboxFault`.
    """
    visualizer = _ready(package, package.input_visualizer, box, workshop)
    if visualizer is None:
        return None
    command = visualizer.executable.command(visualizer.limits.validation_memory_bytes)
    arguments = ("/box/.judge/input", "/box/.judge/answer", *case.settings.input_visualizer_args)
    names = tuple(f"testcase{ending}" for ending in _TYPES)
    run = visualizer.run(case, given=case.input)
    outcome = patiently(replace(run, argv=(*command, *arguments), keep=names), box)
    return next(_images(outcome, names), None)


def draw_output(
    package: Package,
    case: ReadyCase,
    output: bytes,
    box: Sandbox,
    workshop: Workshop = PLAIN,
    *,
    feedback: Mapping[str, bytes] | None = None,
) -> tuple[Image, ...]:
    """The pictures of an output by the package's `output_visualizer`, in order of their names.

    `feedback`: what the validator left in its folder. None: it is asked first, unless it talks to the program or looks
    at several passes (there `output` is nothing, or that of the last pass). Raises `SandboxFault`.
    """
    if len(output) > _OUTPUT_BYTES:
        return ()
    visualizer = _ready(package, package.output_visualizer, box, workshop)
    if visualizer is None:
        return ()
    if feedback is None:
        feedback = _feedback(package, case, output, box, workshop)
    settings = replace(case.settings, output_validator_args=case.settings.output_visualizer_args)
    run = visualizer.run(replace(case, settings=settings), given=case.input, output=output, state=feedback)
    outcome = patiently(run, box)
    return tuple(_images(outcome, sorted(name for name in outcome.kept if _NAME.fullmatch(_short(name)))))


def _ready(package: Package, program: Program | None, box: Sandbox, workshop: Workshop) -> OwnValidator | None:
    """A visualizer, which is called as validators are; None when there is none that compiles."""
    if program is None:
        return None
    executable = compile_program(program, package, box, workshop).executable
    if executable is None:
        return None
    limits = replace(
        package.limits,
        validation_seconds=min(package.limits.validation_seconds, _SECONDS),
        validation_output_bytes=min(package.limits.validation_output_bytes, _DRAWN_BYTES),
    )
    return OwnValidator(program=program, executable=executable, limits=limits, box=box, multi_pass=False)


def _feedback(
    package: Package, case: ReadyCase, output: bytes, box: Sandbox, workshop: Workshop
) -> Mapping[str, bytes]:
    """What the package's validator leaves in its folder when it looks at `output`."""
    if package.output_validator is None or package.interactive or package.multi_pass:
        return {}
    try:
        validator = validator_of(package, box, workshop)
    except CheckerBroken:
        return {}
    outcome = patiently(validator.run(case, given=case.input, output=output), box)
    return {_short(name): content for name, content in outcome.kept.items()}


def _images(outcome: Outcome, names: Iterable[str]) -> Iterator[Image]:
    """Those of the files that are pictures, if all went well."""
    if outcome.ending != Ending.EXITED:
        return
    drawn = ((name, outcome.kept[name]) for name in names if name in outcome.kept)
    images = ((_short(name), content, _media_type(name, content)) for name, content in drawn)
    for name, content, media_type in islice((one for one in images if one[2]), IMAGES):
        yield Image(name=name, media_type=media_type, content=content, for_team=name.startswith("team"))


def media_type_of(content: bytes) -> str:
    """What the first bytes of a picture say that it is; empty: it is none, or too large."""
    seen = next((kind for kind, start in _STARTS.items() if start.match(content)), "")
    return seen if len(content) <= IMAGE_BYTES else ""


def _media_type(name: str, content: bytes) -> str:
    """What both its name and its first bytes say."""
    told = _TYPES.get(PurePosixPath(name).suffix, "")
    return told if told == media_type_of(content) else ""


def _short(name: str) -> str:
    return name.removeprefix(f"{FEEDBACK}/")
