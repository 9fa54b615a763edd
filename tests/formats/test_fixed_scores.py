"""The law of `validate --fix`: a file that was fixed scores as before, in every format."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoref.formats import inspect
from scoref.formats.fixes import FIXES, fix_file
from scoref.formats.format import Wanted
from scoref.formats.io.sources import sources
from tests.formats.test_scores_survive import WAYS, Way, scores
from tests.fuzz.generators import GENERATORS

NAMES = sorted({name for fix in FIXES for name in fix.formats} & set(GENERATORS))
LONG = 1_000
BLANKS = [b" ", b"\t", b"  ", b"\r", b"\r\r"]
COLUMNS = frozenset({"word", "pos", "parse", "head"})


def damage(rng: random.Random, data: bytes) -> bytes:
    """Undo what fixes would do, at random places."""
    lines = data.split(b"\n")
    rate = rng.choice([0.0, 0.2, 1.0])
    for at, line in enumerate(lines[:-1]):
        if line.startswith(b"#end") and rng.random() < rate:
            lines[at] = b""
        elif line.endswith(b")") and rng.random() < rate:
            brackets = line.rsplit(None, 1)[-1]
            lines[at] += b"|" + rng.choice(brackets.split(b"|"))
        if rng.random() < rate:
            lines[at] += rng.choice(BLANKS)
    found = b"\n".join(lines)
    found = found.removesuffix(b"\n") if rng.random() < 0.5 else found
    return b"\xef\xbb\xbf" + found if rng.random() < 0.3 else found


def try_file(name: str, seed: int, way: Way) -> None:
    """Damage a drawn file, fix it, and score both as the key and as the response."""
    rng = random.Random(f"{name} {seed}")  # noqa: S311
    files = GENERATORS[name](rng)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"x{suffix}" for suffix in files]
        for path, data in zip(paths, files.values(), strict=True):
            path.write_bytes(data)
        whole, problems = inspect(paths[0], name, Wanted(COLUMNS))
        if problems:
            return  # generators also draw files that are refused
        paths[0].write_bytes(damage(rng, paths[0].read_bytes()))
        before, problems = inspect(paths[0], name, Wanted(COLUMNS))
        outcome = fix_file(sources(paths[0])[0])
        paths[0].write_bytes(outcome.fixed)
        after, remaining = inspect(paths[0], name, Wanted(COLUMNS))
        assert bool(remaining) == bool(outcome.problems)
        assert fix_file(sources(paths[0])[0]).is_changed is False
    if remaining or problems:
        return
    assert scores(whole, after, way) == scores(whole, before, way)
    assert scores(after, whole, way) == scores(before, whole, way)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=10)
@example(seed=29889, way=WAYS[0])  # a fix of CoNLL columns is safe only after other fixes
@given(seed=st.integers(0), way=st.sampled_from(WAYS))
def test_a_fixed_file_scores_as_before(name: str, seed: int, way: Way) -> None:
    """And a second run changes nothing."""
    try_file(name, seed, way)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=LONG)
@given(seed=st.integers(0), way=st.sampled_from(WAYS))
def test_a_fixed_file_scores_as_before_long(name: str, seed: int, way: Way) -> None:
    """The same, 1,000 times for each format."""
    try_file(name, seed, way)
