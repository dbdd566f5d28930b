"""How time grows, and when that cannot be told."""

import random

import pytest

from judge.grading.feedback.growth import growth, size_of
from problems.package.model import SizeOf

SIZES = [round(1000 * 1.5**step) for step in range(8)]


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0, 3.0])
def test_the_exponent_is_found_within_its_interval(exponent: float) -> None:
    draw = random.Random(7)
    largest = SIZES[-1] ** exponent
    hits = 0
    for _ in range(200):
        measured = [(10, 0.02)] + [
            (size, 0.02 + 2.0 * size**exponent / largest * draw.gauss(1, 0.03)) for size in SIZES
        ]
        found = growth(measured)
        assert found is not None
        assert abs(found.exponent - exponent) < 0.2
        hits += found.low <= exponent <= found.high
    assert hits >= 180


def test_noise_tells_nothing() -> None:
    draw = random.Random(3)
    assert growth([(size, draw.uniform(0.02, 1.0)) for size in SIZES]) is None


def test_a_start_that_takes_all_the_time_tells_nothing() -> None:
    assert growth([(size, 0.2 + size / 1e7) for size in SIZES]) is None


def test_too_few_or_too_near() -> None:
    assert growth([]) is None
    assert growth([(10, 0.01), (1000, 0.1), (2000, 0.2)]) is None
    assert growth([(10, 0.01), *((1000 + step, 0.1 + step / 100) for step in range(8))]) is None


@pytest.mark.parametrize(
    ("of", "size"), [(SizeOf.LINES, 2), (SizeOf.BYTES, 8), (SizeOf.NUMBERS, 3), (SizeOf.FIRST_NUMBER, 12)]
)
def test_sizes(of: SizeOf, size: int) -> None:
    assert size_of(b"12 3\n45\n", of) == size
