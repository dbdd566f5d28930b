"""Publishing: a package folder becomes an immutable version, and that becomes the problem's live one."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Max

from judge.blobs import compiled, store
from judge.grading.build import BuildFailed, Built, Making, build
from judge.grading.job import ReadyCase
from judge.grading.lesson import Traced, TraceFailed, trace_lessons
from judge.grading.score import Scoring
from judge.lessons import actions as lessons
from judge.people.models import User
from problems.models import Case, Problem, Version
from problems.package.archive import pack
from problems.package.model import Finding, Package, Severity
from problems.package.read import read
from sandbox.contract import Sandbox

log = structlog.get_logger(__name__)


class PublishFailed(Exception):
    """Nothing was published and nothing was kept. The message says why; `findings` are those of the package, if any."""

    def __init__(self, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.findings = tuple(findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A built case whose bytes lie in the store."""

    case: ReadyCase
    input: str
    answer: str
    input_bytes: int


def publish(
    folder: Path,
    box: Sandbox,
    *,
    made_by: User | None = None,
    slug: str | None = None,
    told: Callable[[Making], None] = lambda _: None,
) -> Version:
    """Read, build and keep the package in `folder`, and make it the live version of its problem.

    The same content again gives the version that is there already. `slug`: the package's name when the folder is not
    called so; `told` hears how far the building is. Raises `PublishFailed`, and `SandboxFault` when the box broke.
    """
    package = _readable(folder, slug)
    known = Problem.objects.filter(uuid=package.uuid).first()
    before = known.live_id if known else None
    _check_name(package, known)
    built = _built(package, box, told)
    traced = _traced(package, box)
    kept = [_keep(case) for case in built.cases]
    archive = store.put(pack(folder))
    with transaction.atomic():
        problem, _ = Problem.objects.get_or_create(uuid=package.uuid, defaults={"slug": package.slug})
        version = _version(problem, package, kept, digest=_digest(built, kept), archive=archive, made_by=made_by)
        lessons.keep(version, traced)
        if Problem.objects.filter(pk=problem.pk, live_id=before).update(live=version) != 1:
            raise PublishFailed(f"Somebody else has just published {problem.slug}. Look at that version first.")
    version.problem.refresh_from_db()
    log.info("published", version=str(version), cases=len(kept))
    return version


def _readable(folder: Path, slug: str | None) -> Package:
    reading = read(folder, slug=slug)
    if reading.package is None:
        errors = [finding for finding in reading.findings if finding.severity is Severity.ERROR]
        lines = "\n".join(f"  {finding.where or 'package'}: {finding.message}" for finding in errors[:20])
        raise PublishFailed(f"{folder.name} cannot be published:\n{lines}", reading.findings)
    if not reading.package.limits.time_stated:
        raise PublishFailed(
            f"{folder.name} states no time limit: write `limits.time_limit`, or let `./palfrey import` measure one.",
            reading.findings,
        )
    return reading.package


def _check_name(package: Package, known: Problem | None) -> None:
    if known is None and Problem.objects.filter(slug=package.slug).exists():
        raise PublishFailed(
            f"There is another problem called {package.slug}, with another uuid. Give this one another name, or take "
            "over the uuid of that one if it is meant to be its next version."
        )


def _built(package: Package, box: Sandbox, told: Callable[[Making], None]) -> Built:
    try:
        for step in build(package, box, Path(settings.PALFREY_CACHE) / "built", compiled.workshop()):
            if isinstance(step, Built):
                return step
            told(step)
    except BuildFailed as error:
        raise PublishFailed(f"{package.slug} cannot be published: {error}") from error
    raise RuntimeError("the build ended without a result")


def _traced(package: Package, box: Sandbox) -> list[Traced]:
    """What the package's lessons show."""
    try:
        return list(trace_lessons(package, box, compiled.workshop()))
    except TraceFailed as fault:
        raise PublishFailed(f"{package.slug} cannot be published: {fault.message}") from fault


def _keep(case: ReadyCase) -> _Kept:
    given = case.input.read_bytes()
    return _Kept(case=case, input=store.put(given), answer=store.put(case.answer.read_bytes()), input_bytes=len(given))


def _digest(built: Built, kept: Sequence[_Kept]) -> str:
    """Names the content: the package's files and what was made of them."""
    total = hashlib.sha256(built.digest.encode())
    for each in kept:
        total.update(f"\0{each.case.name}\0{each.input}\0{each.answer}".encode())
    return total.hexdigest()


def _version(
    problem: Problem, package: Package, kept: Sequence[_Kept], *, digest: str, archive: str, made_by: User | None
) -> Version:
    """The version with this content, made if there is none."""
    Problem.objects.select_for_update().get(pk=problem.pk)
    found = Version.objects.filter(problem=problem, digest=digest).first()
    if found is not None:
        return found
    last = problem.versions.aggregate(last=Max("number"))["last"] or 0
    version = Version.objects.create(
        problem=problem,
        number=last + 1,
        digest=digest,
        archive=archive,
        titles=dict(package.names),
        facts=_facts(package, kept),
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
        for position, each in enumerate(kept, start=1)
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
