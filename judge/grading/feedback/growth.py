"""How the time of a program grows with the size of its input, from a few measurements, with how sure that is."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from problems.package.model import SizeOf

_ABOVE_START = 0.02
"""Seconds beyond what the smallest input takes, from which on a measurement tells of the size and not of the start."""
_FEWEST = 4
_SPREAD = 3
"""The largest size must be so many times the smallest."""
_WIDEST = 0.8
"""An interval wider than this tells nothing."""
# Two-sided 95 % points of Student's t for 1, 2, … degrees of freedom.
_T = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23)
_NUMBER = re.compile(rb"\d{1,18}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Time grows about as size to the power `exponent`; that lies between `low` and `high` in 19 of 20 cases."""

    exponent: float
    low: float
    high: float
    points: int


def size_of(text: bytes, of: SizeOf) -> int:
    """The size of an input."""
    match of:
        case SizeOf.LINES:
            return text.count(b"\n")
        case SizeOf.BYTES:
            return len(text)
        case SizeOf.NUMBERS:
            return len(_NUMBER.findall(text))
        case SizeOf.FIRST_NUMBER:
            found = _NUMBER.search(text)
            return int(found[0]) if found else 0


def growth(measured: Sequence[tuple[int, float]]) -> Growth | None:
    """The growth of `measured` (size, seconds of CPU): a straight line through their logarithms, fitted by least
    squares, the time of starting taken off. None when that cannot be told."""
    if len(measured) < 2:
        return None
    start = min(seconds for _, seconds in measured)
    points = [
        (math.log(size), math.log(seconds - start))
        for size, seconds in measured
        if size > 0 and seconds - start >= max(_ABOVE_START, 0.25 * start)
    ]
    count = len(points)
    if count < _FEWEST or max(x for x, _ in points) - min(x for x, _ in points) < math.log(_SPREAD):
        return None
    middle_x = sum(x for x, _ in points) / count
    middle_y = sum(y for _, y in points) / count
    across = sum((x - middle_x) ** 2 for x, _ in points)
    slope = sum((x - middle_x) * (y - middle_y) for x, y in points) / across
    left = sum((y - middle_y - slope * (x - middle_x)) ** 2 for x, y in points)
    error = math.sqrt(left / (count - 2) / across)
    half = _T[min(count - 2, len(_T)) - 1] * error
    if 2 * half > _WIDEST:
        return None
    return Growth(exponent=slope, low=slope - half, high=slope + half, points=count)
