"""The scale of distance as colours: straw is near, ink blue is far. Up to seven layers have the seven of tokens.css."""

import math
from functools import lru_cache

LAYERS = 7


def tone(distance: int, farthest: int) -> int:
    """Which of the seven layers of the style sheet comes nearest, 0 to 6."""
    return distance if farthest < LAYERS else round((LAYERS - 1) * min(distance / farthest, 1))


def paint(distance: int, farthest: int) -> str:
    """The fill of a place at `distance`: one of the seven, or a step between them when there are more layers."""
    return f"var(--l{distance})" if farthest < LAYERS else _between(min(distance / farthest, 1))


def dark(distance: int, farthest: int) -> bool:
    """Whether white letters stand better on it than black ones."""
    if farthest < LAYERS:
        return distance > 3
    ground = _luminance(_between(min(distance / farthest, 1))) + 0.05
    return 1.05 / ground > ground / 0.05


@lru_cache(maxsize=2048)
def _between(part: float) -> str:
    """Lightness falls in even steps, as in tokens.css; chroma is lowered where the screen has none so strong."""
    lightness, hue = 0.925 - 0.575 * part, math.radians(98 + 178 * part)
    chroma = 0.062 + 0.17 * part * (1 - part) + 0.035 * part
    while chroma > 0 and not all(-0.0005 <= each <= 1.0005 for each in _linear(lightness, chroma, hue)):
        chroma -= 0.002
    channels = (min(1.0, max(0.0, each)) for each in _linear(lightness, chroma, hue))
    return "#" + "".join(f"{round(255 * _screen(each)):02x}" for each in channels)


def _linear(lightness: float, chroma: float, hue: float) -> tuple[float, float, float]:
    """OKLCH as linear red, green and blue."""
    a, b = chroma * math.cos(hue), chroma * math.sin(hue)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )


def _screen(value: float) -> float:
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


def _luminance(colour: str) -> float:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
