"""Long work that looks at a version: what its checker lets pass, what its cases look like."""

import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from judge.authoring.models import Errand
from judge.authoring.work import Progress, Result, Wishes, Work
from judge.blobs import compiled, store
from judge.blobs.versions import VersionUnreadable, package_of, ready_cases
from judge.grading import playground
from judge.grading.build import BuildFailed, Making, build
from judge.grading.check import CheckerBroken
from judge.grading.draw import draw_case
from judge.grading.job import ReadyCase
from judge.grading.perturbations import PERTURBATIONS
from judge.grading.playground import NoPlayground, Opinion, Playground, Row
from judge.people.refusal import Refused
from judge.submissions.text import storable
from problems.models import Version
from sandbox.contract import Sandbox

OUTPUT_BYTES = 64 << 10
"""What may be pasted, to see what the checker says of it."""
NOTE = 4_000
"""Characters that are kept of what a checker says of it."""
PICTURES = 200
PICTURES_BYTES = 32 << 20
PICTURES_SECONDS = 600.0
"""Bounds of what is drawn of one version; further cases have no picture."""
NAMED = 50
"""Cases that are named, of those that came out otherwise when they were made again."""


def checker(errand: Errand, box: Sandbox) -> Work:
    """Change right outputs a little, in many ways, and see what the checker of a version says of each."""
    version = _version(errand)
    total = len(PERTURBATIONS)
    yield Progress(done=0, total=total, now="")
    rows: list[Row] = []
    try:
        for step in playground.play(package_of(version), ready_cases(version), box, compiled.workshop()):
            match step:
                case Row():
                    rows.append(step)
                    yield Progress(done=len(rows), total=total, now=step.words, result={"rows": list(map(_row, rows))})
                case Playground():
                    ground = step
    except (NoPlayground, CheckerBroken) as error:
        return Result(succeeded=False, message=str(error))
    return Result(
        succeeded=not ground.surprising,
        facts={"checker": ground.checker, "cases": list(ground.cases), "rows": list(map(_row, ground.rows))},
    )


def _row(row: Row) -> dict[str, Any]:
    return {
        "id": row.id,
        "words": row.words,
        "expected": row.expected,
        "opinion": row.opinion,
        "said": storable(row.said, NOTE) if row.opinion != Opinion.FINE else "",
        "cells": [
            {"case": cell.case, "answer": cell.answer, "message": storable(cell.message, 300)} for cell in row.cells
        ],
    }


def own_output(version: Version | None, sent: Wishes) -> Wishes:
    """An output of one's own for a case: `case` and `output`. Raises `Refused`."""
    assert version is not None
    case, output = str(sent.get("case", "")), str(sent.get("output", ""))
    if not version.cases.filter(name=case[:300]).exists():
        raise Refused(_("Choose the case that the output is for."))
    if len(output.encode("utf-8", "replace")) > OUTPUT_BYTES or "\0" in output:
        raise Refused(_("Paste at most %(most)s KiB of text.") % {"most": OUTPUT_BYTES >> 10})
    return {"case": case, "output": output}


def try_own(errand: Errand, box: Sandbox) -> Work:
    """See what the checker of a version says of an output that somebody has pasted."""
    version = _version(errand)
    yield Progress(done=0, total=1, now=errand.wishes["case"])
    output = str(errand.wishes["output"]).encode("utf-8", "replace")
    try:
        case = next(case for case in ready_cases(version) if case.name == errand.wishes["case"])
        answer, checked = playground.try_output(package_of(version), case, output, box, compiled.workshop())
    except (NoPlayground, CheckerBroken) as error:
        return Result(succeeded=False, message=str(error))
    return Result(
        succeeded=True,
        facts={
            "answer": answer,
            "judge_note": storable(checked.judge_note, NOTE),
            "team_note": storable(checked.team_note, NOTE),
        },
    )


def pictures(errand: Errand, box: Sandbox) -> Work:
    """Have the visualizer of a version draw its cases."""
    version = _version(errand)
    package, cases = package_of(version), ready_cases(version)
    drawn: dict[str, Mapping[str, str]] = {}
    room, until = PICTURES_BYTES, time.monotonic() + PICTURES_SECONDS
    for number, case in enumerate(cases[:PICTURES]):
        yield Progress(done=number, total=min(len(cases), PICTURES), now=case.name)
        if time.monotonic() > until:
            break
        image = draw_case(package, case, box, compiled.workshop())
        if image is not None and len(image.content) <= room:
            room -= len(image.content)
            drawn[case.name] = {"digest": store.put(image.content), "type": image.media_type}
    return Result(succeeded=bool(drawn), facts={"drawn": drawn})


def again(errand: Errand, box: Sandbox) -> Work:
    """Make the cases of a version anew, with nothing that is kept of the first time, and compare them to the byte."""
    version = _version(errand)
    package = package_of(version)
    kept = {case.name: (case.input, case.answer) for case in version.cases.all()}
    differ: list[str] = []
    with tempfile.TemporaryDirectory(prefix="again-", dir=settings.PALFREY_CACHE) as aside:
        try:
            for step in build(package, box, Path(aside), compiled.workshop()):
                if isinstance(step, Making):
                    yield Progress(done=step.done, total=step.total, now=step.case)
                else:
                    made = {case.name: _bytes_of(case) for case in step.cases}
                    differ = sorted(name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name))
        except BuildFailed as error:
            return Result(succeeded=False, message=str(error))
    facts = {"cases": len(kept), "differ": differ[:NAMED], "differ_in_all": len(differ)}
    return Result(succeeded=not differ, facts=facts)


def _bytes_of(case: ReadyCase) -> tuple[str, str]:
    return store.digest_of(case.input.read_bytes()), store.digest_of(case.answer.read_bytes())


def _version(errand: Errand) -> Version:
    if errand.version is None:  # cannot be: such errands are of a version
        raise VersionUnreadable(f"{errand} is of no version")
    return errand.version
