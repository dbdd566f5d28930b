"""`limits` of problem.yaml: exact, in bytes and seconds, or refused."""

from dataclasses import replace
from decimal import Decimal

from problems.package.findings import Findings
from problems.package.model import Limits, ProblemType
from problems.package.yaml_text import Fields, Map, parse_map
from problems.say import say

KNOWN = frozenset(
    "time_limit time_resolution time_multipliers memory output code compilation_time compilation_memory "  # noqa: SIM905
    "validation_time validation_memory validation_output validation_passes".split()
)
_HIGHEST = {
    "time_limit": 600,
    "memory": 64 << 10,
    "output": 1 << 10,
    "code": 64 << 10,
    "compilation_time": 600,
    "compilation_memory": 64 << 10,
    "validation_time": 3600,
    "validation_memory": 64 << 10,
    "validation_output": 1 << 10,
    "validation_passes": 1000,
}
"""What is more than this, in the format's units, is refused: no host of ours could honour it."""
MEASURED_UNDER = 10
"""Seconds that examples may use while a time limit that is not stated is measured."""
_DEFAULTS = Limits(time_seconds=float(MEASURED_UNDER), time_stated=False)


def read_limits(problem: Fields, types: frozenset[ProblemType] = frozenset()) -> Limits:
    """The limits of `problem`, the map of problem.yaml. What is wrong or not given is told and has its default.

    `types`: where answers are sent and no program, there need be no time limit.
    """
    runs = ProblemType.SUBMIT_ANSWER not in types
    limits = problem.fields("limits", KNOWN)
    stated = limits is not None and limits.node("time_limit") is not None
    if not stated and runs:
        problem.warn(
            "limits",
            "time-limit-missing",
            say(
                "said",
                "`limits.time_limit` is missing: it is measured from the example submissions. Say it to be sure of it.",
            ),
        )
    if limits is not None and "validation_passes" in limits and ProblemType.MULTI_PASS not in types:
        limits.warn(
            "validation_passes", "no-effect", say("said", "This says nothing: the problem is of no type `multi-pass`.")
        )
    if limits is None:
        return replace(_DEFAULTS, time_stated=not runs)
    resolution = _positive(limits, "time_resolution") or Decimal(1)
    time = (_positive(limits, "time_limit") if stated else Decimal(MEASURED_UNDER)) or resolution
    if stated and (time / resolution) % 1 != 0:
        limits.error(
            "time_limit",
            "time-resolution",
            say(
                "said",
                "`limits.time_limit` (%(time)s) is no multiple of `limits.time_resolution` "
                "(%(resolution)s): change one.",
                time=time,
                resolution=resolution,
            ),
        )
    multipliers = limits.fields("time_multipliers", ("ac_to_time_limit", "time_limit_to_tle"))
    return Limits(
        time_seconds=float(time),
        time_stated=stated or not runs,
        time_resolution=float(resolution),
        ac_to_time_limit=_multiplier(multipliers, "ac_to_time_limit", _DEFAULTS.ac_to_time_limit),
        time_limit_to_tle=_multiplier(multipliers, "time_limit_to_tle", _DEFAULTS.time_limit_to_tle),
        memory_bytes=_whole(limits, "memory", 1 << 20, _DEFAULTS.memory_bytes),
        output_bytes=_whole(limits, "output", 1 << 20, _DEFAULTS.output_bytes),
        code_bytes=_whole(limits, "code", 1 << 10, _DEFAULTS.code_bytes),
        compile_seconds=_whole(limits, "compilation_time", 1, 60),
        compile_memory_bytes=_whole(limits, "compilation_memory", 1 << 20, _DEFAULTS.compile_memory_bytes),
        validation_seconds=_whole(limits, "validation_time", 1, 60),
        validation_memory_bytes=_whole(limits, "validation_memory", 1 << 20, _DEFAULTS.validation_memory_bytes),
        validation_output_bytes=_whole(limits, "validation_output", 1 << 20, _DEFAULTS.validation_output_bytes),
        validation_passes=_whole(limits, "validation_passes", 1, _DEFAULTS.validation_passes, lowest=2),
    )


def _positive(limits: Fields, key: str) -> Decimal | None:
    value = limits.number(key)
    if value is not None and not 0 < value <= _HIGHEST["time_limit"]:
        limits.wrong(
            key,
            say("said", "`%(key)s` must be more than 0 and at most %(highest)s seconds."),
            highest=_HIGHEST["time_limit"],
        )
        return None
    return value


def _multiplier(multipliers: Fields | None, key: str, default: float) -> float:
    value = None if multipliers is None else multipliers.number(key)
    if multipliers is None or value is None:
        return default
    if not 1 <= value <= 1000:
        multipliers.wrong(key, say("said", "`%(key)s` must be at least 1."))
        return default
    return float(value)


def _whole(limits: Fields, key: str, unit: int, default: int, *, lowest: int = 1) -> int:
    value = limits.integer(key, most=_HIGHEST[key])
    if value is None:
        return default
    if not lowest <= value <= _HIGHEST[key]:
        limits.wrong(
            key,
            say("said", "`%(key)s` must be a whole number from %(lowest)s to %(highest)s."),
            lowest=lowest,
            highest=_HIGHEST[key],
        )
        return default
    return value * unit


def with_time_limit(text: bytes, seconds: Decimal) -> bytes:
    """`text`, a problem.yaml that states no time limit, with one; everything else stays as its author wrote it."""
    found = parse_map(text, "problem.yaml", Findings())
    limits = found.nodes.get("limits") if found else None
    lines = text.decode("utf-8").splitlines(keepends=True)
    stated = f"time_limit: {format(seconds.normalize(), 'f')}"
    if isinstance(limits, Map) and limits.nodes and min(limits.lines.values()) > _line_of(found, "limits"):
        at = min(limits.lines.values()) - 1
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        lines.insert(at, f"{indent}{stated}\n")
    elif isinstance(limits, Map):
        at = limits.line - 1
        more = ", " if limits.nodes else ""
        lines[at] = lines[at].replace("{", f"{{{stated}{more}", 1)
    else:
        if limits is not None:
            del lines[_line_of(found, "limits") - 1]
        if lines and not lines[-1].endswith("\n"):
            lines[-1] += "\n"
        lines.append(f"limits:\n  {stated}\n")
    return "".join(lines).encode()


def _line_of(of: Map | None, key: str) -> int:
    return of.lines[key] if of else 0
