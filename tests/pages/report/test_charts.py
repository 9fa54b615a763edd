"""Systems and entities can be told apart: by shape, by colour, also without red and green."""

from __future__ import annotations

import math
import re
from itertools import combinations

import pytest

from scoref.pages.report.page import style
from scoref.pages.toolkit.systems import COLOURS, SHAPES, beaten

THEMES = ("light", "dark")
SYSTEMS, ENTITIES, HUES, STYLES = 24, 36, 12, 3
Vector = tuple[float, ...]

# Linear RGB as readers see it who lack a kind of cone: Machado, Oliveira & Fernandes (2009).
SIGHT: dict[str, tuple[Vector, ...]] = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
}


def colours(theme: str) -> dict[str, str]:
    """Return the colours of a theme by name."""
    pairs = re.findall(r"--(\w+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", style())
    return {name: both[THEMES.index(theme)] for name, *both in pairs}


def linear(colour: str) -> Vector:
    """Return the linear parts of a colour."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as WCAG defines it."""
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))


def product(matrix: tuple[Vector, ...], vector: Vector) -> Vector:
    """Multiply."""
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def seen(colour: str, sight: str) -> Vector:
    """Return a colour as seen, in Ottosson's Oklab, where distances are like felt distances."""
    r, g, b = (min(1.0, max(0.0, c)) for c in product(SIGHT[sight], linear(colour)))
    cones = (
        0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b,
        0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
        0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b,
    )
    lab = (
        (0.2104542553, 0.7936177850, -0.0040720468),
        (1.9779984951, -2.4285922050, 0.4505937099),
        (0.0259040371, 0.7827717662, -0.8086757660),
    )
    return product(lab, tuple(math.cbrt(max(0.0, cone)) for cone in cones))


@pytest.mark.parametrize("theme", THEMES)
def test_colours_can_be_read(theme: str) -> None:
    """Text and the signs of entities have a contrast of 4.5 or more on paper and on cards."""
    known = colours(theme)
    names = ("ink", "soft", "accent", "warn", "good", *(f"e{at}" for at in range(HUES + 1)))
    for background in ("paper", "card"):
        for name in names:
            low, high = sorted(luminance(known[one]) for one in (name, background))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (name, background)


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("theme", THEMES)
def test_systems_are_distinct(theme: str, sight: str) -> None:
    """Two of 24 systems differ in shape, or in colours that this reader can distinguish."""
    known = colours(theme)
    for one, other in combinations(range(SYSTEMS), 2):
        if one % len(SHAPES) != other % len(SHAPES):
            continue
        pair = (seen(known[f"e{1 + at % COLOURS}"], sight) for at in (one, other))
        assert math.dist(*pair) > 0.06, (one, other)  # 0.02 is just noticeable


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("theme", THEMES)
def test_the_first_systems_differ_in_colour_alone(theme: str, sight: str) -> None:
    """All eight colours are distinct; reports with few systems are the most common."""
    known = colours(theme)
    for one, other in combinations(range(1, COLOURS + 1), 2):
        assert math.dist(*(seen(known[f"e{at}"], sight) for at in (one, other))) > 0.06


@pytest.mark.parametrize("theme", THEMES)
def test_entities_are_distinct(theme: str) -> None:
    """Two of the first 36 entities differ in colour or in the style of the sign."""
    known = colours(theme)
    for one, other in combinations(range(ENTITIES), 2):
        if one // HUES % STYLES == other // HUES % STYLES:
            pair = (seen(known[f"e{1 + at % HUES}"], "all cones") for at in (one, other))
            assert math.dist(*pair) > 0.1, (one + 1, other + 1)


def test_letters_of_beaten_systems() -> None:
    """Capital letters, since systems are often called a and b; three or more are a range."""
    assert beaten(()) == ""
    assert beaten(("b",)) == "B"
    assert beaten(("b", "c")) == "B C"
    assert beaten(("b", "c", "d", "f", "h", "i", "j", "k")) == "B–D F H–K"  # noqa: RUF001
    assert beaten(("y", "z", "aa", "ab")) == "Y Z AA AB"
