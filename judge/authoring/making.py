"""From a package to an immutable version: read it, build it, keep its bytes, write its rows."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import Max

from judge.blobs import compiled, statements, store
from judge.grading.agree import agree
from judge.grading.build import BuildFailed, Built, Making, build
from judge.grading.job import ReadyCase
from judge.grading.lesson import Traced, TraceFailed, trace_lessons
from judge.grading.repeat import repeat
from judge.grading.score import Scoring
from judge.lessons import actions as lessons
from judge.people.models import User
from judge.people.refusal import Refused
from problems.models import Case, Problem, Version
from problems.package.archive import pack
from problems.package.model import Finding, Package, Severity
from problems.package.read import read
from problems.say import say
from sandbox.contract import Sandbox

Step = TypeVar("Step")


class PublishFailed(Refused):
    """Nothing was published and nothing was kept. The message says why; `findings` are those of the package, if any."""

    def __init__(self, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.findings = tuple(findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A built case whose bytes lie in the store."""

    case: ReadyCase
    input: str
    answer: str
    input_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A package whose cases are built and whose bytes all lie in the store: a version but for its row."""

    package: Package
    archive: str
    digest: str
    kept: tuple[_Kept, ...]
    traced: tuple[Traced, ...]
    """What its lessons show."""

    def version_of(self, problem: Problem, made_by: User | None) -> Version:
        """The version of `problem` with this content, made if there is none. To be called in a transaction."""
        version = _version(problem, self, made_by=made_by)
        lessons.keep(version, self.traced)
        return version


def readable(folder: Path, slug: str | None = None) -> Package:
    """The package in `folder`, if a version can be made of it. Raises `PublishFailed` with the findings."""
    name = slug or folder.name
    reading = read(folder, slug=slug)
    if reading.package is None:
        errors = [finding for finding in reading.findings if finding.severity is Severity.ERROR]
        lines = "\n".join(f"  {finding.where or 'package'}: {finding.message}" for finding in errors[:20])
        raise PublishFailed(f"{_refusal(name)}\n{lines}", reading.findings)
    if not reading.package.limits.time_stated:
        raise PublishFailed(
            say(
                "said",
                "%(name)s states no time limit: write `limits.time_limit`, or have one measured.",
                name=name,
            ),
            reading.findings,
        )
    return reading.package


def _refusal(name: str) -> str:
    """What the reason follows."""
    return say("said", "%(name)s cannot be published.", name=name)


def built(package: Package, box: Sandbox) -> Iterator[Making | Built]:
    """Build `package` in the cache of this host. Raises `PublishFailed`, and `SandboxFault` when the box broke."""
    return _told(package, build(package, box, _folder(), compiled.workshop()))


def _folder() -> Path:
    return Path(settings.PALFREY_CACHE) / "built"


def make(package: Package, box: Sandbox, *, archive: str = "", gently: bool = False) -> Iterator[Making | Made]:
    """Build a package that `readable` gave: yield how far it is, and last the `Made`, all of which lies in the store.

    `archive`: its digest when it is kept already. `gently`: neither are generators tried by `repeat`, nor the other
    accepted solutions by `agree`. Raises what `built` raises.
    """
    for step in built(package, box):
        if isinstance(step, Built):
            if not gently:
                yield from _told(package, repeat(package, step.cases, box, compiled.workshop()))
                yield from _told(package, agree(package, step.cases, box, _folder(), compiled.workshop()))
            kept = tuple(_keep(case) for case in step.cases)
            archive = archive or store.put(pack(package.root))
            statements.findings(package)  # makes HTML of them now, and not when the first reader waits
            traced = _traced(package, box)
            yield Made(package=package, archive=archive, digest=_digest(step, kept), kept=kept, traced=traced)
        else:
            yield step


def _told(package: Package, steps: Iterator[Step]) -> Iterator[Step]:
    try:
        yield from steps
    except BuildFailed as error:
        raise PublishFailed(f"{_refusal(package.slug)} {error}") from error


def _traced(package: Package, box: Sandbox) -> tuple[Traced, ...]:
    try:
        return tuple(trace_lessons(package, box, compiled.workshop()))
    except TraceFailed as fault:
        raise PublishFailed(f"{_refusal(package.slug)} {fault.message}") from fault


def _keep(case: ReadyCase) -> _Kept:
    given = case.input.read_bytes()
    return _Kept(case=case, input=store.put(given), answer=store.put(case.answer.read_bytes()), input_bytes=len(given))


def _digest(built: Built, kept: Sequence[_Kept]) -> str:
    """Names the content: the package's files and what was made of them."""
    total = hashlib.sha256(built.digest.encode())
    for each in kept:
        total.update(f"\0{each.case.name}\0{each.input}\0{each.answer}".encode())
    return total.hexdigest()


def _version(problem: Problem, made: Made, *, made_by: User | None) -> Version:
    Problem.objects.select_for_update().get(pk=problem.pk)
    found = Version.objects.filter(problem=problem, digest=made.digest).first()
    if found is not None:
        return found
    last = problem.versions.aggregate(last=Max("number"))["last"] or 0
    version = Version.objects.create(
        problem=problem,
        number=last + 1,
        digest=made.digest,
        archive=made.archive,
        titles=dict(made.package.names),
        facts=_facts(made.package, made.kept),
        made_by=made_by,
    )
    Case.objects.bulk_create(
        Case(
            version=version,
            position=position,
            group=each.case.group,
            name=each.case.name,
            input=each.input,
            answer=each.answer,
            input_bytes=each.input_bytes,
            provenance=_provenance(each.case),
        )
        for position, each in enumerate(made.kept, start=1)
    )
    return version


def _facts(package: Package, kept: Sequence[_Kept]) -> dict[str, Any]:
    """What lists and the submit form need without opening the archive. Seconds, bytes, points."""
    groups = [each.case.group for each in kept]
    return {
        "time_seconds": package.limits.time_seconds,
        "memory_bytes": package.limits.memory_bytes,
        "output_bytes": package.limits.output_bytes,
        "code_bytes": package.limits.code_bytes,
        "types": sorted(package.types),
        "scoring": package.scoring,
        "out_of": float(Scoring(package, groups).out_of()),
        "keywords": list(package.keywords),
        "languages": None if package.languages is None else sorted(package.languages),
        "statements": sorted(package.statements),
        "lessons": sorted(package.lessons),
        "license": package.license,
        "credits": list(package.credits),
        "source": package.source,
        "cases": len(kept),
        "samples": groups.count("sample"),
    }


def _provenance(case: ReadyCase) -> dict[str, Any] | None:
    made = case.provenance
    if made is None:
        return None
    return {"generator": made.generator, "arguments": list(made.arguments), "seed": made.seed}
