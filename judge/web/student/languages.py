"""The page of the languages: by what a program is compiled and run, to the letter."""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from judge.assignments.queries import problems
from judge.grading.language import ENVIRONMENT, Language
from judge.grading.languages import LANGUAGES, endings_of
from judge.submissions import queries
from judge.web.words import title_of
from problems.package.model import Limits

DEFAULTS = Limits(time_seconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One language of the page."""

    id: str
    label: str
    versions: tuple[str, ...]
    """As the workers said; usually one, and none before the first worker was seen."""
    compile: str
    interpreted: bool
    run: str
    variables: str
    source: str
    endings: tuple[str, ...]
    """Of files that are taken for this language when none was chosen."""


@require_safe
def languages(request: HttpRequest) -> HttpResponse:
    """Every language that a worker offers; with `?problem=`, those of one problem and with its memory limit."""
    slug = request.GET.get("problem", "")
    memory, names, problem = DEFAULTS.memory_bytes, queries.offered_languages(), None
    if slug:
        found = get_object_or_404(problems(request.user), slug=slug)
        assert found.live is not None
        problem = {"slug": found.slug, "title": title_of(found.slug, found.live)}
        memory = found.live.facts.get("memory_bytes", memory)
        names = frozenset(queries.allowed_languages(found.live))
    versions = queries.toolchains()
    return render(
        request,
        "student/languages.html",
        {
            "here": "languages",
            "problem": problem,
            "memory": memory,
            "compile_memory": DEFAULTS.compile_memory_bytes,
            "everywhere": _variables(ENVIRONMENT.items()),
            "languages": [
                _shown(language, versions.get(name, ()), memory)
                for name, language in LANGUAGES.items()
                if name in names
            ],
        },
    )


def _shown(language: Language, versions: Iterable[str], memory: int) -> Shown:
    source = language.source
    compile_memory = DEFAULTS.compile_memory_bytes
    own = language.environment(memory_bytes=memory).items() - ENVIRONMENT.items()
    return Shown(
        id=language.id,
        label=language.label,
        versions=tuple(versions),
        compile=_line(language.compiler(sources=[source], entry=source, memory_bytes=compile_memory)),
        interpreted=language.interpreted,
        run=_line(language.command(entry=language.main_class or source, memory_bytes=memory)),
        variables=_variables(sorted(own)),
        source=source,
        endings=endings_of(language),
    )


def _line(arguments: Iterable[str]) -> str:
    """As one would type it; a script among the arguments is left out."""
    return " ".join("…" if "\n" in argument else shlex.quote(argument) for argument in arguments)


def _variables(pairs: Iterable[tuple[str, str]]) -> str:
    return " ".join(f"{name}={shlex.quote(value)}" for name, value in pairs)
