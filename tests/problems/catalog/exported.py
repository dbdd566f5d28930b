"""Packages of the catalog as we export them, built in a real box."""

import os
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from judge.grading.build import Built, build
from problems.package.compare import Made
from problems.package.write import write, write_legacy
from sandbox.box import open_sandbox
from tests import together
from tests.problems.catalog.bare import package

FORMATS: dict[str, Callable[..., object]] = {"2025-09": write, "legacy": write_legacy}


@cache
def made(slug: str) -> dict[str, Made]:
    """Input and answer of every case."""
    folder = Path(mkdtemp(prefix="palfrey-exported-", dir=os.environ.get("PALFREY_VAR")))
    with closing(open_sandbox(folder / "sandbox")) as box:
        for step in build(package(slug), box, together.built()):
            if isinstance(step, Built):
                return {case.name: Made(input=case.input, answer=case.answer) for case in step.cases}
    raise AssertionError(slug)


def export(slug: str, kind: str, into: Path) -> Path:
    """Write the package in one of `FORMATS` to `into`/slug."""
    FORMATS[kind](package(slug), into / slug, made=made(slug))
    return into / slug
